package capture

import (
	"bytes"
	"iter"
	"slices"
	"time"

	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/pdhpath"
)

// AgentSection is a section of counters of a Checkmk agent.
type AgentSection struct {
	*checkmk.Section

	Time   time.Time // zero where the section does not say
	Object string    // the name, or the title index in decimal
	Source string
	Record int // position among the sections of counters

	o Options
}

// Sections yields the sections of counters of an input of the format checkmk.
// An AgentSection is valid until the next one. It ends with the first error.
func Sections(in *detect.Input, o Options) iter.Seq2[*AgentSection, error] {
	return func(yield func(*AgentSection, error) bool) {
		if in.Format != detect.Checkmk {
			yield(nil, &NoCaptureError{Format: in.Format})
			return
		}
		if o.Names == nil {
			o.Names = NewNames()
		}
		r := checkmk.NewReader(bytes.NewReader(in.Data), o.checkmk())
		record := 0
		for section, err := range r.Sections() {
			if err != nil {
				yield(nil, err)
				return
			}
			s := &AgentSection{Section: section, Source: in.Name, Record: record, o: o}
			record++
			s.Time, _ = s.Section.Time()
			s.Object = o.Names.object(s.Section.Object)
			if !yield(s, nil) {
				return
			}
		}
	}
}

// Rows yields the raw values that the filter lets through, instance by
// instance. Bases are left out: they stand in the second value of their
// counters. A Row is valid until the next one.
func (s *AgentSection) Rows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		clocks := s.Clocks()
		process := -1 // the counter that says which process an instance is
		if names := s.o.Names; s.o.PID {
			process = slices.IndexFunc(s.Counters, func(c checkmk.Counter) bool {
				return c.HasType && names.role(naming{names.quiet(s.Section.Object), names.quiet(c.Index)}, s.Section.Object, c.Index, c.Type) == isProcess
			})
		}
		repeats := map[string]int{}
		row := Row{Time: s.Time, Offset: Offset{Known: true}, Zone: "UTC", Host: cutText(s.Host), Object: s.Object, ObjectIndex: s.Section.Object, HasInstance: s.HasInstances, Record: s.Record, Source: s.Source}
		n := 1
		if s.HasInstances {
			n = len(s.Instances)
		}
		for k := range n {
			if s.HasInstances {
				row.Instance = cutText(s.Instances[k])
				row.InstanceIndex = repeats[row.Instance]
				repeats[row.Instance]++
			}
			row.PID = 0
			if process >= 0 && k < len(s.Counters[process].Values) {
				row.PID = s.Counters[process].Values[k]
			}
			for j := range s.Counters {
				if s.value(&row, j, k, &clocks) && !yield(&row) {
					return
				}
			}
		}
	}
}

// CounterNames returns the names of the counters, those that the filter holds
// back included.
func (s *AgentSection) CounterNames() []string {
	var names []string
	for i := range s.Counters {
		names = append(names, s.o.Names.counter(s.Section.Object, s.Counters[i].Index))
	}
	return names
}

// value fills in counter j of instance k. It is false where there is none to
// be shown.
func (s *AgentSection) value(row *Row, j, k int, clocks *countertypes.Clocks) bool {
	c := &s.Counters[j]
	if k >= len(c.Values) || c.HasType && c.Type.IsBase() {
		return false
	}
	names := s.o.Names
	of := naming{names.quiet(s.Section.Object), names.quiet(c.Index)}
	row.CounterIndex = c.Index
	if s.o.Filter != nil {
		ok, _ := s.o.Filter.match(pdhpath.Path{
			Machine: row.Host, Instance: row.Instance, Index: row.InstanceIndex, HasInstance: row.HasInstance,
		}, names.bothOf(of, s.Section.Object, c.Index))
		if !ok {
			return false
		}
	}
	row.Counter = names.shown(of, s.Section.Object, c.Index).counter
	for _, index := range [...]uint32{s.Section.Object, c.Index} {
		names.Name(index) // counts it if it has none
	}
	row.Type, row.NoType = c.Type, !c.HasType
	row.First, row.Second, row.Multi, row.TimeBase = c.Values[k], 0, 0, 0
	row.NoSecond, row.NoMulti = !c.HasType, !c.HasType
	if c.HasType {
		sample := agentSample(s.Section, j, k, clocks, nil)
		row.Second, row.Multi, row.TimeBase = sample.Second, sample.Multi, sample.TimeBase
		row.NoSecond = c.Type.NeedsBase() && sample.Status == countertypes.StatusNoBase
		row.NoMulti = c.Type.Multi() && sample.Status == countertypes.StatusNoBase
	}
	return true
}
