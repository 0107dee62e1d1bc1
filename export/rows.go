package export

import (
	"bufio"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export/internal/column"
	"github.com/perfdump/perfdump/internal/decimal"
)

// rowWriter writes the lines of CSV and JSON Lines: what is before each field,
// the field, and what ends the line.
type rowWriter struct {
	w      *bufio.Writer
	header string
	keys   []string
	field  func([]byte, column.Field) []byte
	part   func([]byte, string) ([]byte, bool) // appends a part of a text, and whether that needs quotes
	quote  string                              // around words that need no escapes
	end    string
	line   []byte
	begun  bool
}

// csvRows is RFC 4180 with a header and lines that end in a bare line feed. A
// null is an empty field; an empty text is "" in quotes, which some readers
// distinguish from it.
func csvRows(w io.Writer, names []string) *rowWriter {
	r := &rowWriter{w: newBuffer(w), header: strings.Join(names, ",") + "\n", keys: make([]string, len(names)), field: appendCSVField, part: appendCSVPart, end: "\n"}
	for i := range r.keys[1:] {
		r.keys[i+1] = ","
	}
	return r
}

// jsonRows is one object a line. Integers are exact, up to 2^64-1.
func jsonRows(w io.Writer, names []string) *rowWriter {
	r := &rowWriter{w: newBuffer(w), field: appendJSONField, part: appendJSONPart, quote: `"`, end: "}\n"}
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
func appendNumber(dst []byte, v float64) []byte { return appendFloat(dst, v, 'g') }

// appendFloat appends what strconv does with as many digits as needed, but whole
// numbers without an exponent.
func appendFloat(dst []byte, v float64, format byte) []byte {
	if n := int64(v); float64(n) == v && n > -1<<53 && n < 1<<53 && (n != 0 || 1/v > 0) {
		return decimal.AppendInt(dst, n)
	}
	return strconv.AppendFloat(dst, v, format, -1, 64)
}
