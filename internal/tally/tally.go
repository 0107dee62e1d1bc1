// Package tally adds up the values of many series, for outputs of the minimum,
// average, maximum and last value of each.
package tally

import (
	"iter"

	"github.com/perfdump/perfdump/internal/paged"
)

// Tally has the stats of each series, by its ID. S describes a series.
type Tally[S any] struct{ of paged.Slice[Entry[S]] }

// Entry is a series and its stats.
type Entry[S any] struct {
	Stats

	Series S
}

// Add adds a value of a series, or where ok is false that it has none.
func (t *Tally[S]) Add(id int, series S, v float64, ok bool) {
	e := t.of.At(id)
	e.Series = series
	e.Stats.Add(v, ok)
}

// Stats returns the stats of the series of an ID.
func (t *Tally[S]) Stats(id int) Stats { return t.of.At(id).Stats }

// All yields the series by their IDs.
func (t *Tally[S]) All() iter.Seq[*Entry[S]] {
	return func(yield func(*Entry[S]) bool) {
		for _, e := range t.of.All() {
			if e.Count+e.Missing > 0 && !yield(e) {
				return
			}
		}
	}
}

// Stats sum up the values of a series, in constant memory. The zero Stats are those of no value.
type Stats struct {
	Count    int32 // of values
	Missing  int32 // times without one
	Min, Max float64
	Mean     float64
	Last     float64
}

// Add adds a value, or where ok is false that there is none.
func (s *Stats) Add(v float64, ok bool) {
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
