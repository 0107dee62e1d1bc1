package blg

import (
	"cmp"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

// spans yields the meaning of the bytes of an event, with offsets in its data.
func (e *event) spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		t := newTiler(yield, e.path(), "not explained")
		switch e.typ {
		case etl.EventItems:
			t.items(e.data)
		case etl.EventSample:
			t.sample(e.data)
		case etl.EventTitles:
			t.titles(e.data)
		case etl.EventSet:
			set, err := perflib2.ParseRegistration(e.data, perfdump.Options{Mode: perfdump.Salvage})
			t.within(0, e.data, set, err)
		case etl.EventCatalogue:
			t.catalogue(e.data)
		default:
			t.Note = "an unknown event"
		}
		t.fill(int64(len(e.data)))
	}
}

func (t *tiler) items(b []byte) {
	if len(b) < etl.ItemListHeaderSize {
		return
	}
	root := t.Path
	t.Struct(0, etl.ItemListHeader{}, root)
	i := 0
	for off, item := range listItems(b) {
		if t.Done() {
			return
		}
		t.Path = root.At(levelSeries, i)
		t.Struct(int64(off), etl.ItemHeader{}, t.Path)
		var h etl.ItemHeader
		wire.LoadStruct(&h, item)
		texts := item[etl.ItemHeaderSize:]
		var refs []nameRef
		for k, at := range []int32{h.Machine, h.Object, h.Instance, h.Parent, h.Counter} {
			if at >= 0 && int(at) < len(texts) {
				refs = append(refs, nameRef{uint32(at), uint32(k)})
			}
		}
		t.names(int64(off+etl.ItemHeaderSize), texts, refs, func(k int) perfdump.Path { return t.Path.Field(itemTexts[k]) })
		// Windows adds up to 14 bytes because it rounds the length up more than once.
		t.Put(perfdump.Span{Off: t.Pos(), Size: int64(off+len(item)) - t.Pos(), Kind: perfdump.KindPadding, Path: t.Path, Note: "after the texts"})
		i++
	}
	t.Path = root
}

// itemTexts are the texts of an item, in the order of their fields.
var itemTexts = [...]string{"MachineText", "ObjectText", "InstanceText", "ParentText", "CounterText"}

// nameRef is the offset of a text in an area, and the number of its path. A log may consist
// mostly of these.
type nameRef struct{ at, number uint32 }

// names yields texts in order of their offsets; of texts that share bytes only the first.
func (t *tiler) names(off int64, area []byte, refs []nameRef, path func(number int) perfdump.Path) {
	slices.SortStableFunc(refs, func(a, b nameRef) int { return cmp.Compare(a.at, b.at) })
	for _, r := range refs {
		if t.Done() {
			return
		}
		if at := off + int64(r.at); at >= t.Pos() {
			t.text(at, area[r.at:], path(int(r.number)))
		}
	}
}

func (t *tiler) sample(b []byte) {
	if len(b) < etl.SubHeaderSize {
		return
	}
	root := t.Path
	t.Struct(0, etl.SubHeader{}, root)
	for off, i := etl.SubHeaderSize, 0; len(b)-off >= etl.SubHeaderSize && !t.Done(); i++ {
		n := wire.U32(b, off+4)
		if !isSub(b[off:]) || n < etl.SubHeaderSize || uint64(n) > uint64(len(b)-off) {
			break
		}
		t.Path = root.At(levelSeries, i)
		t.Struct(int64(off), etl.SubHeader{}, t.Path)
		t.series(SeriesKind(b[off+3]), b[off+etl.SubHeaderSize:off+int(n)], int64(off+etl.SubHeaderSize))
		off += int(n)
		t.fill(int64(off))
	}
	t.Path = root
}

