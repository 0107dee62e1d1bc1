package registration

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/registry"
)

func checkSpan(x *exam, p *pair, r *provider) {
	if span, ok := p.span(); ok && uint64(r.last.v) != uint64(r.first.v)+uint64(span) {
		x.report(r.name, r.last.line, r.subject(registry.LastCounter), "%s has %d to %d, a span of %d, and the largest offset of %s is %d",
			r.service, r.first.v, r.last.v, int64(r.last.v)-int64(r.first.v), baseName(p.h.name), span)
	}
}

// compareTexts checks the names of an .ini against those of the tables, in every
// language that has one.
func compareTexts(x *exam, p *pair, r *provider) {
	differ, all := 0, 0
	var languages []string // with other names
	text := ""             // of the first
	for t := range p.ini.Texts() {
		s := p.symbol(t.Symbol)
		if of, _ := p.text(s, t.Language, t.Kind); t.Kind != inifile.Name || !s.defined || of.Line != t.Line {
			continue
		}
		index := uint64(r.first.v) + uint64(s.offset)
		is, named, known := x.texts.lookup(t.Language, uint32(min(index, 1<<32-1)))
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
		if differ++; differ == 1 {
			text = fmt.Sprintf("%d (%s, offset %d) has no name and should be %q", index, s.name, s.offset, clip(t.Text))
			if named {
				text = fmt.Sprintf("%d (%s, offset %d) is %q and not %q", index, s.name, s.offset, clip(is), clip(t.Text))
			}
		}
	}
	if differ > 0 {
		x.report(r.name, r.first.line, r.subject(registry.FirstCounter), "%d of %d names of %s in %s are not those of %s: %s", differ, all, r.service, strings.Join(languages, ", "), baseName(p.name), text)
	}
}

// checkTexts leaves those of SQL Server to S05.
func checkTexts(x *exam, p *pair, r *provider) {
	if sqlInstance(r.service) == "" {
		compareTexts(x, p, r)
	}
}

func checkObjectList(x *exam, r *provider) {
	v := r.reg.ObjectListValue()
	if v == nil {
		return
	}
	list, others := r.reg.ObjectList()
	report := func(format string, args ...any) { x.report(r.name, v.Line, r.subject(v.Name), format, args...) }
	for _, word := range others {
		report("%q in the Object List of %s is no index", clip(word), r.service)
	}
	for _, index := range list {
		switch {
		case index%2 != 0:
			report("the index %d in the Object List of %s is odd", index, r.service)
		case index >= firstFree && r.hasRange() && (index < r.first.v || index > r.last.v):
			report("the index %d in the Object List of %s is outside its range, %d to %d", index, r.service, r.first.v, r.last.v)
		}
	}
	for _, p := range x.drivers[fold(r.service)] {
		if !r.hasRange() || !p.ini.HasObjects() || p.h == nil {
			continue
		}
		objects := map[uint32]bool{}
		for _, s := range p.symbols {
			if s.object > 0 && s.defined {
				objects[s.offset] = true
			}
		}
		for _, index := range list {
			if index >= r.first.v && index <= r.last.v && index%2 == 0 && !objects[index-r.first.v] {
				report("the index %d in the Object List of %s is no object of %s", index, r.service, baseName(p.name))
			}
		}
	}
}

func checkTrusted(x *exam, p *pair, r *provider) {
	if r.reg == nil {
		return
	}
	code := r.reg.Value(registry.ValidationCode)
	switch trusted := p.ini.Trusted(); {
	case code != nil && !trusted:
		x.report(r.name, code.Line, r.subject(registry.ValidationCode), "%s has a validation code and %s no trusted", r.service, baseName(p.name))
	case code == nil && trusted:
		x.report(r.name, r.line, r.subject(registry.ValidationCode), "%s has no validation code and %s is trusted", r.service, baseName(p.name))
	}
}

func checkINIFile(x *exam) {
	given := map[string]bool{}
	for _, p := range x.pairs {
		given[fold(baseName(p.name))] = true
	}
	lost := map[string][]string{}     // by the file that names them
	services := map[string][]string{} // whose they are
	at := map[string]fault{}          // the first place that does
	for _, r := range x.registered() {
		v := r.reg.Value(registry.PerfIniFile)
		name, _ := v.Text()
		switch {
		case !r.first.there:
		case name == "":
			x.report(r.name, r.line, r.subject(registry.PerfIniFile), "%s does not say which .ini it was loaded from", r.service)
		case len(x.drivers[fold(r.service)]) == 0 && !given[fold(baseName(name))]:
			if lost[r.name] == nil {
				at[r.name] = fault{line: v.Line, subject: r.subject(registry.PerfIniFile)}
			}
			lost[r.name] = append(lost[r.name], clip(baseName(name))+" of "+r.service)
			services[r.name] = append(services[r.name], r.service)
		}
	}
	for _, name := range x.Files.names {
		if all := lost[name]; all != nil {
			x.about = few(services[name])
			x.report(name, at[name].line, at[name].subject, "not among the files: %s", few(all))
			x.about = ""
		}
	}
}
