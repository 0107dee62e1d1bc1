package export_test

import (
	"bufio"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/export/parquet"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/testkit/perftest/serverlog"
)

// busyLog is a log of a server: 2,000 series, half of whose values are
// percentages.
func busyLog() ([]*capture.Series, []capture.Frame) {
	rnd := rand.New(rand.NewPCG(5, 6))
	var ss []*capture.Series
	for i := range 2000 {
		ss = append(ss, series(i, "server", "Process", "", "worker", i/10, "Counter "+strconv.Itoa(i%10)))
	}
	frames := make([]capture.Frame, 20)
	for n := range frames {
		frames[n] = capture.Frame{Time: time.Unix(int64(1584558341+n), 123e6), Offset: capture.Offset{Known: true}, Source: "x.blg", Record: n}
		for i, s := range ss {
			v := rnd.Float64() * 100
			if i%2 == 0 {
				v = float64(rnd.Int64N(1e10))
			}
			frames[n].Cells = append(frames[n].Cells, capture.Cell{Series: s, Value: v})
		}
	}
	return ss, frames
}

// plain formats numbers by strconv into a bufio.Writer: the least that an output
// of all digits costs.
func plain(all []float64) {
	w := bufio.NewWriterSize(io.Discard, 64<<10)
	var cell []byte
	for _, v := range all {
		cell = append(strconv.AppendFloat(cell[:0], v, 'g', 17, 64), ',')
		_, _ = w.Write(cell)
	}
	_ = w.Flush()
}

// BenchmarkCooked writes a log in each format.
func BenchmarkCooked(b *testing.B) {
	ss, frames := busyLog()
	for _, format := range []string{"pdh-csv", "csv", "jsonl", "influx", "sql", "openmetrics"} {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				writeAll(b, cookedTo(b, io.Discard, format, export.Options{Series: ss}), frames)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(frames)*len(ss)), "ns/value")
		})
	}
}

// TestGuardPDHCSVSpeed holds that PDH-CSV costs little more than its numbers:
// twice that is what cooking and writing may cost together.
func TestGuardPDHCSVSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	ss, frames := busyLog()
	var values []float64
	for i := range frames {
		for k := range frames[i].Cells {
			values = append(values, frames[i].Cells[k].Value)
		}
	}
	w := cookedTo(t, io.Discard, "pdh-csv", export.Options{Series: ss})
	// A neighbour on the machine spoils some attempts, a slower writer all.
	best := math.Inf(1)
	for i := 0; i < 40 && best > 1.25; i++ {
		took := perftest.Turns(15, func() {
			for i := range frames {
				require.NoError(t, w.WriteFrame(&frames[i]))
			}
		}, func() { plain(values) })
		t.Logf("pdh-csv %v, strconv %v", took[0].Median, took[1].Median)
		if best = min(best, took[0].Median.Seconds()/took[1].Median.Seconds()); best > 1.25 {
			time.Sleep(500 * time.Millisecond)
		}
	}
	assert.LessOrEqual(t, best, 1.25)
}

// TestGuardCookedAllocs holds that frames cost no allocation once all series
// are known.
func TestGuardCookedAllocs(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector allocates")
	}
	ss, frames := busyLog()
	for _, format := range []string{"pdh-csv", "csv", "jsonl", "influx"} {
		w := cookedTo(t, io.Discard, format, export.Options{Series: ss})
		n := 0
		write := func() {
			if err := w.WriteFrame(&frames[n%len(frames)]); err != nil {
				t.Fatal(err)
			}
			n++
		}
		for range frames {
			write()
		}
		assert.Zero(t, testing.AllocsPerRun(10, write), format)
	}
}

// cookInput cooks an input, as the command does, and calls look now and then.
func cookInput(t testing.TB, in *capture.Input, format string, look func()) {
	cookWith(t, in, format, export.Options{}, look)
}

