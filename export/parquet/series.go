package parquet

import (
	"io"
	"math"
	"time"

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
type SeriesWriter struct{ c cooked }

// NewSeries returns a writer of a file of cooked rows.
func NewSeries(w io.Writer, o Options) (*SeriesWriter, error) {
	f, err := newFile(w, column.Cooked, o)
	if err != nil {
		return nil, err
	}
	return &SeriesWriter{cooked{f: f, row: column.Row{Row: &capture.Row{}}, number: 1}}, nil
}

// WriteSeries writes a row for each point. Columns on request have what the series says.
func (to *SeriesWriter) WriteSeries(s *capture.Series, points []Point) error {
	w := &to.c
	columns := w.f.columns
	at := uint32(0) // of the time of the point before in its dictionary
	for i := range points {
		p := &points[i]
		chunks := w.f.group.chunks
		if at++; chunks[0].dict.isNumber(at, uint64(p.Time)) { // most series have the same times
			chunks[0].put(at)
		} else {
			w.row.Time = time.UnixMicro(p.Time).UTC()
			chunks[0].field(&columns[0], columns[0].Of(&w.row))
			at = chunks[0].at
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
