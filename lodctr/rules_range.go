package lodctr

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// rangeRules look at the indexes that providers have.
var rangeRules = []rule{
	{Rule{"E30", Error, "the range of a provider is not one: a value is missing, First is above Last, a parity is wrong, or the Help values are not the Counter values + 1", "unload it, then load it again"}, checkRange},
	{Rule{"E31", Error, "the ranges of two providers overlap", "unload both, load both again"}, checkOverlap},
	{Rule{"E32", Error, "the range of a provider is outside of 1848 to Last Counter of Perflib", "copied from another machine? Load it again"}, checkBounds},
	{Rule{"E33", Error, "a provider has a range without names, or names without a range", "load it again; if it is gone, unload it"}, checkNames},
	{Rule{"E35", Error, "a First or Last value is no DWORD", "delete the value, then load the provider again"}, checkTypes},
	{Rule{"N30", Note, "indexes of a provider's range have no name", "normal for some providers"}, checkUnnamedIndexes},
}

// firstFree is the lowest index that a provider can have.
const firstFree = titles.LastBase + 1

func checkRange(x *exam) {
	for _, p := range x.providers {
		x.missing(p)
		if p.first.ok && p.last.ok && p.first.v > p.last.v {
			x.report(p.name, p.first.line, p.subject(registry.FirstCounter), "First Counter %d is above Last Counter %d", p.first.v, p.last.v)
		}
		for i, n := range p.values() {
			if want := uint32(i / 2); n.ok && n.v%2 != want {
				x.report(p.name, n.line, p.subject(n.name), "%s is %d, %s is expected", n.name, n.v, [...]string{"an even number", "an odd number"}[want])
			}
		}
		follows := func(a, b number, name, of string) {
			if a.ok && b.ok && uint64(b.v) != uint64(a.v)+1 {
				x.report(p.name, b.line, p.subject(name), "%s is %d, and %s %d; it must be one more", name, b.v, of, a.v)
			}
		}
		follows(p.first, p.firstHelp, registry.FirstHelp, registry.FirstCounter)
		follows(p.last, p.lastHelp, registry.LastHelp, registry.LastCounter)
	}
}

// missing tells of values that are not there while others are.
func (x *exam) missing(p *provider) {
	var lost []string
	there := 0
	for _, n := range p.values() {
		if n.there {
			there++
		} else {
			lost = append(lost, n.name)
		}
	}
	if there > 0 && len(lost) > 0 {
		x.report(p.name, p.line, p.subject(lost[0]), "%s of %s not there, other values of the range are", strings.Join(lost, ", "), p.service)
	}
}

func checkTypes(x *exam) {
	for _, p := range x.providers {
		for _, n := range p.values() {
			if n.there && !n.ok {
				x.report(p.name, n.line, p.subject(n.name), "%s is no DWORD", n.name)
			}
		}
	}
}

func checkOverlap(x *exam) {
	var reach *provider // the one before that goes furthest
	for _, p := range x.ranges {
		if reach != nil && reach.last.v >= p.first.v && p.first.v <= p.last.v {
			x.report(p.name, p.first.line, p.subject(registry.FirstCounter), "%s has %d to %d, and %s has %d to %d", p.service, p.first.v, p.last.v, reach.service, reach.first.v, reach.last.v)
		}
		if reach == nil || p.last.v > reach.last.v {
			reach = p
		}
	}
}

func checkBounds(x *exam) {
	last := x.lastCounter()
	for _, p := range x.providers {
		switch {
		case p.first.ok && p.first.v < firstFree:
			x.report(p.name, p.first.line, p.subject(registry.FirstCounter), "First Counter is %d; the indexes up to %d are those of Windows itself", p.first.v, titles.LastBase)
		case p.last.ok && last.ok && p.last.v > last.v:
			x.report(p.name, p.last.line, p.subject(registry.LastCounter), "Last Counter is %d, above the %d of Perflib", p.last.v, last.v)
		}
	}
}

// lastCounter returns that of Perflib: of the registry, else of a backup.
func (f *Files) lastCounter() number {
	var n number
	for _, l := range f.perflibs {
		if l.counter.ok && (!n.ok || l.key != nil) {
			n = l.counter
		}
	}
	return n
}

func checkNames(x *exam) {
	if x.names == nil {
		return
	}
	for _, p := range x.providers {
		switch {
		case p.hasRange():
			if named, all := x.named(p); named == 0 && all > 0 {
				x.report(p.name, p.first.line, p.subject(registry.FirstCounter), "%s has %d to %d, and none of them has a name in %s", p.service, p.first.v, p.last.v, baseName(x.names.name))
			}
		case !p.first.there && !p.last.there:
			x.orphan(p, x.names)
		}
	}
}

// named counts the indexes of a range that have a name, and those that should.
func (x *exam) named(p *provider) (named, all uint64) {
	if p.first.v > p.last.v {
		return 0, 0
	}
	// The names are counted, not the indexes: a range may be as wide as 2^32.
	from, _ := slices.BinarySearch(x.nameList, p.first.v)
	to, ok := slices.BinarySearch(x.nameList, p.last.v)
	if ok {
		to++
	}
	all = (uint64(p.last.v)-uint64(p.first.v))/2 + 1
	return min(uint64(to-from), all), all
}

// orphan looks for the names of a provider that has no range.
func (x *exam) orphan(p *provider, names *table) {
	const objects = 16 // enough to find one that is there
	tried := 0
	for _, pair := range x.drivers[fold(p.service)] {
		for _, s := range pair.symbols {
			t, ok := pair.text(s, names.language, inifile.Name)
			if !ok || s.object == 0 || t.Text == "" {
				continue
			}
			if tried++; tried > objects {
				return
			}
			for _, index := range names.t.Indexes(t.Text) {
				if index >= firstFree {
					x.report(p.name, p.line, p.subject(registry.FirstCounter), "%s has no First Counter, and its object %q is the name %d in %s", p.service, clip(t.Text), index, baseName(names.name))
					return
				}
			}
		}
	}
}

func checkUnnamedIndexes(x *exam) {
	if x.names == nil {
		return
	}
	for _, p := range x.ranges {
		if named, all := x.named(p); named > 0 && named < all {
			have := "have"
			if all-named == 1 {
				have = "has"
			}
			x.report(p.name, p.first.line, p.subject(registry.FirstCounter), "%d of the %d indexes of %s %s no name in %s", all-named, all, p.service, have, baseName(x.names.name))
		}
	}
}
