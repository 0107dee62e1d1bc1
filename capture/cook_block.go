package capture

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

type blockCooker struct {
	table *seriesTable
	names *Names
	query perfdata.Query
	cook  *CookOptions
	item  string // of a log, see groupKey
	host  string // of the block

	cooker  perfdata.Cooker
	sampler perfdata.Sampler
	id      identifier
	objects map[uint32]*objectSlots
	name    []byte
}

// objectSlots holds the slots of an object's counters. A provider may be reloaded with
// other counters, so the slots follow its current definitions.
type objectSlots struct {
	group       *group
	at          []int // the slot of each counter, or -1
	keys        []definitionKey
	owners      identityCounters
	definitions int32 // which set of definitions of the group these are
	unwanted    bool  // the filter selects no counter
}

type definitionKey struct {
	index uint32
	typ   countertypes.Type
}

// cells adds the cells of newer to a frame. older is nil at the start. If values is false,
// it only makes the series.
func (c *blockCooker) cells(f *Frame, host string, older, newer *perfdata.Block, values bool) {
	c.host = host
	raw := c.cook.Raw
	if values && older == nil {
		// There may be a million cells: count the series first, so that the frame does not
		// grow while it is filled.
		c.cells(f, host, nil, newer, false)
		f.grow(c.table.n-len(f.Cells), raw)
	}
	if c.cooker.Pair == nil {
		wanted := func(o *perfdata.Object) bool { return !c.slots(c.host, o).unwanted }
		c.cooker.Only, c.sampler.Only = wanted, wanted
		c.cooker.Pair, c.sampler.Pair, c.id = c.pair, c.pair, identifier{names: c.names, seed: maphash.MakeSeed()}
	}
	switch {
	case values && raw:
		c.sampler.Reset(older, newer, c.cook.Types)
	case values:
		c.cooker.Reset(older, newer, c.cook.Types)
	}
	for _, o := range newer.Objects() {
		if o.Len() == 0 && len(o.Counters()) == 0 {
			continue // no values and no names
		}
		include, bare := c.query.Match(o)
		slots := c.slots(host, o)
		if slots.unwanted {
			continue
		}
		w := namer{object: o}
		if c.cook.ByPID && slots.owners.any() {
			w.owners = &slots.owners
		}
		same := true
		for i, in := range o.Instances() {
			if c.table.budget.Over() {
				return
			}
			var r *row
			if include && !bare {
				c.name = w.key(c.name[:0], in)
				if same {
					r = slots.group.unchangedAt(i, c.name)
					same = r != nil
				}
				if r == nil {
					c.name = w.display(c.name, i, in)
					var isNew bool
					if r, isNew = slots.group.rowAt(i, c.name); isNew {
						w.describe(&r.owner, i, in)
					}
				}
			}
			if values {
				c.instance(f, slots, r, in)
			} else {
				c.makeSeries(slots, r)
			}
		}
	}
}

// makeSeries makes the series of an instance, once for each set of definitions.
func (c *blockCooker) makeSeries(s *objectSlots, r *row) {
	if r == nil || r.definitions == s.definitions {
		return
	}
	r.definitions = s.definitions
	for _, at := range s.at {
		if at >= 0 {
			c.table.at(s.group, r, at, s.group.slots[at])
		}
	}
}

func (c *blockCooker) pair(older, newer *perfdata.Object, pairs []int32) []bool {
	s := c.objects[newer.ObjectNameTitleIndex]
	if s == nil {
		return nil
	}
	c.id.start(older, newer, &s.owners)
	if c.cook.ByPID && s.owners.any() {
		copy(pairs, c.id.match(older, newer, false).Older)
	}
	if c.cook.ByName {
		return nil
	}
	return c.id.ownerChanges(older, newer, pairs)
}

// instance adds the cells of the next instance, or none if row is nil.
func (c *blockCooker) instance(f *Frame, s *objectSlots, r *row, in perfdata.Instance) {
	var values []float64
	var statuses []countertypes.Status
	var pid uint64
	if raw := c.cook.Raw; !raw {
		c.cooker.Next()
		values, statuses = c.cooker.Values(), c.cooker.Statuses()
	} else if r != nil && s.owners.any() {
		id := s.owners.of(in)
		pid = id.pid()
	}
	for j, at := range s.at {
		if c.cook.Raw {
			c.sampler.Next()
		}
		if r == nil || at < 0 {
			continue
		}
		series := c.table.at(s.group, r, at, s.group.slots[at])
		if series == nil {
			continue
		}
		if c.cook.Texts && series.Type.Kind() == countertypes.KindText {
			f.addText(series, in.Value(j))
		}
		if !c.cook.Raw {
			cell := Cell{Series: series, Value: values[j], Status: statuses[j]}
			if cell.Value >= countertypes.Inexact {
				cell.Rest = c.cooker.Rest(j)
			}
			f.Cells = append(f.Cells, cell)
			continue
		}
		sample := c.sampler.Newer()
		cell := Cell{Series: series}
		cell.Value, cell.Status = countertypes.Cook(c.sampler.Older(), sample, c.cook.Types)
		cell.Rest = countertypes.Rest(c.sampler.Older(), sample, cell.Value)
		tuple := tupleOf(sample)
		tuple.PID = pid
		f.add(cell, tuple, true)
		f.addSamples(c.sampler.Older(), sample, c.cook)
	}
}

