// Package table lays out text for people: lines, facts, wrapped paragraphs and
// tables. Every table on a terminal comes from here.
//
// A [Printer] holds the page: its width, whether it cuts what is wider, and its
// colour. A [Table] holds columns, a [Row] the cells of a line. [Printer.Table]
// measures all rows and writes them; where rows never end, measure a few of them
// with [Table.Measure] and write the rest at the widths that these gave.
package table

import (
	"bufio"
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

	w    *bufio.Writer
	line []byte // of a table
	used int    // columns of the page that the line takes
}

// NewPrinter returns a printer of a page.
func NewPrinter(w io.Writer, o Options) *Printer {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &Printer{Width: o.Width, Cut: o.Cut, Style: cell.Style{On: o.Color}, w: bufio.NewWriterSize(w, bufferSize)}
}

const bufferSize = 64 << 10

// Flush writes what is buffered.
func (p *Printer) Flush() error { return p.w.Flush() }

// Err returns the first error of the writer.
func (p *Printer) Err() error {
	_, err := p.w.Write(nil)
	return err
}

// Line writes a line without the blanks at its end.
func (p *Printer) Line(text string) {
	_, _ = p.w.WriteString(strings.TrimRight(text, " "))
	_ = p.w.WriteByte('\n')
}

// Raw writes text as it is.
func (p *Printer) Raw(text string) { _, _ = p.w.WriteString(text) }

// JSON writes a value as a line of JSON. It must be one that has a form there.
func (p *Printer) JSON(v any) {
	e := json.NewEncoder(p.w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // Flush returns the error of the writer
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
