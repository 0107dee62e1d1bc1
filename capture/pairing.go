package capture

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/perfdump/perfdump/internal/pairing"
	"github.com/perfdump/perfdump/perfdata"
)

// PairInstances pairs the instances of two objects: by UniqueID if that identifies them,
// otherwise by full name, ignoring case, and process or thread, then by full name alone. Of
// several equal instances the first is paired with the first. ofNewer holds for each
// instance of newer its position in older, ofOlder for each of older its position in newer,
// -1 for none. changed reports for each of newer whether its process or thread has changed;
// it is nil if none has. The time is linear.
func PairInstances(older, newer *Object) (ofNewer, ofOlder []int32, changed []bool) {
	names := newer.snapshot.o.Names
	who := identityCountersOf(newer.view, names)
	d := identifier{names: names, seed: maphash.MakeSeed()}
	d.start(older.view, newer.view, &who)
	ids := d.unique(older.view) && d.unique(newer.view)
	p := d.match(older.view, newer.view, ids)
	if d.older.any() && d.newer.any() {
		none := identityCounters{}
		pairing.Rest(&p, d.key(older.view, &none, ids), d.key(newer.view, &none, ids))
	}
	return p.Older, p.Newer, d.ownerChanges(older.view, newer.view, p.Older)
}

// instanceKey identifies an instance. Names are hashed with a seed of the comparison.
type instanceKey struct {
	hash        uint64
	pid, thread uint64 // of its owner, 0 if unknown
	is          uint8
}

const (
	byName uint8 = iota
	byID
	unnamed // the values of an object without instances
)

// match pairs instances by their names and owners, or by their UniqueIDs.
func (d *identifier) match(older, newer *perfdata.Object, ids bool) pairing.Pairs {
	return pairing.Match(older.Len(), newer.Len(), d.key(older, &d.older, ids), d.key(newer, &d.newer, ids))
}

// key returns the keys of the instances of an object. Names of threads are left out where
// threads are known: they are numbers that change when another thread ends.
func (d *identifier) key(o *perfdata.Object, c *identityCounters, ids bool) func(int) instanceKey {
	var name []byte
	return func(i int) instanceKey {
		in := o.Instance(i)
		if !in.Defined() {
			return instanceKey{is: unnamed}
		}
		if id := in.UniqueID(); ids && id != -1 {
			return instanceKey{hash: uint64(uint32(id)), is: byID}
		}
		owner := c.of(in)
		k := instanceKey{pid: owner.pid(), thread: owner.thread()}
		if parent, ok := in.Parent(); ok && k.thread != 0 {
			in = parent
		}
		name = in.AppendFullName(name[:0])
		k.hash = maphash.Bytes(d.seed, bytes.ToUpper(name))
		return k
	}
}

type identifier struct {
	names        *Names
	seed         maphash.Seed
	older, newer identityCounters
	changed      []bool
	ids          []int32
}

// start prepares d for two objects. known are the identity counters of newer.
func (d *identifier) start(older, newer *perfdata.Object, known *identityCounters) {
	d.newer, d.older = *known, *known
	for _, at := range known {
		if at > 0 && (at > len(older.Counters()) || older.Counter(at-1).CounterNameTitleIndex != newer.Counter(at-1).CounterNameTitleIndex) {
			d.older = identityCountersOf(older, d.names)
			return
		}
	}
}

// ownerChanges reports for each instance of newer whether the instance of older that it is
// paired with has another owner. It returns nil if none has.
func (d *identifier) ownerChanges(older, newer *perfdata.Object, pairs []int32) []bool {
	d.changed = d.changed[:0]
	known := d.newer.any()
	unique, checked := false, false
	for i, k := range pairs {
		if k < 0 {
			continue
		}
		was, is := older.Instance(int(k)), newer.Instance(i)
		changed := false
		if a, b := was.UniqueID(), is.UniqueID(); a != b && a != -1 && b != -1 {
			if !checked {
				unique, checked = d.unique(older) && d.unique(newer), true
			}
			changed = unique
		}
		if known && !changed {
			a, b := d.older.of(was), d.newer.of(is)
			changed = a.differs(&b)
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

// unique reports whether the UniqueIDs of an object identify its instances: some differ
// from -1 and 0, and only -1 is repeated.
func (d *identifier) unique(o *perfdata.Object) bool {
	d.ids = d.ids[:0]
	identifying := false
	for _, in := range o.Instances() {
		if id := in.UniqueID(); id != -1 {
			identifying = identifying || id != 0
			d.ids = append(d.ids, id)
		}
	}
	slices.Sort(d.ids)
	for i := 1; i < len(d.ids); i++ {
		identifying = identifying && d.ids[i] != d.ids[i-1]
	}
	return identifying
}
