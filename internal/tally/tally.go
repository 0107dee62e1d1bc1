// Package tally adds up the values of all series of a recording, for outputs
// of the minimum, average, maximum and last value of each.
package tally

import (
	"iter"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/paged"
)

// Tally has the stats of each series.
type Tally struct{ of paged.Slice[Entry] }

// Entry is what is known of a series.
type Entry struct {
	Stats

	Series *capture.Series
	Why    countertypes.Status // why its last cell without a value has none
}

// Add adds a cell.
func (t *Tally) Add(c *capture.Cell) {
	e := t.of.At(c.Series.ID)
	e.Series = c.Series
	e.Stats.Add(c)
	if _, ok := c.Number(); !ok {
		e.Why = c.Verdict()
	}
}

// Stats returns the stats of the series of an ID.
func (t *Tally) Stats(id int) Stats { return t.of.At(id).Stats }

// All yields the series by their IDs.
func (t *Tally) All() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for _, e := range t.of.All() {
			if e.Series != nil && !yield(e) {
				return
			}
		}
	}
}

// Stats sum up the values of a series, in constant memory. The zero Stats are those of no cell.
type Stats struct {
	Count    int // of values
	Missing  int // cells without one
	Min, Max float64
	Mean     float64
	Last     float64
}

// Add adds a cell.
func (s *Stats) Add(c *capture.Cell) {
	v, ok := c.Number()
	if !ok {
		s.Missing++
		return
	}
	if s.Count == 0 {
		s.Min, s.Max = v, v
	}
	s.Count++
	s.Min, s.Max, s.Last = min(s.Min, v), max(s.Max, v), v
	// The sum could leave the range of a float64; this does not.
	s.Mean += v/float64(s.Count) - s.Mean/float64(s.Count)
}
