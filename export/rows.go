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
	"github.com/perfdump/perfdump/countertypes"
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
		return decimal.AppendInt(dst, int64(f.Bits))
	case column.Float:
		return appendNumber(dst, math.Float64frombits(f.Bits))
	case column.Moment:
		return appendTime(dst, f.Time)
	case column.Wall:
		dst = appendTime(dst, f.Time)
		return dst[:len(dst)-1] // without the Z
	default:
		return decimal.AppendUint(dst, f.Bits)
	}
}

type openRows func(w io.Writer, names []string) *rowWriter

// rawRows writes raw rows.
type rawRows struct {
	*rowWriter

	columns []column.Column
	time    []byte // of the last row, with what is before it
	at      time.Time
	names   []rawNames // of the rows of the last snapshot, by position
	null    string
	second  lastNumber
	multi   lastNumber
	base    lastNumber
}

// lastNumber is a number that is often the same in the next row.
type lastNumber struct {
	n    uint64
	text []byte
}

func (l *lastNumber) append(dst []byte, n uint64) []byte {
	if l.n != n || len(l.text) == 0 {
		l.n, l.text = n, decimal.AppendUint(l.text[:0], n)
	}
	return append(dst, l.text...)
}

// rawNames is what a row says of its series: a log has the same series in each record.
type rawNames struct {
	host, object, parent, instance, counter string
	index                                   int
	typ                                     countertypes.Type
	hasParent, hasInstance, noType          bool
	text                                    []byte // the columns, with what is before each; in a table the path
	width                                   int    // of the path
}

func namesOf(r *capture.Row) rawNames {
	return rawNames{r.Host, r.Object, r.Parent, r.Instance, r.Counter, r.InstanceIndex, r.Type, r.HasParent, r.HasInstance, r.NoType, nil, 0}
}

// maxRawNames is how many rows of a snapshot are kept.
const maxRawNames = 8 << 10

// The raw columns after those that are the same in all rows of a series: four numbers,
// and those on request.
const (
	afterNames   = column.Value
	afterNumbers = afterNames + 4
)

func (open openRows) raw(w io.Writer, o Options) (Writer, error) {
	columns, err := column.Raw.Select(o.Columns)
	if err != nil {
		return nil, err
	}
	r := &rawRows{rowWriter: open(w, column.Names(columns)), columns: columns}
	r.null = string(r.field(nil, column.Field{}))
	return r, nil
}

func (r *rawRows) Write(s *capture.Snapshot) error { return r.WriteRows(s.Rows()) }

func (r *rawRows) WriteRows(rows iter.Seq[*capture.Row]) error {
	r.begin()
	var of column.Row
	n := 0
	line := r.line
	for of.Row = range rows {
		if len(r.time) == 0 || !of.Time.Equal(r.at) {
			r.time, r.at = r.append(r.time[:0], &of, 0, column.FirstOfSeries), of.Time
		}
		line = append(append(line, r.time...), r.namesAt(n, &of)...)
		n++
		line = r.numbers(line, of.Row)
		line = append(r.append(line, &of, afterNumbers, len(r.columns)), r.end...)
		if len(line) >= bufferSize {
			if _, err := r.w.Write(line); err != nil {
				return err
			}
			line = line[:0]
		}
	}
	r.line = line[:0]
	_, err := r.w.Write(line)
	return err
}

// numbers appends the raw values of a row: what the columns first, second, multi and
// time_base give, without the way over fields.
func (r *rawRows) numbers(dst []byte, of *capture.Row) []byte {
	dst = append(dst, r.keys[afterNames]...)
	if of.NoFirst {
		dst = append(dst, r.null...)
	} else {
		dst = decimal.AppendUint(dst, of.First)
	}
	dst = append(dst, r.keys[afterNames+1]...)
	if of.NoSecond {
		dst = append(dst, r.null...)
	} else {
		dst = r.second.append(dst, of.Second)
	}
	dst = append(dst, r.keys[afterNames+2]...)
	if of.NoMulti {
		dst = append(dst, r.null...)
	} else {
		dst = r.multi.append(dst, uint64(of.Multi))
	}
	dst = append(dst, r.keys[afterNames+3]...)
	if of.TimeBase < 0 {
		return decimal.AppendInt(dst, of.TimeBase)
	}
	return r.base.append(dst, uint64(of.TimeBase))
}

// append appends some columns of a row.
func (r *rawRows) append(dst []byte, of *column.Row, from, to int) []byte {
	for i := from; i < to; i++ {
		dst = r.field(append(dst, r.keys[i]...), r.columns[i].Of(of))
	}
	return dst
}

// namesAt returns what the nth row of a snapshot says of its series.
func (r *rawRows) namesAt(n int, of *column.Row) []byte {
	n = min(n, maxRawNames)
	if n == len(r.names) {
		r.names = append(r.names, rawNames{})
	}
	known := &r.names[n]
	if known.text == nil || !known.same(of.Row) {
		text := r.append(known.text[:0], of, column.FirstOfSeries, afterNames)
		*known = namesOf(of.Row)
		known.text = text
	}
	return known.text
}

func (n *rawNames) same(r *capture.Row) bool {
	return n.instance == r.Instance && n.counter == r.Counter && n.index == r.InstanceIndex && n.object == r.Object && n.parent == r.Parent &&
		n.host == r.Host && n.typ == r.Type && n.hasParent == r.HasParent && n.hasInstance == r.HasInstance && n.noType == r.NoType
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
