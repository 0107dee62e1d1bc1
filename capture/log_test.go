package capture_test

import (
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
)

const logs = "../../shared/corpus/blg/"

// openLog records a log of other people, which is not part of the tree.
func openLog(t testing.TB, name string) *capture.Recording {
	t.Helper()
	if _, err := os.Stat(logs + name); err != nil {
		t.Skipf("the corpus of logs is not here: %v", err)
	}
	in, err := detect.OpenAny(logs+name, detect.Options{})
	require.NoError(t, err)
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
	require.NoError(t, r.Add(in))
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	return r
}

func values(t testing.TB, r *capture.Recording, path string) (all []float64, statuses []countertypes.Status, times []time.Time) {
	t.Helper()
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, c := range f.Cells {
			if strings.EqualFold(c.Series.Path(), path) {
				all, statuses, times = append(all, c.Value), append(statuses, c.Status), append(times, f.Time)
			}
		}
	}
	return all, statuses, times
}

// TestLogOfSeries holds a log of single values against the numbers that are
// known of it: docs/blg.md.
func TestLogOfSeries(t *testing.T) {
	r := openLog(t, "Tx_BasicPerfCounters.blg")
	require.Equal(t, 601, r.Len())

	total, statuses, times := values(t, r, `\\GEORGIS3\Processor(_Total)\% Processor Time`)
	require.Len(t, total, 601)
	require.Equal(t, countertypes.StatusNeedsSecondSample, statuses[0])
	require.Equal(t, []float64{9.378262382554226, 5.865413440457123, 8.204103036507815, 3.128380819509402}, total[1:5])
	low, high, sum := math.Inf(1), math.Inf(-1), 0.0
	for i, v := range total[1:] {
		require.Equal(t, countertypes.StatusOK, statuses[i+1])
		low, high, sum = min(low, v), max(high, v), sum+v
	}
	require.InDelta(t, 32.816, total[600], 5e-4)
	require.InDelta(t, 11.527, sum/600, 5e-4)
	require.InDelta(t, 1.569, low, 5e-4)
	require.InDelta(t, 53.908, high, 5e-4)
	require.Equal(t, "2013-02-20T02:50:17.844Z", times[0].Format(time.RFC3339Nano))
	require.Equal(t, "2013-02-20T03:00:17.84Z", times[600].Format(time.RFC3339Nano))

	columns, err := r.Columns()
	require.NoError(t, err)
	require.Len(t, columns, 10)
	cells, ok := 0, 0
	for f, err := range r.Frames() {
		require.NoError(t, err)
		require.Equal(t, 8*time.Hour, -f.Offset.East)
		require.Equal(t, "GEORGIS3", f.Host)
		for _, c := range f.Cells {
			if cells++; c.Status == countertypes.StatusOK {
				ok++
			}
		}
	}
	require.Equal(t, 6010, cells)
	require.Equal(t, 6000, ok)
}

// TestLogOfObjects holds a log of whole objects against what is known of it.
func TestLogOfObjects(t *testing.T) {
	r := openLog(t, "PAL_SampleLog.blg")
	require.Equal(t, 11, r.Len())
	total, statuses, times := values(t, r, `\\ZACH-PC\Processor(_Total)\% Processor Time`)
	require.Equal(t, []float64{
		0, 82.1481131553226, 86.8978575184901, 48.3065072179137, 56.51046450515571, 60.338585294222845,
		31.041742520749892, 29.869868809810974, 19.713629981673687, 32.552157525960055, 24.635499567617146,
	}, total)
	require.Equal(t, countertypes.StatusNeedsSecondSample, statuses[0])
	require.Equal(t, "2007-08-14T19:40:38.659Z", times[0].Format(time.RFC3339Nano))
	idle, _, _ := values(t, r, `\\ZACH-PC\Process(Idle)\% Processor Time`)
	require.Len(t, idle, 11)
	for i := 1; i < 11; i++ {
		require.InDelta(t, 100, total[i]+idle[i], 0.5, "in each interval the Idle process completes it")
	}
	_, all, _ := values(t, r, `\\ZACH-PC\Process(_Total)\% Processor Time`)
	back := 0
	for _, s := range all[1:] {
		if s != countertypes.StatusOK {
			back++
		}
	}
	require.Equal(t, 1, back, "the sum of all processes goes backwards once")

	columns, err := r.Columns()
	require.NoError(t, err)
	process := 0
	for _, s := range columns {
		if s.Object == "Process" {
			process++
		}
	}
	require.Equal(t, 1832, len(columns))
	require.Equal(t, 1596, process)
	for f, err := range r.Frames() {
		require.NoError(t, err)
		seen := map[string]float64{}
		for _, c := range f.Cells {
			seen[c.Series.Path()] = c.Value
		}
		require.Equal(t, 83587072.0, seen[`\\ZACH-PC\Memory\Available Bytes`])
		require.Equal(t, 571310080.0, seen[`\\ZACH-PC\Memory\Committed Bytes`])
		break
	}
}
