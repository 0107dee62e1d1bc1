package capture

import (
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/budget"
	"github.com/perfdump/perfdump/internal/paged"
)

// lastSamples are the last valid samples of series, by their IDs, and whose they
// were.
type lastSamples struct {
	of     paged.Slice[lastSample]
	who    map[*Owner]*whose
	byName bool
	budget *budget.Budget
}

type lastSample struct {
	sample countertypes.Sample
	boot   int32 // which start of the machine it is of, from 1; 0 where there is none
	change int32 // see [lastSamples.change]
}

// whose is who an instance was at its last sample, and how many changes there were.
type whose struct {
	identity
	changes int32
}

const whoseCost = 150

func (r *Recording) lastSamples() lastSamples {
	return lastSamples{who: map[*Owner]*whose{}, byName: r.cook.ByName, budget: &r.table.budget}
}

// change takes who an instance is now, and returns how often that has changed.
func (l *lastSamples) change(o *Owner, is *identity) int32 {
	if l.byName || len(l.who) == 0 && !is.says() {
		return 0
	}
	who := l.who[o]
	switch {
	case !is.says():
	case who == nil:
		l.budget.Take(whoseCost)
		who = &whose{identity: *is}
		l.who[o] = who
	default:
		if who.another(is) {
			who.changes++
		}
		who.identity = *is
	}
	if who == nil {
		return 0
	}
	return who.changes
}

// cook computes what a cell shows, in which start of its machine newer is, and
// after how many changes of its owner. The older sample is the last valid one,
// however long ago that was.
func (l *lastSamples) cook(cell *Cell, newer *countertypes.Sample, o *countertypes.Options, valid bool, boot int, change int32) {
	last := l.of.At(cell.Series.ID)
	var older *countertypes.Sample
	if last.boot != 0 {
		older = &last.sample
	}
	if older != nil && last.change != change {
		older.Status = older.Status.OfAnother()
	}
	cell.Value, cell.Status = countertypes.Cook(older, newer, o)
	if older != nil && int(last.boot) != boot && cell.Status == countertypes.StatusOK {
		cell.Value, cell.Status = countertypes.Cook(nil, newer, o)
	}
	if cell.Value >= countertypes.Inexact {
		cell.Rest = countertypes.Rest(older, newer, cell.Value)
	}
	if valid {
		last.sample, last.boot, last.change = *newer, int32(boot), change
	}
}
