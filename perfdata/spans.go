package perfdata

import (
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// Spans yields the meaning of each byte of the block and what follows it, see
// [perfdump.Span]. Unexplained bytes are gaps, up to 7 of them padding; neither has a field
// in its path.
func (b *Block) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		w := &spanner{block: b, Tiler: wire.NewTiler(yield)}
		w.Gap, w.Note, w.Base = w.gap, "left out", b.base
		w.header()
		for i := range b.objects {
			if w.Done() {
				return
			}
			w.object(&b.objects[i])
		}
		w.fill(b.size, b.root, "after the last object")
		w.fill(len(b.raw), b.root, "after the block's end")
	}
}

// spanner yields the spans of a block, with offsets in the block.
type spanner struct {
	*wire.Tiler

	block *Block
	fault int // the first of the block's faults that may follow
}

// gap returns the note of a gap: the message of the last fault in it, if there
// is one.
func (w *spanner) gap(s perfdump.Span) (perfdump.Kind, string) {
	if s.Size < 8 {
		return perfdump.KindPadding, s.Note
	}
	faults, from := w.block.faults, w.block.base+s.Off
	for ; w.fault < len(faults) && faults[w.fault].off < from+s.Size; w.fault++ {
		if faults[w.fault].off >= from {
			s.Note = faults[w.fault].format().Message()
		}
	}
	return s.Kind, s.Note
}

func (w *spanner) put(off, size int, kind perfdump.Kind, page uint32, path perfdump.Path) {
	w.Put(perfdump.Span{Off: int64(off), Size: int64(size), Kind: kind, CodePage: page, Path: path})
}

func (w *spanner) fill(off int, path perfdump.Path, note string) {
	if int64(off) > w.Pos() {
		w.Fill(int64(off), path, note)
	}
}

func (w *spanner) header() {
	b := w.block
	w.Struct(0, DataBlock{}, b.root)
	if n := len(b.name); n > 0 {
		w.fill(int(b.SystemNameOffset), b.root, "before the computer's name")
		w.put(int(b.SystemNameOffset), n, perfdump.KindUTF16, 0, b.root.Field("SystemName"))
	}
	w.fill(int(b.HeaderLength), b.root, "before the first object")
}

func (w *spanner) object(o *Object) {
	path := o.Path()
	w.fill(o.off, w.block.root, "between objects")
	w.Struct(int64(o.off), ObjectType{}, path)
	w.fill(o.off+int(o.HeaderLength), path, "rest of a longer header")
	for j := range o.Counters() {
		c, path := o.Counter(j), path.At(levelCounter, j)
		off := c.offset(o)
		w.Struct(int64(off), CounterDefinition{}, path)
		w.fill(off+int(c.ByteLength), path, "rest of a longer definition")
	}
	w.fill(o.off+int(o.DefinitionLength), path, "after the definitions")
	order := o.byOffset()
	w.Path = path
	for k, in := range o.Instances() {
		if w.Done() {
			return
		}
		w.instance(in, path.At(levelInstance, k), order)
	}
	w.fill(o.end, path, "after the last instance")
}

// byOffset returns the positions of o's counters in the order of the offsets of their
// values.
func (o *Object) byOffset() []int32 {
	order := make([]int32, len(o.Counters()))
	for j := range order {
		order[j] = int32(j)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return int(int64(o.Counter(int(a)).CounterOffset) - int64(o.Counter(int(b)).CounterOffset))
	})
	return order
}

func (w *spanner) instance(in Instance, path perfdump.Path, order []int32) {
	if in.Defined() {
		def := in.Definition()
		w.Struct(int64(in.off), InstanceDefinition{}, path)
		if def.NameLength > 0 {
			off := int(in.off) + int(def.NameOffset)
			kind, page := perfdump.KindUTF16, in.object.CodePage
			if page != 0 {
				kind = perfdump.KindANSI
			}
			w.fill(off, path, "before the name")
			w.put(off, int(def.NameLength), kind, page, path.Field("Name"))
		}
		w.fill(in.blockOffset(), path, "after the name")
	}
	off, block := in.blockOffset(), in.BlockBytes()
	w.put(off, valuesSize, perfdump.KindUint, 0, path.Field("CounterBlock.ByteLength"))
	for _, j := range order {
		w.value(in, int(j), off, block, path)
	}
	w.fill(off+len(block), path, "in the counter block")
}

func (w *spanner) value(in Instance, j, off int, block []byte, path perfdump.Path) {
	c := in.object.Counter(j)
	n := c.extent(len(block))
	if n == 0 {
		return
	}
	at, path := off+int(c.CounterOffset), path.At(levelCounter, j)
	kind, page := perfdump.KindBytes, uint32(0)
	switch {
	case c.text():
		kind = perfdump.KindUTF16
		if page = in.object.textPage(c); page != 0 {
			kind = perfdump.KindANSI
		}
	case n == 4 || n == 8:
		kind = perfdump.KindUint
		if c.CounterType.Kind() == countertypes.KindNumber && c.CounterType.Subtype() == countertypes.NumberHex {
			kind = perfdump.KindHex
		}
	}
	w.fill(at, path, "in the counter block")
	w.put(at, n, kind, page, path)
	if c.traits&(isMulti|isBase) != isMulti {
		return
	}
	if _, ok := in.inlineCount(j); ok {
		w.fill(at+8, path.Field(""), "in the counter block")
		w.put(at+8, 4, perfdump.KindUint, 0, path.Field("Count"))
	}
}
