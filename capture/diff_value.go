package capture

import (
	"bytes"
	"hash/maphash"
	"iter"

	"github.com/perfdump/perfdump/perfdata"
)

// InstanceDiff is what has become of an instance.
type InstanceDiff struct {
	Change   Change
	Instance               // as it is now, or as it was where it is gone
	Fields   []FieldChange // its name and parent, where a UniqueID identifies it
	Values   []ValueDiff   // the values that have changed
	Count    int           // of those
	// Replaced says that it is another process or thread of the same name: its ID
	// or its start time is not what it was. Its values have no delta.
	Replaced bool
}

// ValueDiff is a value that has changed.
type ValueDiff struct {
	Counter      *CounterDiff
	Older, Newer Value // without the base, which is a counter of its own
	Replaced     bool  // they are of two processes or threads
}

// Delta returns by how much a number has changed: newer - older, as a sign and
// a magnitude, since it may take 65 bits. It is false where one is no number, or
// they are of two processes.
func (v *ValueDiff) Delta() (negative bool, by uint64, ok bool) {
	if v.Older.Kind != Number || v.Newer.Kind != Number || v.Replaced {
		return false, 0, false
	}
	if v.Newer.Uint < v.Older.Uint {
		return true, v.Older.Uint - v.Newer.Uint, true
	}
	return false, v.Newer.Uint - v.Older.Uint, true
}

// Instances yields the instances that differ, as far as the filter lets them
// through: those that are gone, those that are new, then those that have
// changed, each in the order of their source. There are none for objects that
// came or went. An InstanceDiff is valid until the next one is yielded.
func (o *ObjectDiff) Instances() iter.Seq[*InstanceDiff] {
	return func(yield func(*InstanceDiff) bool) {
		if o.Older == nil || o.Newer == nil || o.is.bare {
			return
		}
		o.walkA, o.walkB = walker{o: &o.was}, walker{o: &o.is}
		_ = o.yieldOne(Gone, yield) && o.yieldOne(New, yield) && o.yieldChanged(yield)
	}
}

func (o *ObjectDiff) yieldOne(change Change, yield func(*InstanceDiff) bool) bool {
	side, m, w := &o.was, o.instances.newer, &o.walkA
	if change == New {
		side, m, w = &o.is, o.instances.older, &o.walkB
	}
	for i, at := range m {
		if at >= 0 || !side.show.instance(i) {
			continue
		}
		o.instance = InstanceDiff{Change: change, Instance: *w.at(side.view.Instance(i)), Values: o.instance.Values[:0]}
		if !yield(&o.instance) {
			return false
		}
	}
	return true
}

func (o *ObjectDiff) yieldChanged(yield func(*InstanceDiff) bool) bool {
	for i, at := range o.instances.older {
		if at < 0 || !o.diffInstance(int(at), i, true) {
			continue
		}
		o.instance.Instance = *o.walkB.at(o.is.view.Instance(i))
		if !yield(&o.instance) {
			return false
		}
	}
	return true
}

// count finds how much has changed.
func (o *ObjectDiff) count() {
	for i, at := range o.instances.newer {
		if at < 0 && o.was.show.instance(i) {
			o.InstancesGone++
		}
	}
	for i, at := range o.instances.older {
		switch {
		case at < 0 && o.is.show.instance(i):
			o.InstancesNew++
		case at >= 0 && (o.is.show.instance(i) || o.was.show.instance(int(at))):
			o.InstancesBoth++
			if o.diffInstance(int(at), i, false) {
				o.InstancesChanged++
			}
			o.ValuesChanged += o.instance.Count
		}
	}
}

// diffInstance compares two instances that are one. It is false where they
// are alike. Only for a reader the values are put down.
func (o *ObjectDiff) diffInstance(older, newer int, read bool) bool {
	d := &o.instance
	*d = InstanceDiff{Change: Changed, Values: d.Values[:0], Replaced: o.replaced != nil && o.replaced[newer]}
	was, is := o.was.view.Instance(older), o.is.view.Instance(newer)
	if !o.d.partial {
		d.Fields = diffNames(was, is)
	}
	alike := o.sameLayout && bytes.Equal(was.BlockBytes(), is.BlockBytes())
	if alike && (read || o.was.show.all) {
		if !read {
			o.ValuesBoth += len(o.counters)
		}
		return len(d.Fields) > 0
	}
	for k := range o.counters {
		c := &o.counters[k]
		if c.older < 0 || c.newer < 0 || !o.was.show.value(older, int(c.older)) && !o.is.show.value(newer, int(c.newer)) {
			continue
		}
		if !read {
			o.ValuesBoth++
		}
		if alike {
			continue
		}
		v, changed := diffValue(c, was, is)
		if !changed {
			continue
		}
		d.Count++
		if read {
			v.Counter, v.Replaced = c, d.Replaced
			d.Values = append(d.Values, v)
		}
	}
	return d.Count > 0 || len(d.Fields) > 0
}

