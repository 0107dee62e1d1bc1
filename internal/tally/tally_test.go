package tally_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/tally"
)

// TestTally compares with the stats of each series by themselves: of series that
// have had no cell, one and more of them, with and without values.
func TestTally(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	series := make([]capture.Series, 2000)
	want := make([]tally.Stats, len(series))
	why := make([]countertypes.Status, len(series))
	var all tally.Tally
	for i := range series {
		series[i] = capture.Series{ID: i}
		for range rnd.IntN(4) {
			c := capture.Cell{Series: &series[i], Value: []float64{rnd.NormFloat64(), 0, math.Copysign(0, -1), math.Inf(1)}[rnd.IntN(4)]}
			if rnd.IntN(3) == 0 {
				c.Status = countertypes.StatusInvalidData
			}
			all.Add(&c)
			want[i].Add(&c)
			if _, ok := c.Number(); !ok {
				why[i] = c.Verdict()
			}
		}
	}
	next := 0
	for e := range all.All() {
		for ; next < e.Series.ID; next++ {
			require.Zero(t, want[next], "series %d is left out", next)
		}
		require.Same(t, &series[next], e.Series)
		require.Equal(t, want[next], e.Stats, next)
		require.Equal(t, why[next], e.Why, next)
		require.Equal(t, want[next], all.Stats(next))
		next++
	}
	assert.Greater(t, next, len(series)*9/10)
	assert.Zero(t, all.Stats(1_000_000))
	for range all.All() {
		break
	}
}

func TestStats(t *testing.T) {
	var s tally.Stats
	for _, c := range []capture.Cell{
		{Value: 7, Status: countertypes.StatusNeedsSecondSample}, {Value: 3}, {Value: -1}, {Value: 9, PDH: 0xC0000BBA},
		{Value: math.NaN()}, {Value: math.Inf(1)}, {Value: 4, PDH: 1},
	} {
		s.Add(&c)
	}
	assert.Equal(t, tally.Stats{Count: 3, Missing: 4, Min: -1, Max: 4, Mean: 2, Last: 4}, s)

	s = tally.Stats{}
	for range 4 {
		s.Add(&capture.Cell{Value: math.MaxFloat64})
	}
	assert.InEpsilon(t, math.MaxFloat64, s.Mean, 1e-9)
}
