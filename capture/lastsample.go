package capture

import "github.com/perfdump/perfdump/countertypes"

// lastSamples are the last valid samples of series, by their IDs.
type lastSamples struct {
	samples []countertypes.Sample
	has     []bool
}

// cook computes what a cell shows. The older sample is the last valid one,
// however long ago that was.
func (l *lastSamples) cook(cell *Cell, newer *countertypes.Sample, o *countertypes.Options, valid bool) {
	id := cell.Series.ID
	if n := id + 1 - len(l.samples); n > 0 {
		l.samples = append(l.samples, make([]countertypes.Sample, n)...)
		l.has = append(l.has, make([]bool, n)...)
	}
	var older *countertypes.Sample
	if l.has[id] {
		older = &l.samples[id]
	}
	cell.Value, cell.Status = countertypes.Cook(older, newer, o)
	if valid {
		l.samples[id], l.has[id] = *newer, true
	}
}
