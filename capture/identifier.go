package capture

import (
	"hash/maphash"
	"slices"

	"github.com/perfdump/perfdump/perfdata"
)

// identifier compares the owners of the instances of two objects.
type identifier struct {
	names        *Names
	seed         maphash.Seed
	older, newer identityCounters
	changed      []bool
	ids          []int32
}

func newIdentifier(names *Names) identifier {
	return identifier{names: names, seed: maphash.MakeSeed()}
}

// start prepares d for two objects, of which those of the newer are known.
func (d *identifier) start(older, newer *perfdata.Object, known *identityCounters) {
	d.newer, d.older = *known, *known
	for _, at := range known {
		if at > 0 && (at > len(older.Counters()) || older.Counter(at-1).CounterNameTitleIndex != newer.Counter(at-1).CounterNameTitleIndex) {
			d.older = identityCountersOf(older, d.names)
			return
		}
	}
}

// another says of each instance of newer whether the one of older that it is
// paired with belongs to another owner; nil for none.
func (d *identifier) another(older, newer *perfdata.Object, pairs []int32) []bool {
	d.changed = d.changed[:0]
	known := d.newer.any()
	unique, asked := false, false
	for i, k := range pairs {
		if k < 0 {
			continue
		}
		was, is := older.Instance(int(k)), newer.Instance(i)
		changed := false
		if a, b := was.UniqueID(), is.UniqueID(); a != b && a != -1 && b != -1 {
			if !asked {
				unique, asked = d.unique(older) && d.unique(newer), true
			}
			changed = unique
		}
		if known && !changed {
			a, b := d.older.of(was), d.newer.of(is)
			changed = a.another(&b)
		}
		if !changed {
			continue
		}
		if len(d.changed) == 0 {
			d.changed = slices.Grow(d.changed, len(pairs))[:len(pairs)]
			clear(d.changed)
		}
		d.changed[i] = true
	}
	if len(d.changed) == 0 {
		return nil
	}
	return d.changed
}

// unique reports whether the UniqueIDs of an object say who its instances are:
// there are others than -1 and 0, and none but -1 comes twice.
func (d *identifier) unique(o *perfdata.Object) bool {
	d.ids = d.ids[:0]
	says := false
	for _, in := range o.Instances() {
		if id := in.UniqueID(); id != -1 {
			says = says || id != 0
			d.ids = append(d.ids, id)
		}
	}
	slices.Sort(d.ids)
	for i := 1; i < len(d.ids); i++ {
		says = says && d.ids[i] != d.ids[i-1]
	}
	return says
}
