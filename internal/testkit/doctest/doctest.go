// Package doctest holds the pages of the formats to the code that they
// describe. It is for tests.
package doctest

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/wire"
)

// Page is a page in docs with sections that are made from code: what stands
// between <!-- begin NAME --> and <!-- end NAME -->.
type Page struct {
	t    testing.TB
	name string
	text string
}

// Open reads a page.
func Open(t testing.TB, name string) *Page {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return &Page{t: t, name: name, text: string(text)}
}

// Set gives a section its text.
func (p *Page) Set(name, body string) {
	p.t.Helper()
	section := regexp.MustCompile(`(?s)<!-- begin ` + name + ` -->\n.*?<!-- end ` + name + ` -->`)
	require.Regexp(p.t, section, p.text)
	p.text = section.ReplaceAllLiteralString(p.text, "<!-- begin "+name+" -->\n"+body+"<!-- end "+name+" -->")
}

// Struct gives the section that is named after the type of v the byte table of
// that struct. The name is as if the type was exported; it is the title where
// there is no other.
func (p *Page) Struct(title string, v any) {
	p.t.Helper()
	name := reflect.TypeOf(v).Name()
	name = strings.ToUpper(name[:1]) + name[1:]
	if title == "" {
		title = name
	}
	fields, size := wire.Layout(v)
	var table strings.Builder
	fmt.Fprintf(&table, "%s, %d bytes:\n\n| offset | size | field | meaning |\n|---|---|---|---|\n", title, size)
	for _, f := range fields {
		fmt.Fprintf(&table, "| %d | %d | %s | %s |\n", f.Off, f.Size, f.Name, f.Doc)
	}
	p.Set(name, table.String())
}

// Close wants the page to be as it was, or with -update writes it.
func (p *Page) Close() {
	p.t.Helper()
	golden.File(p.t, p.name, []byte(p.text))
}

// Code is a code of an anomaly and the name of its constant.
type Code struct{ Const, Code string }

// Codes returns the codes of anomalies that the source file of a package
// declares.
func Codes(t testing.TB, source string) []Code {
	t.Helper()
	text, err := os.ReadFile(source)
	require.NoError(t, err)
	var codes []Code
	for _, m := range regexp.MustCompile(`(\w+) +perfdump\.Code = "([a-z0-9-]+)"`).FindAllStringSubmatch(string(text), -1) {
		codes = append(codes, Code{m[1], m[2]})
	}
	require.NotEmpty(t, codes)
	return codes
}

// Anomalies wants each code that anomalies.go declares to have a row in the
// section Anomalies of one of the pages, alone or with others of one meaning.
func Anomalies(t testing.TB, pages ...string) {
	t.Helper()
	var tables strings.Builder
	for _, page := range pages {
		tables.WriteString(Section(t, page, "Anomalies"))
	}
	for _, c := range Codes(t, "anomalies.go") {
		require.Regexp(t, "(?m)^\\| (?:[a-z0-9-]+, )*`?"+c.Code+"`?(?:, [a-z0-9-]+)* \\|", tables.String())
	}
}

// Examples checks that the table below a heading of a page lists the codes that
// anomalies.go declares, and more, each with a text in which anomalies finds it.
func Examples(t testing.TB, page, heading string, more []perfdump.Code, anomalies func(text []byte) *perfdump.Anomalies) {
	t.Helper()
	table := Section(t, page, heading)
	source, err := os.ReadFile("anomalies.go")
	require.NoError(t, err)
	want := slices.Clone(more)
	for _, m := range regexp.MustCompile(`perfdump\.Code\("([a-z0-9-]+)"\)`).FindAllSubmatch(source, -1) {
		want = append(want, perfdump.Code(m[1]))
	}
	var listed []perfdump.Code
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\| `(\".*\")` \\| ").FindAllStringSubmatch(table, -1) {
		code := perfdump.Code(m[1])
		listed = append(listed, code)
		text, err := strconv.Unquote(m[2])
		require.NoError(t, err, "%s", m[2])
		assert.True(t, slices.ContainsFunc(anomalies([]byte(text)).Kept(), func(a perfdump.Anomaly) bool { return a.Code == code }), "%s: %q", code, text)
	}
	assert.ElementsMatch(t, want, listed)
}

// Section returns what stands in a page behind a heading, up to the next one.
func Section(t testing.TB, page, heading string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, ok, "%s has no section %s", page, heading)
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}
