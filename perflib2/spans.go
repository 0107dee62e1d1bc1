package perflib2

import (
	"cmp"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// spanner yields the spans of a block or a registration.
type spanner struct {
	*wire.Tiler

	raw []byte
}

// newSpanner returns one whose gaps name the error that made them.
func newSpanner(raw []byte, faults []*perfdump.FormatError, yield func(perfdump.Span) bool) spanner {
	w := spanner{wire.NewTiler(yield), raw}
	w.Gap = func(s perfdump.Span) (perfdump.Kind, string) {
		if s.Size < 8 {
			return perfdump.KindPadding, ""
		}
		for len(faults) > 0 && faults[0].Off < s.Off+s.Size { // they come in the order of their offsets
			if faults[0].Off >= s.Off {
				s.Note = faults[0].Message()
			}
			faults = faults[1:]
		}
		return s.Kind, s.Note
	}
	return w
}

func (w spanner) put(off, size int, kind perfdump.Kind, path perfdump.Path) {
	w.Put(perfdump.Span{Off: int64(off), Size: int64(size), Kind: kind, Path: path})
}

func (w spanner) fill(off int, path perfdump.Path, note string) { w.Fill(int64(off), path, note) }

// Spans yields what each byte of the block and of what trails it means, as
// [perfdump.Span] says. Bytes that no field explains come as gaps, those of up
// to 7 bytes as padding; neither has a field in its path.
func (b *Block) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		w := newSpanner(b.raw, b.faults, yield)
		root := blockLevels.Root()
		w.Struct(0, DataHeader{}, root)
		for _, r := range b.Results() {
			if w.Done() {
				return
			}
			w.result(r)
		}
		w.fill(b.size, root, "behind the last result")
		w.fill(len(b.raw), root, "behind the block's end")
	}
}

func (w spanner) result(r Result) {
	path, p := r.Path(), r.part
	w.Path = path
	off, end := int(p.off), int(p.off+p.size)
	w.Struct(int64(off), CounterHeader{}, path)
	off += counterHeaderSize
	if p.values == 0 {
		w.fill(end, path, "not read")
		return
	}
	if r.Type.hasIDs() {
		w.Struct(int64(off), multiCounters{}, path)
		for j := range int(p.ids) {
			w.put(off+pairSize+idSize*j, idSize, perfdump.KindUint, path.At(levelID, j).Field("CounterID"))
		}
		w.fill(int(p.values), path, "behind the ids")
	}
	if r.Type.hasInstances() && end-int(p.values) >= pairSize {
		w.Struct(int64(p.values), multiInstances{}, path)
	}
	for i, in := range r.Instances() {
		if w.Done() {
			return
		}
		at := path
		if in.Named {
			at = path.At(levelInstance, i)
		}
		w.instance(in, int(r.block.instances[int(p.first)+i]), at)
	}
	w.fill(end, path, "behind the last instance")
}

func (w spanner) instance(in Instance, off int, path perfdump.Path) {
	if in.Named {
		w.Struct(int64(off), instanceHeader{}, path)
		n := min(len(in.RawName)+2, in.values-off-pairSize) // with the NUL, if it is there
		n = min(n, int(wire.U32(w.raw, off))-pairSize)
		w.put(off+pairSize, n, perfdump.KindUTF16, path.Field("Name"))
		w.fill(min(in.values, len(in.raw)), path, "behind the name")
	}
	for j, v := range in.Values() {
		if w.Done() {
			return
		}
		at := path.At(levelValue, j)
		kind := perfdump.KindBytes
		if _, ok := v.Uint64(); ok {
			kind = perfdump.KindUint
		}
		header := v.Off - pairSize
		w.Struct(int64(header), counterData{}, at)
		w.put(v.Off, len(v.Raw), kind, at.Field("Data"))
		w.fill(min(header+int(align8(wire.U32(w.raw, header+4))), len(in.raw)), at, "behind the value")
	}
}

// Spans yields what each byte of the registration and of what trails it means,
// as [perfdump.Span] says. Bytes that no field explains come as gaps, those of
// up to 7 bytes as padding; neither has a field in its path. Texts that share
// bytes overlap.
func (r *Registration) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		w := newSpanner(r.raw, r.faults, yield)
		root := setLevels.Root()
		w.Struct(0, registrationHeader{}, root)
		w.Struct(registrationSize, CounterSetInfo{}, root)
		for i := range r.counters {
			if w.Done() {
				return
			}
			w.Struct(int64(registrationSize+counterSetInfoSize+counterInfoSize*i), CounterInfo{}, root.At(levelCounter, i))
		}
		w.texts(&r.texts)
		if r.nameOff > 0 {
			w.fill(r.nameOff, root, "before the name")
			w.put(r.nameOff, min(len(r.name)+2, r.size-r.nameOff, int(r.head.NameSize)), perfdump.KindUTF16, root.Field("Name"))
		}
		w.fill(r.size, root, "behind the name")
		w.fill(len(r.raw), root, "behind the registration's end")
	}
}

func (w spanner) texts(t *textArea) {
	if t.end == 0 {
		return
	}
	root := setLevels.Root()
	w.fill(t.off, root, "behind the last counter")
	w.Struct(int64(t.off), textsHeader{}, root)
	type text struct {
		textRange
		entry int
	}
	var all []text
	for i := range t.n {
		off := t.off + pairSize + pairSize*i
		w.Struct(int64(off), textEntry{}, root.At(levelText, i))
		id, offset := pair(w.raw[off:])
		if r, ok := t.byID[id]; ok && r.from-t.off == int(offset) {
			all = append(all, text{r, i})
		}
	}
	slices.SortStableFunc(all, func(a, b text) int { return cmp.Compare(a.from, b.from) })
	for _, x := range all {
		w.fill(x.from, root, "between texts")
		w.put(x.from, x.to-x.from, perfdump.KindUTF16, root.At(levelText, x.entry).Field("Text"))
	}
	w.fill(t.next, root, "behind the texts")
}
