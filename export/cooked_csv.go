package export

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump/capture"
)

// cookedCSV writes cooked rows in the form of the raw ones of [NewRows].
type cookedCSV struct {
	w       *bufio.Writer
	columns []string
	prefix  prefixes // columns from host to path
	time    []byte
	line    []byte
	begun   bool
}

// newCookedCSV returns a writer of CSV with some columns on request.
func newCookedCSV(w io.Writer, onRequest ...string) *cookedCSV {
	return &cookedCSV{w: newBuffer(w), columns: cookedColumns(onRequest)}
}

// WriteFrame writes a row for each cell, and the header before the first.
func (c *cookedCSV) WriteFrame(f *capture.Frame) error {
	if err := c.header(); err != nil {
		return err
	}
	c.time = c.time[:0]
	if !f.Time.IsZero() {
		c.time = appendTime(c.time, f.Time)
	}
	for i := range f.Cells {
		x := &f.Cells[i]
		line := c.prefix.append(append(c.line[:0], c.time...), x.Series, appendCSVPrefix)
		line, _ = appendValueOf(line, x)
		line = append(append(line, ','), x.Verdict().String()...)
		for _, column := range c.columns[cookedOnRequest:] {
			line = append(line, ',')
			if column == "time_local" {
				if !f.Time.IsZero() {
					line = appendLocal(line, f.Local())
				}
				continue
			}
			line, _ = appendOnRequest(line, column, f, i, appendQuoted)
		}
		c.line = append(line, '\n')
		if _, err := c.w.Write(c.line); err != nil {
			return err
		}
	}
	return nil
}

// appendCSVPrefix appends what stands in each row of a series between the time
// and the value.
func appendCSVPrefix(dst []byte, s *capture.Series) []byte {
	from := len(dst)
	b := appendQuoted(append(dst, ','), s.Host)
	b = appendQuoted(append(b, ','), s.Object)
	b = append(b, ',')
	if s.HasParent {
		b = appendQuoted(b, s.Parent)
	}
	b = append(b, ',')
	if s.HasInstance {
		b = appendQuoted(b, s.Instance)
	}
	b = appendNumber(append(b, ','), float64(s.InstanceIndex))
	b = appendQuoted(append(b, ','), s.Counter)
	b = appendQuoted(append(b, ','), s.Path())
	b = append(b, ',')
	if !utf8.Valid(b[from:]) {
		b = append(b[:from], bytes.ToValidUTF8(b[from:], []byte("\ufffd"))...)
	}
	return b
}

func (c *cookedCSV) shard(w *bufio.Writer) sharded {
	return &cookedCSV{w: w, columns: c.columns, begun: true}
}

func (c *cookedCSV) buffer() *bufio.Writer { return c.w }

func (c *cookedCSV) rowCells() int { return 0 }

// Close writes what is left, and the header if there were no frames.
func (c *cookedCSV) Close() error {
	if err := c.header(); err != nil {
		return err
	}
	return c.w.Flush()
}

func (c *cookedCSV) header() error {
	if c.begun {
		return nil
	}
	c.begun = true
	_, err := c.w.WriteString(strings.Join(c.columns, ",") + "\n")
	return err
}
