package lodctr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// origin is where a table of names stands. The first one that there is counts.
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

func byPlace(a, b *table) int {
	return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.language, b.language), cmp.Compare(a.kind, b.kind))
}

// number is a DWORD that may not be there.
type number struct {
	v     uint32
	ok    bool // it is there, and a number
	there bool // it is there
	line  int
}

func dword(v *registry.Value) number {
	n := number{there: v != nil}
	if v != nil {
		n.v, n.ok = v.Uint32()
		n.line = v.Line
	}
	return n
}

func backedNumber(n perfstrings.Number) number {
	return number{v: n.Value, ok: n.Given, there: n.Line > 0, line: n.Line}
}

// perflib is what the system says of its indexes.
type perflib struct {
	name          string
	line          int
	base          number
	counter, help number // the last ones
	key           *registry.Key
}

func perflibOf(name string, k *registry.Key) *perflib {
	return &perflib{
		name: name, line: k.Line, key: k,
		base: dword(k.Value(registry.BaseIndex)), counter: dword(k.Value(registry.LastCounter)), help: dword(k.Value(registry.LastHelp)),
	}
}

func backupPerflib(name string, p perfstrings.Perflib) *perflib {
	return &perflib{name: name, line: p.Line, base: backedNumber(p.BaseIndex), counter: backedNumber(p.LastCounter), help: backedNumber(p.LastHelp)}
}

// provider is a service that registers counters.
type provider struct {
	name      string // of the file
	line      int
	service   string
	first     number
	last      number
	firstHelp number
	lastHelp  number
	disabled  number
	reg       *registry.Provider // nil in a backup
	whole     bool               // the file has all services of the machine
}

func registered(name string, p *registry.Provider, whole bool) *provider {
	return &provider{
		name: name, line: p.Performance.Line, service: p.Service, reg: p, whole: whole,
		first: dword(p.Value(registry.FirstCounter)), last: dword(p.Value(registry.LastCounter)),
		firstHelp: dword(p.Value(registry.FirstHelp)), lastHelp: dword(p.Value(registry.LastHelp)),
		disabled: dword(p.Value(registry.DisableCounters)),
	}
}

func backedUp(name string, p *perfstrings.Provider) *provider {
	return &provider{
		name: name, line: p.Line, service: p.Name, whole: true,
		first: backedNumber(p.FirstCounter), last: backedNumber(p.LastCounter),
		firstHelp: backedNumber(p.FirstHelp), lastHelp: backedNumber(p.LastHelp),
		disabled: backedNumber(p.Disabled),
	}
}

// wholeServices reports whether a .reg file is an export of all services: it
// has their key itself.
func wholeServices(r *registry.Reg) bool {
	for e := range r.Entries() {
		set, ok := strings.CutSuffix(fold(e.Path), `\services`)
		if ok && e.Key && !e.Deleted && strings.Contains(set[strings.LastIndexByte(set, '\\')+1:], "controlset") {
			return true
		}
	}
	return false
}

// named is a value of the four that a range is made of.
type named struct {
	name string
	number
}

func (p *provider) values() [4]named {
	return [4]named{
		{registry.FirstCounter, p.first},
		{registry.LastCounter, p.last},
		{registry.FirstHelp, p.firstHelp},
		{registry.LastHelp, p.lastHelp},
	}
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

// lookup returns the text of an index. known is false where there is no table
// of the language and the kind.
func (t textTables) lookup(language string, kind titles.Kind, index uint32) (text string, ok, known bool) {
	from := t[tableKey{fold(language), kind}]
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
	var all []*provider
	for _, p := range services {
		if p.hasRange() {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *provider) int {
		return cmp.Or(cmp.Compare(a.first.v, b.first.v), cmp.Compare(fold(a.service), fold(b.service)))
	})
	return all
}
