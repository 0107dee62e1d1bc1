package countertypes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/countertypes"
)

// TestRest holds that a value and its rest are the exact number, whatever that
// is, of raw values and of differences.
func TestRest(t *testing.T) {
	numbers := []uint64{
		1 << 53, 1<<53 + 1, 1<<62 - 1, 1 << 62, 1<<62 + 1, 1 << 63, 1<<63 + 1024, 1<<63 + 1025,
		math.MaxUint64, math.MaxUint64 - 1, math.MaxUint64 - 1023, math.MaxUint64 - 1024, math.MaxUint64 - 3072,
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		numbers = append(numbers, random.Uint64()>>random.IntN(11)|1<<53)
	}
	for _, n := range numbers {
		newer := countertypes.Sample{Type: countertypes.PERF_COUNTER_LARGE_RAWCOUNT, First: n}
		v, status := countertypes.Cook(nil, &newer, nil)
		require.Equal(t, countertypes.StatusOK, status)
		require.Equal(t, n, countertypes.Exact(v, countertypes.Rest(nil, &newer, v)))

		was := random.Uint64N(math.MaxUint64 - n + 1)
		older := countertypes.Sample{Type: countertypes.PERF_COUNTER_LARGE_DELTA, First: was}
		newer = countertypes.Sample{Type: countertypes.PERF_COUNTER_LARGE_DELTA, First: was + n}
		v, status = countertypes.Cook(&older, &newer, nil)
		require.Equal(t, countertypes.StatusOK, status)
		require.Equal(t, n, countertypes.Exact(v, countertypes.Rest(&older, &newer, v)))
	}
}

// TestNoRest holds that what is no count, is scaled or small has no rest.
func TestNoRest(t *testing.T) {
	large := countertypes.Sample{Type: countertypes.PERF_COUNTER_LARGE_RAWCOUNT, First: 1<<62 + 1}
	rest := func(older, newer *countertypes.Sample, v float64) int16 { return countertypes.Rest(older, newer, v) }
	require.Equal(t, int16(1), rest(nil, &large, 1<<62))
	require.Zero(t, rest(nil, &large, 1<<61), "scaled")
	require.Zero(t, rest(nil, &large, math.NaN()))
	require.Zero(t, rest(nil, nil, 1<<62))
	small := countertypes.Sample{Type: countertypes.PERF_COUNTER_LARGE_RAWCOUNT, First: 7}
	require.Zero(t, rest(nil, &small, 7))
	rate := countertypes.Sample{Type: countertypes.PERF_COUNTER_BULK_COUNT, First: 1<<62 + 1}
	require.Zero(t, rest(&small, &rate, 1<<62))
	delta := countertypes.Sample{Type: countertypes.PERF_COUNTER_LARGE_DELTA, First: 1<<62 + 1}
	require.Zero(t, rest(nil, &delta, 1<<62))
	require.False(t, countertypes.PERF_DOUBLE_RAW.Whole())
	require.True(t, countertypes.PERF_COUNTER_DELTA.Whole())
}
