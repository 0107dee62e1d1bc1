package export

import (
	"bufio"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export/internal/column"
)

// rowWriter writes the lines of CSV and JSON Lines: what is before each field,
// the field, and what ends the line.
type rowWriter struct {
	w      *bufio.Writer
	header string
	keys   []string
	field  func([]byte, column.Field) []byte
	quote  string // around words that need no escapes
	end    string
	line   []byte
	begun  bool
}

// csvRows is RFC 4180 with a header and lines that end in a bare line feed. A
// null is an empty field; an empty text is "" in quotes, which some readers
// distinguish from it.
func csvRows(w io.Writer, names []string) *rowWriter {
	r := &rowWriter{w: newBuffer(w), header: strings.Join(names, ",") + "\n", keys: make([]string, len(names)), field: appendCSVField, end: "\n"}
	for i := range r.keys[1:] {
		r.keys[i+1] = ","
	}
	return r
}

// jsonRows is one object a line. Integers are exact, up to 2^64-1.
func jsonRows(w io.Writer, names []string) *rowWriter {
	r := &rowWriter{w: newBuffer(w), field: appendJSONField, quote: `"`, end: "}\n"}
	sep := `{"`
	for _, name := range names {
		r.keys = append(r.keys, sep+name+`":`)
		sep = `,"`
	}
	return r
}

// begin writes the header before the first line.
func (r *rowWriter) begin() {
	if !r.begun {
		r.begun = true
		_, _ = r.w.WriteString(r.header)
	}
}

// add appends field i to the line.
func (r *rowWriter) add(i int, f column.Field) { r.line = r.field(append(r.line, r.keys[i]...), f) }

func (r *rowWriter) next() error {
	line := append(r.line, r.end...)
	r.line = line[:0]
	_, err := r.w.Write(line)
	return err
}

func (r *rowWriter) Flush() error {
	r.begin()
	return r.w.Flush()
}

func (r *rowWriter) Close() error { return r.Flush() }

func appendCSVField(dst []byte, f column.Field) []byte {
	switch f.Kind {
	case column.Null:
		return dst
	case column.String:
		return appendQuoted(dst, f.Text)
	default:
		return appendPlain(dst, f)
	}
}

func appendJSONField(dst []byte, f column.Field) []byte {
	switch f.Kind {
	case column.Null:
		return append(dst, "null"...)
	case column.String:
		return AppendJSONString(dst, f.Text)
	case column.Moment, column.Wall:
		return append(appendPlain(append(dst, '"'), f), '"')
	default:
		return appendPlain(dst, f)
	}
}

// appendPlain appends a number or a time.
func appendPlain(dst []byte, f column.Field) []byte {
	switch f.Kind {
	case column.Signed:
		return strconv.AppendInt(dst, int64(f.Bits), 10)
	case column.Float:
		return appendNumber(dst, math.Float64frombits(f.Bits))
	case column.Moment:
		return appendTime(dst, f.Time)
	case column.Wall:
		dst = appendTime(dst, f.Time)
		return dst[:len(dst)-1] // without the Z
	default:
		return strconv.AppendUint(dst, f.Bits, 10)
	}
}

type openRows func(w io.Writer, names []string) *rowWriter

// rawRows writes raw rows.
type rawRows struct {
	*rowWriter

	columns []column.Column
}

func (open openRows) raw(w io.Writer, o Options) (Writer, error) {
	columns, err := column.Raw.Select(o.Columns)
	if err != nil {
		return nil, err
	}
	return &rawRows{open(w, column.Names(columns)), columns}, nil
}

func (r *rawRows) Write(s *capture.Snapshot) error { return r.WriteRows(s.Rows()) }

