package table

import (
	"iter"
	"strings"

	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/decimal"
)

// Align is where a cell is in its column.
type Align uint8

// Numbers are aligned at their right; what follows a number, such as its base, is
// aligned in a column of its own behind all of them.
const (
	Left Align = iota
	Right
)

// Column is a column of a table.
type Column struct {
	Head   []string // the lines above the column
	Unit   string   // a dim line below the head
	Align  Align
	Min    int  // the width before any cell is measured
	Max    int  // the column does not grow beyond this: what is longer shifts the rest of the line; 0 for no limit
	Dim    bool // the cells explain others
	Break  bool // a cell that is too wide has a line of its own
	Middle bool // a cell that is too wide is cut in the middle
	Wrap   bool // the last column: its text is wrapped in what the page has left

	// On a page that cuts, columns go in the order of Drop (0 for never) until the
	// table fits, then get narrower, down to Shrink (0 for never).
	Drop, Shrink int

	main, tail int // width of the widest cells
	gone       bool
}

const (
	gutter   = 2  // between columns
	minBreak = 16 // how wide a column whose cells may have lines of their own is at least
)

// width returns how wide the column is.
func (c *Column) width() int {
	if c.gone {
		return 0
	}
	width := max(c.main+c.tail, c.Min, cell.Width(c.Unit))
	for _, line := range c.Head {
		head := cell.Width(line)
		if c.Max > 0 {
			head = min(head, c.Max)
		}
		width = max(width, head)
	}
	return width
}

// WrapHead makes name the head of the column, in at most height lines. A % stays
// with the word behind it.
func (c *Column) WrapHead(name string, height, most int) {
	name = strings.ReplaceAll(name, "% ", "%\u00a0")
	c.Head = nil
	width := max(c.width(), 1, cell.Width(name)/height)
	for _, word := range strings.Split(name, " ") {
		width = max(width, cell.Width(word))
	}
	lines := cell.Wrap(name, width)
	for len(lines) > height {
		width += 1 + width/32
		lines = cell.Wrap(name, width)
	}
	for i, line := range lines {
		lines[i] = cell.Cut(line, max(most, c.width()))
	}
	c.Head = lines
}

// Table is columns of text.
type Table struct {
	Indent  int
	Columns []Column

	at []place // of each column; nil while widths may change
}

// place is where a column begins, and how wide it is.
type place struct{ start, width int }

// Measure makes room for a row.
func (t *Table) Measure(r *Row) {
	t.at = nil
	for i := range r.cells {
		if i == len(t.Columns) {
			break
		}
		if r.cells[i].free || t.Columns[i].Wrap {
			continue
		}
		c := &t.Columns[i]
		main := int(r.cells[i].wide)
		if c.Max > 0 {
			main = min(main, c.Max)
		}
		c.main, c.tail = max(c.main, main), max(c.tail, int(r.cells[i].behind))
	}
}

// Width returns how wide the table is.
func (t *Table) Width() int {
	width := t.Indent - gutter
	for i := range t.Columns {
		if w := t.Columns[i].width(); w > 0 {
			width += gutter + w
		}
	}
	return width
}

// Split returns tables that fit a width, each with the first column. A column
// that does not fit at all is in a table of its own.
func (t *Table) Split(width int) []*Table {
	var parts []*Table
	first := t.Columns[0]
	for i, c := range t.Columns[1:] {
		if i > 0 {
			part := parts[len(parts)-1]
			if part.Width()+gutter+c.width() <= width {
				part.Columns = append(part.Columns, c)
				continue
			}
		}
		parts = append(parts, &Table{Indent: t.Indent, Columns: []Column{first, c}})
	}
	return parts
}

// fit makes the table as wide as the page, if it can.
func (t *Table) fit(page int, cut bool) {
	t.at = nil
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Break {
			c.main = min(c.main, max(c.main+page-t.Width(), minBreak))
		}
	}
	if !cut {
		return
	}
	for order := 1; order <= len(t.Columns); order++ {
		spare := 0
		for i := range t.Columns {
			if c := &t.Columns[i]; c.Shrink > 0 {
				spare += max(0, c.width()-2*c.Shrink)
			}
		}
		if t.Width()-spare <= page {
			break
		}
		for i := range t.Columns {
			if t.Columns[i].Drop == order {
				t.Columns[i].gone = true
			}
		}
	}
	for i := len(t.Columns) - 1; i >= 0; i-- {
		c := &t.Columns[i]
		if over := t.Width() - page; over > 0 && c.Shrink > 0 && !c.gone {
			width := max(c.Shrink, c.width()-over)
			c.main, c.tail, c.Min = min(c.main, width), 0, min(c.Min, width)
			for k := range c.Head {
				c.Head[k] = cell.Cut(c.Head[k], width)
			}
		}
	}
}

