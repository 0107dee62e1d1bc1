package registry

import (
	"iter"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// hiveLevels are those of the paths of spans.
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
	securityMin = 20 // of a cell with a descriptor, whose length stands at 16
)

// parts are the fields of each kind of cell, with the kind in their names.
var parts = sync.OnceValue(func() (l struct {
	header, bin []wire.Field
	cells       map[uint16]cellParts
},
) {
	l.header, _ = wire.Layout(BaseBlock{})
	l.bin, _ = wire.Layout(bin{})
	key, _ := wire.Layout(keyNode{})
	value, _ := wire.Layout(keyValue{})
	list, _ := wire.Layout(listHead{})
	l.cells = map[uint16]cellParts{
		sigKey:   newCellParts("nk", key, "Name"),
		sigValue: newCellParts("vk", value, "Name"),
		sigFast:  newCellParts("lf", list, "Key", "Hint"),
		sigHash:  newCellParts("lh", list, "Key", "Hint"),
		sigLeaf:  newCellParts("li", list, "Key"),
		sigRoot:  newCellParts("ri", list, "List"),
		sigBig:   newCellParts("db", list, "List"),
	}
	return l
})

// cellParts are the fields of a kind of cell and the names of what follows
// them.
type cellParts struct {
	fields []wire.Field
	more   []string
}

func newCellParts(kind string, fields []wire.Field, more ...string) cellParts {
	var p cellParts
	for _, f := range fields {
		f.Name = kind + "." + f.Name
		p.fields = append(p.fields, f)
	}
	for _, name := range more {
		p.more = append(p.more, kind+"."+name)
	}
	return p
}

// Spans yields what each byte of the hive means, as [perfdump.Span] says: the
// header, the heads of bins, and cells. What a cell is it tells by what the
// cell begins with and whether that fits in it, since references are not
// followed: data that look like a key are shown as one. It reads the hive once
// as it goes and holds 64 KiB of it; what cannot be read is a gap.
func (h *Hive) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		t := &hiveTiler{h: h, yield: yield}
		t.fields(0, parts().header, hiveLevels.Root())
		t.put(firstBin-t.at, perfdump.KindBytes, hiveLevels.Root().Field("Rest"), "")
		for bin := 0; t.at < h.end && !t.ended; {
			head := t.peek(binSize)
			size := int64(0)
			if head != nil && wire.U32(head, 0) == binSignature {
				size = int64(wire.U32(head, 8))
			}
			if size < pageSize || size%pageSize != 0 {
				t.gap(t.nextPage(), "no bin")
				continue
			}
			t.bin(bin, min(h.end, t.at+size))
			bin++
		}
		t.gap(h.size, "behind the bins")
	}
}

// hiveTiler yields spans one behind the other.
type hiveTiler struct {
	h     *Hive
	at    int64
	yield func(perfdump.Span) bool
	ended bool

	buf  []byte // of the hive, from off
	off  int64
	have int
}

// put explains the next n bytes.
func (t *hiveTiler) put(n int64, kind perfdump.Kind, path perfdump.Path, note string) {
	if t.ended || n <= 0 {
		return
	}
	s := perfdump.Span{Off: t.at, Size: n, Kind: kind, Path: path, Note: note}
	if kind == perfdump.KindANSI {
		s.CodePage = latin1
	}
	t.at += n
	t.ended = !t.yield(s)
}

func (t *hiveTiler) gap(to int64, note string) {
	t.put(to-t.at, perfdump.KindGap, hiveLevels.Root(), note)
}

func (t *hiveTiler) fields(at int64, fields []wire.Field, path perfdump.Path) {
	for i := range fields {
		f := &fields[i]
		t.put(at+int64(f.Off+f.Size)-t.at, f.Kind, path.Field(f.Name), "")
	}
}

// nextPage returns where the next page with the head of a bin begins.
func (t *hiveTiler) nextPage() int64 {
	for off := t.at - t.at%pageSize + pageSize; off < t.h.end; off += pageSize {
		if b := t.look(off, 4); b != nil && wire.U32(b, 0) == binSignature {
			return off
		}
	}
	return t.h.end
}

// peek returns the next n bytes, nil where there are fewer or none can be read.
func (t *hiveTiler) peek(n int) []byte { return t.look(t.at, n) }

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

// bin explains a bin up to its end.
func (t *hiveTiler) bin(index int, end int64) {
	path := hiveLevels.Root().At(levelBin, index)
	t.fields(t.at, parts().bin, path)
	for i := 0; t.at < end && !t.ended; i++ {
		path := path.At(levelCell, i)
		size := int64(0)
		if b := t.peek(cellHead); b != nil {
			size = int64(int32(wire.U32(b, 0)))
		}
		free := size > 0
		if size < 0 {
			size = -size
		}
		if size < 8 || size%8 != 0 || size > end-t.at {
			t.put(end-t.at, perfdump.KindGap, path, "no cell, or one that is cut")
			return
		}
		cell := t.at + size
		t.put(cellHead, perfdump.KindInt, path.Field("Size"), "")
		if free {
			t.put(cell-t.at, perfdump.KindPadding, path, "free")
			continue
		}
		t.cell(cell, path)
		t.put(cell-t.at, perfdump.KindPadding, path, "unused")
	}
}

// cell explains what a cell that ends at end holds.
func (t *hiveTiler) cell(end int64, path perfdump.Path) {
	have := end - t.at
	head := t.peek(int(min(have, keyNodeSize)))
	if head == nil {
		t.put(have, perfdump.KindGap, path, "cannot be read")
		return
	}
	sig := wire.U16(head, 0)
	p, ok := parts().cells[sig]
	start := t.at
	switch {
	case sig == sigSecurity && len(head) >= securityMin && int64(wire.U32(head, 16)) <= have-securityMin:
		t.put(have, perfdump.KindBytes, path.Field("sk"), "")
		return
	case ok && sig == sigKey && len(head) == keyNodeSize:
		var n keyNode
		n.load(head)
		if size := int64(n.NameLength); size <= have-keyNodeSize {
			t.fields(start, p.fields, path)
			t.put(size, nameKind(n.Flags&flagCompressed != 0), path.Field(p.more[0]), "")
		}
	case ok && sig == sigValue && len(head) >= keyValueSize:
		var v keyValue
		v.load(head)
		if size := int64(v.NameLength); size <= have-keyValueSize {
			t.fields(start, p.fields, path)
			t.put(size, nameKind(v.Flags&valueName8 != 0), path.Field(p.more[0]), "")
		}
	case ok && sig != sigKey && sig != sigValue:
		count := int64(wire.U16(head, 2))
		if sig == sigBig {
			count = 1 // the reference of the list of segments
		}
		if count*int64(4*len(p.more)) <= have-listHeadSize {
			t.fields(start, p.fields, path)
			for range count {
				for _, name := range p.more {
					t.put(4, perfdump.KindHex, path.Field(name), "")
				}
			}
		}
	}
	if t.at == start {
		t.put(have, perfdump.KindBytes, path.Field("data"), "")
	}
}

func nameKind(narrow bool) perfdump.Kind {
	if narrow {
		return perfdump.KindANSI
	}
	return perfdump.KindUTF16
}