func (t *tiler) series(kind SeriesKind, body []byte, off int64) {
	path := t.Path
	switch {
	case kind == Single && len(body) >= etl.ValueBodySize:
		t.Struct(off, etl.ValueBody{}, path)
	case kind == Instances && len(body) >= etl.InstancesBodySize && uint64(wire.U32(body, 4)) <= uint64(len(body)-etl.InstancesBodySize)/etl.InstanceEntrySize:
		t.Struct(off, etl.InstancesBody{}, path)
		n := int(wire.U32(body, 4))
		refs := make([]nameRef, 0, n)
		for k := range n {
			at, in := etl.InstancesBodySize+k*etl.InstanceEntrySize, path.At(levelInstance, k)
			t.Struct(off+int64(at), etl.InstanceEntry{}, in)
			if from := wire.U32(body, at); uint64(from) < uint64(len(body)) {
				refs = append(refs, nameRef{from, uint32(k)})
			}
		}
		t.names(off, body, refs, nameOf(path))
		// Windows 8 adds 18 bytes after the names of five processors.
		t.Put(perfdump.Span{Off: t.Pos(), Size: off + int64(len(body)) - t.Pos(), Kind: perfdump.KindPadding, Path: path, Note: "after the names"})
	case kind == Object:
		blk, err := perfdata.Parse(body, perfdump.Options{Mode: perfdump.Salvage})
		t.within(off, body, blk, err)
	case kind == CounterSet:
		blk, err := perflib2.Parse(body, perfdump.Options{Mode: perfdump.Salvage})
		t.within(off, body, blk, err)
	}
}

// within yields the spans of an embedded format, or a span with the error.
func (t *tiler) within(off int64, b []byte, of interface {
	Spans() iter.Seq[perfdump.Span]
}, err error,
) {
	if err != nil {
		t.Put(perfdump.Span{Off: off, Size: int64(len(b)), Kind: perfdump.KindBytes, Path: t.Path, Note: err.Error()})
		return
	}
	for s := range of.Spans() {
		if t.Done() {
			return
		}
		s.Off += off
		if field := s.Path.String(); field != "" {
			s.Path = t.Path.Field(field)
		} else {
			s.Path = t.Path
		}
		t.Put(s)
	}
}

func (t *tiler) titles(b []byte) {
	off := t.text(0, b, t.Path.Field("Machine"))
	for i := 0; off < len(b) && !t.Done(); i++ {
		index, after := cutText(b[off:])
		if !isNumber(index) || len(after) == 0 {
			return
		}
		path := t.Path.At(levelSeries, i)
		off += t.text(int64(off), b[off:], path.Field("Index"))
		off += t.text(int64(off), b[off:], path.Field("Text"))
	}
}

func (t *tiler) catalogue(b []byte) {
	if len(b) < etl.CatalogueHeaderSize {
		return
	}
	root, i := t.Path, 0
	t.Struct(0, etl.CatalogueHeader{}, root)
	for off, o := range catalogueObjects(b) {
		t.Path = root.At(levelSeries, i)
		t.Struct(int64(off), etl.CatalogueObject{}, t.Path)
		end := off + int(o.Length)
		t.catalogueObject(o, b[off:end], int64(off))
		t.fill(int64(end))
		i++
	}
	t.Path = root
}

func (t *tiler) catalogueObject(o *catalogueObject, b []byte, off int64) {
	counters, instances, _ := o.holds(b)
	at := off + etl.CatalogueObjectSize
	for _, a := range []struct {
		name string
		size int64
		kind perfdump.Kind
	}{{"Title", 4, perfdump.KindUint}, {"CounterType", 4, perfdump.KindHex}, {"TimeBase", 8, perfdump.KindInt}, {"Scale", 4, perfdump.KindInt}} {
		for j := range counters {
			t.Put(perfdump.Span{Off: at, Size: a.size, Kind: a.kind, Path: t.Path.At(levelInstance, j).Field(a.name)})
			at += a.size
		}
	}
	if instances == 0 {
		return
	}
	from := int(o.instancesAt())
	names := b[from+instances*etl.CatalogueInstanceSize:]
	refs := make([]nameRef, 0, instances)
	for k := range instances {
		at := from + k*etl.CatalogueInstanceSize
		t.Struct(off+int64(at), etl.CatalogueInstance{}, t.Path.At(levelInstance, k))
		if name := wire.U32(b, at); uint64(name) < uint64(len(names)) {
			refs = append(refs, nameRef{name, uint32(k)})
		}
	}
	t.names(off+int64(len(b)-len(names)), names, refs, nameOf(t.Path))
}

// nameOf returns the paths of the names of instances.
func nameOf(of perfdump.Path) func(number int) perfdump.Path {
	return func(k int) perfdump.Path { return of.At(levelInstance, k).Field("Name") }
}
