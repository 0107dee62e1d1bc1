package fuzz

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/pdhcsv"
)

// FuzzPDHCSV: an error or a reader, never both, in each mode; strict accepts
// nothing odd; what tolerant reads is written, reads the same and is written
// the same again.
func FuzzPDHCSV(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		for _, mode := range modes {
			r, err := pdhcsv.NewReader(bytes.NewReader(b), pdhcsv.Options{Options: perfdump.Options{Mode: mode}})
			if (err == nil) == (r == nil) {
				t.Fatalf("%v: reader %v, error %v", mode, r != nil, err)
			}
			if err != nil {
				checkError(t, b, err)
				continue
			}
			first, err := pdhcsvWrite(t, b, r)
			if mode == perfdump.Strict {
				if errors.Is(err, pdhcsv.ErrTimeFormat) {
					continue // an error in every mode
				}
				if (err == nil) != (r.Anomalies().Len() == 0) {
					t.Fatalf("strict accepts %v", r.Anomalies().Kept())
				}
				continue
			}
			again, err := pdhcsv.NewReader(bytes.NewReader(first), pdhcsv.Options{})
			if err != nil {
				t.Fatalf("%q is written as %q: %v", b, first, err)
			}
			h, k := r.Header(), again.Header()
			if h.Zone != k.Zone || h.Len() != k.Len() {
				t.Fatalf("%+v is written as %+v", h, k)
			}
			for i := range h.Len() {
				if h.Column(i) != k.Column(i) || h.FirstOf(i) != k.FirstOf(i) {
					t.Fatalf("column %d: %q, %q", i, h.Column(i), k.Column(i))
				}
			}
			if second, _ := pdhcsvWrite(t, first, again); !bytes.Equal(first, second) {
				t.Fatalf("%q is written as %q, that as %q", b, first, second)
			}
		}
	})
}

func pdhcsvWrite(t *testing.T, b []byte, r *pdhcsv.Reader) (out []byte, last error) {
	t.Helper()
	h := r.Header()
	sep := h.Separator
	if sep == ';' {
		sep = pdhcsv.CSV
	}
	out = pdhcsv.AppendHeader(nil, sep, h.Zone, h.Columns())
	n := 0
	for row, err := range r.Rows() {
		if last != nil || (err == nil) == (row == nil) {
			t.Fatalf("row %d: %+v, error %v, behind %v", n, row, err, last)
		}
		if last = err; err != nil {
			checkError(t, b, err)
			continue
		}
		if row.Index != n || row.Off < 0 || row.Off > int64(len(b)) || !row.Time.Equal(h.Zone.UTC(row.Local)) {
			t.Fatalf("row %d: %+v", n, row)
		}
		out = pdhcsv.AppendTime(out, row.Local)
		for i, v := range row.Values {
			if math.IsInf(v, 0) {
				t.Fatalf("row %d, column %d is infinite", n, i)
			}
			out = pdhcsv.AppendValue(out, sep, v)
		}
		out = append(out, pdhcsv.RowEnd...)
		n++
	}
	for _, a := range r.Anomalies().Kept() {
		checkError(t, b, a.Err())
	}
	if !strings.HasSuffix(string(out), pdhcsv.RowEnd) {
		t.Fatal("no end of the last row")
	}
	return out, last
}
