package formats

import (
	"fmt"
	"io"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/manifest"
)

var manifests = Format{
	Name:  detect.Manifest,
	Bytes: hexview.Manifest,
	Facts: factsOf(parseManifest, manifestFacts),
	Check: checkOf(parseManifest, nil),
	Document: documentOf(parseManifest, func(out io.Writer, in *detect.Input, m *manifest.Manifest, o document.Options) error {
		return document.WriteManifest(out, in.Name, in.Size(), m, o)
	}),
	Table:        sheetOf(parseManifest, manifestSheet),
	Contents:     contentsOf(parseManifest, manifestContents),
	Registration: true,
	hint:         registers,
}

func parseManifest(in *detect.Input, o capture.Options) (*manifest.Manifest, error) {
	return manifest.Parse(in.Data, o.Options)
}

func manifestFacts(s *Summary, m *manifest.Manifest) {
	providers, sets, counters := []string{}, []string{}, 0
	for i := range m.Providers {
		if len(providers) < maxFacts {
			providers = append(providers, m.Providers[i].Name)
		}
		for j := range m.Providers[i].CounterSets {
			of := &m.Providers[i].CounterSets[j]
			if len(sets) < maxFacts {
				sets = append(sets, of.Name)
			}
			counters += len(of.Counters)
		}
	}
	s.fact("encoding", "encoding", m.Encoding())
	s.fact("schema_version", "schema", orNil(m.SchemaVersion))
	s.fact("providers", "providers", providers)
	s.fact("counter_sets", "sets", sets)
	s.fact("counters", "counters", counters)
	s.about(table.GroupedPlural(len(providers), "provider") + ", " + table.GroupedPlural(len(sets), "counter set"))
}

// onlyCounters is what is compared of files that hold more.
const onlyCounters = "what registers counters"

// manifestContents has providers and counter sets by their identity, counters
// by their numbers.
func manifestContents(list *compare.Collector, m *manifest.Manifest) {
	list.Part = onlyCounters
	add := func(key string, parts ...string) { list.Add(key, strings.Join(parts, " | ")) }
	for i := range m.Providers {
		p := &m.Providers[i]
		add("provider "+p.GUID, p.Name, p.Application, p.Type, p.Callback)
		for j := range p.CounterSets {
			s := &p.CounterSets[j]
			set := "set " + s.GUID
			add(set, s.Name, s.Instances, s.Description)
			for k := range s.Counters {
				c := &s.Counters[k]
				parts := []string{c.Name, c.TypeName, c.DetailLevel, c.Aggregate, c.Scale}
				for _, r := range []struct {
					name string
					manifest.Reference
				}{{"base", c.Base}, {"time", c.PerfTime}, {"frequency", c.PerfFreq}, {"multi-counter", c.MultiCounter}} {
					if r.Given {
						parts = append(parts, fmt.Sprintf("%s %d", r.name, r.ID))
					}
				}
				add(fmt.Sprintf("%s counter %d", set, c.ID), append(parts, c.Description)...)
			}
		}
	}
}

func manifestSheet(s *sheet, m *manifest.Manifest) {
	s.title("Instrumentation manifest", m.Anomalies(), m.Encoding())
	for i := range m.Providers {
		p := &m.Providers[i]
		s.Line("")
		s.fact("provider", p.Name+"  "+p.GUID)
		s.fact("application", p.Application)
		s.known("type", p.Type)
		for j := range p.CounterSets {
			s.counterSet(&p.CounterSets[j])
		}
	}
}

func (s *sheet) counterSet(set *manifest.CounterSet) {
	s.Line("")
	s.Heading(cell.Clean(set.Name), table.Join(cell.Clean(set.GUID), cell.Clean(set.Instances)))
	s.Table(&table.Table{Indent: 2, Columns: []table.Column{
		numbers("id"), column("counter"), column("type"), numbers("base"), column("level"), rest("attributes"),
	}}, cells(func(yield func([]string) bool) {
		for i := range set.Counters {
			c := &set.Counters[i]
			base, more := "", strings.Join(c.Attributes, " ")
			if c.Base.Given {
				base = fmt.Sprint(c.Base.ID)
			}
			if c.Aggregate != "" {
				more = c.Aggregate + " " + more
			}
			if !yield([]string{fmt.Sprint(c.ID), c.Name, c.TypeName, base, c.DetailLevel, more}) {
				return
			}
		}
	}))
}
