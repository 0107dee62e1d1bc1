package registration

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// firstFree is the lowest index that a provider can have.
const firstFree = titles.LastBase + 1

func checkRange(x *exam, p *provider) {
	var lost []string
	for _, n := range p.values() {
		if !n.there {
			lost = append(lost, n.name)
		}
	}
	if len(lost) > 0 && len(lost) < 4 {
		x.report(p.name, p.line, p.subject(lost[0]), "%s of %s not there, other values of the range are", strings.Join(lost, ", "), p.service)
	}
	if p.first.ok && p.last.ok && p.first.v > p.last.v {
		x.report(p.name, p.first.line, p.subject(registry.FirstCounter), "First Counter %d is above Last Counter %d", p.first.v, p.last.v)
	}
	values := p.values()
	for i, n := range values {
		if want := uint32(i / 2); n.ok && n.v%2 != want {
			x.report(p.name, n.line, p.subject(n.name), "%s is %d, %s is expected", n.name, n.v, [...]string{"an even number", "an odd number"}[want])
		}
	}
	for i, help := range values[2:] {
		if counter := values[i]; counter.ok && help.ok && uint64(help.v) != uint64(counter.v)+1 {
			x.report(p.name, help.line, p.subject(help.name), "%s is %d, and %s %d; it must be one more", help.name, help.v, counter.name, counter.v)
		}
	}
}

func checkTypes(x *exam, p *provider) {
	for _, n := range p.values() {
		if n.there && !n.ok {
			x.report(p.name, n.line, p.subject(n.name), "%s is no DWORD", n.name)
		}
	}
}

func checkOverlap(x *exam) {
	var reach *provider // the one before with the highest last index
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
		if p.hasRange() {
			if named, all := x.named(p); named == 0 && all > 0 {
				x.report(p.name, p.first.line, p.subject(registry.FirstCounter), "%s has %d to %d, and none of them has a name in %s", p.service, p.first.v, p.last.v, baseName(x.names.name))
			}
		} else if !p.first.there && !p.last.there {
			x.orphan(p)
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
func (x *exam) orphan(p *provider) {
	tries := 16 // enough objects to find one
	for _, pair := range x.drivers[fold(p.service)] {
		for _, s := range pair.symbols {
			t, ok := pair.text(s, x.names.language, inifile.Name)
			if !ok || s.object == 0 || t.Text == "" {
				continue
			}
			if tries--; tries < 0 {
				return
			}
			for _, index := range x.names.t.Indexes(t.Text) {
				if index >= firstFree {
					x.report(p.name, p.line, p.subject(registry.FirstCounter), "%s has no First Counter, and its object %q is the name %d in %s", p.service, clip(t.Text), index, baseName(x.names.name))
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
			x.report(p.name, p.first.line, p.subject(registry.FirstCounter), "%s has no name for %d of the %d indexes of %s", baseName(x.names.name), all-named, all, p.service)
		}
	}
}
