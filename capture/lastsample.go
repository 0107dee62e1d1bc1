package capture

import (
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/paged"
)

// lastSamples are the last valid samples of series, by their IDs.
type lastSamples struct{ of paged.Slice[lastSample] }

type lastSample struct {
	sample countertypes.Sample
	boot   int32 // which start of the machine it is of, from 1; 0 where there is none
	owner  uint32
}

// cook computes what a cell shows, in which start of its machine newer is. The
// older sample is the last valid one of the same owner, however long ago that
// was; 0 stands for those that nothing tells apart.
func (l *lastSamples) cook(cell *Cell, newer *countertypes.Sample, o *countertypes.Options, valid bool, boot int, owner uint32) {
	last := l.of.At(cell.Series.ID)
	var older *countertypes.Sample
	if last.boot != 0 && last.owner == owner {
		older = &last.sample
	}
	cell.Value, cell.Status = countertypes.Cook(older, newer, o)
	if older != nil && int(last.boot) != boot && cell.Status == countertypes.StatusOK {
		cell.Value, cell.Status = countertypes.Cook(nil, newer, o)
	}
	if cell.Value >= countertypes.Inexact {
		cell.Rest = countertypes.Rest(older, newer, cell.Value)
	}
	if valid {
		last.sample, last.boot, last.owner = *newer, int32(boot), owner
	}
}
