package registration

import (
	"cmp"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/symbolh"
)

func checkUndefined(x *exam, p *pair) {
	x.undefined(p, "", func(s *symbol) int { return s.line })
}

func checkObjects(x *exam, p *pair) {
	x.undefined(p, " of [objects]", func(s *symbol) int { return s.object })
}

// undefined reports symbols that are in a section and not in the .h.
func (x *exam) undefined(p *pair, of string, line func(*symbol) int) {
	for _, s := range p.symbols {
		if at := line(s); p.h != nil && at > 0 && s.define == 0 {
			x.report(p.name, at, s.name, "%s%s is not in %s%s", s.name, of, baseName(p.h.name), x.like(p, s))
		}
	}
}

// like finds a symbol without text that may have been meant, for a finding that
// is kept.
func (x *exam) like(p *pair, lost *symbol) string {
	if x.found[p.name] >= maxPerFile {
		return ""
	}
	const shared = 4 // letters that say something
	want := fold(lost.name)
	for _, s := range p.symbols {
		name := fold(s.name)
		if s.define > 0 && !s.hasText() && min(len(name), len(want)) >= shared && (strings.HasPrefix(name, want) || strings.HasPrefix(want, name)) {
			return ", which has " + s.name
		}
	}
	return ""
}

func checkUnnamed(x *exam, p *pair) {
	named := map[uint32]bool{}
	for _, s := range p.symbols {
		if s.defined && s.hasText() {
			named[s.offset] = true
		}
	}
	for _, s := range p.symbols {
		// The index of an alias is that of its target.
		if !s.defined || !s.hasText() && (named[s.offset] || s.alias != "") {
			continue
		}
		var missing []string // as many as a message can list
		for _, l := range p.listed {
			if _, ok := p.text(s, l.ID, inifile.Name); !ok && p.speaks(l.ID) {
				missing = append(missing, l.ID)
			}
			if len(missing) == 8 {
				break
			}
		}
		if len(missing) > 0 {
			x.report(p.h.name, s.define, s.name, "%s has no NAME for %s in %s", s.name, few(missing), baseName(p.name))
		}
	}
}

// offsets returns the symbols that have an offset, in the order of those.
func (p *pair) offsets() []*symbol {
	all := slices.DeleteFunc(slices.Clone(p.symbols), func(s *symbol) bool { return !s.defined })
	slices.SortStableFunc(all, func(a, b *symbol) int { return cmp.Compare(a.offset, b.offset) })
	return all
}

func checkOdd(x *exam, p *pair) {
	for _, s := range p.offsets() {
		if s.offset%2 != 0 && s.alias == "" {
			x.report(p.h.name, s.define, s.name, "the offset %d of %s is odd", s.offset, s.name)
		}
	}
}

func checkZero(x *exam, p *pair) {
	if all := p.offsets(); len(all) > 0 && all[0].offset != 0 {
		x.report(p.h.name, all[0].define, all[0].name, "the lowest offset is %d, of %s; it must be 0", all[0].offset, all[0].name)
	}
}

func checkShared(x *exam, p *pair) {
	var last *symbol
	for _, s := range p.offsets() {
		if !s.hasText() {
			continue
		}
		if last != nil && last.offset == s.offset {
			x.report(p.h.name, s.define, s.name, "%s and %s have the offset %d", last.name, s.name, s.offset)
		}
		last = s
	}
}

func checkNoObjects(x *exam, p *pair) {
	if !p.ini.HasObjects() {
		x.report(p.name, 0, "[objects]", "there is no section [objects], so no Object List is written")
	}
}

func checkGaps(x *exam, p *pair) {
	var last *symbol
	for _, s := range p.offsets() {
		switch {
		case last == nil:
		case s.offset-last.offset > 2:
			x.report(p.h.name, s.define, s.name, "offsets go from %d to %d", last.offset, s.offset)
		case s.object > 0 && last.object > 0 && s.offset > last.offset:
			x.report(p.h.name, s.define, s.name, "there are no counters between the objects %s and %s", last.name, s.name)
		}
		last = s
	}
}

func checkValues(x *exam, h *symbolFile) {
	for d := range h.Defines() {
		switch d.Kind {
		case symbolh.Unsupported:
			x.report(h.name, d.Line, d.Name, "%s is defined as %q; a decimal number is expected", d.Name, clip(d.Value))
		case symbolh.Alias:
			if _, ok := h.Lookup(d.Name); !ok {
				x.report(h.name, d.Line, d.Name, "%s is defined as %s, which gives no number", d.Name, clip(d.Value))
			}
		case symbolh.Decimal, symbolh.None:
		}
	}
}

func checkOrder(x *exam, p *pair) {
	all := p.offsets()
	if !slices.ContainsFunc(all, func(s *symbol) bool { return s.object > 0 }) {
		return
	}
	if s := all[0]; s.object == 0 && s.hasText() {
		x.report(p.h.name, s.define, s.name, "%s, which comes first, is no object of [objects]", s.name)
	}
	for _, s := range all {
		if target := p.byName[fold(s.alias)]; s.object > 0 && target != nil && target.object == 0 {
			x.report(p.name, s.object, s.name, "%s of [objects] is an alias of the counter %s", s.name, target.name)
		}
	}
	r := x.services[fold(p.ini.DriverName())]
	if r == nil || !r.first.ok {
		return
	}
	for _, s := range p.symbols {
		for _, c := range x.captures {
			if object, ok := c.counters[r.first.v+s.offset]; ok && s.object > 0 && s.defined {
				x.report(p.name, s.object, s.name, "%s of [objects] is a counter of the object %d in %s", s.name, object, baseName(c.name))
				break
			}
		}
	}
}

func checkSemicolons(x *exam, h *symbolFile) {
	n, line := 0, 0
	for d := range h.Defines() {
		if d.Semicolon {
			n++
			line = cmp.Or(line, d.Line)
		}
	}
	if n > 0 {
		x.report(h.name, line, "", "%s in a semicolon", plural(n, "offset ends", "offsets end"))
	}
}
