package lodctr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// pairedRules hold what is registered to the .ini and .h that it came from.
var pairedRules = []rule{
	{Rule{"W30", Warning, "Last Counter - First Counter is not the largest offset of the .h", "the .h is of another version: find the one that was loaded, or reload"}, checkSpan},
	{Rule{"W31", Warning, "the name at First Counter + offset is not the one of the .ini", "the .ini or the .h is of another version: reload"}, checkTexts},
	{Rule{"W32", Warning, "an index of Object List is outside the range, odd, or no object of [objects]", "reload"}, checkObjectList},
	{Rule{"W36", Warning, "there is a Library Validation Code and no trusted in the .ini, or the reverse", "lodctr /T:SERVICE, or reload"}, checkTrusted},
	{Rule{"W38", Note, "PerfIniFile is missing, or the file that it names is not among those given", "send the .ini: lodctr needs it to repair"}, checkINIFile},
}

// loaded yields the pairs whose driver is registered with a range.
func (x *exam) loaded(yield func(*pair, *provider) bool) {
	for _, p := range x.pairs {
		r := x.services[fold(p.ini.DriverName())]
		if r != nil && r.hasRange() && !yield(p, r) {
			return
		}
	}
}

func checkSpan(x *exam) {
	for p, r := range x.loaded {
		if span, ok := p.span(); ok && uint64(r.last.v) != uint64(r.first.v)+uint64(span) {
			x.report(r.name, r.last.line, r.subject(registry.LastCounter), "%s has %d to %d, a span of %d, and the largest offset of %s is %d",
				r.service, r.first.v, r.last.v, int64(r.last.v)-int64(r.first.v), baseName(p.h.name), span)
		}
	}
}

// compareTexts holds the names of an .ini to those of the tables, in every language
// that has one.
func compareTexts(x *exam, sql bool) {
	for p, r := range x.loaded {
		if (sqlInstance(r.service) != "") != sql {
			continue
		}
		differ, all := 0, 0
		var languages []string // with other names
		text := ""             // of the first
		for t := range p.ini.Texts() {
			s := p.symbol(t.Symbol)
			if of, _ := p.text(s, t.Language, t.Kind); t.Kind != inifile.Name || !s.defined || of.Line != t.Line {
				continue
			}
			index := uint64(r.first.v) + uint64(s.offset)
			is, named, known := x.texts.lookup(t.Language, titles.Counter, uint32(min(index, 1<<32-1)))
			if !known {
				continue
			}
			all++
			if named && strings.TrimSpace(is) == strings.TrimSpace(t.Text) {
				continue
			}
			if language := fold(t.Language); !slices.Contains(languages, language) {
				languages = append(languages, language)
			}
			switch differ++; {
			case differ > 1:
			case named:
				text = fmt.Sprintf("%d (%s, offset %d) is %q and not %q", index, s.name, s.offset, clip(is), clip(t.Text))
			default:
				text = fmt.Sprintf("%d (%s, offset %d) has no name and should be %q", index, s.name, s.offset, clip(t.Text))
			}
		}
		if differ > 0 {
			x.report(r.name, r.first.line, r.subject(registry.FirstCounter), "%d of %d names of %s in %s are not those of %s: %s", differ, all, r.service, strings.Join(languages, ", "), baseName(p.name), text)
		}
	}
}

// checkTexts leaves those of SQL Server to S05.
func checkTexts(x *exam) { compareTexts(x, false) }

func checkObjectList(x *exam) {
	for r := range x.registered {
		v := r.reg.ObjectListValue()
		if v == nil {
			continue
		}
		list, others := r.reg.ObjectList()
		say := func(format string, args ...any) {
			x.report(r.name, v.Line, r.subject(v.Name), format, args...)
		}
		for _, word := range others {
			say("%q in the Object List of %s is no index", clip(word), r.service)
		}
		for _, index := range list {
			switch {
			case index%2 != 0:
				say("the index %d in the Object List of %s is odd", index, r.service)
			case index >= firstFree && r.hasRange() && (index < r.first.v || index > r.last.v):
				say("the index %d in the Object List of %s is outside its range, %d to %d", index, r.service, r.first.v, r.last.v)
			}
		}
		for _, p := range x.drivers[fold(r.service)] {
			if r.hasRange() && p.ini.HasObjects() && p.h != nil {
				x.objectsOf(p, r, list, say)
			}
		}
	}
}

// objectsOf holds an Object List to [objects].
func (x *exam) objectsOf(p *pair, r *provider, list []uint32, say func(string, ...any)) {
	objects := map[uint32]bool{}
	for _, s := range p.symbols {
		if s.object > 0 && s.defined {
			objects[s.offset] = true
		}
	}
	for _, index := range list {
		if index >= r.first.v && index <= r.last.v && index%2 == 0 && !objects[index-r.first.v] {
			say("the index %d in the Object List of %s is no object of %s", index, r.service, baseName(p.name))
		}
	}
}

func checkTrusted(x *exam) {
	for p, r := range x.loaded {
		if r.reg == nil {
			continue
		}
		code := r.reg.Value(registry.ValidationCode)
		switch trusted := p.ini.Trusted(); {
		case code != nil && !trusted:
			x.report(r.name, code.Line, r.subject(registry.ValidationCode), "%s has a validation code and %s no trusted", r.service, baseName(p.name))
		case code == nil && trusted:
			x.report(r.name, r.line, r.subject(registry.ValidationCode), "%s has no validation code and %s is trusted", r.service, baseName(p.name))
		}
	}
}

func checkINIFile(x *exam) {
	given := map[string]bool{}
	lost := map[string]*absent{}
	for _, p := range x.pairs {
		given[fold(baseName(p.name))] = true
	}
	for r := range x.registered {
		if !r.first.there {
			continue
		}
		v := r.reg.Value(registry.PerfIniFile)
		name, _ := v.Text()
		switch {
		case name == "":
			x.report(r.name, r.line, r.subject(registry.PerfIniFile), "%s does not say which .ini it was loaded from", r.service)
		case len(x.drivers[fold(r.service)]) == 0 && !given[fold(baseName(name))]:
			a := lost[r.name]
			if a == nil {
				a = &absent{line: v.Line, subject: r.subject(registry.PerfIniFile)}
				lost[r.name] = a
			}
			if a.n++; a.n <= 8 {
				a.few = append(a.few, clip(baseName(name))+" of "+r.service)
			}
		}
	}
	for _, name := range x.Files.names {
		if a := lost[name]; a != nil {
			more := ""
			if a.n > len(a.few) {
				more = fmt.Sprintf(" and %d more", a.n-len(a.few))
			}
			x.report(name, a.line, a.subject, "not among the files: %s%s", strings.Join(a.few, ", "), more)
		}
	}
}

// absent are the .ini files that a file of the registry names and nobody gave.
type absent struct {
	line    int
	subject string
	few     []string
	n       int
}
