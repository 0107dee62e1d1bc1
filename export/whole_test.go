package export_test

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/export/parquet"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/internal/perftest/serverlog"
)

// onDisk writes a log to a file.
func onDisk(t testing.TB, b []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "server.blg")
	require.NoError(t, os.WriteFile(name, b, 0o600))
	return name
}

// cookWhole cooks a log, as the command does.
func cookWhole(t testing.TB, name, format string) {
	in, err := detect.OpenAny(name, detect.Options{})
	require.NoError(t, err)
	cookInput(t, in, format, func() {})
}

// cookInput cooks an input and calls look now and then.
func cookInput(t testing.TB, in *detect.Input, format string, look func()) {
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
	require.NoError(t, r.Add(in))
	var w export.FrameWriter
	var err error
	if format == "parquet" {
		w, err = parquet.NewCooked(io.Discard, parquet.Options{})
	} else {
		o := export.CookedOptions{}
		if export.NeedsSeries(format) {
			o.Series, err = r.Columns()
			require.NoError(t, err)
		}
		w, err = export.NewCooked(io.Discard, format, o)
	}
	require.NoError(t, err)
	n := 0
	for f, err := range r.Frames() {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteFrame(f); err != nil {
			t.Fatal(err)
		}
		if n++; n%100 == 0 {
			look()
		}
	}
	look()
	require.NoError(t, w.Close())
	require.NoError(t, r.Close())
}

// wholeValues are the values of a log.
func wholeValues(t testing.TB, name string) (all []float64) {
	in, err := detect.OpenAny(name, detect.Options{})
	require.NoError(t, err)
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
	require.NoError(t, r.Add(in))
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, c := range f.Cells {
			if c.Status == countertypes.StatusOK {
				all = append(all, c.Value)
			}
		}
	}
	require.NoError(t, r.Close())
	return all
}

func plainValues(all []float64) {
	w := bufio.NewWriterSize(io.Discard, 64<<10)
	var cell []byte
	for _, v := range all {
		cell = append(strconv.AppendFloat(cell[:0], v, 'g', 17, 64), ',')
		_, _ = w.Write(cell)
	}
	_ = w.Flush()
}

// BenchmarkWhole cooks a log from file to text, beside the plain numbers.
func BenchmarkWhole(b *testing.B) {
	name := onDisk(b, serverlog.New(200))
	all := wholeValues(b, name)
	perValue := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(all)), "ns/value")
	}
	b.Run("strconv", func(b *testing.B) {
		for b.Loop() {
			plainValues(all)
		}
		perValue(b)
	})
	for _, format := range []string{"pdh-csv", "csv", "jsonl"} {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				cookWhole(b, name, format)
			}
			perValue(b)
		})
	}
}

// TestGuardSpeedOfCooking holds that cooking a log to PDH-CSV, from the file on,
// costs at most twice what formatting its values costs, for logs of 2, 20 and 77 MB.
// (To meet 3,000 counters for the first time and to write their paths takes some 2 ms,
// which shows in shorter ones.)
func TestGuardSpeedOfCooking(t *testing.T) {
	perftest.GuardSpeed(t)
	for _, records := range []int{24, 240, 900} {
		b := serverlog.New(records)
		name, size := onDisk(t, b), len(b)
		all := wholeValues(t, name)
		plain, whole := rounds(9, size, func() { plainValues(all) }, func() { cookWhole(t, name, "pdh-csv") })
		ratio := float64(whole[len(whole)/2]) / float64(plain[len(plain)/2])
		t.Logf("%d MB, %d values: %v to format, %v to cook and format: %.2f times (%.2f of the fastest)",
			size>>20, len(all), plain[len(plain)/2], whole[len(whole)/2], ratio, float64(whole[0])/float64(plain[0]))
		require.Less(t, ratio, 2.0)
	}
}

// rounds times two functions in turn, some megabytes of log at a time, and
// returns what a call took in each round, sorted.
func rounds(n, size int, fs ...func()) (plain, whole []time.Duration) {
	times := make([][]time.Duration, len(fs))
	calls := max(1, 16<<20/size)
	for range n {
		for i, f := range fs {
			f()
			start := time.Now()
			for range calls {
				f()
			}
			times[i] = append(times[i], time.Since(start)/time.Duration(calls))
			runtime.GC()
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	return times[0], times[1]
}

// TestMemoryOfTheWholeWay cooks a log of 64 MB from its bytes to each output, and
// with PERFDUMP_LONG=1 one of 4 GB, which is computed as it is read.
func TestMemoryOfTheWholeWay(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	const records = 60
	b := serverlog.New(records)
	cook := func(format string, size int64, limit uint64) {
		l := perftest.NewLongLog(b, serverlog.Head, records*serverlog.Step, size)
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		before, most := m.HeapInuse, uint64(0)
		cookInput(t, &detect.Input{Name: "long.blg", Format: detect.BLG, At: detect.NewFile("long.blg", detect.BLG, l, l.Size)}, format, func() {
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse-min(m.HeapInuse, before))
		})
		t.Logf("%d MB of log to %s: %d MB of memory", l.Size>>20, format, most>>20)
		require.Less(t, most, limit)
	}
	for _, format := range []string{"pdh-csv", "csv", "parquet"} {
		cook(format, 64<<20, 100<<20)
		if os.Getenv("PERFDUMP_LONG") != "" {
			cook(format, 4<<30, 200<<20)
		}
	}
}
