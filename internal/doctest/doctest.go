// Package doctest holds the pages of the formats to the code that they
// describe. It is for tests.
package doctest

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
)

// Page is a page in docs with sections that are made from code: what stands
// between <!-- begin NAME --> and <!-- end NAME -->.
type Page struct {
	t    testing.TB
	name string
	was  string
	is   string
}

// Open reads a page.
func Open(t testing.TB, name string) *Page {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return &Page{t: t, name: name, was: string(text), is: string(text)}
}

// Set gives a section its text.
func (p *Page) Set(name, body string) {
	p.t.Helper()
	section := regexp.MustCompile(`(?s)<!-- begin ` + name + ` -->\n.*?<!-- end ` + name + ` -->`)
	require.Regexp(p.t, section, p.is)
	p.is = section.ReplaceAllLiteralString(p.is, "<!-- begin "+name+" -->\n"+body+"<!-- end "+name+" -->")
}

// Struct gives the section that is named after the type of v the byte table of
// that struct. The name is as if the type was exported.
func (p *Page) Struct(title string, v any) {
	p.t.Helper()
	fields, size := wire.Layout(v)
	var table strings.Builder
	fmt.Fprintf(&table, "%s, %d bytes:\n\n| offset | size | field | meaning |\n|---|---|---|---|\n", title, size)
	for _, f := range fields {
		fmt.Fprintf(&table, "| %d | %d | %s | %s |\n", f.Off, f.Size, f.Name, f.Doc)
	}
	name := reflect.TypeOf(v).Name()
	p.Set(strings.ToUpper(name[:1])+name[1:], table.String())
}

// Close writes the page if update is set; else it must be as it was.
func (p *Page) Close(update bool) {
	p.t.Helper()
	if update {
		require.NoError(p.t, os.WriteFile(p.name, []byte(p.is), 0o600))
		return
	}
	require.Equal(p.t, p.is, p.was, "run go test with -update")
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
