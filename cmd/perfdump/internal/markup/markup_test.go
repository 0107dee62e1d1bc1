package markup_test

import (
	"html/template"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/markup"
)

type item struct {
	Name string
	N    int
	Tags []string
}

type data struct {
	item

	Title string
	Items []*item
	None  []item
	Zero  int
	Share float64
}

var funcs = map[string]func(any) string{"upper": func(v any) string { return strings.ToUpper(v.(string)) }}

// TestMarkup holds pages against html/template, which makes the same of them.
func TestMarkup(t *testing.T) {
	d := &data{
		item: item{Name: "own", N: 7}, Title: `<b>"Ü" & 'x'</b>`, Share: 1773734135.5,
		Items: []*item{{"a", 1, []string{"x", "<y>"}}, {"", 0, nil}, {"c", -3, []string{""}}},
	}
	for _, text := range []string{
		"", "text", "a {{.Title}} b", `<p title="{{.Title}}">{{.Name}}{{.N}}</p>`, "{{upper .Title}}",
		"x {{- .Name -}} \n y", "{{if .Zero}}a{{end}}|{{if not .Zero}}b{{else}}c{{end}}|{{if .Title}}d{{else}}e{{end}}",
		"{{if .Zero}}a{{else if .None}}b{{else if .Share}}c{{else}}d{{end}}", "{{with .None}}a{{else}}b{{end}}{{with .Title}}{{.}}{{end}}",
		"<ul>\n{{- range .Items}}\n<li>{{.Name}} {{.N}}{{range .Tags}} [{{.}}]{{end}}{{if .Tags}}!{{end}}</li>\n{{- end}}\n</ul>",
		`{{range .None}}x{{end}}<b data-x="{{.Share}}">`, "{{with .Items}}{{range .}}{{with upper .Name}}({{.}}){{end}}{{end}}{{end}}",
	} {
		var want, got strings.Builder
		require.NoError(t, template.Must(template.New("").Funcs(template.FuncMap{"upper": strings.ToUpper}).Parse(text)).Execute(&want, d))
		require.NoError(t, markup.Parse(text, funcs).Write(&got, d))
		// Both are the same to a browser.
		assert.Equal(t, strings.ReplaceAll(want.String(), "&#43;", "+"), got.String(), text)
	}
}

func TestRaw(t *testing.T) {
	var b strings.Builder
	require.NoError(t, markup.Parse("{{.A}} {{.B}}", nil).Write(&b, struct {
		A markup.Raw
		B string
	}{"<i>", "<i>\x00"}))
	assert.Equal(t, "<i> &lt;i&gt;\ufffd", b.String())
}

// TestWrong holds that what is wrong with a page is seen when it is read or filled in.
func TestWrong(t *testing.T) {
	for _, text := range []string{"{{", "{{if .A}}", "{{end}}", "{{if .A}}{{else}}", "{{A}}", "{{.A .B .C}}", "{{range .A}}{{else if .B}}{{end}}{{end}}"} {
		assert.Panics(t, func() { markup.Parse(text, nil) }, text)
	}
	assert.Panics(t, func() { _ = markup.Parse("{{.Nosuch}}", nil).Write(&strings.Builder{}, &data{}) })
}
