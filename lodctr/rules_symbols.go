package lodctr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/symbolh"
)

// symbolRules hold the symbols of an .ini to those of its .h.
var symbolRules = []rule{
	{Rule{"E03", Error, "a symbol of [text] is not in the .h", "match the spelling; the text is lost"}, checkUndefined},
	{Rule{"E04", Error, "a symbol of the .h has no NAME in a listed language that has text; symbols without any text that stand for the offset of another, as LAST_* do, may", "add the NAME, or the index stays unnamed"}, checkUnnamed},
	{Rule{"E05", Error, "an offset is odd", "renumber: even numbers, from 0"}, checkOdd},
	{Rule{"E06", Error, "no symbol has the offset 0", "renumber: even numbers, from 0"}, checkZero},
	{Rule{"E07", Error, "two symbols with text have one offset", "give each its own offset"}, checkShared},
	{Rule{"E12", Error, "a symbol of [objects] is not in the .h", "define it or drop the line"}, checkObjects},
	{Rule{"W04", Warning, "there is no section [objects]", "add it: without it the DLL is called for every query"}, checkNoObjects},
	{Rule{"W06", Note, "offsets leave a gap, or counters do not stand behind their object", "harmless; seen in shipped files"}, checkGaps},
	{Rule{"W07", Warning, "the value of a #define is neither decimal nor the name of another", "write a plain decimal number"}, checkValues},
	{Rule{"W14", Warning, "the first symbol is no object of [objects], or one of [objects] is a counter", "reorder the .h, or correct [objects]"}, checkOrder},
	{Rule{"N02", Note, "offsets are written as #define X 0; with a semicolon", "none needed: lodctr reads them"}, checkSemicolons},
}

func checkUndefined(x *exam) {
	for _, p := range x.pairs {
		if p.h == nil {
			continue
		}
		for _, s := range p.symbols {
			if s.hasText() && s.define == 0 {
				x.report(p.name, s.line, s.name, "%s is not in %s%s", s.name, baseName(p.h.name), x.like(p, s))
			}
		}
	}
}

