package perflib2

import (
	"bytes"
	"slices"

	"github.com/perfdump/perfdump/countertypes"
)

// Sampler turns the values of an instance into samples, ready to be cooked:
//
//	var s perflib2.Sampler
//	s.Reset(registration, result, nil)
//	for _, in := range result.Instances() {
//		values = in.AppendValues(values[:0])
//		for j := range s.Len() {
//			sample := s.Sample(values, j)
//		}
//	}
//
// Which value is the base, the clock or the count of which is worked out once
// for a registration and a list of ids: a Sampler that is given results of the
// same counters again looks nothing up and allocates nothing.
type Sampler struct {
	registration *Registration
	kind         ResultType
	ids          []byte
	counters     []int32 // of each value: its counter in the registration, or none
	positions    []int32 // of each counter in the registration: its value, or none
	plans        []plan  // of each counter in the registration
}

// plan is how to fill the sample of one counter: positions of other values.
type plan struct {
	base, multi, time, freq int32
	second                  uint64 // of the block's clocks
	timeBase                int64
}

const (
	none    = -1 // not needed, not there
	missing = -2 // needed and not there
)

// Reset prepares s for the instances of a result. Without a registration, and
// for counters that are not in it, all samples have the status unsupported.
// The options' clock switches are applied; o may be nil.
func (s *Sampler) Reset(r *Registration, res Result, o *countertypes.Options) {
	if r != s.registration || res.Type != s.kind || res.NumCounters() != len(s.counters) || !bytes.Equal(res.ids(), s.ids) {
		s.resolve(r, res)
	}
	if r == nil {
		return
	}
	b := res.block
	clocks := countertypes.Clocks{
		PerfTime: uint64(b.PerfTime), PerfFreq: b.PerfFreq, Time100ns: uint64(b.PerfTime100ns),
		ObjectTime: uint64(b.PerfTime), ObjectFreq: b.PerfFreq, // sets have no clock of their own but by PerfTimeID
	}
	for i := range s.plans {
		if s.positions[i] >= 0 {
			p := &s.plans[i]
			p.second, p.timeBase, _ = r.counters[i].Type.Tuple(&clocks, o)
		}
	}
}

// resolve finds out which values belong to each other.
func (s *Sampler) resolve(r *Registration, res Result) {
	n := res.NumCounters()
	s.registration, s.kind, s.ids = r, res.Type, append(s.ids[:0], res.ids()...)
	s.counters = slices.Grow(s.counters[:0], n)[:n]
	s.plans, s.positions = s.plans[:0], s.positions[:0]
	for j := range s.counters {
		s.counters[j] = none
	}
	if r == nil {
		return
	}
	for range r.counters {
		s.positions = append(s.positions, none)
	}
	for j := range s.counters {
		i, ok := r.byID[res.ID(j)]
		if !res.Type.hasIDs() {
			i, ok = 0, r.Len() == 1 // who asked knew the id; here it is known where the set has no other
		}
		if !ok {
			continue
		}
		s.counters[j] = int32(i)
		if s.positions[i] == none {
			s.positions[i] = int32(j)
		}
	}
	for i := range r.counters {
		s.plans = append(s.plans, s.plan(&r.counters[i].CounterInfo))
	}
}

// plan finds the values that a counter needs beside its own.
func (s *Sampler) plan(c *CounterInfo) plan {
	p := plan{base: none, multi: none, time: none, freq: none}
	// What a type takes from a clock shows where all clocks are 1.
	ones := countertypes.Clocks{PerfTime: 1, PerfFreq: 1, Time100ns: 1, ObjectTime: 1, ObjectFreq: 1}
	second, timeBase, fromBase := c.Type.Tuple(&ones, nil)
	if fromBase {
		p.base = s.find(c.BaseID)
	} else if second != 0 && c.PerfTimeID != NoID {
		p.time = s.find(c.PerfTimeID)
	}
	if timeBase != 0 && c.PerfFreqID != NoID {
		p.freq = s.find(c.PerfFreqID)
	}
	if c.Type.Multi() && !c.Type.IsBase() {
		p.multi = s.find(c.MultiID)
	}
	return p
}

// find returns the position of the value of the counter that has an id.
func (s *Sampler) find(id uint32) int32 {
	if i, ok := s.registration.byID[id]; ok && s.positions[i] >= 0 {
		return s.positions[i]
	}
	return missing
}

// Len returns how many counters there are.
func (s *Sampler) Len() int { return len(s.counters) }

// Counter returns the registered counter of the values at a position, nil where
// there is none.
func (s *Sampler) Counter(j int) *Counter {
	if i := s.counters[j]; i >= 0 {
		return &s.registration.counters[i]
	}
	return nil
}

// Sample returns the sample of the counter at a position, from the values of
// an instance as [Instance.AppendValues] gives them. A value that is no number
// has the status invalid-data, and so has one whose own clock is missing; where
// the base or the count is missing the status is no-base.
func (s *Sampler) Sample(values []Value, j int) countertypes.Sample {
	var v countertypes.Sample
	var ok bool
	v.First, ok = values[j].Uint64()
	v.Size = uint32(len(values[j].Raw))
	i := s.counters[j]
	if i < 0 {
		v.Status = countertypes.StatusUnsupported
		return v
	}
	c, p := &s.registration.counters[i], &s.plans[i]
	v.Type, v.DefaultScale, v.Second, v.TimeBase = c.Type, countertypes.ClampScale(c.DefaultScale), p.second, p.timeBase
	if !ok {
		v.Status = countertypes.StatusInvalidData
	}
	other := func(at int32, otherwise countertypes.Status) (uint64, bool) {
		if at == none {
			return 0, false
		}
		if at >= 0 {
			if n, ok := values[at].Uint64(); ok {
				return n, true
			}
		}
		if v.Status == countertypes.StatusOK {
			v.Status = otherwise
		}
		return 0, false
	}
	if n, ok := other(p.time, countertypes.StatusInvalidData); ok {
		v.Second = n
	}
	if n, ok := other(p.freq, countertypes.StatusInvalidData); ok {
		v.TimeBase = int64(n)
	}
	if n, ok := other(p.base, countertypes.StatusNoBase); ok {
		v.Second = n
	}
	if n, ok := other(p.multi, countertypes.StatusNoBase); ok {
		v.Multi = uint32(n)
	}
	return v
}
