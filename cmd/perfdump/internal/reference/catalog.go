package reference

import (
	_ "embed" // for the table
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/once"
	"github.com/perfdump/perfdump/pdhpath"
)

// catalogText is the table of the counters that people meet most; it begins with
// what it looks like.
//
//go:embed counters.txt
var catalogText string

// catalog is read when a counter is first asked for.
var catalog = sync.OnceValue(func() []Meaning {
	all, _ := readCatalog(catalogText) // TestCatalog sees the error
	return all
})

// readCatalog reads a table of counters. The error says which line is wrong.
func readCatalog(text string) (all []Meaning, err error) {
	var m *Meaning  // of the block
	var last string // the key that a line of blanks continues
	fields := map[string]string{}
	end := func() {
		if m == nil || err != nil {
			return
		}
		m.Text, m.Unit, m.Normal = fields["what"], fields["unit"], fields["normal"]
		m.Beware = strings.TrimSuffix(fields["beware"], ".")
		m.See = list(fields["see"])
		for _, name := range list(fields["type"]) {
			t, typeErr := countertypes.Parse(name)
			if err = typeErr; err != nil {
				return
			}
			m.Types = append(m.Types, t)
		}
		all = append(all, *m)
		m, fields = nil, map[string]string{}
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, " \r\n")
		key, value, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "":
			end()
		case strings.HasPrefix(line, `\`):
			path, pathErr := pdhpath.Parse(line)
			if err = pathErr; err != nil {
				break
			}
			if m == nil {
				m = &Meaning{Source: Counter, Name: path.Counter}
			}
			if path.Counter != m.Name {
				err = fmt.Errorf("%q is another counter than %q", path.Counter, m.Name)
			}
			m.Paths, m.Objects = append(m.Paths, line), append(m.Objects, path.Object)
		case m == nil:
			err = fmt.Errorf("no path comes before %q", line)
		case key == "":
			fields[last] += " " + strings.TrimSpace(value)
		case !slices.Contains([]string{"what", "unit", "type", "normal", "see", "beware"}, key) || fields[key] != "":
			err = fmt.Errorf("the key %q is not known or repeated", key)
		default:
			fields[key], last = strings.TrimSpace(value), key
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	end()
	return all, err
}

// list takes apart a text of parts between commas.
func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ", ")
}

// general are the objects of one of several installations or versions, and those
// that have their counters in the table: SQLServer:Locks for MSSQL$SALES:Locks.
var general = []struct {
	name func() *regexp.Regexp
	of   string
}{
	{once.Regexp(`(?i)^MSSQL\$[^:]*:`), "SQLServer:"},
	{once.Regexp(`(?i)^ASP\.NET Apps v.*`), "ASP.NET Applications"},
	{once.Regexp(`(?i)^ASP\.NET v.*`), "ASP.NET"},
}

func generalObject(name string) string {
	for _, g := range general {
		name = g.name().ReplaceAllLiteralString(name, g.of)
	}
	return name
}
