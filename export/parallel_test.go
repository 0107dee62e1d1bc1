package export_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/perftest"
)

// manyFrames are enough for several batches, of changing sizes; one series is
// not always there, and one never has a value.
func manyFrames(n int) (frames []capture.Frame, series []*capture.Series) {
	for i := range 40 {
		s := &capture.Series{
			ID:     i,
			Owner:  &capture.Owner{Host: "H", Object: "Ob,ject", Instance: fmt.Sprint("in\"stance", i), HasInstance: true},
			Metric: &capture.Metric{Counter: "C"},
		}
		series = append(series, s)
	}
	start := time.Date(2026, 3, 17, 9, 0, 0, 0, time.UTC)
	for i := range n {
		f := capture.Frame{
			Time: start.Add(time.Duration(i) * time.Second), Offset: capture.Offset{East: 2 * time.Hour, Known: true},
			Zone: "Somewhere", Host: "H", Source: "x", Record: i,
		}
		for j, s := range series {
			switch {
			case j == 3 && i%7 == 0:
				continue
			case j == 5:
				f.Cells = append(f.Cells, capture.Cell{Series: s, Status: countertypes.StatusNegativeDelta})
			default:
				f.Cells = append(f.Cells, capture.Cell{Series: s, Value: float64(i*j) / 3})
			}
		}
		frames = append(frames, f)
	}
	return frames, series
}

// TestParallelIsTheSame wants the same bytes whatever the number of workers,
// from frames that are overwritten behind each call, as a recording's are.
func TestParallelIsTheSame(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1500} {
		frames, series := manyFrames(n)
		for _, format := range []string{"csv", "jsonl", "pdh-csv", "pdh-tsv", "influx"} {
			write := func(workers int) []byte {
				var out bytes.Buffer
				w, err := export.NewCooked(&out, format, export.CookedOptions{Series: series, Columns: columnsFor(format)})
				require.NoError(t, err)
				w = export.NewParallel(w, workers)
				var f capture.Frame
				var cells []capture.Cell
				for i := range frames {
					cells = append(cells[:0], frames[i].Cells...)
					f = frames[i]
					f.Cells = cells
					require.NoError(t, w.WriteFrame(&f))
				}
				require.NoError(t, w.Close())
				return out.Bytes()
			}
			want := write(1)
			for _, workers := range []int{2, 3, 64} {
				require.True(t, bytes.Equal(want, write(workers)), "%s, %d frames, %d workers", format, n, workers)
			}
		}
	}
}

func columnsFor(format string) []string {
	if format == "csv" || format == "jsonl" {
		return []string{"time_local", "record", "source"}
	}
	return nil
}

// TestParallelOfWideFrames wants frames that are more than a batch, one by one and
// between others, to come out whole and in order.
func TestParallelOfWideFrames(t *testing.T) {
	wide, series := wideFrames(40, 6000)
	for i := range wide {
		if i%5 > 2 {
			wide[i].Cells = wide[i].Cells[:7]
		}
	}
	for _, format := range []string{"pdh-csv", "influx"} {
		write := func(workers int) []byte {
			var out bytes.Buffer
			w, err := export.NewCooked(&out, format, export.CookedOptions{Series: series})
			require.NoError(t, err)
			writeAll(t, export.NewParallel(w, workers), wide)
			return out.Bytes()
		}
		require.True(t, bytes.Equal(write(1), write(3)), format)
	}
}

// TestMemoryOfWideFrames wants wide frames not to be copied, nor each worker to
// have room for one.
func TestMemoryOfWideFrames(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	frames, series := wideFrames(1, 200_000)
	w, err := export.NewPDHCSV(io.Discard, series, export.PDHOptions{})
	require.NoError(t, err)
	p := export.NewParallel(w, 8)
	before := heap()
	for range 30 {
		require.NoError(t, p.WriteFrame(&frames[0]))
	}
	after := heap()
	require.Less(t, after-min(after, before), uint64(8<<20))
	require.NoError(t, p.Close())
	runtime.KeepAlive(series)
}

// wideFrames are n frames of as many series, of which each value is another.
func wideFrames(n, cells int) (frames []capture.Frame, series []*capture.Series) {
	owner := &capture.Owner{Host: "H", Object: "O"}
	for i := range cells {
		series = append(series, &capture.Series{ID: i, Owner: owner, Metric: &capture.Metric{Counter: fmt.Sprint("C", i)}})
	}
	for i := range n {
		f := capture.Frame{Time: time.Date(2026, 3, 17, 9, 0, i, 0, time.UTC), Record: i}
		for j, s := range series {
			f.Cells = append(f.Cells, capture.Cell{Series: s, Value: float64(i*cells + j)})
		}
		frames = append(frames, f)
	}
	return frames, series
}

type brokenWriter struct{ left int }

var errBroken = errors.New("no room")

func (w *brokenWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, errBroken
	}
	return len(b), nil
}

// TestParallelFails wants an error to come out, of the output or of a frame,
// and who stops early to be able to.
func TestParallelFails(t *testing.T) {
	frames, series := manyFrames(3000)
	all := func(w export.FrameWriter, frames []capture.Frame) error {
		for i := range frames {
			if err := w.WriteFrame(&frames[i]); err != nil {
				w.(*export.Parallel).Discard()
				return err
			}
		}
		return w.Close()
	}
	for _, room := range []int{0, 100, 1 << 20} {
		require.ErrorIs(t, all(export.NewParallel(export.NewCookedCSV(&brokenWriter{room}), 3), frames), errBroken)
	}

	frames[2000].Time = time.Time{} // a row of PDH-CSV begins with a time
	w, err := export.NewPDHCSV(&bytes.Buffer{}, series, export.PDHOptions{})
	require.NoError(t, err)
	require.ErrorContains(t, all(export.NewParallel(w, 3), frames), "record 2000 of x: it has no time")

	var out bytes.Buffer
	p := export.NewParallel(export.NewCookedJSONL(&out), 3).(*export.Parallel)
	for i := range 900 {
		require.NoError(t, p.WriteFrame(&frames[i]))
	}
	p.Discard()
	p.Discard()
}
