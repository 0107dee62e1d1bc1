package capture_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/pdhpath"
)

// written opens a log that w has made.
func written(t testing.TB, name string, w *blg.Writer) *detect.Input {
	t.Helper()
	b, err := w.Bytes()
	require.NoError(t, err)
	name = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(name, b, 0o600))
	in, err := detect.OpenAny(name, detect.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = in.Close() })
	return in
}

// TestNoRatesAcrossARestart sets the performance clock of a machine back, and
// nothing else: no pair across that has a value, though most would have one.
func TestNoRatesAcrossARestart(t *testing.T) {
	b, next := perftest.Busy(1, perftest.Small), perftest.BusyNext(1, perftest.Small)
	binary.LittleEndian.PutUint64(next[56:], 5)
	after := later(next, 5*time.Second)
	for _, raw := range []bool{false, true} {
		var told []capture.Remark
		r := record(t, capture.Options{}, capture.CookOptions{Raw: raw, Remark: func(m capture.Remark) { told = append(told, m) }},
			bytesOf("a", b), bytesOf("b", next), bytesOf("c", after))
		var alone []map[string]value
		for _, x := range [][]byte{b, next} {
			for f, err := range record(t, capture.Options{}, capture.CookOptions{Raw: raw}, bytesOf("x", x)).Frames() {
				require.NoError(t, err)
				alone = append(alone, cooked(t, f))
			}
		}
		n := 0
		for f, err := range r.Frames() {
			require.NoError(t, err)
			if raw {
				require.Len(t, f.Tuples, len(f.Cells))
			}
			met := map[countertypes.Status]int{}
			if n == 1 {
				require.Len(t, cooked(t, f), len(alone[1]))
			}
			for _, c := range f.Cells {
				two := c.Series.Type.NeedsTwo()
				switch {
				case two:
					met[c.Status]++
					require.False(t, n < 2 && c.Status == countertypes.StatusOK, c.Series.Path())
				case n < 2:
					require.Equal(t, alone[n][c.Series.Path()], value{c.Value, c.Status}, "one sample is enough")
				}
			}
			switch n {
			case 1:
				require.Positive(t, met[countertypes.StatusNegativeDenominator], "what the pair itself says is told")
				require.Greater(t, met[countertypes.StatusNeedsSecondSample], 1000, "what would have a value")
			case 2:
				require.Positive(t, met[countertypes.StatusZeroDenominator]+met[countertypes.StatusOK], "the next pair is of one start")
				require.Zero(t, met[countertypes.StatusNeedsSecondSample])
			}
			n++
		}
		require.Equal(t, 3, n)
		require.Len(t, told, 1)
	}
}

// restarted makes a log of two machines, of which A starts anew before record
// 2. Its instance y is not there then.
func restarted(t testing.TB) *detect.Input {
	const start, second = 132366960000000000, 10_000_000
	item := func(machine, object, instance, counter string, typ countertypes.Type) blg.NewItem {
		return blg.NewItem{Path: pdhpath.Path{Machine: machine, Object: object, Instance: instance, HasInstance: instance != "", Counter: counter}, Type: typ, TimeBase: 1000}
	}
	w := blg.NewWriter(blg.WriterOptions{})
	w.Items(start-10,
		item("A", "CPU", "", "Time", countertypes.PERF_100NSEC_TIMER),
		item("A", "Net", "*", "Bytes/sec", countertypes.PERF_COUNTER_BULK_COUNT),
		item("A", "Memory", "", "*", 0),
		item("A", "Process", "", "*", 0),
		item("a", "Disk", "", "Free", countertypes.PERF_COUNTER_LARGE_RAWCOUNT),
		item("A", "Disk", "", "Reads/sec", countertypes.PERF_COUNTER_COUNTER),
		item("B", "Disk", "", "Reads/sec", countertypes.PERF_COUNTER_COUNTER),
	)
	for i := range 5 {
		local := start + int64(i)*second
		up := uint64(1_000_000 + 1000*i)
		if i >= 2 {
			up = uint64(1000 * i)
		}
		n := uint64(100 * i)
		one := func(first, second uint64) blg.NewSeries {
			return blg.NewSeries{Kind: blg.Single, Local: local, Values: []blg.NewValue{{Multi: 1, First: first, Second: second}}}
		}
		object := func(title uint32) blg.NewSeries {
			b := perftest.Block{PerfTime: int64(up), PerfFreq: 1000, PerfTime100nSec: local, Objects: []perftest.Object{{
				Title: title, Single: true, Counters: []perftest.Counter{{Title: 24, Type: 0x20510500}, {Title: 28, Type: 0x00010000}},
				Instances: []perftest.Instance{{Values: []uint64{n, n}}},
			}}}
			return blg.NewSeries{Kind: blg.Object, Body: b.Bytes()}
		}
		all := blg.NewSeries{Kind: blg.Instances, Local: local, Values: []blg.NewValue{{Name: "x", First: n, Second: up}}}
		if i != 2 {
			all.Values = append(all.Values, blg.NewValue{Name: "y", First: n, Second: up})
		}
		w.Sample(local, one(n, uint64(local)), all, object(4), object(230), one(n, 0), one(n, up), one(n, uint64(1000*i+5)))
	}
	return written(t, "restarted.blg", w)
}

// TestRestartInALog holds that a restart is one for all items of the machine, is
// told once, and lasts until a series comes again.
func TestRestartInALog(t *testing.T) {
	var told []capture.Remark
	r := record(t, capture.Options{}, capture.CookOptions{Remark: func(m capture.Remark) { told = append(told, m) }}, restarted(t))
	got := map[string]string{}
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, c := range f.Cells {
			word := "-"
			if c.Status == countertypes.StatusOK {
				word = "v"
			} else if c.Status == countertypes.StatusNegativeDenominator {
				word = "d"
			}
			path := c.Series.Path()
			for len(got[path]) < f.Record {
				got[path] += " "
			}
			got[path] += word
		}
	}
	require.NoError(t, r.Close())
	require.Equal(t, map[string]string{
		`\\A\CPU\Time`:                "-v-vv",
		`\\A\Net(x)\Bytes/sec`:        "-vdvv",
		`\\A\Net(y)\Bytes/sec`:        "-v dv",
		`\\A\Memory\Available Bytes`:  "-v-vv",
		`\\A\Memory\Page Faults/sec`:  "vvvvv",
		`\\A\Process\Available Bytes`: "-v-vv",
		`\\A\Process\Page Faults/sec`: "vvvvv",
		`\\a\Disk\Free`:               "vvvvv",
		`\\A\Disk\Reads/sec`:          "-vdvv",
		`\\B\Disk\Reads/sec`:          "-vvvv",
	}, got)
	require.Len(t, told, 1)
	require.Equal(t, capture.RemarkRestart, told[0].Code)
	require.Equal(t, 2, told[0].Record)
}
