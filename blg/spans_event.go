package blg

import (
	"cmp"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

// spans yields what the bytes of an event mean, with offsets in its data.
func (e *event) spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		t := &tiler{yield: yield, root: e.path(), note: "not explained"}
		switch e.typ {
		case eventItems:
			t.items(e.data)
		case eventSample:
			t.sample(e.data)
		case eventTitles:
			t.titles(e.data)
		case eventSet:
			set, err := perflib2.ParseRegistration(e.data, perflib2.Options{Mode: perfdump.Salvage})
			t.within(0, e.data, set, err)
		case eventCatalogue:
			t.catalogue(e.data)
		default:
			t.note = "an event that is not known"
		}
		t.fill(int64(len(e.data)))
	}
}

func (t *tiler) items(b []byte) {
	if len(b) < itemListHeaderSize {
		return
	}
	root := t.root
	t.fields(0, layouts().list, root)
	n := countItems(b)
	for i, off := 0, itemListHeaderSize; i < n && !t.ended; i++ {
		t.root = root.At(levelSeries, i)
		t.fields(int64(off), layouts().item, t.root)
		var h ItemHeader
		h.load(b[off:])
		texts := b[off+itemHeaderSize : off+int(h.Length)]
		var refs []nameRef
		for k, at := range []int32{h.Machine, h.Object, h.Instance, h.Parent, h.Counter} {
			if at >= 0 && int(at) < len(texts) {
				refs = append(refs, nameRef{uint32(at), uint32(k)})
			}
		}
		t.names(int64(off+itemHeaderSize), texts, refs, func(k int) perfdump.Path { return t.root.Field(itemTexts[k]) })
		off += int(h.Length)
		// Windows leaves up to 14 bytes, of a length rounded up more than once.
		t.put(perfdump.Span{Off: t.at, Size: int64(off) - t.at, Kind: perfdump.KindPadding, Path: t.root, Note: "behind the texts"})
	}
	t.root = root
}

// itemTexts are the texts of an item, in the order of their fields.
var itemTexts = [...]string{"MachineText", "ObjectText", "InstanceText", "ParentText", "CounterText"}

// nameRef is where a text lies in an area, and the number of its path. A log may
// be little but such.
type nameRef struct{ at, number uint32 }

// names puts texts in the order of their places; of those that share their
// bytes the first.
func (t *tiler) names(off int64, area []byte, refs []nameRef, path func(number int) perfdump.Path) {
	slices.SortStableFunc(refs, func(a, b nameRef) int { return cmp.Compare(a.at, b.at) })
	for _, r := range refs {
		if t.ended {
			return
		}
		if at := off + int64(r.at); at >= t.at {
			t.text(at, area[r.at:], path(int(r.number)))
		}
	}
}

func (t *tiler) sample(b []byte) {
	if len(b) < subHeaderSize {
		return
	}
	l, root := layouts(), t.root
	t.fields(0, l.sub, root)
	for off, i := subHeaderSize, 0; len(b)-off >= subHeaderSize && !t.ended; i++ {
		n := wire.U32(b, off+4)
		if b[off] != 'B' || b[off+1] != 'L' || b[off+2] != 3 || n < subHeaderSize || uint64(n) > uint64(len(b)-off) {
			break
		}
		t.root = root.At(levelSeries, i)
		t.fields(int64(off), l.sub, t.root)
		t.series(SeriesKind(b[off+3]), b[off+subHeaderSize:off+int(n)], int64(off+subHeaderSize))
		off += int(n)
		t.fill(int64(off))
	}
	t.root = root
}

func (t *tiler) series(kind SeriesKind, body []byte, off int64) {
	l, path := layouts(), t.root
	switch {
	case kind == Single && len(body) >= valueBodySize:
		t.fields(off, l.value, path)
	case kind == Instances && len(body) >= instancesBodySize && uint64(wire.U32(body, 4)) <= uint64(len(body)-instancesBodySize)/instanceEntrySize:
		t.fields(off, l.instances, path)
		n := int(wire.U32(body, 4))
		refs := make([]nameRef, 0, n)
		for k := range n {
			at, in := instancesBodySize+k*instanceEntrySize, path.At(levelInstance, k)
			t.fields(off+int64(at), l.entry, in)
			if from := wire.U32(body, at); uint64(from) < uint64(len(body)) {
				refs = append(refs, nameRef{from, uint32(k)})
			}
		}
		t.names(off, body, refs, nameOf(path))
		// Windows 8 leaves 18 bytes behind the names of five processors.
		t.put(perfdump.Span{Off: t.at, Size: off + int64(len(body)) - t.at, Kind: perfdump.KindPadding, Path: path, Note: "behind the names"})
	case kind == Object:
		blk, err := perfdata.Parse(body, perfdata.Options{Mode: perfdump.Salvage})
		t.within(off, body, blk, err)
	case kind == CounterSet:
		blk, err := perflib2.Parse(body, perflib2.Options{Mode: perfdump.Salvage})
		t.within(off, body, blk, err)
	}
}

