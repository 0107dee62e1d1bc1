package export

import (
	"fmt"

	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/manifest"
)

// WriteManifest writes the counters of an instrumentation manifest: a list for
// each counter set.
func (t *Table) WriteManifest(name string, m *manifest.Manifest) error {
	t.fileTitle("Instrumentation manifest", name, m.Anomalies(), m.Encoding())
	for i := range m.Providers {
		p := &m.Providers[i]
		t.text("\n")
		t.fact("provider", p.Name+"  "+p.GUID)
		t.fact("application", p.Application)
		if p.Type != "" {
			t.fact("type", p.Type)
		}
		for j := range p.CounterSets {
			t.counterSet(&p.CounterSets[j])
			if t.err() != nil {
				return t.err()
			}
		}
	}
	return t.err()
}

func (t *Table) counterSet(s *manifest.CounterSet) {
	title := "\n" + t.style.Bold(cell.Clean(s.Name)) + "  " + cell.Clean(s.GUID)
	if s.Instances != "" {
		title += ", " + cell.Clean(s.Instances)
	}
	t.text(title + "\n")
	if len(s.Counters) == 0 {
		return
	}
	width, types := len("counter"), len("type")
	for i := range s.Counters {
		width = max(width, min(cell.Width(cell.Clean(s.Counters[i].Name)), maxNames))
		types = max(types, min(cell.Width(cell.Clean(s.Counters[i].TypeName)), maxNames))
	}
	widths := []int{-5, width, types, -4, len("standard")}
	t.dimRow(widths, "id", "counter", "type", "base", "level", "attributes")
	for i := range s.Counters {
		c := &s.Counters[i]
		base := ""
		if c.Base.Given {
			base = fmt.Sprint(c.Base.ID)
		}
		more := ""
		for _, a := range c.Attributes {
			if more != "" {
				more += " "
			}
			more += a
		}
		if c.Aggregate != "" {
			more = c.Aggregate + " " + more
		}
		t.row(widths, fmt.Sprint(c.ID), c.Name, c.TypeName, base, c.DetailLevel, more)
	}
}
