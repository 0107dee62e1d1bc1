package export

import (
	"bufio"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
)

// csvRows writes raw rows as RFC 4180 has it, with a header and lines that end in
// a bare line feed. A null is an empty field; an empty text is "" in quotes,
// which some readers tell from it.
type csvRows struct {
	w       *bufio.Writer
	columns []int
	types   typeNames
	line    []byte
	begun   bool
}

// newCSV returns a writer of CSV with some columns on request.
func newCSV(w io.Writer, columns ...string) *csvRows {
	return &csvRows{w: newBuffer(w), columns: columnsOf(columns), types: typeNames{}}
}

// Write writes the rows of a snapshot, and the header before the first.
func (c *csvRows) Write(s *capture.Snapshot) error { return c.WriteRows(s.Rows()) }

// WriteRows writes rows, and the header before the first.
func (c *csvRows) WriteRows(rows iter.Seq[*capture.Row]) error {
	if err := c.header(); err != nil {
		return err
	}
	for row := range rows {
		line := c.line[:0]
		for i, column := range c.columns {
			if i > 0 {
				line = append(line, ',')
			}
			line = c.append(line, row, column)
		}
		c.line = append(line, '\n')
		if _, err := c.w.Write(c.line); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes what is left, and the header if there were no snapshots.
func (c *csvRows) Flush() error {
	if err := c.header(); err != nil {
		return err
	}
	return c.w.Flush()
}

func (c *csvRows) header() error {
	if c.begun {
		return nil
	}
	c.begun = true
	var names []string
	for _, column := range c.columns {
		names = append(names, columnNames[column])
	}
	_, err := c.w.WriteString(strings.Join(names, ",") + "\n")
	return err
}

func (c *csvRows) append(dst []byte, r *capture.Row, column int) []byte {
	text, number, is := field(r, column, c.types)
	switch {
	case is == isNull:
		return dst
	case column == colTime:
		return appendTime(dst, r.Time)
	case column == colTimeLocal:
		return appendLocal(dst, r.Local())
	case is == isText:
		return appendQuoted(dst, text)
	case is == isSigned:
		return strconv.AppendInt(dst, int64(number), 10)
	default:
		return strconv.AppendUint(dst, number, 10)
	}
}

// appendQuoted appends a field, in quotes where it needs them. Readers turn
// \r\n within quotes into \n, and some take a \. for the end: nothing can be
// done about the first, the second is quoted.
func appendQuoted(dst []byte, s string) []byte {
	if s != "" && s != `\.` && s[0] != ' ' && s[len(s)-1] != ' ' && !strings.ContainsAny(s, ",\"\r\n") {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		dst = append(append(dst, s[:i+1]...), '"')
		s = s[i+1:]
	}
	return append(append(dst, s...), '"')
}
