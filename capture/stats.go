package capture

import "github.com/perfdump/perfdump/countertypes"

// Verdict returns whether a cell has a value, and why not: a code of PDH that
// is neither valid nor new data is invalid data, whatever was cooked.
func (c *Cell) Verdict() countertypes.Status {
	if c.PDH > 1 && c.Status == countertypes.StatusOK {
		return countertypes.StatusInvalidData
	}
	return c.Status
}

// Number returns the value of a cell, and whether it has one. What cannot be
// written as a number is none.
func (c *Cell) Number() (v float64, ok bool) {
	v = c.Value
	return v, c.Verdict() == countertypes.StatusOK && v-v == 0
}

// Whole returns the value of a raw count or a difference that is too large for a
// float64 to hold it. It is false for all others.
func (c *Cell) Whole() (n uint64, ok bool) {
	v := c.Value
	fits := v >= countertypes.Inexact && (v < 1<<64 || v == 1<<64 && c.Rest < 0)
	if !fits || !c.Series.HasType || !c.Series.Type.Whole() {
		return 0, false
	}
	return countertypes.Exact(c.Value, c.Rest), true
}

// Stats are what is told of the values of a series, in a memory that does not
// grow with them. The zero Stats are those of no cell.
type Stats struct {
	Count    int // of values
	Missing  int // cells without one
	Min, Max float64
	Mean     float64
	Last     float64
}

// Add adds a cell.
func (s *Stats) Add(c *Cell) {
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
