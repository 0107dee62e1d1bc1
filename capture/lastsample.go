package capture

import (
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/budget"
	"github.com/perfdump/perfdump/internal/paged"
)

// lastSamples holds the last valid sample of each series, by ID, and its owner.
type lastSamples struct {
	kept    bool                 // whether older is set
	older   *countertypes.Sample // that the last value was computed from, nil if there was none
	samples paged.Slice[lastSample]
	owners  map[*Owner]*lastOwner
	byName  bool
	budget  *budget.Budget
}

type lastSample struct {
	sample countertypes.Sample
	boot   int32 // the number of the machine's start, from 1; 0 if there is no sample
	change int32 // see [lastSamples.change]
}

// lastOwner is the owner of an instance at its last sample, and how often it changed.
type lastOwner struct {
	identity
	changes int32
}

const lastOwnerCost = 150

func (r *Recording) lastSamples() lastSamples {
	return lastSamples{kept: r.cook.Samples, owners: map[*Owner]*lastOwner{}, byName: r.cook.ByName, budget: &r.table.budget}
}

// change records the current owner of an instance and returns how often it has changed.
func (l *lastSamples) change(o *Owner, is *identity) int32 {
	if l.byName || len(l.owners) == 0 && !is.identifies() {
		return 0
	}
	last := l.owners[o]
	switch {
	case !is.identifies():
	case last == nil:
		l.budget.Take(lastOwnerCost)
		last = &lastOwner{identity: *is}
		l.owners[o] = last
	default:
		if last.differs(is) {
			last.changes++
		}
		last.identity = *is
	}
	if last == nil {
		return 0
	}
	return last.changes
}

// cook computes the value of a cell. boot is the start of the machine that newer belongs
// to, change the number of changes of its owner. The older sample is the last valid one,
// however old.
func (l *lastSamples) cook(cell *Cell, newer *countertypes.Sample, o *countertypes.Options, valid bool, boot int, change int32) {
	last := l.samples.At(cell.Series.ID)
	var older *countertypes.Sample
	if last.boot != 0 {
		older = &last.sample
	}
	if older != nil && last.change != change {
		older.Status = older.Status.OfAnother()
	}
	cell.Value, cell.Status = countertypes.Cook(older, newer, o)
	if older != nil && int(last.boot) != boot && cell.Status == countertypes.StatusOK {
		older = nil
		cell.Value, cell.Status = countertypes.Cook(nil, newer, o)
	}
	if cell.Value >= countertypes.Inexact {
		cell.Rest = countertypes.Rest(older, newer, cell.Value)
	}
	if l.kept {
		l.older = nil
		if older != nil {
			copied := *older
			l.older = &copied
		}
	}
	if valid {
		last.sample, last.boot, last.change = *newer, int32(boot), change
	}
}
