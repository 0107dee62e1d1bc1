package capture_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// TestGuardOneObject holds that cooking one object of many costs at most two and a half times what
// decoding the blocks costs: each is decoded once to see what is wrong with it, and once to be cooked.
func TestGuardOneObject(t *testing.T) {
	perftest.GuardSpeed(t)
	var blocks [][]byte
	for n := range 6 {
		blocks = append(blocks, perftest.BusyBlock(1, perftest.Server, n).Bytes())
	}
	filter, err := capture.NewFilter(`\System\*`)
	require.NoError(t, err)
	best := math.Inf(1)
	for i := 0; i < 5 && best > 2.5; i++ {
		took := perftest.Turns(9, func() {
			for _, b := range blocks {
				_, err := perfdata.Parse(b, perfdump.Options{})
				require.NoError(t, err)
			}
		}, func() {
			r := capture.NewRecording(capture.Options{Filter: filter}, capture.CookOptions{})
			for _, b := range blocks {
				require.NoError(t, r.Add(&capture.Input{Name: "x.bin", Format: "perfdata", Data: b, Size: int64(len(b))}))
			}
			cells := 0
			for f, err := range r.Frames() {
				require.NoError(t, err)
				cells += len(f.Cells)
			}
			assert.Positive(t, cells)
		})
		best = min(best, took[1].Median.Seconds()/took[0].Median.Seconds())
	}
	t.Logf("%.2f times decoding", best)
	assert.LessOrEqual(t, best, 2.5)
}
