package export_test

import (
	"bytes"
	"io"
	"iter"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
)

const captures = "../testdata/captures/"

func snapshot(t testing.TB, name string) *capture.Snapshot {
	t.Helper()
	in, err := capture.Open(captures + name + ".bin")
	require.NoError(t, err)
	for s, err := range capture.Read(in, capture.Options{}) {
		require.NoError(t, err)
		return s
	}
	t.Fatal("no snapshot")
	return nil
}

func rawTo(t testing.TB, to io.Writer, output string, o export.Options) export.Writer {
	t.Helper()
	w, err := export.NewRaw(to, output, o)
	require.NoError(t, err)
	return w
}

func cookedTo(t testing.TB, to io.Writer, output string, o export.Options) export.FrameWriter {
	t.Helper()
	w, err := export.NewCooked(to, output, o)
	require.NoError(t, err)
	return w
}

// raw returns what an output has of a snapshot, and what it has left out.
func raw(t testing.TB, output string, o export.Options, s *capture.Snapshot) (string, []int) {
	t.Helper()
	var b bytes.Buffer
	w := rawTo(t, &b, output, o)
	require.NoError(t, w.Write(s))
	require.NoError(t, w.Flush())
	require.NoError(t, w.Close())
	return b.String(), omitted(w)
}

// rawRows is raw for rows that are in no snapshot.
func rawRows(t testing.TB, output string, o export.Options, rows iter.Seq[*capture.Row]) string {
	t.Helper()
	var b bytes.Buffer
	w := rawTo(t, &b, output, o)
	require.NoError(t, w.WriteRows(rows))
	require.NoError(t, w.Close())
	return b.String()
}

func each(rows []capture.Row) iter.Seq[*capture.Row] {
	return func(yield func(*capture.Row) bool) {
		for i := range rows {
			if !yield(&rows[i]) {
				return
			}
		}
	}
}

func writeAll(t testing.TB, w export.FrameWriter, frames []capture.Frame) {
	t.Helper()
	for i := range frames {
		require.NoError(t, w.WriteFrame(&frames[i]))
	}
	require.NoError(t, w.Close())
}

func cooked(t testing.TB, format string, o export.Options, frames []capture.Frame) string {
	t.Helper()
	text, _ := cookedOf(t, format, o, frames)
	return text
}

// cookedOf is cooked with what the output has left out.
func cookedOf(t testing.TB, format string, o export.Options, frames []capture.Frame) (string, []int) {
	t.Helper()
	var b bytes.Buffer
	w := cookedTo(t, &b, format, o)
	writeAll(t, w, frames)
	return b.String(), omitted(w)
}

func outputs(has func(export.Output) bool) (names []string) {
	for _, o := range export.Outputs() {
		if has(o) {
			names = append(names, o.Name)
		}
	}
	return names
}

// omitted are the counts of what an output has left out.
func omitted(w any) (counts []int) {
	for _, o := range export.Omissions(w) {
		counts = append(counts, o.Count)
	}
	return counts
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// series makes a series with title indexes that Windows does not have.
func series(id int, host, object, parent, instance string, index int, counter string) *capture.Series {
	return &capture.Series{
		ID:     id,
		Owner:  &capture.Owner{Host: host, Object: object, Parent: parent, HasParent: parent != "", Instance: instance, HasInstance: instance != "", InstanceIndex: index, ObjectIndex: 5238},
		Metric: &capture.Metric{Counter: counter, Type: countertypes.PERF_COUNTER_COUNTER, HasType: true, TimeBase: 10_000_000, CounterIndex: uint32(5240 + 2*id)},
	}
}

// log is a small capture with what makes outputs stumble: a series that comes
// late and one that goes, values that are missing, names full of signs.
func log() ([]*capture.Series, []capture.Frame) {
	ss := []*capture.Series{
		series(0, "web01", "Processor", "", "_Total", 0, "% Processor Time"),
		series(1, "web01", "Memory", "", "", 0, "Available MBytes"),
		series(2, "web01", "Process", "", "svchost", 0, "Bytes Total/sec"),
		series(3, "web01", "Process", "", "svchost", 1, "Bytes Total/sec"),
		series(4, "web01", "Thread", "a (b)", `x, "y"=z\`, 0, `50% of 'C:\'`),
		series(5, "", "=cmd|' /C calc'!A0", "", "line\r\nend\x1b[31m\x00", 0, "日本\tx"),
	}
	cell := func(s int, v float64) capture.Cell {
		return capture.Cell{Series: ss[s], Value: v}
	}
	none := func(s int, st countertypes.Status) capture.Cell {
		c := cell(s, 0)
		c.Status = st
		return c
	}
	at := time.Date(2020, 3, 18, 19, 5, 41, 123_000_000, time.UTC)
	frame := func(n int, cells ...capture.Cell) capture.Frame {
		var tuples []capture.Tuple
		for _, c := range cells {
			id := c.Series.ID
			tuples = append(tuples, capture.Tuple{First: uint64(id) + 1<<40, Second: 1<<63 + uint64(id), Known: id != 1, PID: map[int]uint64{2: 4242, 3: math.MaxUint64}[id]})
		}
		return capture.Frame{
			Time: at.Add(time.Duration(n) * 15 * time.Second), Offset: capture.Offset{East: -7 * time.Hour, Known: true}, Zone: "@tzres.dll,-211",
			Host: "web01", Source: "web'01.blg", Record: n, Cells: cells, Tuples: tuples,
		}
	}
	return ss, []capture.Frame{
		frame(0, none(0, countertypes.StatusNeedsSecondSample), cell(1, 4096), none(2, countertypes.StatusNeedsSecondSample)),
		frame(1, cell(0, 86.93735103284412), cell(1, 4095), cell(2, 0.1), cell(3, 1e17), cell(4, -1e-7)),
		frame(2, cell(0, 100), cell(1, 1.0/3), none(2, countertypes.StatusNegativeDelta), cell(4, math.Inf(1)), cell(5, 7)),
	}
}

// grid is frames of as many series, of which each value is another.
func grid(frames, cells int) (ss []*capture.Series, all []capture.Frame) {
	owner := &capture.Owner{Host: "H", Object: "Ö,", Instance: `in"stance`, HasInstance: true}
	for i := range cells {
		ss = append(ss, series(i, "", "", "", "", 0, "c"))
		ss[i].Owner, ss[i].Counter = owner, "counter "+string(rune('A'+i%26))+string(rune('A'+i/26%26))+string(rune('A'+i/676))
	}
	for n := range frames {
		f := capture.Frame{
			Time: time.Date(2026, 3, 17, 9, 0, n, 0, time.UTC), Offset: capture.Offset{East: 2 * time.Hour, Known: true},
			Zone: "Somewhere", Host: "H", Source: "x", Record: n,
		}
		for i, s := range ss {
			f.Cells = append(f.Cells, capture.Cell{Series: s, Value: float64(cells*n + i)})
		}
		all = append(all, f)
	}
	return ss, slices.Clip(all)
}
