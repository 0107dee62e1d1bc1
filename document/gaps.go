package document

import (
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

// gaps writes what no key of the document holds: the bytes between the fields
// and the padding behind SYSTEMTIME. It walks the blocks once more, so that
// nothing has to be kept until the end of the document.
func (d *perfDataWriter) gaps() {
	g := &gapWriter{printer: d.printer, data: d.in.Data}
	for b := range d.in.Blocks {
		base := b.Offset()
		g.field(base, padOff)
		g.field(base+padEnd, headerSize-padEnd)
		if raw, ok := systemName(b); ok {
			g.field(base+int64(b.SystemNameOffset), int64(len(raw)))
		}
		for _, o := range b.Objects() {
			if d.objectFields(g, o); !d.ok() {
				return
			}
		}
	}
	g.field(int64(len(g.data)), 0)
	if g.n > 0 {
		d.raw("\n")
	}
}

func (d *perfDataWriter) objectFields(g *gapWriter, o *perfdata.Object) {
	at := o.Offset()
	g.field(at, objectSize)
	at += int64(o.HeaderLength)
	for j := range o.Counters() {
		g.field(at, counterSize)
		at += int64(o.Counter(j).ByteLength)
	}
	d.setColumns(o)
	length := int64(-1)
	for _, in := range o.Instances() {
		at := in.Offset()
		if in.Defined() {
			def := in.Definition()
			g.field(at, instanceSize)
			g.field(at+int64(def.NameOffset), int64(def.NameLength))
			at += int64(def.ByteLength)
		}
		if n := int64(len(in.BlockBytes())); n != length {
			d.pieces, length = merge(pieces(d.pieces, d.columns, n)), n
		}
		g.field(at, lengthSize)
		for _, p := range d.pieces {
			g.field(at+p.off, p.end-p.off)
		}
		if !d.ok() {
			return
		}
	}
}

// merge joins the pieces that touch or overlap.
func merge(all []piece) []piece {
	n := 0
	for _, p := range all {
		if n > 0 && p.off <= all[n-1].end {
			all[n-1].end = max(all[n-1].end, p.end)
			continue
		}
		all[n] = p
		n++
	}
	return all[:n]
}

// gapWriter is told of the fields of a file in the order in which they begin
// and writes what is between them.
type gapWriter struct {
	*printer
	data []byte
	at   int64 // the end of what was explained
	n    int   // gaps written
}

func (g *gapWriter) field(off, size int64) {
	if off > g.at {
		g.gap(g.at, off)
	}
	// Not even the bytes of what a field says need all be there: a salvaged
	// object may be cut.
	g.at = max(g.at, min(off+size, int64(len(g.data))))
}

func (g *gapWriter) gap(from, to int64) {
	to = min(to, int64(len(g.data)))
	if from >= to || !g.ok() {
		return
	}
	if g.n > 0 {
		g.raw(",")
	}
	g.n++
	g.int("\n {\"offset\":", from)
	if b := g.data[from:to]; wire.AllZero(b) {
		g.int(`,"zero":`, to-from)
	} else {
		g.raw(`,"hex":`)
		g.hex(b)
	}
	g.raw("}")
}
