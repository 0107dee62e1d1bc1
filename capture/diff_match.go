package capture

import (
	"bytes"
	"hash/maphash"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// matches says of each part of one side which part of the other it is, -1
// where there is none.
type matches struct {
	older []int32 // of each newer part
	newer []int32 // of each older part
}

// match matches parts by their keys; of several with the same key the first
// matches the first. It is linear, however many keys are the same, and makes a
// map for what does not stand at the same place on both sides only.
func match[K comparable](older, newer int, keyOlder, keyNewer func(int) K) matches {
	m := matches{older: make([]int32, newer), newer: make([]int32, older)}
	from := 0
	for from < older && from < newer && keyOlder(from) == keyNewer(from) {
		m.older[from], m.newer[from] = int32(from), int32(from)
		from++
	}
	for i := from; i < older; i++ {
		m.newer[i] = -1
	}
	for i := from; i < newer; i++ {
		m.older[i] = -1
	}
	if from < older && from < newer {
		matchFree(&m, from, keyOlder, keyNewer)
	}
	return m
}

// matchFree matches the parts that have no match yet, from a position on.
func matchFree[K comparable](m *matches, from int, keyOlder, keyNewer func(int) K) {
	head := make(map[K]int32) // the first free part of a key
	next := make([]int32, len(m.newer)-from)
	for i := len(m.newer) - 1; i >= from; i-- {
		if m.newer[i] >= 0 {
			continue
		}
		k, first := keyOlder(i), int32(-1)
		if at, ok := head[k]; ok {
			first = at
		}
		next[i-from], head[k] = first, int32(i)
	}
	for i := from; i < len(m.older); i++ {
		if m.older[i] >= 0 {
			continue
		}
		k := keyNewer(i)
		if at, ok := head[k]; ok && at >= 0 {
			m.older[i], m.newer[at] = at, int32(i)
			head[k] = next[int(at)-from]
		}
	}
}

func matchObjects(older, newer *perfdata.Block) matches {
	key := func(b *perfdata.Block) func(int) uint32 {
		return func(i int) uint32 { return b.Object(i).ObjectNameTitleIndex }
	}
	return match(older.NumObjects(), newer.NumObjects(), key(older), key(newer))
}

// counterKey identifies a counter. A base has what its counter has, too:
// many have no title index of their own.
type counterKey struct {
	title   uint32
	typ     countertypes.Type
	ofTitle uint32
	ofType  countertypes.Type
}

// owners returns of each counter the position of the one that it is the base
// of, -1 for none.
func owners(o *perfdata.Object) []int32 {
	of := make([]int32, len(o.Counters()))
	for j := range of {
		of[j] = -1
	}
	for j := range of {
		if base := o.Counter(j).Base(); base >= 0 {
			of[base] = int32(j)
		}
	}
	return of
}

// matchCounters matches by all of the key, then what is left by title indexes
// alone.
func matchCounters(older, newer *perfdata.Object, ofOlder, ofNewer []int32) matches {
	key := func(o *perfdata.Object, of []int32, types bool) func(int) counterKey {
		return func(j int) counterKey {
			c := o.Counter(j)
			k := counterKey{title: c.CounterNameTitleIndex, typ: c.CounterType}
			if of[j] >= 0 {
				owner := o.Counter(int(of[j]))
				k.ofTitle, k.ofType = owner.CounterNameTitleIndex, owner.CounterType
			}
			if !types {
				// The mark keeps bases apart from the counters whose index
				// they repeat.
				k.typ, k.ofType = 0, 0
				if of[j] >= 0 {
					k.typ = 1
				}
			}
			return k
		}
	}
	m := match(len(older.Counters()), len(newer.Counters()), key(older, ofOlder, true), key(newer, ofNewer, true))
	matchFree(&m, 0, key(older, ofOlder, false), key(newer, ofNewer, false))
	return m
}

// instanceKey identifies an instance. Names are hashed under a seed of the
// comparison's own.
type instanceKey struct {
	hash        uint64
	pid, thread uint64 // of its owner, 0 unknown
	is          uint8
}

const (
	byName uint8 = iota
	byID
	unnamed // the one set of values of an object without instances
)

// matchInstances matches by UniqueIDs, if they say who an instance is, else by
// names and owners, and then what is left by names alone.
func (d *identifier) matchInstances(older, newer *perfdata.Object) matches {
	ids := d.unique(older) && d.unique(newer)
	m := match(older.Len(), newer.Len(), d.key(older, &d.older, ids), d.key(newer, &d.newer, ids))
	if d.older.any() && d.newer.any() {
		none := identityCounters{}
		matchFree(&m, 0, d.key(older, &none, ids), d.key(newer, &none, ids))
	}
	return m
}

// matchOwners matches by names and owners.
func (d *identifier) matchOwners(older, newer *perfdata.Object) matches {
	return match(older.Len(), newer.Len(), d.key(older, &d.older, false), d.key(newer, &d.newer, false))
}

// key returns what identifies the instances of an object. The names of threads are
// numbers, and change when another one ends: where threads are known they are left
// out.
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
		if len(in.RawName()) > maxName { // the same hash, without the whole of it
			k.hash = hashParts(d.seed, fullNameParts(in), bytes.ToUpper)
			return k
		}
		name = in.AppendFullName(name[:0])
		k.hash = maphash.Bytes(d.seed, bytes.ToUpper(name))
		return k
	}
}
