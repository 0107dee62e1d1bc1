package export_test

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/testkit/perftest/serverlog"
)

// TestParallelIsTheSame wants the same bytes whatever the number of workers,
// from frames that are overwritten behind each call, as a recording's are: from
// enough for several batches, of changing sizes, and from such as are more than
// a batch.
func TestParallelIsTheSame(t *testing.T) {
	for _, x := range []struct{ frames, cells int }{{0, 40}, {1, 40}, {2, 40}, {700, 40}, {20, 6000}} {
		ss, frames := grid(x.frames, x.cells)
		for i := range frames {
			f := &frames[i]
			f.Cells[5] = capture.Cell{Series: ss[5], Status: countertypes.StatusNegativeDelta}
			switch {
			case i%7 == 0:
				f.Cells = slices.Delete(f.Cells, 3, 4)
			case x.cells > 4096 && i%5 > 2:
				f.Cells = f.Cells[:7]
			}
		}
		for _, format := range []string{"csv", "jsonl", "pdh-csv", "pdh-tsv", "sql", "influx", "openmetrics"} {
			o := export.Options{Series: ss}
			if format == "csv" || format == "jsonl" {
				o.Columns = []string{"time_local", "record", "source"}
			}
			write := func(workers int) []byte {
				var out bytes.Buffer
				o.Workers = workers
				w := cookedTo(t, &out, format, o)
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
			for _, workers := range []int{2, 64} {
				require.True(t, bytes.Equal(want, write(workers)), "%s, %v, %d workers", format, x, workers)
			}
		}
	}
}

// TestSummaryByWorkersIsTheSame wants the same summaries whatever the number of
// workers, of frames of all sizes.
func TestSummaryByWorkersIsTheSame(t *testing.T) {
	_, frames := grid(40, 6000)
	for i := range frames {
		switch i % 5 {
		case 1:
			frames[i].Cells = frames[i].Cells[4000:]
		case 2:
			frames[i].Cells = frames[i].Cells[:0]
		case 3:
			frames[i].Cells = frames[i].Cells[5:70]
			frames[i].Cells[3].Status = countertypes.StatusNegativeDelta
		}
	}
	for _, format := range []string{"csv", "table"} {
		write := func(workers int) string {
			var b bytes.Buffer
			w, err := export.NewSummary(&b, format, export.Options{Workers: workers, Drop: func(s *capture.Series) bool { return s.ID%11 == 0 }})
			require.NoError(t, err)
			writeAll(t, w, frames)
			return b.String()
		}
		want := write(1)
		for _, workers := range []int{2, 64} {
			require.Equal(t, want, write(workers), format)
		}
	}
	w, err := export.NewSummary(io.Discard, "csv", export.Options{Workers: 2})
	require.NoError(t, err)
	require.NoError(t, w.WriteFrame(&frames[0]))
	for range 2 {
		w.(interface{ Discard() }).Discard()
	}
}

// TestMemoryOfWideFrames wants wide frames not to be copied, nor each worker to
// have room for one.
func TestMemoryOfWideFrames(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	ss, frames := grid(1, 100_000)
	p := cookedTo(t, io.Discard, "pdh-csv", export.Options{Series: ss, Workers: 8})
	before := heap()
	for range 10 {
		require.NoError(t, p.WriteFrame(&frames[0]))
	}
	after := heap()
	require.Less(t, after-min(after, before), uint64(4<<20))
	require.NoError(t, p.Close())
	runtime.KeepAlive(ss)
}

// TestParallelFails wants an error to come out, of the output or of a frame,
// and who stops early to be able to.
func TestParallelFails(t *testing.T) {
	ss, frames := grid(3000, 40)
	all := func(w export.FrameWriter) error {
		for i := range frames {
			if err := w.WriteFrame(&frames[i]); err != nil {
				w.(interface{ Discard() }).Discard()
				return err
			}
		}
		return w.Close()
	}
	for _, room := range []int{0, 100, 1 << 20} {
		require.ErrorIs(t, all(cookedTo(t, &failing{room}, "csv", export.Options{Workers: 3})), io.ErrShortWrite)
	}
	frames[2000].Time = time.Time{} // a row of PDH-CSV begins with a time
	require.ErrorContains(t, all(cookedTo(t, &bytes.Buffer{}, "pdh-csv", export.Options{Series: ss, Workers: 3})), "record 2000 of x: it has no time")

	p := cookedTo(t, &bytes.Buffer{}, "jsonl", export.Options{Workers: 3})
	for i := range 900 {
		require.NoError(t, p.WriteFrame(&frames[i]))
	}
	for range 2 {
		p.(interface{ Discard() }).Discard()
	}
}

// TestTableByWorkersIsTheSame wants the same table whatever the number of workers, of
// values by their paths, of large objects, and of text between them.
func TestTableByWorkersIsTheSame(t *testing.T) {
	for name, in := range map[string]*capture.Input{
		"log":   {Name: "x.blg", Data: serverlog.New(20)},
		"block": {Name: "x.bin", Data: perftest.Busy(1, perftest.Server)},
	} {
		write := func(workers int) string {
			var out bytes.Buffer
			w, err := export.NewRaw(&out, "table", export.Options{Workers: workers, All: true})
			require.NoError(t, err)
			for s, err := range capture.Read(in, capture.Options{}) {
				require.NoError(t, err)
				require.NoError(t, w.Write(s))
				_, err := io.WriteString(w.(*export.Table).Text(), "text\n")
				require.NoError(t, err)
			}
			require.NoError(t, w.Close())
			return out.String()
		}
		want := write(1)
		for _, workers := range []int{2, 5} {
			require.True(t, want == write(workers), "%s, %d workers", name, workers)
		}
	}
}
