package capture

import (
	"iter"
	"strconv"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// Object is a performance object of a snapshot: its counters and, for each
// instance, their values.
type Object struct {
	Index    uint32 // title index
	Name     string
	Help     string    // "" if no table has one
	Single   bool      // no instances, just one unnamed set of values
	Metadata bool      // definitions only: no values were requested
	Counters []Counter // those that the filter selects
	Total    int       // number of instances before filtering

	snapshot *Snapshot
	view     *perfdata.Object
	at       []int32 // for each counter of the view, its position in Counters, or -1
	repeats  []int32 // for each instance, how many with its name precede it
	show     selection
	bare     bool // the query asks for definitions only
}

// Counter is a counter of an object.
type Counter struct {
	Index uint32 // title index
	Name  string
	Help  string
	Type  countertypes.Type
	Size  uint32 // of a value in bytes
	Scale int32  // power of ten that graphs apply
	Named bool   // the filter names it, rather than matching it with *

	pos  int
	base int
}

// load makes o the object of a view. It returns false if the filter excludes all of it.
func (o *Object) load(s *Snapshot, view *perfdata.Object) bool {
	*o = Object{
		Index: view.ObjectNameTitleIndex, Name: s.o.Names.object(view.ObjectNameTitleIndex),
		Single: view.Single(), Total: view.Len(),
		Metadata: view.NumInstances == perfdata.MetadataMulti || view.NumInstances == perfdata.MetadataSingle,
		snapshot: s, view: view,
		Counters: o.Counters[:0], at: o.at[:0], repeats: o.repeats[:0], show: o.show,
	}
	include, bare := s.o.Query.Match(view)
	if o.bare = bare; bare {
		o.Metadata, o.Total = true, 0
	}
	if !include || !o.show.start(o) {
		return false
	}
	s.o.Names.Name(o.Index) // counts it if it has no name
	o.Help = s.o.Names.Help(view.ObjectHelpTitleIndex)
	for j := range view.Counters() {
		if !o.show.counter(j) {
			o.at = append(o.at, -1)
			continue
		}
		c := view.Counter(j)
		o.at = append(o.at, int32(len(o.Counters)))
		s.o.Names.Name(c.CounterNameTitleIndex)
		o.Counters = append(o.Counters, Counter{
			Index: c.CounterNameTitleIndex, Name: s.o.Names.counter(o.Index, c.CounterNameTitleIndex),
			Help: s.o.Names.Help(c.CounterHelpTitleIndex),
			Type: c.CounterType, Size: c.CounterSize, Scale: c.DefaultScale,
			Named: o.show.named(j),
			pos:   j, base: c.Base(),
		})
	}
	return true
}

// Instance is an instance of an object.
type Instance struct {
	Parent    string
	HasParent bool
	Name      string // without #n
	None      bool   // the values of an object without instances
	Repeat    int    // how many instances with this name precede it: the n of #n
	UniqueID  int32  // -1 if the name identifies it

	object *Object
	in     perfdata.Instance
}

// Instances yields the instances that the filter selects, in the order of the source. An
// Instance is valid until the next one is yielded.
func (o *Object) Instances() iter.Seq[*Instance] {
	return func(yield func(*Instance) bool) {
		if o.bare {
			return
		}
		w := walker{o: o}
		for i, view := range o.view.Instances() {
			if o.show.instance(i) && !yield(w.at(view)) {
				return
			}
		}
	}
}

type walker struct {
	o       *Object
	inst    Instance
	buf     []byte
	parents parentNames
}

func (w *walker) at(view perfdata.Instance) *Instance {
	if o := w.o; len(o.repeats) != o.view.Len() {
		o.repeats = repeats(o.repeats[:0], o.view)
	}
	w.buf = view.AppendShownName(w.buf[:0])
	w.inst = Instance{
		Name: string(w.buf), None: !view.Defined(), Repeat: int(w.o.repeats[view.Position()]), UniqueID: view.UniqueID(),
		object: w.o, in: view,
	}
	w.inst.Parent, w.inst.HasParent = w.parents.of(view)
	return &w.inst
}

// repeats appends to dst, for each instance, how many earlier ones have its name.
func repeats(dst []int32, o *perfdata.Object) []int32 {
	var full []byte
	for i, name := range o.DisplayNames() {
		full = fullName(full[:0], o.Instance(i))
		var n int64
		if len(name) > len(full) {
			n, _ = strconv.ParseInt(name[len(full)+1:], 10, 32)
		}
		dst = append(dst, int32(n))
	}
	return dst
}

// ValueKind is the kind of a [Value].
type ValueKind uint8

// The kinds of values.
const (
	Absent ValueKind = iota
	Number           // an unsigned integer
	Text
	Bytes // a size that is not that of a number
)

// Value is a raw value.
type Value struct {
	Kind  ValueKind
	Uint  uint64
	Text  string
	Bytes []byte // aliases the input

	HasBase  bool
	Base     uint64 // the value of the counter's base
	HasMulti bool
	Multi    uint32 // the count of a MULTI counter
}

// Value returns the value of the counter at a position in Object.Counters, and false if the
// filter excludes it.
func (in *Instance) Value(counter int) (Value, bool) {
	c := &in.object.Counters[counter]
	if !in.object.show.value(in.in.Position(), c.pos) {
		return Value{}, false
	}
	v := ValueOf(in.in.Value(c.pos))
	switch {
	case c.Type.Multi() && !c.Type.IsBase():
		v.Multi, v.HasMulti = in.in.Multi(c.pos)
	case c.base >= 0:
		v.Base, v.HasBase = in.in.Uint64(c.base)
	}
	return v, true
}

// View returns the object of the block. Shows, Instance and CounterName take its positions.
func (o *Object) View() *perfdata.Object { return o.view }

// Shows reports whether the filter selects the value of a counter of an instance, by their
// positions in the View; -1 stands for any.
func (o *Object) Shows(instance, counter int) bool {
	switch {
	case o.show.all:
		return true
	case instance < 0:
		return o.show.counter(counter)
	case counter < 0:
		return o.show.instance(instance)
	default:
		return o.show.value(instance, counter)
	}
}

// Instance returns the instance at a position in the View, even if the filter excludes it.
func (o *Object) Instance(i int) *Instance {
	w := walker{o: o}
	return w.at(o.view.Instance(i))
}

// CounterName returns the name of the counter at a position in the View, even if the filter
// excludes it.
func (o *Object) CounterName(counter int) string {
	return o.snapshot.o.Names.counter(o.Index, o.view.Counter(counter).CounterNameTitleIndex)
}

// ValueOf returns a value of a block, without base or count. Long texts are cut.
func ValueOf(raw perfdata.Value) Value {
	v := Value{}
	switch raw.Kind {
	case perfdata.Uint32, perfdata.Uint64:
		v.Kind, v.Uint = Number, raw.Uint
	case perfdata.Text:
		v.Kind, v.Text = Text, cutClone(raw.Text())
	case perfdata.Bytes:
		v.Kind, v.Bytes = Bytes, raw.Raw
	case perfdata.Absent:
	}
	return v
}
