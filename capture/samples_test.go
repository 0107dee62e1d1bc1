package capture_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// TestSamples holds that each cell of each format can be computed again from the
// samples beside it.
func TestSamples(t *testing.T) {
	types := map[countertypes.Type]bool{}
	for _, files := range [][]string{
		{"captures/small.bin", "captures/small-next.bin"},
		{"captures/sys-238-x86_64-1.bin", "captures/sys-238-x86_64-2.bin"},
		{"captures/basic-x86_64-1.bin"},
		{"../../shared/captures/wine/basic-x86_64-1.bin", "../../shared/captures/wine/basic-x86_64-2.bin", "../../shared/captures/wine/basic-x86_64-3.bin"},
		{"blg/small.blg"},
		{"blg/sets.blg"},
		{"ipcblock/sxs_x64.bin", "ipcblock/sxs_x64.bin"},
		{"../../shared/corpus/blg/PAL_SampleLog.blg"},
	} {
		for _, byPID := range []bool{false, true} {
			r := capture.NewRecording(capture.Options{}, capture.CookOptions{Samples: true, ByPID: byPID, Interval: 10 * time.Second})
			added := 0
			for _, name := range files {
				path := filepath.Join("../testdata", name)
				if found, _ := filepath.Glob(path); len(found) == 0 {
					continue // shared data is not everywhere
				}
				in, err := capture.Open(path)
				require.NoError(t, err)
				require.NoError(t, r.Add(in))
				added++
			}
			for f, err := range r.Frames() {
				require.NoError(t, err)
				for i, cell := range f.Cells {
					s := f.Samples[i]
					older := &s.Older
					if !s.HasOlder {
						older = nil
					}
					v, status := countertypes.Cook(older, &s.Newer, nil)
					if v != cell.Value || status != cell.Status {
						assert.Fail(t, cell.Series.Path(), "%v: %v %v, not %v %v: %+v", files, v, status, cell.Value, cell.Status, s)
					}
					types[s.Newer.Type] = true
				}
			}
			require.NoError(t, r.Close())
		}
	}
	assert.Greater(t, len(types), 20)
}

// TestShown holds that people are not shown a percentage that is below 0 for the
// grain of the clock, and are shown all others.
func TestShown(t *testing.T) {
	inverse, delta := countertypes.PERF_100NSEC_TIMER_INV, countertypes.PERF_COUNTER_DELTA
	for _, c := range []struct {
		counter     string
		typ         countertypes.Type
		value, want float64
	}{
		{"% Processor Time", inverse, -1.5587, 0},
		{"% Processor Time", inverse, -1.5625, 0},
		{"% Processor Time", inverse, -1.6, -1.6},
		{"% Processor Time", inverse, 0.1, 0.1},
		{"% Processor Time", 0, -1, 0}, // of a text log, which has no types
		{"Balance", 0, -1, -1},
		{"Balance", delta, -1, -1},
	} {
		s := &capture.Series{Owner: &capture.Owner{}, Metric: &capture.Metric{Counter: c.counter, Type: c.typ, HasType: c.typ != 0}}
		cell := capture.Cell{Series: s, Value: c.value}
		got, ok := cell.Shown()
		assert.True(t, ok)
		assert.Equal(t, c.want, got, c.counter)
	}
	cell := capture.Cell{Series: &capture.Series{Metric: &capture.Metric{}}, Status: countertypes.StatusNoValue}
	_, ok := cell.Shown()
	assert.False(t, ok)
}
