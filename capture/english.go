package capture

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/perfdump/perfdump/internal/english"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/titles"
)

// naming holds the names of an object and one of its counters.
type naming struct{ object, counter string }

// translator finds the English names of objects and counters recorded in any language: by
// title index in English tables, by the same index in a table of the language and an
// English one, or by the built-in names. It is safe for concurrent use.
type translator struct {
	english *titles.Names              // the given tables, then the base names
	byTable func() map[string][]string // English names by folded name in the tables of the language
	same    bool                       // the tables of the language are English
}

func newTranslator(local, given []*titles.Table) *translator {
	t := &translator{english: titles.NewNames(given...), same: areEnglish(local)}
	t.byTable = sync.OnceValue(func() map[string][]string {
		all := map[string][]string{}
		for _, table := range local {
			for index, name := range table.All() {
				own, ok := t.english.Lookup(index)
				if name = english.Fold(name); !ok || name == "" {
					continue
				}
				if of := all[name]; len(of) < maxMeanings && !slices.Contains(of, own) {
					all[name] = append(of, own)
				}
			}
		}
		return all
	})
	return t
}

// maxMeanings is how many English names a name may have. A damaged table may have the same
// name for all indexes.
const maxMeanings = 64

// stable lists indexes whose English names never changed: System, Memory, % Processor Time,
// Process, Thread, PhysicalDisk, LogicalDisk, Processor, and Network Interface.
var stable = []uint32{2, 4, 6, 230, 232, 234, 236, 238, 510}

// areEnglish reports whether tables hold English names. A table called 009 may hold any
// language.
func areEnglish(tables []*titles.Table) bool {
	found := false
	for _, t := range tables {
		for _, index := range stable {
			name, ok := t.Lookup(index)
			own, _ := titles.Base().Lookup(index)
			if ok && !strings.EqualFold(name, own) {
				return false
			}
			found = found || ok
		}
	}
	return found
}

// translate returns the English names of a recorded object and counter. A title index of 0
// is unknown. A name without a unique translation is returned unchanged; known reports
// whether both results are English.
func (t *translator) translate(of naming, object, counter uint32) (to naming, known bool) {
	to.object, known = t.name(of.object, object, english.Objects)
	if of.counter == "" {
		return to, known
	}
	inObject := known
	to.counter, known = t.name(of.counter, counter, func(name string) []string {
		if !inObject {
			return nil
		}
		return english.Counters(to.object, name)
	})
	return to, known && inObject
}

func (t *translator) name(name string, index uint32, builtIn func(string) []string) (string, bool) {
	if index != 0 {
		if own, ok := t.english.Lookup(index); ok {
			if strings.EqualFold(own, name) || own == name+"v4" { // IP, TCP and UDP before Vista
				own = name
			}
			return own, true
		}
		if t.same {
			return name, true
		}
	}
	all := t.names(name, builtIn)
	if len(all) == 1 {
		return all[0], true
	}
	return name, len(all) == 0 && isBase()[strings.ToLower(name)]
}

func (t *translator) names(name string, builtIn func(string) []string) []string {
	all := t.byTable()[english.Fold(name)]
	if len(all) != 1 {
		known := builtIn(name)
		if len(all) == 0 {
			all = known
		} else if both := slices.DeleteFunc(slices.Clone(all), func(own string) bool { return !slices.Contains(known, own) }); len(both) > 0 {
			all = both
		}
	}
	if slices.ContainsFunc(all, func(own string) bool { return strings.EqualFold(own, name) }) {
		return []string{name} // already English
	}
	return all
}

var isBase = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, name := range titles.Base().All() {
		all[strings.ToLower(name)] = true
	}
	return all
})

type translations struct {
	of           map[translation]translated
	changed      bool // some name was translated
	known        bool // some names are known to be English
	foreign      bool // an untranslated name has non-ASCII letters
	untranslated map[naming]bool
	first        naming // of untranslated
}

func newTranslations() *translations {
	return &translations{of: map[translation]translated{}, untranslated: map[naming]bool{}}
}

type translation struct {
	naming
	by                        *translator // differs between machines
	objectIndex, counterIndex uint32
}

type translated struct {
	naming
	known bool
}

const maxTranslations = 1 << 14

// translate is translator.translate with a cache.
func (n *Names) translate(of naming, object, counter uint32) (to naming, known bool) {
	key := translation{of, n.to, object, counter}
	t, ok := n.done.of[key]
	if !ok {
		t.naming, t.known = n.to.translate(of, object, counter)
		if len(n.done.of) >= maxTranslations {
			clear(n.done.of)
		}
		n.done.of[key] = t
	}
	return t.naming, t.known
}

// shown returns the names to show: the recorded ones, or the English ones if requested.
func (n *Names) shown(of naming, object, counter uint32) naming {
	if !n.inEnglish {
		return of
	}
	to, known := n.translate(of, object, counter)
	n.done.count(of, to, known)
	return to
}

