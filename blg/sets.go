package blg

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/perflib2"
)

// maxSets limits the bytes of all registrations of a log. Parsed, they take about five
// times as much; a Windows with all features has 1 MB.
const maxSets = 8 << 20

// setTable holds the registrations of version 2 counter sets of a log.
type setTable struct {
	all    []*perflib2.Registration
	byName map[string][]*perflib2.Registration // in lower case
}

// addSet reads the registration in an event. A complete table does not change.
func (r *Reader) addSet(e *event) {
	if r.setSize+len(e.data) > maxSets {
		r.lost[lostRegistrations]++
		r.report(codeRegistration, e.at(0), e.path(), "more than %d bytes of registrations: this one is not read", maxSets)
		return
	}
	r.setSize += len(e.data)
	set, err := perflib2.ParseRegistration(slices.Clone(e.data), perfdump.Options{Limits: r.options.Limits})
	if err != nil {
		r.lost[lostRegistrations]++
		r.report(codeRegistration, e.at(0), e.path(), "the registration of a counter set cannot be read: "+err.Error())
		return
	}
	for _, a := range set.Anomalies().Kept() {
		r.report(a.Code, e.at(int(a.Off)), e.path().Field(a.Path.String()), a.Message())
	}
	if r.complete {
		return
	}
	r.late = r.late || r.last.Local != noTime
	r.sets.all = append(r.sets.all, set)
	if r.sets.byName == nil {
		r.sets.byName = map[string][]*perflib2.Registration{}
	}
	name := strings.ToLower(set.Name())
	r.sets.byName[name] = append(r.sets.byName[name], set)
}

// find returns the registration of an item's set. If several have its name, it is the first
// that has all counters of the block, otherwise the first.
func (t *setTable) find(of *Item, b *perflib2.Block) *perflib2.Registration {
	named := t.byName[of.set]
	if len(named) == 0 {
		return nil
	}
	if len(named) == 1 || b == nil {
		return named[0]
	}
	covers := func(set *perflib2.Registration) bool {
		for _, res := range b.Results() {
			if !set.Covers(res) {
				return false
			}
		}
		return true
	}
	return named[max(0, slices.IndexFunc(named, covers))]
}
