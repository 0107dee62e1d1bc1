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
	for id >= len(l.samples) {
		l.samples, l.has = append(l.samples, countertypes.Sample{}), append(l.has, false)
	}
	var older *countertypes.Sample
	if l.has[id] {
		older = &l.samples[id]
	}
	cell.Value, cell.Status = countertypes.Cook(older, newer, o)
	cell.First, cell.Second, cell.Multi, cell.HasRaw = newer.First, newer.Second, newer.Multi, newer.Status == countertypes.StatusOK
	if valid {
		l.samples[id], l.has[id] = *newer, true
	}
}