// like finds a symbol without text that may have been meant, for a finding that
// is kept.
func (x *exam) like(p *pair, lost *symbol) string {
	if c := x.rest[p.name]; c != nil && c.n >= maxPerFile {
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

func checkUnnamed(x *exam) {
	for _, p := range x.pairs {
		if p.h == nil {
			continue
		}
		named := map[uint32]bool{}
		for _, s := range p.symbols {
			if s.defined && s.hasText() {
				named[s.offset] = true
			}
		}
		for _, s := range p.symbols {
			// The index of an alias is that of what it stands for.
			if !s.defined || !s.hasText() && (named[s.offset] || s.alias != "") {
				continue
			}
			if missing := p.lacks(s, inifile.Name); len(missing) > 0 {
				x.report(p.h.name, s.define, s.name, "%s has no NAME for %s in %s", s.name, strings.Join(missing, ", "), baseName(p.name))
			}
		}
	}
}

// lacks returns the listed languages with text in which a symbol has none, as
// many as a message can tell.
func (p *pair) lacks(s *symbol, kind inifile.Kind) []string {
	var missing []string
	for _, l := range p.listed {
		if _, ok := p.text(s, l.ID, kind); !ok && p.speaks(l.ID) {
			if missing = append(missing, l.ID); len(missing) == 8 {
				break
			}
		}
	}
	return missing
}

// offsets returns the symbols that have an offset, in the order of those.
func (p *pair) offsets() []*symbol {
	var all []*symbol
	for _, s := range p.symbols {
		if s.defined {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b *symbol) int { return cmp.Compare(a.offset, b.offset) })
	return all
}

func checkOdd(x *exam) {
	for _, p := range x.pairs {
		for _, s := range p.offsets() {
			if s.offset%2 != 0 && s.alias == "" {
				x.report(p.h.name, s.define, s.name, "the offset %d of %s is odd", s.offset, s.name)
			}
		}
	}
}

func checkZero(x *exam) {
	for _, p := range x.pairs {
		if all := p.offsets(); len(all) > 0 && all[0].offset != 0 {
			x.report(p.h.name, all[0].define, all[0].name, "the lowest offset is %d, of %s; it must be 0", all[0].offset, all[0].name)
		}
	}
}

func checkShared(x *exam) {
	for _, p := range x.pairs {
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
}

func checkObjects(x *exam) {
	for _, p := range x.pairs {
		for _, s := range p.symbols {
			if p.h != nil && s.object > 0 && s.define == 0 {
				x.report(p.name, s.object, s.name, "%s of [objects] is not in %s%s", s.name, baseName(p.h.name), x.like(p, s))
			}
		}
	}
}

func checkNoObjects(x *exam) {
	for _, p := range x.pairs {
		if !p.ini.HasObjects() {
			x.report(p.name, 0, "[objects]", "there is no section [objects], so no Object List is written")
		}
	}
}

func checkGaps(x *exam) {
	for _, p := range x.pairs {
		var last *symbol
		for _, s := range p.offsets() {
			switch {
			case last == nil:
			case s.offset-last.offset > 2:
				x.report(p.h.name, s.define, s.name, "offsets go from %d to %d", last.offset, s.offset)
			case s.object > 0 && last.object > 0 && s.offset > last.offset:
				x.report(p.h.name, s.define, s.name, "no counters stand between the objects %s and %s", last.name, s.name)
			}
			last = s
		}
	}
}

func checkValues(x *exam) {
	for _, h := range x.headersInUse() {
		for d := range h.f.Defines() {
			switch d.Kind {
			case symbolh.Unsupported:
				x.report(h.name, d.Line, d.Name, "%s is defined as %q; a decimal number is expected", d.Name, clip(d.Value))
			case symbolh.Alias:
				if _, ok := h.f.Lookup(d.Name); !ok {
					x.report(h.name, d.Line, d.Name, "%s is defined as %s, which gives no number", d.Name, clip(d.Value))
				}
			case symbolh.Decimal, symbolh.None:
			}
		}
	}
}

// headersInUse returns the symbol files that an .ini names.
func (x *exam) headersInUse() []*symbolFile {
	var all []*symbolFile
	for _, p := range x.pairs {
		if p.h != nil && !slices.Contains(all, p.h) {
			all = append(all, p.h)
		}
	}
	return all
}

func checkOrder(x *exam) {
	for _, p := range x.pairs {
		all := p.offsets()
		if len(all) == 0 || !slices.ContainsFunc(all, func(s *symbol) bool { return s.object > 0 }) {
			continue
		}
		if s := all[0]; s.object == 0 && s.hasText() {
			x.report(p.h.name, s.define, s.name, "%s, which comes first, is no object of [objects]", s.name)
		}
		for _, s := range all {
			if s.object == 0 || s.alias == "" {
				continue
			}
			if target := p.byName[fold(s.alias)]; target != nil && target.object == 0 {
				x.report(p.name, s.object, s.name, "%s of [objects] stands for the counter %s", s.name, target.name)
			}
		}
		x.usedAsCounter(p)
	}
}

// usedAsCounter looks in captures for objects that are there as counters.
func (x *exam) usedAsCounter(p *pair) {
	r := x.services[fold(p.ini.DriverName())]
	if r == nil || !r.first.ok {
		return
	}
	for _, s := range p.symbols {
		if s.object == 0 || !s.defined {
			continue
		}
		for _, c := range x.captures {
			if object, ok := c.counters[r.first.v+s.offset]; ok {
				x.report(p.name, s.object, s.name, "%s of [objects] is a counter of the object %d in %s", s.name, object, baseName(c.name))
				break
			}
		}
	}
}

func checkSemicolons(x *exam) {
	for _, h := range x.headersInUse() {
		n, line := 0, 0
		for d := range h.f.Defines() {
			if d.Semicolon {
				if n++; n == 1 {
					line = d.Line
				}
			}
		}
		if n > 0 {
			x.report(h.name, line, "", "%s in a semicolon", plural(n, "offset ends", "offsets end"))
		}
	}
}
