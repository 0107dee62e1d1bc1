// Package table lays out text for people: lines, facts, wrapped paragraphs and
// tables. Every table on a terminal comes from here.
//
// A [Printer] holds the page: its width, whether it cuts what is wider, and its
// colour. A [Table] holds columns, a [Row] the cells of a line. [Printer.Table]
// measures all rows and writes them; where rows never end, measure a few of them
// with [Table.Measure] and write the rest at the widths that these gave.
package table

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/perfdump/perfdump/internal/cell"
)

// Options describe a page.
type Options struct {
	Width int  // in columns, 0 for 80
	Cut   bool // cut what is wider: for terminals, since a pipe gets everything
	Color bool
}

// Printer writes lines of text to a page. Its first error stays: [Printer.Err]
// and [Printer.Flush] return it.
type Printer struct {
	Width int
	Cut   bool
	Style cell.Style

	Script // what is not yet written

	from int  // the kept row from which on Keep keeps them
	over bool // they are too many

	w      io.Writer
	hand   func(Script) (Script, error) // instead of w, or nil
	err    error
	digits []byte // of a cell
}

// NewPrinter returns a printer of a page.
func NewPrinter(w io.Writer, o Options) *Printer {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &Printer{Width: o.Width, Cut: o.Cut, Style: cell.Style{On: o.Color}, w: w}
}

const bufferSize = 64 << 10

// Flush writes what is buffered.
func (p *Printer) Flush() error {
	switch {
	case p.hand != nil:
		p.Script, p.err = p.hand(p.Script)
		p.kept.cut(0)
		p.parts, p.from = p.parts[:0], 0
	case p.err == nil && len(p.text) > 0:
		_, p.err = p.w.Write(p.text)
	}
	p.text = p.text[:0]
	return p.err
}

// full writes what is buffered if it is much. Rows that are to be written stay.
func (p *Printer) full() {
	if len(p.text) >= bufferSize && (p.hand == nil || p.from == len(p.kept.ends)) {
		_ = p.Flush()
	}
}

// Err returns the first error of the writer.
func (p *Printer) Err() error { return p.err }

// Line writes a line without the blanks at its end.
func (p *Printer) Line(text string) { p.Raw(strings.TrimRight(text, " ") + "\n") }

// Raw writes text as it is.
func (p *Printer) Raw(text string) {
	p.text = append(p.text, text...)
	p.full()
}

// JSON writes a value as a line of JSON. It must be one that has a form there.
func (p *Printer) JSON(v any) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	p.Raw(text.String())
}

// MaxText is how wide paragraphs are at most. Longer lines are hard to read.
const MaxText = 100

// minText is how wide they are at least, however narrow the page.
const minText = 30

// Text writes text wrapped and indented, with a dim label before its first line.
func (p *Printer) Text(indent int, label, text string) {
	hang := indent + cell.Width(label)
	lines := cell.Wrap(text, max(min(p.Width, MaxText)-hang, minText))
	for i, line := range lines {
		if i == 0 {
			p.Line(blanks(indent) + p.Style.Dim(label) + line)
		} else {
			p.Line(blanks(hang) + line)
		}
	}
}

// Fact writes a name, dim and padded to a width, and its value. A value of
// several lines is aligned behind the name.
func (p *Printer) Fact(width int, name, value string) {
	for i, line := range strings.Split(value, "\n") {
		if i > 0 {
			name = ""
		}
		p.Line(blanks(gutter) + p.Style.Dim(Pad(name, width)) + blanks(gutter) + line)
	}
}

// Heading writes a title in bold with facts behind it.
func (p *Printer) Heading(title string, facts ...string) {
	p.Line(p.Style.Bold(title) + blanks(gutter) + strings.Join(facts, ", "))
}

// Note writes a dim line below a heading.
func (p *Printer) Note(text string) { p.Line(blanks(gutter) + p.Style.Dim(text)) }

// Pad returns s with blanks behind it, up to a width.
func Pad(s string, width int) string { return s + blanks(width-cell.Width(s)) }

func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }
