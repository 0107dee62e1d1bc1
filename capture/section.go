package capture

import (
	"bytes"
	"iter"
	"slices"

	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
)

// agentSections yields the sections of counters of the output of a Checkmk agent that w
// selects.
func agentSections(in *Input, o Options, w *choice) iter.Seq2[*Snapshot, error] {
	return func(yield func(*Snapshot, error) bool) {
		record := 0
		for section, err := range checkmk.NewReader(bytes.NewReader(in.Data), o.Options).Sections() {
			if err != nil {
				yield(nil, err)
				return
			}
			s := &Snapshot{
				Offset: Offset{Known: true}, Zone: "UTC", Host: cutText(section.Host), Source: in.Name, Record: record,
				Section: section, o: o, other: sectionValues{section},
			}
			record++
			s.Time, _ = section.Time()
			if w.takes(section.Host, o.Names.object(section.Object), s.Time, s.Offset) && !yield(s, nil) {
				return
			}
		}
	}
}

// sectionValues are the values of a section. Bases are left out: they are in the second
// value of their counters.
type sectionValues struct{ *checkmk.Section }

func (v sectionValues) rows(of *Snapshot, _ bool, yield func(*Row) bool) bool {
	s, names := v.Section, of.o.Names
	clocks := s.Clocks()
	process := -1 // the counter that holds the process id
	if of.o.PID {
		process = slices.IndexFunc(s.Counters, func(c checkmk.Counter) bool {
			return c.HasType && names.role(names.recorded(s.Object, c.Index), s.Object, c.Index, c.Type) == isProcess
		})
	}
	repeats := map[string]int{}
	row := of.row()
	row.Object, row.ObjectIndex, row.HasInstance = names.object(s.Object), s.Object, s.HasInstances
	n := 1
	if s.HasInstances {
		n = len(s.Instances)
	}
	for k := range n {
		if s.HasInstances {
			row.Instance = cutText(s.Instances[k])
			row.InstanceIndex = count(repeats, row.Instance)
		}
		row.PID = 0
		if process >= 0 && k < len(s.Counters[process].Values) {
			row.PID = s.Counters[process].Values[k]
		}
		for j := range s.Counters {
			if v.value(of.o, &row, j, k, &clocks) && !yield(&row) {
				return false
			}
		}
	}
	return true
}

func (v sectionValues) otherNames(of *Snapshot, yield func(*ObjectNames) bool) {
	n := ObjectNames{Host: of.Host, Object: of.o.Names.object(v.Object)}
	for i := range v.Counters {
		n.Counters = append(n.Counters, of.o.Names.counter(v.Object, v.Counters[i].Index))
	}
	if v.HasInstances {
		for _, name := range v.Instances {
			n.Instances = append(n.Instances, cutText(name))
		}
	}
	yield(&n)
}

// value sets row to counter j of instance k. It returns false if there is nothing to show.
func (v sectionValues) value(o Options, row *Row, j, k int, clocks *countertypes.Clocks) bool {
	s, names := v.Section, o.Names
	c := &s.Counters[j]
	if k >= len(c.Values) || c.HasType && c.Type.IsBase() {
		return false
	}
	of := names.recorded(s.Object, c.Index)
	row.CounterIndex = c.Index
	if o.Filter != nil {
		ok, _ := o.Filter.match(pdhpath.Path{
			Machine: row.Host, Instance: row.Instance, Index: row.InstanceIndex, HasInstance: row.HasInstance,
		}, names.bothOf(of, s.Object, c.Index))
		if !ok {
			return false
		}
	}
	row.Counter = names.shown(of, s.Object, c.Index).counter
	for _, index := range [...]uint32{s.Object, c.Index} {
		names.Name(index) // counts it if it has no name
	}
	row.Type, row.NoType = c.Type, !c.HasType
	row.First, row.Second, row.Multi, row.TimeBase = c.Values[k], 0, 0, 0
	row.NoSecond, row.NoMulti = !c.HasType, !c.HasType
	if c.HasType {
		sample := agentSample(s, j, k, clocks, nil)
		row.Second, row.Multi, row.TimeBase = sample.Second, sample.Multi, sample.TimeBase
		row.NoSecond = c.Type.NeedsBase() && sample.Status == countertypes.StatusNoBase
		row.NoMulti = c.Type.Multi() && sample.Status == countertypes.StatusNoBase
	}
	return true
}
