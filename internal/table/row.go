package table

import (
	"math"
	"unicode/utf8"

	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/decimal"
)

// Paint is the weight or colour of a cell.
type Paint = cell.Paint

// The paints of cells.
const (
	Plain = cell.Plain
	Bold  = cell.Bold
	Dim   = cell.Dim
	Red   = cell.Red
	Green = cell.Green
	Amber = cell.Amber
)

// Row is the cells of a line. It may be used again after [Row.Reset], so that a
// million rows cost no more than one.
type Row struct {
	text  []byte
	cells []extent
}

// extent is a number, or where a cell is in the text of its row.
type extent struct {
	n            uint64 // the number, or where the text begins
	main, end    int    // the end of the text, and of what follows it or the number
	wide, behind int32  // how wide they are
	number       bool
	free         bool
	head         bool
	paint        Paint
}

func (e *extent) empty() bool { return !e.number && int(e.n) == e.end }

// Reset removes all cells.
func (r *Row) Reset() *Row {
	r.text, r.cells = r.text[:0], r.cells[:0]
	return r
}

// Texts adds cells.
func (r *Row) Texts(all ...string) *Row {
	for _, s := range all {
		r.Text(s)
	}
	return r
}

// Text adds a cell.
func (r *Row) Text(s string) *Row {
	r.text = append(r.text, s...)
	return r.close()
}

// Uint adds a number.
func (r *Row) Uint(n uint64) *Row {
	at := len(r.text)
	return r.add(extent{n: n, number: true, main: at, end: at, wide: int32(decimal.Digits(n))})
}

// Measured adds a cell of a text whose [Width] is known.
func (r *Row) Measured(text []byte, width int) *Row {
	from := len(r.text)
	r.text = append(r.text, text...)
	return r.add(extent{n: uint64(from), main: len(r.text), end: len(r.text), wide: short(width)})
}

// Append adds a cell that f appends to its argument.
func (r *Row) Append(f func([]byte) []byte) *Row {
	r.text = f(r.text)
	return r.close()
}

// Tail adds to the last cell what follows its number and is dim and aligned with those of
// other rows: what f appends to its argument.
func (r *Row) Tail(f func([]byte) []byte) *Row {
	r.text = f(r.text)
	c := &r.cells[len(r.cells)-1]
	c.end = len(r.text)
	c.behind = short(Width(r.text[c.main:]))
	return r
}

// close ends a cell of text.
func (r *Row) close() *Row {
	from, end := 0, len(r.text)
	if n := len(r.cells); n > 0 {
		from = r.cells[n-1].end
	}
	return r.add(extent{n: uint64(from), main: end, end: end, wide: short(Width(r.text[from:]))})
}

// short is a width; no page is wider than the greatest.
func short(width int) int32 { return int32(min(width, math.MaxInt32)) }

func (r *Row) add(c extent) *Row {
	r.cells = append(r.cells, c)
	return r
}

// Paint sets the paint of the last cell.
func (r *Row) Paint(p Paint) *Row {
	r.cells[len(r.cells)-1].paint = p
	return r
}

// PaintAll sets the paint of all cells.
func (r *Row) PaintAll(p Paint) *Row {
	for i := range r.cells {
		r.cells[i].paint = p
	}
	return r
}

// Free lets the last cell run over the empty ones behind it. It does not make its
// column wider.
func (r *Row) Free() *Row {
	r.cells[len(r.cells)-1].free = true
	return r
}

func (r *Row) tail(i int) []byte { return r.text[r.cells[i].main:r.cells[i].end] }

// Width is cell.Width without an allocation for what is ASCII.
func Width(text []byte) int {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return cell.Width(string(text))
		}
	}
	return len(text)
}

// paint returns the paint of a cell: its own, or that of its column.
func (r *Row) paint(c *Column, i int) Paint {
	if p := r.cells[i].paint; p != Plain || !c.Dim {
		return p
	}
	return Dim
}
