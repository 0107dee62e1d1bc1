package capture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/manifest"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/symbolh"
)

// maxFacts is how many names a fact lists: of languages Windows has fewer, of
// providers no machine has more.
const maxFacts = 1024

func iniFacts(f *inifile.File) []Fact {
	languages := []string{}
	for l := range f.Languages() {
		if !slices.ContainsFunc(languages, func(have string) bool { return strings.EqualFold(have, l.ID) }) {
			languages = append(languages, l.ID)
		}
		if len(languages) == maxFacts {
			break
		}
	}
	names, helps := 0, 0
	for t := range f.Texts() {
		if t.Kind == inifile.Help {
			helps++
		} else {
			names++
		}
	}
	return []Fact{
		{"encoding", f.Encoding()},
		{"lines", f.NumLines()},
		{"driver_name", orNil(f.DriverName())},
		{"symbol_file", orNil(f.SymbolFile())},
		{"trusted", f.Trusted()},
		{"languages", languages},
		{"objects", countObjects(f)},
		{"names", names},
		{"helps", helps},
	}
}

// countObjects counts symbols; one may stand there for each language. Those of
// the first language count, and what does not stand there for it.
func countObjects(f *inifile.File) int {
	n, language := 0, ""
	for o := range f.Objects() {
		if language == "" {
			language = o.Language
		}
		first, ok := f.Get("objects", o.Symbol+"_"+language+"_NAME")
		if !ok || first.Number == o.Line {
			n++
		}
	}
	return n
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func symbolFacts(f *symbolh.File) []Fact {
	var largest any
	if n, ok := f.Largest(); ok {
		largest = n
	}
	return []Fact{{"encoding", f.Encoding()}, {"lines", f.NumLines()}, {"defines", f.NumDefines()}, {"largest_offset", largest}}
}

func regFacts(r *registry.Reg) []Fact {
	keys, values, deleted := 0, 0, 0
	for e := range r.Entries() {
		switch {
		case e.Deleted:
			deleted++
		case e.Key:
			keys++
		default:
			values++
		}
	}
	return []Fact{
		{"encoding", r.Encoding()},
		{"version", r.Version().String()},
		{"lines", r.Text().Len()},
		{"keys", keys},
		{"values", values},
		{"deletions", deleted},
	}
}

// viewFacts tells what the registry says of counters.
func viewFacts(v *registry.View) []Fact {
	services, languages := []string{}, []string{}
	for i := range v.Providers[:min(len(v.Providers), maxFacts)] {
		services = append(services, v.Providers[i].Service)
	}
	var base, counter, help any
	if p := v.Perflib; p != nil {
		for _, l := range p.Languages[:min(len(p.Languages), maxFacts)] {
			languages = append(languages, l.ID)
		}
		base, counter, help = number(p.Key, registry.BaseIndex), number(p.Key, registry.LastCounter), number(p.Key, registry.LastHelp)
	}
	return []Fact{
		{"computer", orNil(v.Computer)},
		{"control_set", orNil(v.ControlSet)},
		{"providers", services},
		{"base_index", base},
		{"last_counter", counter},
		{"last_help", help},
		{"languages", languages},
	}
}

func manifestFacts(m *manifest.Manifest) []Fact {
	providers, sets, counters := []string{}, []string{}, 0
	for i := range m.Providers {
		if len(providers) < maxFacts {
			providers = append(providers, m.Providers[i].Name)
		}
		for j := range m.Providers[i].CounterSets {
			s := &m.Providers[i].CounterSets[j]
			if len(sets) < maxFacts {
				sets = append(sets, s.Name)
			}
			counters += len(s.Counters)
		}
	}
	return []Fact{
		{"encoding", m.Encoding()},
		{"schema_version", orNil(m.SchemaVersion)},
		{"providers", providers},
		{"counter_sets", sets},
		{"counters", counters},
	}
}

func number(k *registry.Key, name string) any {
	if n, ok := k.Value(name).Uint32(); ok {
		return n
	}
	return nil
}

func dotted(major, minor uint32) string { return fmt.Sprintf("%d.%d", major, minor) }