// name sets the shown name of a metric and returns that of the object.
func (n *Names) name(m *Metric, of naming, object, counter uint32) string {
	if m.Counter = of.counter; !n.inEnglish {
		return of.object
	}
	to, known := n.translate(of, object, counter)
	m.Counter, m.recorded, m.known = to.counter, of, known
	return to.object
}

// count records how a name was translated.
func (d *translations) count(of, to naming, known bool) {
	d.changed = d.changed || of != to
	switch {
	case known:
		d.known = true
	case of.counter != "" && len(d.untranslated) < maxTranslations && !d.untranslated[of] && !isNumber(of.object) && !isNumber(of.counter):
		if len(d.untranslated) == 0 {
			d.first = of
		}
		d.untranslated[of] = true
		d.foreign = d.foreign || strings.ContainsFunc(of.object+of.counter, func(r rune) bool { return r >= 0x80 })
	}
}

func isNumber(name string) bool {
	_, err := strconv.ParseUint(name, 10, 32)
	return err == nil
}

func (n *Names) both(o *Owner, m *Metric) [2]naming {
	if m.recorded != (naming{}) {
		return [2]naming{m.recorded, {o.Object, m.Counter}}
	}
	return n.bothOf(naming{o.Object, m.Counter}, o.ObjectIndex, m.CounterIndex)
}

func (n *Names) bothOf(of naming, object, counter uint32) [2]naming {
	to, _ := n.translate(of, object, counter)
	return [2]naming{of, to}
}

// Patterns returns the patterns of a path with wildcards: the path as given, and with
// English names instead of the names of other languages that have no wildcard. The error is
// that of [pdhpath.Compile].
func (n *Names) Patterns(path string) ([]*pdhpath.Pattern, error) {
	p, err := pdhpath.Compile(path)
	if err != nil {
		return nil, err
	}
	all := []*pdhpath.Pattern{p}
	parts, err := pdhpath.Parse(path)
	if err != nil { // a lone *
		return all, nil
	}
	given := naming{parts.Object, parts.Counter}
	for _, object := range n.to.inPattern(given.object, english.Objects) {
		of := object
		if strings.Contains(of, "*") {
			of = ""
		}
		for _, counter := range n.to.inPattern(given.counter, func(name string) []string { return english.Counters(of, name) }) {
			if (naming{object, counter}) == given {
				continue
			}
			parts.Object, parts.Counter = object, counter
			p, err := pdhpath.Compile(parts.String())
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	return all, nil
}

// inPattern returns the English names of a part of a pattern, or the part itself.
func (t *translator) inPattern(part string, builtIn func(string) []string) []string {
	if !strings.Contains(part, "*") {
		if all := t.names(part, builtIn); len(all) > 0 {
			return all
		}
	}
	return []string{part}
}

// SetEnglish makes n find English names in tables of English names: equal indexes mean
// equal counters. If show is true, n returns English names where they are known. It must be
// called before n is used.
func (n *Names) SetEnglish(show bool, tables ...*titles.Table) {
	given, help := sorted(tables)
	n.inEnglish, n.given = show, given
	if show {
		n.help = append(help, n.help...)
	}
	n.counters = titles.NewNames(slices.Concat(n.local, given)...)
	n.to = newTranslator(n.local, given)
}

// Untranslated returns how many counters keep their recorded names although English names
// are requested, and the first of them. It returns 0 if all names seem to be English.
func (n *Names) Untranslated() (count int, object, counter string) {
	d := n.done
	if len(d.untranslated) > 0 && (d.changed || d.foreign || !d.known) {
		return len(d.untranslated), d.first.object, d.first.counter
	}
	return 0, "", ""
}

// English returns the English names of a counter and its object. The title indexes are 0 if
// unknown. Names without a translation are returned unchanged.
func (n *Names) English(object string, objectIndex uint32, counter string, counterIndex uint32) (string, string) {
	to, _ := n.translate(naming{object, counter}, objectIndex, counterIndex)
	return to.object, to.counter
}

// English returns the English names of a series if they are known, otherwise the recorded
// names.
func (s *Series) English() (object, counter string) {
	to := s.both()[1]
	return to.object, to.counter
}

// Recorded returns the names of a series in the input.
func (s *Series) Recorded() (object, counter string) {
	of := s.naming()
	return of.object, of.counter
}

func (s *Series) naming() naming {
	if s.recorded != (naming{}) {
		return s.recorded
	}
	return naming{s.Object, s.Counter}
}

func (s *Series) both() [2]naming {
	of, by := s.naming(), s.by
	if by == nil {
		by = builtIn()
	}
	to, _ := by.translate(of, s.ObjectIndex, s.CounterIndex)
	return [2]naming{of, to}
}

// builtIn translates with the built-in tables.
var builtIn = sync.OnceValue(func() *translator { return newTranslator(nil, nil) })
