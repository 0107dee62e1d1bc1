package tally_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/tally"
)

// TestTally compares with the stats of each series by themselves: of series that
// have no value, one and more of them.
func TestTally(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	series := make([]int, 2000)
	want := make([]tally.Stats, len(series))
	var all tally.Tally[*int]
	for i := range series {
		series[i] = i
		for range rnd.IntN(4) {
			v := []float64{rnd.NormFloat64(), 0, math.Copysign(0, -1)}[rnd.IntN(3)]
			ok := rnd.IntN(3) != 0
			all.Add(i, &series[i], v, ok)
			want[i].Add(v, ok)
		}
	}
	next := 0
	for e := range all.All() {
		for ; next < *e.Series; next++ {
			require.Zero(t, want[next], "series %d is left out", next)
		}
		require.Same(t, &series[next], e.Series)
		require.Equal(t, want[next], e.Stats, next)
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
	s.Add(7, false)
	s.Add(3, true)
	s.Add(-1, true)
	s.Add(9, false)
	s.Add(4, true)
	assert.Equal(t, tally.Stats{Count: 3, Missing: 2, Min: -1, Max: 4, Mean: 2, Last: 4}, s)

	s = tally.Stats{}
	for range 4 {
		s.Add(math.MaxFloat64, true)
	}
	assert.InEpsilon(t, math.MaxFloat64, s.Mean, 1e-9)
}
