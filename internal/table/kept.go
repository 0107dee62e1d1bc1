package table

import (
	"iter"
	"unsafe"
)

// kept is rows that were measured. They need not be made again to be written, and may be
// written by others.
type kept struct {
	text  []byte
	cells []extent
	ends  []rowEnd
}

// rowEnd is where the text and the cells of a row end.
type rowEnd struct{ text, cells int }

// maxKept is how many bytes of rows are kept at most, and much how many are enough for
// others to format.
const (
	maxKept = 2 << 20
	much    = 128 << 10
)

func (k *kept) size() int {
	return len(k.text) + len(k.cells)*int(unsafe.Sizeof(extent{})) + len(k.ends)*int(unsafe.Sizeof(rowEnd{}))
}

// end returns where the first n rows end.
func (k *kept) end(n int) rowEnd {
	if n == 0 {
		return rowEnd{}
	}
	return k.ends[n-1]
}

// cut removes the rows from n on.
func (k *kept) cut(n int) {
	end := k.end(n)
	k.text, k.cells, k.ends = k.text[:end.text], k.cells[:end.cells], k.ends[:n]
}

func (k *kept) add(r *Row) {
	k.text, k.cells = append(k.text, r.text...), append(k.cells, r.cells...)
	k.ends = append(k.ends, rowEnd{len(k.text), len(k.cells)})
}

// rows yields the rows of a part. A Row is valid until the next one is yielded.
func (k *kept) rows(of part) iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		var r Row
		var some []extent
		at := k.end(of.from)
		for _, end := range k.ends[of.from:of.to] {
			r.text, r.cells = k.text[at.text:end.text], k.cells[at.cells:end.cells]
			if n := len(r.cells); of.i > 1 || of.n < n-1 {
				some = append(append(some[:0], r.cells[:min(1, n)]...), r.cells[min(of.i, n):min(of.i+of.n, n)]...)
				r.cells = some
			}
			if at = end; !yield(&r) {
				return
			}
		}
	}
}

// part is some kept rows of a table, each with its first cell and n of those from i on.
type part struct {
	t        *Table
	from, to int
	i, n     int
	before   int // the end of the text before them
}

// Script is some of what a printer prints: text, and rows that are measured but not yet
// formatted.
type Script struct {
	text  []byte // whole lines
	kept  kept
	parts []part
}

// Hand makes the printer give what it prints to a function instead of a writer. That returns a
// Script to be used again. [Printer.Append] makes text of one.
func (p *Printer) Hand(to func(Script) (Script, error)) { p.hand = to }

// Append appends what a printer of a page like this printed. It uses nothing of a Printer
// that prints.
func (p *Printer) Append(dst []byte, s *Script) []byte {
	at := 0
	for _, of := range s.parts {
		dst = append(dst, s.text[at:of.before]...)
		at = of.before
		for r := range s.kept.rows(of) {
			dst = p.row(dst, of.t, r)
		}
	}
	return append(dst, s.text[at:]...)
}

// Keep begins to keep the rows that are measured, and keeps no earlier ones.
func (p *Printer) Keep() {
	if p.hand == nil {
		p.kept.cut(0)
	} else if p.kept.size() >= much {
		_ = p.Flush()
	}
	p.from, p.over = len(p.kept.ends), false
}

// Measure makes room for a row and keeps it, unless these are too many.
func (p *Printer) Measure(t *Table, r *Row) {
	t.Measure(r)
	if p.over {
		return
	}
	if p.kept.add(r); p.kept.size() > maxKept {
		p.over = true
		p.kept.cut(p.from)
	}
}

// HasKept reports whether all rows since Keep are there, for [Printer.Kept] to write.
func (p *Printer) HasKept() bool { return !p.over }

// Kept writes the rows since Keep, each with its first cell and n of those from i on. The
// widths of t must not change any more.
func (p *Printer) Kept(t *Table, i, n int) {
	of := part{t: t, from: p.from, to: len(p.kept.ends), i: i, n: n, before: len(p.text)}
	if p.hand != nil {
		t.places()
		p.parts = append(p.parts, of)
		return
	}
	for r := range p.kept.rows(of) {
		if p.Row(t, r); p.err != nil {
			return
		}
	}
}