func cookWith(t testing.TB, in *capture.Input, format string, o export.Options, look func()) {
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{Raw: format == "sql", ByName: format == "sql"})
	require.NoError(t, r.Add(in))
	var w export.FrameWriter
	var err error
	switch format {
	case "parquet":
		w, err = parquet.NewCooked(io.Discard, parquet.Options{})
	case "openmetrics", "sql", "influx":
		w, err = export.NewCooked(io.Discard, format, o)
	case "summary":
		w, err = export.NewSummary(io.Discard, "table", o)
	default:
		if o.Series, err = r.Columns(); err == nil {
			w, err = export.NewCooked(io.Discard, format, o)
		}
	}
	require.NoError(t, err)
	n := 0
	for f, err := range r.Frames() {
		if err == nil {
			err = w.WriteFrame(f)
		}
		if err != nil {
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

// TestGuardSpeedOfCooking holds that cooking a log to PDH-CSV, from the file on,
// costs at most twice what formatting its values costs, for logs of 2, 20 and 77 MB,
// and so does cooking it to Parquet.
// (To see 3,000 counters for the first time and to write their paths takes some 2 ms,
// which shows in shorter ones.)
func TestGuardSpeedOfCooking(t *testing.T) {
	perftest.GuardSpeed(t)
	for _, x := range []struct {
		records int
		format  string
	}{{24, "pdh-csv"}, {240, "pdh-csv"}, {900, "pdh-csv"}, {900, "parquet"}} {
		size, open, all := busyFile(t, x.records)
		took := perftest.Turns(9, func() { plain(all) }, func() { cookInput(t, open(), x.format, func() {}) })
		ratio := took[1].Median.Seconds() / took[0].Median.Seconds()
		t.Logf("%d MB, %d values: %v to format, %v to %s: %.2f times", size>>20, len(all), took[0].Median, took[1].Median, x.format, ratio)
		require.Less(t, ratio, 2.0)
	}
}

// busyFile writes a log and returns its size, what opens it, and its values.
func busyFile(t testing.TB, records int) (size int, open func() *capture.Input, all []float64) {
	b := serverlog.New(records)
	name := filepath.Join(t.TempDir(), "server.blg")
	require.NoError(t, os.WriteFile(name, b, 0o600))
	open = func() *capture.Input {
		in, err := capture.Open(name)
		require.NoError(t, err)
		return in
	}
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
	require.NoError(t, r.Add(open()))
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, c := range f.Cells {
			if c.Status == countertypes.StatusOK {
				all = append(all, c.Value)
			}
		}
	}
	require.NoError(t, r.Close())
	return len(b), open, all
}

// TestGuardSpeedOfOutputs holds what cooking a log of 21 MB to an output costs, from
// the file on and with two workers, as so many times what formatting its values costs.
func TestGuardSpeedOfOutputs(t *testing.T) {
	perftest.GuardSpeed(t)
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("two workers need two cores")
	}
	_, open, all := busyFile(t, 240)
	scratch, err := os.Create(filepath.Join(t.TempDir(), "scratch"))
	require.NoError(t, err)
	defer scratch.Close()
	o := export.Options{Workers: 2, Scratch: scratch}
	for format, limit := range map[string]float64{"openmetrics": 2.3, "summary": 2.2, "sql": 1.9, "influx": 1.6} {
		best := math.Inf(1)
		for i := 0; i < 20 && best > limit; i++ {
			took := perftest.Turns(5, func() { plain(all) }, func() { cookWith(t, open(), format, o, func() {}) })
			best = min(best, took[1].Median.Seconds()/took[0].Median.Seconds())
			t.Logf("%s: %v, strconv %v", format, took[1].Median, took[0].Median)
		}
		assert.LessOrEqual(t, best, limit, format)
	}
}

// TestGuardSecondCore holds that a second core helps, and that waiting for each other
// costs little.
func TestGuardSecondCore(t *testing.T) {
	perftest.GuardSpeed(t)
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("two workers need two cores")
	}
	_, open, _ := busyFile(t, 480)
	cook := func(format string, workers int) func() {
		return func() { cookWith(t, open(), format, export.Options{Workers: workers}, func() {}) }
	}
	for format, limit := range map[string]float64{"csv": 0.65, "jsonl": 0.68, "pdh-csv": 0.8} {
		best := math.Inf(1)
		for i := 0; i < 20 && best > limit; i++ {
			took := perftest.Turns(5, cook(format, 2), cook(format, 1))
			best = min(best, took[0].Median.Seconds()/took[1].Median.Seconds())
			t.Logf("%s: %v with two workers, %v with one", format, took[0].Median, took[1].Median)
		}
		assert.LessOrEqual(t, best, limit, format)
	}
}

