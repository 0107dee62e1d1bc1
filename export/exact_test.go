package export_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/perftest"
)

// TestWholeNumbersAreExact wants raw counts and differences with all their
// digits where these are more than a float64 holds, of many values that are
// cooked at once and of single ones.
func TestWholeNumbersAreExact(t *testing.T) {
	const big = uint64(1) << 62
	block := func(at int64, add uint64) *detect.Input {
		object := perftest.Object{Title: 9002, Counters: []perftest.Counter{
			{Title: 9004, Type: uint32(countertypes.PERF_COUNTER_LARGE_RAWCOUNT)},
			{Title: 9006, Type: uint32(countertypes.PERF_COUNTER_LARGE_DELTA)},
			{Title: 9008, Type: uint32(countertypes.PERF_COUNTER_BULK_COUNT)},
		}}
		for i := range uint64(3) {
			object.Instances = append(object.Instances, perftest.Instance{Name: fmt.Sprint("i", i), Values: []uint64{big + i + add&1, i + add, i + add}})
		}
		b := perftest.Block{PerfTime: at, PerfTime100nSec: perftest.DefaultTime + at, Objects: []perftest.Object{object}}
		return &detect.Input{Name: fmt.Sprint(at), Format: detect.PerfData, Data: b.Bytes()}
	}
	for _, raw := range []bool{false, true} {
		for _, format := range []string{"csv", "jsonl"} {
			var out strings.Builder
			w, err := export.NewCooked(&out, format, export.CookedOptions{})
			require.NoError(t, err)
			r := capture.NewRecording(capture.Options{}, capture.CookOptions{Raw: raw})
			require.NoError(t, r.Add(block(10_000_000, 0)))
			require.NoError(t, r.Add(block(20_000_000, big+1)))
			for f, err := range r.Frames() {
				require.NoError(t, err)
				require.NoError(t, w.WriteFrame(f))
			}
			require.NoError(t, w.Close())
			got := map[string][]string{}
			if format == "csv" {
				for line := range strings.Lines(out.String()) {
					cells := strings.Split(line, ",")
					got[cells[6]] = append(got[cells[6]], cells[8])
				}
			} else {
				d := json.NewDecoder(strings.NewReader(out.String()))
				d.UseNumber()
				for {
					var row struct {
						Counter string
						Value   json.Number
					}
					if err := d.Decode(&row); err == io.EOF {
						break
					} else {
						require.NoError(t, err)
					}
					got[row.Counter] = append(got[row.Counter], row.Value.String())
				}
			}
			require.Equal(t, []string{
				"4611686018427387904", "4611686018427387905", "4611686018427387906",
				"4611686018427387905", "4611686018427387906", "4611686018427387907",
			}, got["9004"], format)
			require.Equal(t, []string{"", "", "", "4611686018427387905", "4611686018427387905", "4611686018427387905"}, got["9006"], format)
			require.Equal(t, "4.611686018427388e+18", got["9008"][3], "a rate is as exact as it is computed")
		}
	}
}

// TestScaledNumbersAreAsTheyAre wants values beyond 64 bits, and those that happen to be
// rounded to 2^64, not to be taken for something else.
func TestScaledNumbersAreAsTheyAre(t *testing.T) {
	s := series(0, "h", "o", "", "", 0, "c")
	s.Type = countertypes.PERF_COUNTER_LARGE_RAWCOUNT
	for v, want := range map[float64]string{1 << 64: "1.8446744073709552e+19", 1e22: "1e+22", 1 << 63: "9223372036854775808"} {
		var out strings.Builder
		w, err := export.NewCooked(&out, "csv", export.CookedOptions{})
		require.NoError(t, err)
		require.NoError(t, w.WriteFrame(&capture.Frame{Cells: []capture.Cell{{Series: s, Value: v}}}))
		require.NoError(t, w.Close())
		require.Contains(t, out.String(), ","+want+",ok")
	}
}

// TestWholeNumbersOfAgentsAreExact wants the same of values that are cooked one by
// one, as those of agents and of logs are.
func TestWholeNumbersOfAgentsAreExact(t *testing.T) {
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
	text := "<<<winperf_x>>>\n1584558341.12 9002 1000000\n2 4611686018427387905 type(10100)\n"
	require.NoError(t, r.Add(&detect.Input{Name: "agent", Format: detect.Checkmk, Data: []byte(text)}))
	var out strings.Builder
	w, err := export.NewCooked(&out, "csv", export.CookedOptions{})
	require.NoError(t, err)
	for f, err := range r.Frames() {
		require.NoError(t, err)
		require.NoError(t, w.WriteFrame(f))
	}
	require.NoError(t, w.Close())
	require.Contains(t, out.String(), ",4611686018427387905,ok")
}
