package export_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/pdhcsv"
)

// TestWidePDH reads back a log whose header and rows are longer than what is
// written at a time.
func TestWidePDH(t *testing.T) {
	const columns = 3000
	owner := &capture.Owner{Host: "H", Object: "Ö", HasInstance: true}
	var all []*capture.Series
	for i := range columns {
		all = append(all, &capture.Series{ID: i, Owner: owner, Metric: &capture.Metric{Counter: fmt.Sprint("counter ", i)}})
	}
	var frames []capture.Frame
	for n := range 3 {
		f := capture.Frame{Time: time.Date(2026, 3, 17, 9, 0, n, 0, time.UTC), Record: n}
		for i, s := range all {
			f.Cells = append(f.Cells, capture.Cell{Series: s, Value: float64(columns*n + i)})
		}
		frames = append(frames, f)
	}
	for _, page := range []uint32{0, 1200, 1252} {
		var b bytes.Buffer
		w, err := export.NewPDHCSV(&b, all, export.PDHOptions{CodePage: page})
		require.NoError(t, err)
		writeAll(t, w, frames)
		r, err := pdhcsv.NewReader(&b, pdhcsv.Options{CodePage: page})
		require.NoError(t, err)
		require.Equal(t, columns, r.Header().Len())
		for i, s := range all {
			require.Equal(t, s.Path(), r.Header().Column(i))
		}
		n := 0
		for row, err := range r.Rows() {
			require.NoError(t, err)
			require.Equal(t, columns, row.Cells)
			for i, v := range row.Values {
				require.Equal(t, float64(columns*n+i), v)
			}
			n++
		}
		require.Equal(t, len(frames), n)
	}
}
