package capture

import (
	"bytes"
	"iter"
	"strings"

	"github.com/perfdump/perfdump/perfdata"
)

// InstanceDiff is what has become of an instance.
type InstanceDiff struct {
	Change   Change
	Instance               // as it is now, or as it was where it is gone
	Fields   []FieldChange // its name and parent, where a UniqueID identifies it
	Values   []ValueDiff   // the values that have changed
	Count    int           // of those
	// Replaced says that it is another process or thread of the same name:
	// the ID is not what it was.
	Replaced bool
}

// ValueDiff is a value that has changed.
type ValueDiff struct {
	Counter      *CounterDiff
	Older, Newer Value // without the base, which is a counter of its own
}

// Delta returns by how much a number has changed: newer - older, as a sign and
// a magnitude, since it may take 65 bits. It is false where one is no number.
func (v *ValueDiff) Delta() (negative bool, by uint64, ok bool) {
	if v.Older.Kind != Number || v.Newer.Kind != Number {
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
	*d = InstanceDiff{Change: Changed, Values: d.Values[:0]}
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
		d.Replaced = d.Replaced || c.isID()
		if read {
			v.Counter = c
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
		return v, v.Older.Text != v.Newer.Text
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
		v.Kind, v.Text = Text, raw.Text()
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
	older, newer := was.FullName(), is.FullName()
	if older == newer {
		return f
	}
	nameOlder, nameNewer := was.Name(), is.Name()
	if nameOlder != nameNewer {
		f = append(f, FieldChange{"name", nameOlder, nameNewer})
	}
	// FullName bounds what a parent adds.
	older, newer = strings.TrimSuffix(older, nameOlder), strings.TrimSuffix(newer, nameNewer)
	if older != newer {
		f = append(f, FieldChange{"parent", strings.TrimSuffix(older, "/"), strings.TrimSuffix(newer, "/")})
	}
	return f
}
