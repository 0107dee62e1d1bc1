package registry

import (
	"iter"
	"slices"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

var hiveLevels = perfdump.Levels{"bin", "cell"}

const (
	levelBin = iota
	levelCell
)

const (
	pageSize    = 0x1000 // what bins are multiples of
	spanWindow  = 1 << 16
	latin1      = 28591
	cellHead    = 4  // its size
	securityMin = 20 // of a cell with a descriptor, whose length is at 16
)

// cellKinds are the kinds of cells by their first two bytes: the struct that a
// cell begins with, and what follows it. Paths have the kind before a field.
var cellKinds = sync.OnceValue(func() map[uint16]cellKind {
	return map[uint16]cellKind{
		sigKey:   newCellKind("nk", keyNode{}, "Name"),
		sigValue: newCellKind("vk", keyValue{}, "Name"),
		sigFast:  newCellKind("lf", listHead{}, "Key", "Hint"),
		sigHash:  newCellKind("lh", listHead{}, "Key", "Hint"),
		sigLeaf:  newCellKind("li", listHead{}, "Key"),
		sigRoot:  newCellKind("ri", listHead{}, "List"),
		sigBig:   newCellKind("db", listHead{}, "List"),
	}
})

type cellKind struct {
	fields []wire.Field
	more   []string
}

func newCellKind(kind string, head any, more ...string) cellKind {
	layout, _ := wire.Layout(head)
	k := cellKind{fields: slices.Clone(layout), more: more}
	for i := range k.fields {
		k.fields[i].Path = kind + "." + k.fields[i].Path
	}
	for i := range more {
		more[i] = kind + "." + more[i]
	}
	return k
}

// Spans yields the meaning of each byte of the hive: the header, the headers of bins, and
// cells. It does not follow references: the first bytes of a cell determine its kind, so
// data that look like a key are shown as one. It reads the hive once in blocks of 64 KiB;
// what cannot be read is a gap.
func (h *Hive) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		t := &hiveTiler{Tiler: wire.NewTiler(yield), h: h}
		t.Page = latin1
		t.Struct(0, h.base, hiveLevels.Root())
		t.To(firstBin, perfdump.KindBytes, hiveLevels.Root().Field("Rest"), "")
		for bin := 0; t.Pos() < h.end && !t.Done(); {
			head := t.peek(binSize)
			size := int64(0)
			if head != nil && wire.U32(head, 0) == binSignature {
				size = int64(wire.U32(head, 8))
			}
			if size < pageSize || size%pageSize != 0 {
				t.gap(t.nextPage(), "no bin")
				continue
			}
			t.bin(bin, min(h.end, t.Pos()+size))
			bin++
		}
		t.gap(h.size, "behind the bins")
	}
}

type hiveTiler struct {
	*wire.Tiler

	h    *Hive
	buf  []byte // of the hive, from off
	off  int64
	have int
}

func (t *hiveTiler) gap(to int64, note string) {
	t.To(to, perfdump.KindGap, hiveLevels.Root(), note)
}

// nextPage returns the offset of the next page with the header of a bin.
func (t *hiveTiler) nextPage() int64 {
	for off := t.Pos() - t.Pos()%pageSize + pageSize; off < t.h.end; off += pageSize {
		if b := t.look(off, 4); b != nil && wire.U32(b, 0) == binSignature {
			return off
		}
	}
	return t.h.end
}

// peek returns the next n bytes, nil if there are fewer or they cannot be read.
func (t *hiveTiler) peek(n int) []byte { return t.look(t.Pos(), n) }

func (t *hiveTiler) look(off int64, n int) []byte {
	if off+int64(n) > t.h.end {
		return nil
	}
	if off < t.off || off+int64(n) > t.off+int64(t.have) {
		if t.buf == nil {
			t.buf = make([]byte, min(spanWindow, t.h.end))
		}
		t.off, t.have = off, int(min(int64(len(t.buf)), t.h.end-off))
		if wire.ReadFull(t.h.r, t.buf[:t.have], off) != nil {
			t.have = 0
			return nil
		}
	}
	return t.buf[off-t.off:][:n]
}

func (t *hiveTiler) bin(index int, end int64) {
	path := hiveLevels.Root().At(levelBin, index)
	t.Struct(t.Pos(), bin{}, path)
	for i := 0; t.Pos() < end && !t.Done(); i++ {
		path := path.At(levelCell, i)
		size := int64(0)
		if b := t.peek(cellHead); b != nil {
			size = int64(int32(wire.U32(b, 0)))
		}
		free := size > 0
		if size < 0 {
			size = -size
		}
		cell := t.Pos() + size
		if size < 8 || size%8 != 0 || cell > end {
			t.To(end, perfdump.KindGap, path, "no cell, or one that is cut")
			return
		}
		t.To(t.Pos()+cellHead, perfdump.KindInt, path.Field("Size"), "")
		if free {
			t.To(cell, perfdump.KindPadding, path, "free")
			continue
		}
		t.cell(cell, path)
		t.To(cell, perfdump.KindPadding, path, "unused")
	}
}

// cell yields the content of a cell that ends at end.
func (t *hiveTiler) cell(end int64, path perfdump.Path) {
	start := t.Pos()
	have := end - start
	head := t.peek(int(min(have, keyNodeSize)))
	if head == nil {
		t.To(end, perfdump.KindGap, path, "cannot be read")
		return
	}
	sig := wire.U16(head, 0)
	k, ok := cellKinds()[sig]
	switch {
	case sig == sigSecurity && len(head) >= securityMin && int64(wire.U32(head, 16)) <= have-securityMin:
		t.To(end, perfdump.KindBytes, path.Field("sk"), "")
		return
	case ok && sig == sigKey && len(head) == keyNodeSize:
		var n keyNode
		wire.LoadStruct(&n, head)
		t.named(k, path, end, int64(n.NameLength), n.Flags&flagCompressed != 0)
	case ok && sig == sigValue && len(head) >= keyValueSize:
		var v keyValue
		wire.LoadStruct(&v, head)
		t.named(k, path, end, int64(v.NameLength), v.Flags&valueName8 != 0)
	case ok && sig != sigKey && sig != sigValue:
		count := int64(wire.U16(head, 2))
		if sig == sigBig {
			count = 1 // the reference of the list of segments
		}
		if count*int64(4*len(k.more)) > have-listHeadSize {
			break
		}
		t.fields(k, path)
		for range count {
			for _, name := range k.more {
				t.To(t.Pos()+4, perfdump.KindHex, path.Field(name), "")
			}
		}
	}
	if t.Pos() == start {
		t.To(end, perfdump.KindBytes, path.Field("data"), "")
	}
}

func (t *hiveTiler) fields(k cellKind, path perfdump.Path) {
	for i := range k.fields {
		f := &k.fields[i]
		t.To(t.Pos()+int64(f.Size), f.Kind, path.Field(f.Path), "")
	}
}

// named yields a cell that ends with a name, if the name fits in it.
func (t *hiveTiler) named(k cellKind, path perfdump.Path, end, size int64, narrow bool) {
	last := &k.fields[len(k.fields)-1]
	if t.Pos()+int64(last.Off+last.Size)+size > end {
		return
	}
	t.fields(k, path)
	kind := perfdump.KindUTF16
	if narrow {
		kind = perfdump.KindANSI
	}
	t.To(t.Pos()+size, kind, path.Field(k.more[0]), "")
}
