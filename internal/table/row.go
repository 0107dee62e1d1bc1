package table

import (
	"strconv"
	"unicode/utf8"

	"github.com/perfdump/perfdump/internal/cell"
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

// extent is where a cell is in the text of its row.
type extent struct {
	main, end int // the ends of the number or text, and of what follows it
	paint     Paint
	free      bool
	head      bool
}

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
	return r.close(len(r.text))
}

// Uint adds a number.
func (r *Row) Uint(n uint64) *Row {
	r.text = strconv.AppendUint(r.text, n, 10)
	return r.close(len(r.text))
}

// Append adds a cell that f appends to its argument.
func (r *Row) Append(f func([]byte) []byte) *Row {
	r.text = f(r.text)
	return r.close(len(r.text))
}

// AppendTail is [Row.Append] for a number and what follows it, which is dim and
// aligned with those of other rows: f returns the text and how long the first
// part is.
func (r *Row) AppendTail(f func([]byte) (text []byte, main int)) *Row {
	from := len(r.text)
	text, main := f(r.text)
	r.text = text
	return r.close(from + main)
}

func (r *Row) close(main int) *Row {
	r.cells = append(r.cells, extent{main: main, end: len(r.text)})
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

func (r *Row) from(i int) int {
	if i == 0 {
		return 0
	}
	return r.cells[i-1].end
}

func (r *Row) main(i int) []byte { return r.text[r.from(i):r.cells[i].main] }
func (r *Row) tail(i int) []byte { return r.text[r.cells[i].main:r.cells[i].end] }
func (r *Row) all(i int) []byte  { return r.text[r.from(i):r.cells[i].end] }

// widths returns how wide the two parts of a cell are.
func (r *Row) widths(i int) (main, tail int) {
	return widthOf(r.main(i)), widthOf(r.tail(i))
}

// widthOf is cell.Width without an allocation for what is ASCII.
func widthOf(text []byte) int {
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
