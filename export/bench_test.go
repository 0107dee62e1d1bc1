package export_test

import (
	"bufio"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/perftest"
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

// plain formats the same numbers by strconv into a bufio.Writer: the least that
// an output of all digits costs.
func plain(w *bufio.Writer, frames []capture.Frame, line []byte) []byte {
	for i := range frames {
		line = line[:0]
		for k := range frames[i].Cells {
			line = strconv.AppendFloat(line, frames[i].Cells[k].Value, 'g', 17, 64)
			line = append(line, ',')
		}
		_, _ = w.Write(line)
	}
	return line
}

// BenchmarkCooked writes a log in each format, beside the plain numbers.
func BenchmarkCooked(b *testing.B) {
	ss, frames := busyLog()
	values := len(frames) * len(ss)
	perValue := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(values), "ns/value")
	}
	b.Run("strconv", func(b *testing.B) {
		b.ReportAllocs()
		w := bufio.NewWriterSize(io.Discard, 64<<10)
		var line []byte
		for b.Loop() {
			line = plain(w, frames, line)
		}
		perValue(b)
	})
	for _, format := range []string{"pdh-csv", "csv", "jsonl", "influx", "sql", "openmetrics"} {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w, err := export.NewCooked(io.Discard, format, export.CookedOptions{Series: ss})
				require.NoError(b, err)
				for i := range frames {
					require.NoError(b, w.WriteFrame(&frames[i]))
				}
				require.NoError(b, w.Close())
			}
			perValue(b)
		})
	}
}

// TestGuardPDHCSVSpeed holds that PDH-CSV costs little more than its numbers:
// twice that is what cooking and writing may cost together.
func TestGuardPDHCSVSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	ss, frames := busyLog()
	w, err := export.NewPDHCSV(io.Discard, ss, export.PDHOptions{})
	require.NoError(t, err)
	rival := bufio.NewWriterSize(io.Discard, 64<<10)
	var line []byte
	// A neighbour on the machine spoils some attempts, a slower writer all.
	best := math.Inf(1)
	for i := 0; i < 40 && best > 1.25; i++ {
		var ours, theirs []time.Duration
		for range 15 {
			start := time.Now()
			for i := range frames {
				require.NoError(t, w.WriteFrame(&frames[i]))
			}
			ours = append(ours, time.Since(start))
			start = time.Now()
			line = plain(rival, frames, line)
			theirs = append(theirs, time.Since(start))
		}
		slices.Sort(ours)
		slices.Sort(theirs)
		t.Logf("pdh-csv %v, strconv %v", ours[7], theirs[7])
		if best = min(best, ours[7].Seconds()/theirs[7].Seconds()); best > 1.25 {
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
		w, err := export.NewCooked(io.Discard, format, export.CookedOptions{Series: ss})
		require.NoError(t, err)
		for i := range frames {
			require.NoError(t, w.WriteFrame(&frames[i]))
		}
		n := 0
		assert.Zero(t, testing.AllocsPerRun(10, func() {
			if err := w.WriteFrame(&frames[n%len(frames)]); err != nil {
				t.Fatal(err)
			}
			n++
		}), format)
	}
}
