package registration

import (
	"cmp"
	"slices"
	"sort"

	"github.com/perfdump/perfdump/titles"
)

// Unload plans what unlodctr does: the texts from First Counter to Last Help go
// from every language, the values of the range and Object List from the driver's
// key. Last Counter and Last Help of Perflib go down, to below the range, only if
// it was the last one; else the range stays empty.
//
// The error is a *perfdump.FormatError with ErrSyntax for a driver whose range
// is none. A driver that is not registered is a plan of nothing.
func (f *Files) Unload(driver string) (*Plan, error) {
	plan := &Plan{DriverName: driver, unload: true}
	p := f.services()[fold(driver)]
	if p == nil || !p.first.there {
		plan.nothing(Error, "loadperf:3011", p, "nothing need be done; if its names are there, load its .ini, then unload it",
			"%s has no First Counter in the files, so nothing is removed; unlodctr gives the error 2 or 1010", driver)
		return plan, nil
	}
	plan.is(p)
	if !p.hasRange() || p.first.v > p.last.v || p.first.v < firstFree || uint64(p.firstHelp.v) != uint64(p.first.v)+1 || uint64(p.lastHelp.v) != uint64(p.last.v)+1 {
		return nil, syntax("the range of %s is not valid: First Counter %d, Last Counter %d, First Help %d, Last Help %d; run perfdump doctor for details", p.service, p.first.v, p.last.v, p.firstHelp.v, p.lastHelp.v)
	}
	last := f.lastCounter()
	plan.SystemCounter = last.v
	if last.ok && last.v == p.last.v {
		plan.SystemCounter = p.first.v - 2
	}
	plan.SystemHelp = plan.SystemCounter + 1
	f.removed(plan)
	return plan, nil
}

// removed makes the entries of what the tables lose.
func (f *Files) removed(plan *Plan) {
	type place struct {
		language string
		counter  uint32
	}
	found := map[place]*Entry{}
	for k, t := range f.textTables() {
		for index, text := range t.t.All() {
			if !plan.owns(index) {
				continue
			}
			at := place{k.language, index &^ 1}
			e := found[at]
			if e == nil {
				e = &Entry{Offset: at.counter - plan.FirstCounter, Language: k.language, CounterIndex: at.counter, HelpIndex: at.counter + 1}
				found[at] = e
			}
			if k.kind == titles.Counter {
				e.Name, e.HasName = text, true
			} else {
				e.Help, e.HasHelp = text, true
			}
		}
	}
	for _, e := range found {
		plan.Entries = append(plan.Entries, *e)
		plan.Languages = append(plan.Languages, e.Language)
	}
	sort.Slice(plan.Entries, func(i, j int) bool {
		a, b := &plan.Entries[i], &plan.Entries[j]
		return cmp.Or(cmp.Compare(a.CounterIndex, b.CounterIndex), cmp.Compare(a.Language, b.Language)) < 0
	})
	slices.Sort(plan.Languages)
	plan.Languages = slices.Compact(plan.Languages)
}

// owns reports whether an index is one of the driver's.
func (plan *Plan) owns(index uint32) bool {
	return index >= plan.FirstCounter && index <= plan.LastHelp
}