// Table measures rows and writes them below the heads of their columns; without
// rows it writes nothing. Rows that are too many to be kept are iterated twice.
func (p *Printer) Table(t *Table, rows iter.Seq[*Row]) {
	p.Keep()
	some := false
	for r := range rows {
		some = true
		p.Measure(t, r)
	}
	if !some {
		return
	}
	p.Head(t)
	if p.HasKept() {
		p.Kept(t, 1, len(t.Columns)-1)
		return
	}
	for r := range rows {
		p.Row(t, r)
		if p.Err() != nil {
			return
		}
	}
}

// Head fits a table to the page and writes what is above its columns, in bold;
// units are dim. A table without heads has none.
func (p *Printer) Head(t *Table) {
	t.fit(p.Width, p.Cut)
	height, units := 0, false
	for i := range t.Columns {
		height = max(height, len(t.Columns[i].Head))
		units = units || t.Columns[i].Unit != ""
	}
	for n := range height {
		p.heads(t, Bold, func(c *Column) string {
			if at := n - (height - len(c.Head)); at >= 0 {
				return c.Head[at]
			}
			return ""
		})
	}
	if units {
		p.heads(t, Dim, func(c *Column) string { return c.Unit })
	}
}

func (p *Printer) heads(t *Table, paint Paint, text func(*Column) string) {
	var r Row
	for i := range t.Columns {
		r.Text(text(&t.Columns[i])).Paint(paint)
		r.cells[i].head = true
	}
	p.Row(t, &r)
}

// Row writes a row at the widths that have been measured. A cell that is wider
// than its column moves the next ones to the right as far as it has to.
func (p *Printer) Row(t *Table, r *Row) {
	p.text = p.row(p.text, t, r)
	p.full()
}

func (p *Printer) row(dst []byte, t *Table, r *Row) []byte {
	line := line{text: dst, start: len(dst)}
	end := 0 // of the line, without the gutter behind it
	for i, at := range t.places() {
		c := &t.Columns[i]
		if i >= len(r.cells) || c.gone || r.cells[i].empty() {
			continue
		}
		start := at.start
		if end > 0 {
			start = max(start, end+gutter)
		}
		if c.Wrap && !r.cells[i].head {
			return p.wrapped(line, r.paint(c, i), string(p.main(r, i))+string(r.tail(i)), start)
		}
		end = p.cell(&line, c, r, i, start, at)
		if c.Break && end > at.start+at.width {
			line.end()
			end = 0
		}
	}
	line.end()
	return line.text
}

// places returns where the columns are, and behind them where the table ends.
func (t *Table) places() []place {
	if t.at == nil {
		at := t.Indent
		for i := range t.Columns {
			width := t.Columns[i].width()
			t.at = append(t.at, place{at, width})
			if width > 0 {
				at += width + gutter
			}
		}
	}
	return t.at
}

// cell appends a cell that begins at start or behind it, and returns where it
// ends.
func (p *Printer) cell(l *line, c *Column, r *Row, i, start int, at place) int {
	x := &r.cells[i]
	wide, behind := int(x.wide), int(x.behind)
	main := p.main(r, i)
	if p.Cut && (x.head || x.free || c.Align == Left && !c.Break) {
		room := p.Width - start - behind
		if !x.free && !(x.head && c.Wrap) {
			room = min(room, at.width-behind)
		}
		if wide > room {
			cut := cell.Cut
			if c.Middle {
				cut = cell.CutMiddle
			}
			main = []byte(cut(string(main), room))
			wide = Width(main)
		}
	}
	if c.Align == Right && !x.free {
		end := at.start + at.width
		if !x.head {
			end -= c.tail
		}
		start = max(start, end-wide)
	}
	l.pad(start)
	l.text = p.Style.Append(l.text, r.paint(c, i), main)
	if behind > 0 || x.end > x.main {
		l.text = p.Style.Append(l.text, Dim, r.tail(i))
	}
	l.used = start + wide + behind
	return l.used
}

// main returns the number or text of a cell. It is valid until the next one.
func (p *Printer) main(r *Row, i int) []byte {
	c := &r.cells[i]
	if c.number {
		p.digits = decimal.AppendUint(p.digits[:0], c.n)
		return p.digits
	}
	return r.text[c.n:c.main]
}

// wrapped appends the last cell of a line.
func (p *Printer) wrapped(l line, paint Paint, text string, start int) []byte {
	for _, part := range cell.Wrap(text, max(p.Width-start, minText)) {
		l.pad(start)
		l.text = p.Style.Append(l.text, paint, []byte(part))
		l.end()
	}
	return l.text
}

// line is a line at the end of a text.
type line struct {
	text  []byte
	start int // of the line
	used  int // columns of the page that it takes
}

// pad appends blanks up to a column of the page.
func (l *line) pad(to int) {
	for ; l.used < to; l.used++ {
		l.text = append(l.text, ' ')
	}
}

// end ends the line, without the blanks at its end.
func (l *line) end() {
	end := len(l.text)
	for end > l.start && l.text[end-1] == ' ' {
		end--
	}
	l.text = append(l.text[:end], '\n')
	l.start, l.used = len(l.text), 0
}
