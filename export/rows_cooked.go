package export

import (
	"bufio"
	"io"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export/internal/column"
)

// cookedRows writes cooked rows.
type cookedRows struct {
	*rowWriter

	columns []column.Column
	row     column.Row
	time    []byte
	ok      []byte // the status of most
	// The columns that all rows of a series have in common, by ID, up to a limit.
	// Those of other series are made of what their owners and metrics have in common.
	prefixes []string
	kept     int // bytes of them
	owner    ownerText
	metrics  [metricTexts]metricText // by position among the cells of the owner
}

// ownerText is what the rows of an owner have in common.
type ownerText struct {
	of    *capture.Owner
	next  int    // position of the next cell
	head  []byte // the columns before the counter, and what is before that
	path  []byte // the path up to the counter
	quote bool   // that needs quotes
}

// metricText is what the rows of a metric have in common.
type metricText struct {
	of      *capture.Metric
	counter []byte // the column, and what is before the path
	end     []byte // that of the path
	quote   bool
}

const (
	prefixSeries = 16 << 10
	prefixBytes  = 4 << 20
	metricTexts  = 256

	counterColumn = column.Value - 2
	pathColumn    = column.Value - 1
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
	line, err := r.append(r.line[:0], f, func(line []byte) error {
		_, err := r.w.Write(line)
		return err
	})
	if r.line = line[:0]; err == nil {
		_, err = r.w.Write(line)
	}
	return err
}

// append appends the rows of a frame. Where there is a flush, it gets what has come
// together now and then: a frame may have a million cells.
func (r *cookedRows) append(line []byte, f *capture.Frame, flush func([]byte) error) ([]byte, error) {
	r.row.SetFrame(f)
	r.time = r.field(append(r.time[:0], r.keys[0]...), r.columns[0].Of(&r.row))
	for i := range f.Cells {
		c := &f.Cells[i]
		line = r.names(append(line, r.time...), c.Series)
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
		if line = append(line, r.end...); flush != nil && len(line) >= bufferSize {
			if err := flush(line); err != nil {
				return line, err
			}
			line = line[:0]
		}
	}
	return line, nil
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
	o := &r.owner
	if o.of != s.Owner {
		r.setOwner(s)
	}
	m := &r.metrics[o.next%metricTexts]
	o.next++
	if m.of != s.Metric {
		r.setMetric(m, s)
	}
	from := len(line)
	line = append(append(line, o.head...), m.counter...)
	if o.quote || m.quote {
		line = append(append(append(append(line, '"'), o.path...), m.end...), '"')
	} else {
		line = append(append(line, o.path...), m.end...)
	}
	line = append(line, r.keys[column.Value]...)
	if n := len(line) - from; s.ID < prefixSeries && r.kept+n <= prefixBytes {
		r.kept += n
		*at(&r.prefixes, s.ID) = string(line[from:])
	}
	return line
}

func (r *cookedRows) setOwner(s *capture.Series) {
	o := &r.owner
	o.of, o.next, o.head = s.Owner, 0, o.head[:0]
	r.row.SetSeries(s)
	for k := column.FirstOfSeries; k < counterColumn; k++ {
		o.head = r.field(append(o.head, r.keys[k]...), r.columns[k].Of(&r.row))
	}
	o.head = append(o.head, r.keys[counterColumn]...)
	path := capture.Series{Owner: s.Owner, Metric: &capture.Metric{}}
	o.path, o.quote = r.part(o.path[:0], path.Path())
}

func (r *cookedRows) setMetric(m *metricText, s *capture.Series) {
	m.of = s.Metric
	m.counter = r.field(m.counter[:0], column.Field{Kind: column.String, Text: s.Counter})
	m.counter = append(m.counter, r.keys[pathColumn]...)
	m.end, m.quote = r.part(m.end[:0], s.Counter)
	m.quote = m.quote || strings.HasSuffix(s.Counter, " ")
}

func (r *cookedRows) shard() func([]byte, *capture.Frame) ([]byte, error) {
	s := newCookedRows(&rowWriter{keys: r.keys, field: r.field, part: r.part, quote: r.quote, end: r.end}, r.columns)
	return func(dst []byte, f *capture.Frame) ([]byte, error) { return s.append(dst, f, nil) }
}

func (r *cookedRows) buffer() *bufio.Writer { return r.w }

func (r *cookedRows) rowCells() int { return 0 }
