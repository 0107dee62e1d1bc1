package capture

import "github.com/perfdump/perfdump/countertypes"

// lastSamples are the last valid samples of series, by their IDs.
type lastSamples struct {
	samples []countertypes.Sample
	boots   []int32 // which start of the machine each is of, from 1; 0 where there is none
}

// cook computes what a cell shows, in which start of its machine newer is. The
// older sample is the last valid one, however long ago that was.
func (l *lastSamples) cook(cell *Cell, newer *countertypes.Sample, o *countertypes.Options, valid bool, boot int) {
	id := cell.Series.ID
	if n := id + 1 - len(l.samples); n > 0 {
		l.samples = append(l.samples, make([]countertypes.Sample, n)...)
		l.boots = append(l.boots, make([]int32, n)...)
	}
	var older *countertypes.Sample
	if l.boots[id] != 0 {
		older = &l.samples[id]
	}
	cell.Value, cell.Status = countertypes.Cook(older, newer, o)
	if older != nil && int(l.boots[id]) != boot && cell.Status == countertypes.StatusOK {
		cell.Value, cell.Status = countertypes.Cook(nil, newer, o)
	}
	if cell.Value >= countertypes.Inexact {
		cell.Rest = countertypes.Rest(older, newer, cell.Value)
	}
	if valid {
		l.samples[id], l.boots[id] = *newer, int32(boot)
	}
}