// TestGuardSpeedOfRawRows holds that the raw values of a log, as rows and as tables, cost
// little more than two numbers each.
func TestGuardSpeedOfRawRows(t *testing.T) {
	perftest.GuardSpeed(t)
	_, open, all := busyFile(t, 240)
	for format, limit := range map[string]float64{"csv": 3.5, "table": 4} {
		best := math.Inf(1)
		for i := 0; i < 20 && best > limit; i++ {
			took := perftest.Turns(5, func() {
				w, err := export.NewRaw(io.Discard, format, export.Options{})
				require.NoError(t, err)
				in := open()
				defer in.Close()
				for s, err := range capture.Read(in, capture.Options{}) {
					require.NoError(t, err)
					require.NoError(t, w.Write(s))
				}
				require.NoError(t, w.Close())
			}, func() {
				w := bufio.NewWriterSize(io.Discard, 64<<10)
				var text []byte
				for i := range all {
					text = append(strconv.AppendUint(text[:0], uint64(i)*12345, 10), ',')
					_, _ = w.Write(append(strconv.AppendUint(text, 132366960000000000, 10), ','))
				}
			})
			best = min(best, took[0].Median.Seconds()/took[1].Median.Seconds())
			t.Logf("%s: %v, numbers alone %v", format, took[0].Median, took[1].Median)
		}
		assert.LessOrEqual(t, best, limit, format)
	}
}

// TestGuardSpeedOfWideRows holds that a row of one of many series, whose names are not
// kept, costs little more than one of a few.
func TestGuardSpeedOfWideRows(t *testing.T) {
	perftest.GuardSpeed(t)
	const rows, counters = 400_000, 20
	var metrics []*capture.Metric
	for i := range counters {
		metrics = append(metrics, &capture.Metric{Counter: "% of Counter " + strconv.Itoa(i)})
	}
	frames := func(n int) (all []capture.Frame) {
		var cells []capture.Cell
		for i := range rows / n {
			if i%counters == 0 {
				cells = append(cells, capture.Cell{Series: &capture.Series{Owner: &capture.Owner{Host: "server", Object: "Thread", Instance: "worker", HasInstance: true, InstanceIndex: i}}})
			}
			cells = append(cells[:i], capture.Cell{Series: &capture.Series{ID: i, Owner: cells[i-i%counters].Series.Owner, Metric: metrics[i%counters]}, Value: float64(i) / 7})
		}
		return slices.Repeat([]capture.Frame{{Time: time.Unix(1584558341, 0), Cells: cells}}, n)
	}
	few, many := frames(200), frames(2)
	for _, format := range []string{"csv", "jsonl"} {
		best := math.Inf(1)
		for i := 0; i < 20 && best > 1.5; i++ {
			took := perftest.Turns(5, func() {
				writeAll(t, cookedTo(t, io.Discard, format, export.Options{}), few)
			}, func() { writeAll(t, cookedTo(t, io.Discard, format, export.Options{}), many) })
			best = min(best, took[1].Median.Seconds()/took[0].Median.Seconds())
			t.Logf("%s: %v of 2,000 series, %v of 200,000", format, took[0].Median, took[1].Median)
		}
		assert.LessOrEqual(t, best, 1.5, format)
	}
}

// TestMemoryOfTheWholeWay cooks a log of 64 MB from its bytes to outputs, and
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
		cookInput(t, &capture.Input{Name: "long.blg", Format: "blg", At: l, Size: l.Size}, format, func() {
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse-min(m.HeapInuse, before))
		})
		t.Logf("%d MB of log to %s: %d MB of memory", l.Size>>20, format, most>>20)
		require.Less(t, most, limit)
	}
	for _, format := range []string{"pdh-csv", "parquet"} {
		cook(format, 64<<20, 100<<20)
		if os.Getenv("PERFDUMP_LONG") != "" {
			cook(format, 4<<30, 200<<20)
		}
	}
}
