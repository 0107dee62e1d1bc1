package capture

import (
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perflib2"
)

// The codes of findings in a block of version 2 counter sets.
const (
	// CodeNoRegistration: the counters have no names and no types.
	CodeNoRegistration perfdump.Code = "no-registration"
	// CodeErrorResult: a result is an error and has no values.
	CodeErrorResult perfdump.Code = "error-result"
)

// noData is the status of a result for a set without instances.
const noData = 0xE8

// SetBlock is a block of version 2 counter sets on its own. It does not say
// which machine it is of, nor what its sets and counters are called: a set is
// called by the place of its result, #0, a counter by its id, #5, or #? where
// the block does not have that.
type SetBlock struct {
	*perflib2.Block

	Time   time.Time // in UTC; zero where unknown
	Source string

	filter *Filter
}

// OpenSetBlock reads an input of the format perflib2. The errors are those of
// [perflib2.Parse].
func OpenSetBlock(in *detect.Input, o Options) (*SetBlock, error) {
	b, err := perflib2.Parse(in.Data, o.perflib2())
	if err != nil {
		return nil, err
	}
	s := &SetBlock{Block: b, Source: in.Name, filter: o.Filter}
	if t, ok := b.Time(); ok {
		s.Time = t
	}
	return s, nil
}

func (o Options) perflib2() perflib2.Options {
	return perflib2.Options{Mode: o.Mode, Limits: o.Limits}
}

// setName returns what the set of a result is called.
func setName(result int) string { return "#" + strconv.Itoa(result) }

// Rows yields the raw values that the filter lets through, instance by
// instance. Without a registration they have no types, and which are bases is
// not known. A Row is valid until the next one.
func (s *SetBlock) Rows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		row := Row{
			Time: s.Time, Offset: Offset{Known: true}, Zone: "UTC", Source: s.Source,
			NoType: true, NoSecond: true, NoMulti: true,
		}
		for i, r := range s.Results() {
			row.Object = setName(i)
			counters := s.counters(r)
			if len(counters) == 0 {
				continue
			}
			repeats := map[string]int{}
			for _, in := range r.Instances() {
				row.Instance, row.HasInstance = cutText(in.Name()), in.Named
				row.InstanceIndex = repeats[row.Instance]
				repeats[row.Instance]++
				for j, v := range in.Values() {
					n, ok := v.Uint64()
					row.Counter, row.First, row.NoFirst = counters[j], n, !ok
					if s.shows(&row) && !yield(&row) {
						return
					}
				}
			}
		}
	}
}

func (s *SetBlock) shows(row *Row) bool {
	if s.filter == nil {
		return true
	}
	of := naming{row.Object, row.Counter}
	ok, _ := s.filter.match(pdhpath.Path{Instance: row.Instance, Index: row.InstanceIndex, HasInstance: row.HasInstance}, [2]naming{of, of})
	return ok
}

// counters returns what the counters of a result with instances are called.
func (s *SetBlock) counters(r perflib2.Result) []string {
	if r.Len() == 0 {
		return nil
	}
	names := make([]string, r.NumCounters())
	for j := range names {
		names[j] = "#?"
		if id := r.ID(j); id != perflib2.NoID {
			names[j] = "#" + strconv.FormatUint(uint64(id), 10)
		}
	}
	return names
}

// Sets yields what each set is called, with the names of its counters.
func (s *SetBlock) Sets() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for i, r := range s.Results() {
			if !yield(setName(i), s.counters(r)) {
				return
			}
		}
	}
}

func (s *Summary) perflib2(b []byte, o Options, counts map[perfdump.Code]int) {
	block, err := perflib2.Parse(b, o.perflib2())
	if err != nil {
		s.fail(err)
		return
	}
	c := &CaptureSummary{Snapshots: 1, Frequency: block.PerfFreq, Objects: block.Len()}
	if t, ok := block.Time(); ok {
		c.Start, c.End = t, t
	}
	for i, r := range block.Results() {
		if len(c.ObjectNames) < maxSetNames {
			c.ObjectNames = append(c.ObjectNames, setName(i))
		}
		if r.Type == perflib2.CounterSet || r.Type == perflib2.MultiInstance {
			c.Instances += r.Len()
		}
		c.Counters += r.NumCounters()
		c.Values += r.Len() * r.NumCounters()
	}
	s.Capture = c
	for _, err := range block.Faults() {
		s.fail(err)
	}
	count(counts, block.Anomalies())
}

// maxSetNames bounds the names of a summary, which are numbers.
const maxSetNames = 1000

func checkPerflib2(b []byte, o Options, yield func(Finding) bool) {
	strict := o.Mode == perfdump.Strict
	if strict {
		o.Mode = perfdump.Tolerant
	}
	block, first := perflib2.Parse(b, o.perflib2())
	if first != nil {
		o.Mode = perfdump.Salvage
		var err error
		if block, err = perflib2.Parse(b, o.perflib2()); err != nil {
			yieldError(first, yield)
			return
		}
	}
	for _, fault := range block.Faults() {
		if !yieldError(fault, yield) {
			return
		}
	}
	if !yieldAnomalies(block.Anomalies(), strict, yield) {
		return
	}
	some := false
	for _, r := range block.Results() {
		some = some || r.Len() > 0
		if r.Type != perflib2.ErrorResult {
			continue
		}
		text := fmt.Sprintf("no values: status 0x%X", r.Status)
		if r.Status == noData {
			text += ", no data: no instance was there"
		}
		if !yield(Finding{Code: CodeErrorResult, Offset: int64(r.Offset()), Path: r.Path().String(), Message: text, Severity: SeverityNote}) {
			return
		}
	}
	if some {
		yield(Finding{
			Code: CodeNoRegistration, Offset: 0, Severity: SeverityNote,
			Message: "the block does not say what its counters are called nor what type they have, so they are shown as raw values by their ids",
		})
	}
}
