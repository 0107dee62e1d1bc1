package perflib2

import (
	"iter"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// layouts are the fields of the structs, by their names in paths.
var layouts = sync.OnceValue(func() (l struct {
	block, result, multiCounters, multiInstances, instance, value []wire.Field
	head, set, counter, texts, entry                              []wire.Field
},
) {
	of := func(v any, prefix string) []wire.Field {
		fields, _ := wire.Layout(v)
		for i := range fields {
			fields[i].Name = prefix + fields[i].Name
		}
		return fields
	}
	l.block, l.result = of(DataHeader{}, ""), of(CounterHeader{}, "")
	l.multiCounters, l.multiInstances = of(multiCounters{}, "MultiCounters."), of(multiInstances{}, "MultiInstances.")
	l.instance, l.value = of(instanceHeader{}, ""), of(counterData{}, "")
	l.head, l.set = of(RegistrationHeader{}, ""), of(CounterSetInfo{}, "CounterSet.")
	l.counter, l.texts, l.entry = of(CounterInfo{}, ""), of(textsHeader{}, "Texts."), of(textEntry{}, "")
	return l
})

// IsGap reports whether a span is no field: a gap, or padding.
func IsGap(s perfdump.Span) bool { return s.Path.FieldName() == "" }

// spanWalk goes through the bytes in their order. Its methods return false
// when the consumer wants no more.
type spanWalk struct {
	raw    []byte
	faults []*perfdump.FormatError
	yield  func(perfdump.Span) bool
	at     int // the end of what was covered
}

func (w *spanWalk) emit(off, size int, kind perfdump.Kind, path perfdump.Path, note string) bool {
	if size == 0 {
		return true
	}
	s := perfdump.Span{Off: int64(off), Size: int64(size), Kind: kind, Path: path, Note: note, Overlap: off < w.at}
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
		return w.emit(w.at, n, perfdump.KindPadding, path, "")
	}
	for len(w.faults) > 0 && w.faults[0].Off < int64(off) { // they come in the order of their offsets
		if w.faults[0].Off >= int64(w.at) {
			note = w.faults[0].Message()
		}
		w.faults = w.faults[1:]
	}
	return w.emit(w.at, n, perfdump.KindGap, path, note)
}

func (w *spanWalk) fields(off int, fields []wire.Field, path perfdump.Path) bool {
	for i := range fields {
		f := &fields[i]
		if !w.emit(off+f.Off, f.Size, f.Kind, path.Field(f.Name), "") {
			return false
		}
	}
	return true
}

// Spans yields what each byte of the block and of what trails it means, as
// [perfdump.Span] says. Bytes that no field explains come as gaps, those of up
// to 7 bytes as padding; neither has a field in its path.
func (b *Block) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		w := spanWalk{raw: b.raw, faults: b.faults.kept, yield: yield}
		root := blockLevels.Root()
		if !w.fields(0, layouts().block, root) {
			return
		}
		for _, r := range b.Results() {
			if !w.result(r) {
				return
			}
		}
		_ = w.fill(b.size, root, "behind the last result") && w.fill(len(b.raw), root, "behind the block's end")
	}
}

func (w *spanWalk) result(r Result) bool {
	path, p := r.Path(), r.part
	off, end := int(p.off), int(p.off+p.size)
	if !w.fields(off, layouts().result, path) {
		return false
	}
	off += counterHeaderSize
	if p.values == 0 {
		return w.fill(end, path, "not read")
	}
	if r.Type.hasIDs() {
		if !w.fields(off, layouts().multiCounters, path) {
			return false
		}
		for j := range int(p.ids) {
			if !w.emit(off+pairSize+idSize*j, idSize, perfdump.KindUint, path.At(levelID, j).Field("CounterID"), "") {
				return false
			}
		}
		if !w.fill(int(p.values), path, "behind the ids") {
			return false
		}
	}
	if r.Type.hasInstances() && end-int(p.values) >= pairSize && !w.fields(int(p.values), layouts().multiInstances, path) {
		return false
	}
	for i, in := range r.Instances() {
		at := path
		if in.Named {
			at = path.At(levelInstance, i)
		}
		if !w.instance(in, int(r.block.instances[int(p.first)+i]), at) {
			return false
		}
	}
	return w.fill(end, path, "behind the last instance")
}

func (w *spanWalk) instance(in Instance, off int, path perfdump.Path) bool {
	if in.Named {
		if !w.fields(off, layouts().instance, path) {
			return false
		}
		n := min(len(in.RawName)+2, in.values-off-pairSize) // with the NUL, if it is there
		n = min(n, int(wire.U32(w.raw, off))-pairSize)
		if !w.emit(off+pairSize, n, perfdump.KindUTF16, path.Field("Name"), "") || !w.fill(min(in.values, len(in.raw)), path, "behind the name") {
			return false
		}
	}
	for j, v := range in.Values() {
		at := path.At(levelValue, j)
		kind := perfdump.KindBytes
		if _, ok := v.Uint64(); ok {
			kind = perfdump.KindUint
		}
		header := v.Off - pairSize
		if !w.fields(header, layouts().value, at) || !w.emit(v.Off, len(v.Raw), kind, at.Field("Data"), "") {
			return false
		}
		next := min(header+int(align8(wire.U32(w.raw, header+4))), len(in.raw))
		if !w.fill(next, at, "behind the value") {
			return false
		}
	}
	return true
}
