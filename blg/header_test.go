package blg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
)

// TestHeaderTimes: 0 is no time, nor is what stands in a header that could not
// be read.
func TestHeaderTimes(t *testing.T) {
	for ticks, want := range map[int64]bool{-1: false, 0: false, 1: true, lastTime: true, lastTime + 1: false} {
		for _, valid := range []bool{false, true} {
			h := blg.Header{Valid: valid}
			h.EndTime, h.Tail.StartTime = ticks, ticks
			_, ok := h.Start()
			require.Equal(t, want && valid, ok, ticks)
			_, ok = h.End()
			require.Equal(t, want && valid, ok, ticks)
		}
	}
}
