package compare

import (
	"bytes"
	"iter"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/perfdata"
)

// Instance compares an instance.
type Instance struct {
	Change            Change
	*capture.Instance         // as it is now, or as it was where it is gone
	Fields            []Field // its name and parent, where a UniqueID identifies it
	Values            []Value // those that have changed
	// Replaced says that it is another process or thread with the same name: its
	// ID or its start time has changed. Its values have no delta.
	Replaced bool
}

// Value is a value that has changed.
type Value struct {
	*Counter
	Older, Newer capture.Value // without the base, which is a separate counter
	Replaced     bool          // they are of two processes or threads
}

// Instances yields the instances that differ, as far as the filter lets them
// through: those that are gone, those that are new, then those that have
// changed, each in the order of their source. There are none for objects that
// were added or removed. An Instance is valid until the next one is yielded.
func (o *Object) Instances() iter.Seq[*Instance] {
	return func(yield func(*Instance) bool) {
		in := &Instance{Values: o.values}
		o.walk(in, func(change Change, i int) bool {
			side := o.Newer
			if change == Gone {
				side = o.Older
			}
			in.Change, in.Instance = change, side.Instance(i)
			return yield(in)
		})
	}
}

// walk yields the comparison of an instance, and its position in the newer object,
// or in the older one if it is gone. What has changed is put into in.
func (o *Object) walk(in *Instance, yield func(change Change, i int) bool) {
	in.Values = in.Values[:0]
	for i, at := range o.pairs.Newer {
		if at < 0 && o.Older.Shows(i, -1) && !yield(Gone, i) {
			return
		}
	}
	for i, at := range o.pairs.Older {
		if at < 0 && o.Newer.Shows(i, -1) && !yield(New, i) {
			return
		}
	}
	for i, at := range o.pairs.Older {
		if at >= 0 && o.compareInstance(in, int(at), i) && !yield(Changed, i) {
			return
		}
	}
}

// count finds how much has changed.
func (o *Object) count() {
	in := &Instance{}
	o.walk(in, func(change Change, _ int) bool {
		o.InstanceCount.Add(change)
		o.ValuesChanged += len(in.Values)
		return true
	})
	o.values = in.Values
	for i, at := range o.pairs.Older {
		for k := range o.counters {
			if at >= 0 && o.shows(&o.counters[k], int(at), i) {
				o.ValuesBoth++
			}
		}
	}
}

// shows reports whether both have a value, and the filter lets one of them
// through.
func (o *Object) shows(c *Counter, older, newer int) bool {
	return c.older >= 0 && c.newer >= 0 && (o.Older.Shows(older, c.older) || o.Newer.Shows(newer, c.newer))
}

// compareInstance compares an instance that both have into in. It is false for no
// difference.
func (o *Object) compareInstance(in *Instance, older, newer int) bool {
	in.Fields, in.Values, in.Replaced = nil, in.Values[:0], o.replaced != nil && o.replaced[newer]
	was, is := o.Older.View().Instance(older), o.Newer.View().Instance(newer)
	if !o.partial {
		in.Fields = compareNames(was, is)
	}
	if o.sameLayout && bytes.Equal(was.BlockBytes(), is.BlockBytes()) {
		return len(in.Fields) > 0
	}
	for k := range o.counters {
		c := &o.counters[k]
		if !o.shows(c, older, newer) {
			continue
		}
		if v := (Value{Counter: c, Replaced: in.Replaced}); v.differs(was, is) {
			in.Values = append(in.Values, v)
		}
	}
	return len(in.Fields)+len(in.Values) > 0
}

// differs reports whether two values differ, and puts them into v if so.
func (v *Value) differs(was, is perfdata.Instance) bool {
	older, newer := was.Value(v.older), is.Value(v.newer)
	var counts [2]struct {
		n  uint32
		ok bool
	}
	if v.countOlder {
		counts[0].n, counts[0].ok = was.Multi(v.older)
	}
	if v.countNew {
		counts[1].n, counts[1].ok = is.Multi(v.newer)
	}
	if counts[0] == counts[1] && sameValue(older, newer) {
		return false
	}
	v.Older, v.Newer = capture.ValueOf(older), capture.ValueOf(newer)
	v.Older.Multi, v.Older.HasMulti = counts[0].n, counts[0].ok
	v.Newer.Multi, v.Newer.HasMulti = counts[1].n, counts[1].ok
	return true
}

func sameValue(a, b perfdata.Value) bool {
	isNumber := func(v perfdata.Value) bool { return v.Kind == perfdata.Uint32 || v.Kind == perfdata.Uint64 }
	switch {
	case isNumber(a) && isNumber(b):
		return a.Uint == b.Uint
	case a.Kind != b.Kind:
		return false
	case a.Kind == perfdata.Text:
		return a.Text() == b.Text()
	default:
		return bytes.Equal(a.Raw, b.Raw)
	}
}

// compareNames compares what an instance is called. That may differ where it is
// known by its UniqueID, and in case.
func compareNames(was, is perfdata.Instance) []Field {
	if !was.Defined() || !is.Defined() {
		return nil
	}
	a, b := was.Definition(), is.Definition()
	older := []Pair{{"parent_object", uint64(a.ParentObjectTitleIndex)}}
	newer := []Pair{{"parent_object", uint64(b.ParentObjectTitleIndex)}}
	_, hadParent := was.Parent()
	_, hasParent := is.Parent()
	if !hadParent && !hasParent {
		// All that is known of a missing parent is its number.
		older = append(older, Pair{"parent_instance", uint64(a.ParentObjectInstance)})
		newer = append(newer, Pair{"parent_instance", uint64(b.ParentObjectInstance)})
		if was.Object().CodePage == is.Object().CodePage && bytes.Equal(was.RawName(), is.RawName()) {
			return fields(older, newer)
		}
	}
	if was.FullName() == is.FullName() {
		return fields(older, newer)
	}
	differ := append(fields(older, newer), fields(
		[]Pair{{"name", was.Name()}, {"parent", parentName(was)}},
		[]Pair{{"name", is.Name()}, {"parent", parentName(is)}})...)
	for i := range differ {
		differ[i].Older, differ[i].Newer = cut(differ[i].Older), cut(differ[i].Newer)
	}
	return differ
}

// maxName is how much of a name is shown, in bytes.
const maxName = 4096

func cut(v any) any {
	if name, ok := v.(string); ok && len(name) > maxName {
		return strings.ToValidUTF8(name[:maxName], "")
	}
	return v
}

// parentName returns the name of an instance's parent, "" if it has none.
func parentName(in perfdata.Instance) string {
	if parent, ok := in.Parent(); ok {
		return string(parent.AppendShownName(nil))
	}
	return ""
}
