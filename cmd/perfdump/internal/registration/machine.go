package registration

import (
	"cmp"
	"maps"
	"slices"

	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// origin is where a table of names comes from. The first one that there is counts.
type origin int

const (
	fromRegistry origin = iota
	fromBackup
	fromFile // perfc009.dat, or the value of the registry as a file
	fromList // of text, which need not be whole
)

// table is a table of names with its place.
type table struct {
	name     string
	line     int
	key      string // of the registry, or the section of a backup
	language string // in lower case
	kind     titles.Kind
	origin   origin
	t        *titles.Table
	backup   *perfstrings.File // that it is made from
}

// subject is what a finding says of the table as a whole.
func (t *table) subject() string {
	if t.key != "" {
		return t.key
	}
	return t.language + " " + t.kind.String()
}

// number is a DWORD that may not be there.
type number struct {
	v     uint32
	ok    bool // it is there, and a number
	there bool // it is there
	line  int
}

func dword(v *registry.Value) (n number) {
	if v == nil {
		return n
	}
	n.v, n.ok = v.Uint32()
	n.there, n.line = true, v.Line
	return n
}

// perflib is the values of Perflib.
type perflib struct {
	name          string
	base          number
	counter, help number        // the last ones
	key           *registry.Key // nil in a backup
}

// provider is a service that registers counters.
type provider struct {
	name    string // of the file
	line    int
	service string
	reg     *registry.Provider // nil in a backup
	whole   bool               // the file has all services of the machine

	first, last, firstHelp, lastHelp number
	disabled                         number
}

// value is a value of a range, by its name.
type value struct {
	name string
	number
}

// values returns those of the range.
func (p *provider) values() [4]value {
	return [...]value{{registry.FirstCounter, p.first}, {registry.LastCounter, p.last}, {registry.FirstHelp, p.firstHelp}, {registry.LastHelp, p.lastHelp}}
}

// hasRange reports whether the provider has indexes.
func (p *provider) hasRange() bool { return p.first.ok && p.last.ok }

// subject is how a finding names a value of the provider's keys.
func (p *provider) subject(value string) string {
	if p.reg == nil {
		return "[PERF_" + p.service + "] " + value
	}
	return p.service + `\Performance\` + value
}

// textTables finds texts by their indexes: in each language those of the best
// origin.
type textTables map[tableKey]*table

type tableKey struct {
	language string
	kind     titles.Kind
}

func (f *Files) textTables() textTables {
	all := textTables{}
	for _, t := range f.tables {
		k := tableKey{t.language, t.kind}
		if was := all[k]; was == nil || t.origin < was.origin {
			all[k] = t
		}
	}
	return all
}

// lookup returns the name of an index. known is false if there is no table of
// names in the language.
func (t textTables) lookup(language string, index uint32) (text string, ok, known bool) {
	from := t[tableKey{fold(language), titles.Counter}]
	if from == nil {
		return "", false, false
	}
	text, ok = from.t.Lookup(index)
	return text, ok, true
}

// counters returns a table of names, the English one if there is one.
func (t textTables) counters() *table {
	if e := t[tableKey{english, titles.Counter}]; e != nil {
		return e
	}
	var best *table
	for k, is := range t {
		if k.kind == titles.Counter && (best == nil || k.language < best.language) {
			best = is
		}
	}
	return best
}

// services returns the provider of each service by its folded name, one of the
// registry before one of a backup.
func (f *Files) services() map[string]*provider {
	all := map[string]*provider{}
	for _, p := range f.providers {
		name := fold(p.service)
		if was := all[name]; was == nil || was.reg == nil && p.reg != nil {
			all[name] = p
		}
	}
	return all
}

// ranges returns the providers that have indexes, in the order of those.
func ranges(services map[string]*provider) []*provider {
	all := slices.DeleteFunc(slices.Collect(maps.Values(services)), func(p *provider) bool { return !p.hasRange() })
	slices.SortFunc(all, func(a, b *provider) int {
		return cmp.Or(cmp.Compare(a.first.v, b.first.v), cmp.Compare(fold(a.service), fold(b.service)))
	})
	return all
}
