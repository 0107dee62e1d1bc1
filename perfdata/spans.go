package perfdata

import (
	"iter"
	"slices"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

var layouts = sync.OnceValue(func() (l struct {
	block, object, counter, instance []wire.Field
},
) {
	l.block, _ = wire.Layout(DataBlock{})
	l.object, _ = wire.Layout(ObjectType{})
	l.counter, _ = wire.Layout(CounterDefinition{})
	l.instance, _ = wire.Layout(InstanceDefinition{})
	return l
})

// Spans yields what each byte of the block and of what trails it means, as
// [perfdump.Span] says. Bytes that no field explains come as gaps, those of
// up to 7 bytes as padding; neither has a field in its path.
func (b *Block) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		w := spanWalk{block: b, yield: yield}
		_ = w.header() && w.objects() && w.fill(b.size, b.root, "after the last object") &&
			w.fill(len(b.raw), b.root, "after the block's end")
	}
}

// spanWalk goes through a block in the order of its bytes. Its methods return
// false when the consumer wants no more.
type spanWalk struct {
	block *Block
	yield func(perfdump.Span) bool
	at    int // the end of what was covered
	fault int // the first of the block's faults that may lie behind it
}

func (w *spanWalk) emit(off, size int, kind perfdump.Kind, path perfdump.Path, page uint32, note string) bool {
	s := perfdump.Span{Off: w.block.base + int64(off), Size: int64(size), Kind: kind, CodePage: page, Path: path, Note: note}
	s.Overlap = off < w.at
	w.at = max(w.at, off+size)
	return w.yield(s)
}

// fill covers what lies between the last field and off.
func (w *spanWalk) fill(off int, path perfdump.Path, note string) bool {
	n := off - w.at
	switch {
	case n <= 0:
		return true
	case n < 8:
		return w.emit(w.at, n, perfdump.KindPadding, path, 0, note)
	}
	faults, last := w.block.faults, -1
	for ; w.fault < len(faults); w.fault++ {
		if at := int(faults[w.fault].off - w.block.base); at >= off {
			break
		} else if at >= w.at {
			last = w.fault
		}
	}
	if last >= 0 {
		note = faults[last].format().Message()
	}
	return w.emit(w.at, n, perfdump.KindGap, path, 0, note)
}

func (w *spanWalk) fields(off int, fields []wire.Field, path perfdump.Path) bool {
	for i := range fields {
		f := &fields[i]
		if !w.emit(off+f.Off, f.Size, f.Kind, path.Field(f.Name), 0, "") {
			return false
		}
	}
	return true
}

func (w *spanWalk) header() bool {
	b := w.block
	if !w.fields(0, layouts().block, b.root) {
		return false
	}
	if n := len(b.name); n > 0 {
		off := int(b.SystemNameOffset)
		if !w.fill(off, b.root, "before the computer's name") || !w.emit(off, n, perfdump.KindUTF16, b.root.Field("SystemName"), 0, "") {
			return false
		}
	}
	return w.fill(int(b.HeaderLength), b.root, "before the first object")
}

func (w *spanWalk) objects() bool {
	for i := range w.block.objects {
		if !w.object(&w.block.objects[i]) {
			return false
		}
	}
	return true
}

func (w *spanWalk) object(o *Object) bool {
	path := o.Path()
	if !w.fill(o.off, w.block.root, "between objects") || !w.fields(o.off, layouts().object, path) ||
		!w.fill(o.off+int(o.HeaderLength), path, "rest of a longer header") {
		return false
	}
	for j := range o.Counters() {
		c := o.Counter(j)
		path := path.At(levelCounter, j)
		off := c.offset(o)
		if !w.fields(off, layouts().counter, path) || !w.fill(off+int(c.ByteLength), path, "rest of a longer definition") {
			return false
		}
	}
	if !w.fill(o.off+int(o.DefinitionLength), path, "after the definitions") {
		return false
	}
	order := o.byOffset()
	for k, in := range o.Instances() {
		if !w.instance(in, path.At(levelInstance, k), order) {
			return false
		}
	}
	return w.fill(o.end, path, "after the last instance")
}

// byOffset returns the positions of o's counters in the order in which their
// values lie.
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

func (w *spanWalk) instance(in Instance, path perfdump.Path, order []int32) bool {
	if in.Defined() {
		def := in.Definition()
		if !w.fields(int(in.off), layouts().instance, path) {
			return false
		}
		if def.NameLength > 0 {
			off := int(in.off) + int(def.NameOffset)
			kind, page := perfdump.KindUTF16, in.object.CodePage
			if page != 0 {
				kind = perfdump.KindANSI
			}
			if !w.fill(off, path, "before the name") || !w.emit(off, int(def.NameLength), kind, path.Field("Name"), page, "") {
				return false
			}
		}
		if !w.fill(in.blockOffset(), path, "after the name") {
			return false
		}
	}
	off, block := in.blockOffset(), in.BlockBytes()
	if !w.emit(off, valuesSize, perfdump.KindUint, path.Field("CounterBlock.ByteLength"), 0, "") {
		return false
	}
	for _, j := range order {
		if !w.value(in, int(j), off, block, path) {
			return false
		}
	}
	return w.fill(off+len(block), path, "in the counter block")
}

func (w *spanWalk) value(in Instance, j, off int, block []byte, path perfdump.Path) bool {
	c := in.object.Counter(j)
	n := c.extent(len(block))
	if n == 0 {
		return true
	}
	at, path := off+int(c.CounterOffset), path.At(levelCounter, j)
	kind, page := perfdump.KindBytes, uint32(0)
	switch {
	case c.IsText():
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
	if at > w.at && !w.fill(at, path, "in the counter block") || !w.emit(at, n, kind, path, page, "") {
		return false
	}
	if c.traits&(isMulti|isBase) != isMulti {
		return true
	}
	if _, ok := in.inlineCount(j); ok {
		return w.fill(at+8, path.Field(""), "in the counter block") && w.emit(at+8, 4, perfdump.KindUint, path.Field("Count"), 0, "")
	}
	return true
}
