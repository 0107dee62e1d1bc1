package fuzz

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export/parquet"
)

// FuzzSeries: a file is read to its end or has an error that says where, and the
// file that is written of its runs gives the same runs, and itself, again.
func FuzzSeries(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := parquet.OpenSeries(bytes.NewReader(b), int64(len(b)))
		if (err == nil) == (r == nil) {
			t.Fatalf("reader %v, error %v", r != nil, err)
		}
		if err != nil {
			checkError(t, b, err)
			return
		}
		if r.Rows() > 4*maxInput {
			return
		}
		rows, err := seriesRows(r)
		if err != nil {
			checkError(t, b, err)
			return
		}
		if int64(len(rows)) != r.Rows() {
			t.Fatalf("%d rows of %d", len(rows), r.Rows())
		}
		again := rewritten(t, r)
		r2, err := parquet.OpenSeries(bytes.NewReader(again), int64(len(again)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := seriesRows(r2)
		if err != nil || !slices.Equal(got, rows) {
			t.Fatalf("other rows come back: %v", err)
		}
		if !bytes.Equal(rewritten(t, r2), again) {
			t.Fatal("other bytes come back")
		}
	})
}

// seriesRow is a row of a file; values are compared by their bits.
type seriesRow struct {
	capture.Owner
	counter string
	point   parquet.Point
	bits    uint64
}

func seriesRows(r *parquet.SeriesReader) (rows []seriesRow, err error) {
	for run, err := range r.All() {
		if err != nil {
			return nil, err
		}
		for _, p := range run.Points {
			bits := math.Float64bits(p.Value)
			p.Value = 0
			rows = append(rows, seriesRow{*run.Series.Owner, run.Series.Counter, p, bits})
		}
	}
	return rows, nil
}

func rewritten(t *testing.T, r *parquet.SeriesReader) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := parquet.NewSeries(&b, parquet.Options{Compression: "none", Metadata: r.Metadata()})
	if err != nil {
		t.Fatal(err)
	}
	for run, err := range r.All() {
		if err == nil {
			err = w.WriteSeries(run.Series, run.Points)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