func diffValue(c *CounterDiff, was, is perfdata.Instance) (ValueDiff, bool) {
	older, newer := was.Value(int(c.older)), is.Value(int(c.newer))
	v := ValueDiff{}
	if c.countOlder || c.countNew {
		v.Older.count(c.countOlder, int(c.older), was)
		v.Newer.count(c.countNew, int(c.newer), is)
	}
	counts := v.Older.HasMulti == v.Newer.HasMulti && v.Older.Multi == v.Newer.Multi
	if older.Kind == newer.Kind && older.Kind != perfdata.Text && bytes.Equal(older.Raw, newer.Raw) && counts {
		return v, false
	}
	v.Older.set(older)
	v.Newer.set(newer)
	if !counts || v.Older.Kind != v.Newer.Kind {
		return v, true
	}
	switch v.Older.Kind {
	case Number:
		return v, v.Older.Uint != v.Newer.Uint
	case Text:
		return v, !sameParts(older.TextParts(), newer.TextParts())
	case Bytes:
		return v, !bytes.Equal(v.Older.Bytes, v.Newer.Bytes)
	default:
		return v, false
	}
}

func (v *Value) count(has bool, counter int, in perfdata.Instance) {
	if has {
		v.Multi, v.HasMulti = in.Multi(counter)
	}
}

func (v *Value) set(raw perfdata.Value) {
	switch raw.Kind {
	case perfdata.Uint32, perfdata.Uint64:
		v.Kind, v.Uint = Number, raw.Uint
	case perfdata.Text:
		v.Kind, v.Text = Text, cutParts(raw.TextParts())
	case perfdata.Bytes:
		v.Kind, v.Bytes = Bytes, raw.Raw
	case perfdata.Absent:
	}
}

// diffNames compares what an instance is called, which may differ where it is
// known by its UniqueID, or in case.
func diffNames(was, is perfdata.Instance) []FieldChange {
	if !was.Defined() || !is.Defined() {
		return nil
	}
	var f fieldChanges
	a, b := was.Definition(), is.Definition()
	_, hadParent := was.Parent()
	_, hasParent := is.Parent()
	if !hadParent && !hasParent {
		// What is said of a parent that is not there is all that is known.
		unsigned(&f, "parent_object", a.ParentObjectTitleIndex, b.ParentObjectTitleIndex)
		unsigned(&f, "parent_instance", a.ParentObjectInstance, b.ParentObjectInstance)
		if was.Object().CodePage == is.Object().CodePage && bytes.Equal(was.RawName(), is.RawName()) {
			return f
		}
	} else if a.ParentObjectTitleIndex != b.ParentObjectTitleIndex {
		unsigned(&f, "parent_object", a.ParentObjectTitleIndex, b.ParentObjectTitleIndex)
	}
	if sameParts(fullNameParts(was), fullNameParts(is)) {
		return f
	}
	if !sameParts(was.NameParts(), is.NameParts()) {
		f = append(f, FieldChange{"name", cutParts(was.NameParts()), cutParts(is.NameParts())})
	}
	if older, newer := parentName(was), parentName(is); older != newer {
		f = append(f, FieldChange{"parent", older, newer})
	}
	return f
}

// parentName returns the name of an instance's parent, "" where it has none.
func parentName(in perfdata.Instance) string {
	if parent, ok := in.Parent(); ok {
		return shownName(parent)
	}
	return ""
}

// fullNameParts yields what an instance is called, with its parent's name.
func fullNameParts(in perfdata.Instance) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if parent, ok := in.Parent(); ok && !yield(append(parent.AppendShownName(nil), '/')) {
			return
		}
		for part := range in.NameParts() {
			if !yield(part) {
				return
			}
		}
	}
}

// sameParts reports whether two texts are the same, however they come in parts.
func sameParts(a, b iter.Seq[[]byte]) bool {
	seed := maphash.MakeSeed()
	return hashParts(seed, a, nil) == hashParts(seed, b, nil)
}

// hashParts returns the hash of a text in parts, each of which a function that
// is not nil turns into another first.
func hashParts(seed maphash.Seed, parts iter.Seq[[]byte], turn func([]byte) []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for part := range parts {
		if turn != nil {
			part = turn(part)
		}
		_, _ = h.Write(part)
	}
	return h.Sum64()
}