func (r *rawRows) WriteRows(rows iter.Seq[*capture.Row]) error {
	r.begin()
	var of column.Row
	for of.Row = range rows {
		for i := range r.columns {
			r.add(i, r.columns[i].Of(&of))
		}
		if err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

// cookedRows writes cooked rows.
type cookedRows struct {
	*rowWriter

	columns []column.Column
	row     column.Row
	time    []byte
	ok      []byte // the status of most
	// The columns that all rows of a series have in common, by ID, up to a limit.
	// Those of other series are formatted again for each row.
	prefixes []string
	kept     int // bytes of them
}

const (
	prefixSeries = 16 << 10
	prefixBytes  = 4 << 20
)

func (open openRows) cooked(w io.Writer, o Options) (FrameWriter, error) {
	columns, err := column.Cooked.Select(o.Columns)
	if err != nil {
		return nil, err
	}
	return newCookedRows(open(w, column.Names(columns)), columns), nil
}

func newCookedRows(w *rowWriter, columns []column.Column) *cookedRows {
	r := &cookedRows{rowWriter: w, columns: columns, row: column.Row{Row: &capture.Row{}}}
	r.ok = r.status(nil, countertypes.StatusOK)
	return r
}

// WriteFrame writes a row for each cell, and the header before the first.
func (r *cookedRows) WriteFrame(f *capture.Frame) error {
	r.begin()
	r.row.SetFrame(f)
	r.time = r.field(append(r.time[:0], r.keys[0]...), r.columns[0].Of(&r.row))
	for i := range f.Cells {
		c := &f.Cells[i]
		line := r.names(append(r.line, r.time...), c.Series)
		if v, ok := c.Number(); ok && v < countertypes.Inexact {
			line = append(appendNumber(line, v), r.ok...)
		} else {
			line = r.status(r.field(line, column.Number(c)), c.EffectiveStatus())
		}
		if more := r.columns[column.Status+1:]; len(more) > 0 {
			r.row.SetCell(f, i)
			for k := range more {
				line = r.field(append(line, r.keys[column.Status+1+k]...), more[k].Of(&r.row))
			}
		}
		line = append(line, r.end...)
		r.line = line[:0]
		if _, err := r.w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

func (r *cookedRows) status(line []byte, s countertypes.Status) []byte {
	return append(append(append(append(line, r.keys[column.Status]...), r.quote...), s.String()...), r.quote...)
}

// names appends the columns that all rows of a series have in common, and what is
// before the value.
func (r *cookedRows) names(line []byte, s *capture.Series) []byte {
	if s.ID < len(r.prefixes) && r.prefixes[s.ID] != "" {
		return append(line, r.prefixes[s.ID]...)
	}
	from := len(line)
	r.row.SetSeries(s)
	for k := column.FirstOfSeries; k < column.Value; k++ {
		line = r.field(append(line, r.keys[k]...), r.columns[k].Of(&r.row))
	}
	line = append(line, r.keys[column.Value]...)
	if n := len(line) - from; s.ID < prefixSeries && r.kept+n <= prefixBytes {
		r.kept += n
		*at(&r.prefixes, s.ID) = string(line[from:])
	}
	return line
}

func (r *cookedRows) shard(w *bufio.Writer) sharded {
	return newCookedRows(&rowWriter{w: w, keys: r.keys, field: r.field, quote: r.quote, end: r.end, begun: true}, r.columns)
}

func (r *cookedRows) buffer() *bufio.Writer { return r.w }

func (r *cookedRows) rowCells() int { return 0 }

// appendTime appends t with milliseconds, or with all digits where they do not
// give it exactly.
func appendTime(dst []byte, t time.Time) []byte {
	layout := "2006-01-02T15:04:05.000Z07:00"
	if t.Nanosecond()%int(time.Millisecond) != 0 {
		layout = time.RFC3339Nano
	}
	return t.UTC().AppendFormat(dst, layout)
}

// appendNumber appends a value with the digits that identify it.
func appendNumber(dst []byte, v float64) []byte {
	if n := int64(v); float64(n) == v && n > -1<<53 && n < 1<<53 && (n != 0 || 1/v > 0) {
		return strconv.AppendInt(dst, n, 10)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}

// appendQuoted appends a text as UTF-8, in quotes where it needs them. PostgreSQL
// takes a bare \. for the end of the data.
func appendQuoted(dst []byte, s string) []byte {
	s = strings.ToValidUTF8(s, "\ufffd")
	if s != "" && s != `\.` && s[0] != ' ' && s[len(s)-1] != ' ' && !strings.ContainsAny(s, ",\"\r\n") {
		return append(dst, s...)
	}
	return append(append(append(dst, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}

// AppendJSONString appends s as a JSON string. Bytes that are no UTF-8 become
// U+FFFD; control characters are escaped.
func AppendJSONString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i, r := range s {
		if r >= ' ' && r != '"' && r != '\\' && r != 0x7f && r != utf8.RuneError {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch r {
		case '"', '\\':
			dst = append(dst, '\\', byte(r))
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		case utf8.RuneError:
			dst = append(dst, "\ufffd"...)
			if strings.HasPrefix(s[i:], "\ufffd") {
				from = i + len("\ufffd")
			}
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}