// within puts the spans of what another format says of a stretch, or why it says
// nothing.
func (t *tiler) within(off int64, b []byte, of interface {
	Spans() iter.Seq[perfdump.Span]
}, err error,
) {
	if err != nil {
		t.put(perfdump.Span{Off: off, Size: int64(len(b)), Kind: perfdump.KindBytes, Path: t.root, Note: err.Error()})
		return
	}
	for s := range of.Spans() {
		if t.ended {
			return
		}
		s.Off += off
		if field := s.Path.String(); field != "" {
			s.Path = t.root.Field(field)
		} else {
			s.Path = t.root
		}
		t.put(s)
	}
}

func (t *tiler) titles(b []byte) {
	off := t.text(0, b, t.root.Field("Machine"))
	for i := 0; off < len(b) && !t.ended; i++ {
		index, behind := cutText(b[off:])
		if !isNumber(index) || len(behind) == 0 {
			return
		}
		path := t.root.At(levelSeries, i)
		off += t.text(int64(off), b[off:], path.Field("Index"))
		off += t.text(int64(off), b[off:], path.Field("Text"))
	}
}

func (t *tiler) catalogue(b []byte) {
	if len(b) < catalogueHeaderSize {
		return
	}
	l, root := layouts(), t.root
	t.fields(0, l.catalogue, root)
	for off, i := catalogueHeaderSize, 0; len(b)-off >= catalogueObjectSize && !t.ended; i++ {
		var o catalogueObject
		o.load(b[off:])
		if o.Signature != [3]uint8{'B', 'L', 3} || o.Length < catalogueObjectSize || uint64(o.Length) > uint64(len(b)-off) {
			break
		}
		t.root = root.At(levelSeries, i)
		t.fields(int64(off), l.object, t.root)
		t.catalogueObject(&o, b[off:off+int(o.Length)], int64(off))
		off += int(o.Length)
		t.fill(int64(off))
	}
	t.root = root
}

func (t *tiler) catalogueObject(o *catalogueObject, b []byte, off int64) {
	if catalogueObjectSize+uint64(o.Counters)*catalogueCounterSize > uint64(len(b)) {
		return
	}
	at := off + catalogueObjectSize
	for _, a := range []struct {
		name string
		size int64
		kind perfdump.Kind
	}{{"Title", 4, perfdump.KindUint}, {"CounterType", 4, perfdump.KindHex}, {"TimeBase", 8, perfdump.KindInt}, {"Scale", 4, perfdump.KindInt}} {
		for j := range int(o.Counters) {
			t.put(perfdump.Span{Off: at, Size: a.size, Kind: a.kind, Path: t.root.At(levelInstance, j).Field(a.name)})
			at += a.size
		}
	}
	from, n := o.instancesAt(), uint64(max(0, o.Instances))
	if n == 0 || from > uint64(len(b)) || n > (uint64(len(b))-from)/catalogueInstanceSize {
		return
	}
	area := from + n*catalogueInstanceSize
	refs := make([]nameRef, 0, n)
	for k := range int(n) {
		at, in := from+uint64(k)*catalogueInstanceSize, t.root.At(levelInstance, k)
		t.fields(off+int64(at), layouts().instance, in)
		if name := wire.U32(b, int(at)); uint64(name) < uint64(len(b))-area {
			refs = append(refs, nameRef{name, uint32(k)})
		}
	}
	t.names(off+int64(area), b[area:], refs, nameOf(t.root))
}

// nameOf returns the paths of the names of instances.
func nameOf(of perfdump.Path) func(number int) perfdump.Path {
	return func(k int) perfdump.Path { return of.At(levelInstance, k).Field("Name") }
}
