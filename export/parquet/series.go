package parquet

import (
	"io"
	"math"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export/internal/column"
)

// Point is a value of a series at one moment.
type Point struct {
	Time   int64 // in microseconds since 1970, in UTC
	Value  float64
	Status countertypes.Status
	Has    bool // there is a value
}

// SeriesWriter writes cooked rows series by series, in any order of theirs: a query for one
// counter then reads a part of the file.
type SeriesWriter struct {
	c    cooked
	last *capture.Series
}

// ownRows is how many rows a group has at least that ends where a counter does. A query for
// one counter reads whole groups, and the footer, which has 1,000 bytes for each.
const ownRows = 8 << 10

// noTime is the time of a point that has none.
var noTime = time.Time{}.UnixMicro()

// NewSeries returns a writer of a file of cooked rows.
func NewSeries(w io.Writer, o Options) (*SeriesWriter, error) {
	o.level = zstd.SpeedDefault // the times of each series are the same bytes
	f, err := newFile(w, column.Cooked, o)
	if err != nil {
		return nil, err
	}
	f.columns[0].Type = times
	f.group = newGroup(f.columns)
	return &SeriesWriter{c: cooked{f: f, row: column.Row{Row: &capture.Row{}}, number: 1}}, nil
}

// WriteSeries writes a row for each point. Columns on request have what the series says.
func (to *SeriesWriter) WriteSeries(s *capture.Series, points []Point) error {
	w := &to.c
	if l := to.last; l != nil && (s.Counter != l.Counter || s.Object != l.Object) && w.f.group.rows >= ownRows {
		if err := w.f.flush(); err != nil {
			return err
		}
		w.number++
	}
	to.last = s
	columns := w.f.columns
	for i := range points {
		p := &points[i]
		chunks := w.f.group.chunks
		if p.Time == noTime {
			chunks[0].put(null)
		} else {
			chunks[0].number(&kinds[times], uint64(p.Time))
		}
		bytes := w.name(s)
		if p.Has {
			chunks[column.Value].number(&kinds[column.Float64], math.Float64bits(p.Value))
		} else {
			chunks[column.Value].put(null)
		}
		chunks[column.Status].field(&columns[column.Status], column.Field{Kind: column.String, Text: p.Status.String()})
		for k := column.Status + 1; k < len(columns); k++ {
			w.row.Time = time.UnixMicro(p.Time).UTC()
			chunks[k].field(&columns[k], columns[k].Of(&w.row))
		}
		if err := w.f.row(bytes); err != nil {
			return err
		}
		if w.f.group.rows == 0 {
			w.number++
		}
	}
	return nil
}

// Close writes the rest and the footer.
func (to *SeriesWriter) Close() error { return to.c.Close() }