func (c *blockCooker) slots(host string, o *perfdata.Object) *objectSlots {
	s, ok := c.objects[o.ObjectNameTitleIndex]
	if !ok {
		if c.objects == nil {
			c.objects = map[uint32]*objectSlots{}
		}
		key := groupKey{host: host, object: c.names.object(o.ObjectNameTitleIndex), item: c.item}
		s = &objectSlots{group: c.table.group(key, o.ObjectNameTitleIndex)}
		s.group.names = c.names
		c.objects[o.ObjectNameTitleIndex] = s
	}
	if !s.same(o) {
		c.place(s, o)
	}
	return s
}

func (s *objectSlots) same(o *perfdata.Object) bool {
	if len(s.keys) != len(o.Counters()) {
		return false
	}
	for j := range s.keys {
		k := o.Counter(j)
		if s.keys[j].index != k.CounterNameTitleIndex || s.keys[j].typ != k.CounterType {
			return false
		}
	}
	return true
}

func (c *blockCooker) place(s *objectSlots, o *perfdata.Object) {
	s.keys, s.at = s.keys[:0], s.at[:0]
	for j := range o.Counters() {
		k := o.Counter(j)
		s.keys = append(s.keys, definitionKey{k.CounterNameTitleIndex, k.CounterType})
	}
	if s.unwanted = !c.mayMatch(o, s.keys); s.unwanted {
		return
	}
	s.group.define(len(o.Counters()))
	s.owners = identityCountersOf(o, c.names)
	s.group.definitions++
	s.definitions = s.group.definitions
	seen := map[slotKey]int{}
	clocks := countertypes.Clocks{PerfFreq: o.Block().PerfFreq, ObjectFreq: o.PerfFreq}
	for j := range o.Counters() {
		k := o.Counter(j)
		key := s.keys[j]
		if k.CounterType.Hidden() {
			s.at = append(s.at, -1)
			continue
		}
		m := Metric{CounterIndex: key.index, Type: key.typ, HasType: true, DefaultScale: countertypes.ClampScale(k.DefaultScale)}
		_, m.TimeBase, _ = k.CounterType.Tuple(&clocks, c.cook.Types)
		c.names.name(&m, c.names.recorded(o.ObjectNameTitleIndex, key.index), o.ObjectNameTitleIndex, key.index)
		s.at = append(s.at, s.group.slot(m, count(seen, m.slotKey())))
	}
}

// mayMatch reports whether the filter may select a counter of an object.
func (c *blockCooker) mayMatch(o *perfdata.Object, keys []definitionKey) bool {
	filter, object := c.table.filter, o.ObjectNameTitleIndex
	if filter == nil {
		return true
	}
	if len(keys) > 0 && !filter.mayMatchObject(c.names.bothOf(c.names.recorded(object, keys[0].index), object, keys[0].index)) {
		return false
	}
	for _, key := range keys {
		if filter.mayMatch(c.names.bothOf(c.names.recorded(object, key.index), object, key.index)) {
			return true
		}
	}
	return false
}

type namer struct {
	object  *perfdata.Object
	owners  *identityCounters // of an object whose series follow their owners, otherwise nil
	repeats []int32
	parents parentNames
}

type parentNames struct {
	parent perfdata.Instance
	name   string
}

// of returns the shown name of an instance's parent, and false if it has none.
func (p *parentNames) of(in perfdata.Instance) (string, bool) {
	parent, ok := in.Parent()
	if !ok {
		return "", false
	}
	if parent != p.parent {
		p.parent, p.name = parent, shownName(parent)
	}
	return p.name, true
}

// fullName appends the shown name of an instance after its parent's. Instances without a
// definition get a name that cannot occur otherwise.
func fullName(dst []byte, in perfdata.Instance) []byte {
	if !in.Defined() {
		return append(dst, 0)
	}
	if parent, ok := in.Parent(); ok {
		dst = append(parent.AppendShownName(dst), '/')
	}
	return in.AppendShownName(dst)
}

// key appends the key of an instance: its full name, and its owner if series follow owners.
// Names of threads are left out: they are numbers that change when another thread ends.
func (w *namer) key(dst []byte, in perfdata.Instance) []byte {
	if w.owners == nil {
		return fullName(dst, in)
	}
	id := w.owners.of(in)
	if parent, ok := in.Parent(); ok && id.thread() != 0 {
		dst = parent.AppendShownName(dst)
	} else {
		dst = fullName(dst, in)
	}
	return id.appendKey(dst)
}

func shownName(in perfdata.Instance) string { return string(in.AppendShownName(nil)) }

const repeatSize = 5

// display extends a key so that it is unique within its object.
func (w *namer) display(key []byte, i int, in perfdata.Instance) []byte {
	if in.Defined() {
		if n := w.repeat(i); n > 0 {
			key = binary.LittleEndian.AppendUint32(append(key, 0), uint32(n))
		}
	}
	return key
}

// repeat returns how many earlier instances have the key of instance i.
func (w *namer) repeat(i int) int32 {
	if len(w.repeats) == 0 && w.owners == nil {
		w.repeats = repeats(nil, w.object)
	} else if len(w.repeats) == 0 {
		seen := make(map[string]int32, w.object.Len())
		var key []byte
		for _, in := range w.object.Instances() {
			key = w.key(key[:0], in)
			w.repeats = append(w.repeats, seen[string(key)])
			seen[string(key)]++
		}
	}
	return w.repeats[i]
}

func (w *namer) describe(o *Owner, i int, in perfdata.Instance) {
	if !in.Defined() {
		return
	}
	o.describe(shownName(in), true, int(w.repeat(i)))
	o.Parent, o.HasParent = w.parents.of(in)
	if w.owners != nil {
		id := w.owners.of(in)
		o.follow(&id, true)
	}
}
