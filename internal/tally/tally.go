// Package tally adds up the values of all series of a recording, for outputs
// that tell the least, average, greatest and last of each.
package tally

import (
	"iter"
	"math"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/paged"
)

// Tally has the stats of each series. There may be a million series where there
// are one or two snapshots, so it keeps 17 bytes of one that has had one cell, and
// 49 of others and of those that stand beside them.
type Tally struct {
	series paged.Slice[*capture.Series]
	last   paged.Slice[float64]             // the last value, NaN where there is none
	why    paged.Slice[countertypes.Status] // of the last cell without a value
	more   paged.Slice[more]
}

// more is what a second cell makes differ from the first. It is zero until then.
type more struct {
	count, missing uint32
	min, max, mean float64
}

// Entry is what is told of a series.
type Entry struct {
	capture.Stats

	Series *capture.Series
	Why    countertypes.Status // why its last cell without a value has none
}

// Add adds a cell.
func (t *Tally) Add(c *capture.Cell) {
	id := c.Series.ID
	v, ok := c.Number()
	if !ok {
		v = math.NaN()
		*t.why.At(id) = c.Verdict()
	}
	series, last := t.series.At(id), t.last.At(id)
	if *series == nil {
		*series, *last = c.Series, v
		return
	}
	s := t.Stats(id)
	s.Add(c)
	*t.more.At(id) = more{uint32(s.Count), uint32(s.Missing), s.Min, s.Max, s.Mean}
	if ok {
		*last = v
	}
}

// Stats returns the stats of the series of an ID.
func (t *Tally) Stats(id int) (s capture.Stats) {
	if series := t.series.Find(id); series == nil || *series == nil {
		return s
	}
	last := *t.last.At(id)
	if m := t.more.Find(id); m != nil && *m != (more{}) {
		s = capture.Stats{Count: int(m.count), Missing: int(m.missing), Min: m.min, Max: m.max, Mean: m.mean}
		if m.count > 0 {
			s.Last = last
		}
		return s
	}
	if math.IsNaN(last) {
		s.Missing = 1
	} else {
		s.Add(&capture.Cell{Value: last})
	}
	return s
}

// All yields the series by their IDs.
func (t *Tally) All() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		var e Entry
		for id, series := range t.series.All() {
			if *series == nil {
				continue
			}
			e = Entry{Stats: t.Stats(id), Series: *series}
			if why := t.why.Find(id); why != nil {
				e.Why = *why
			}
			if !yield(&e) {
				return
			}
		}
	}
}
