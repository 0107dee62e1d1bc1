package perfdata_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// requireSameCooked holds the Cooker against the Sampler and Cook, bit by bit.
func requireSameCooked(t *testing.T, older, newer *perfdata.Block, o *countertypes.Options) {
	t.Helper()
	var c perfdata.Cooker
	var s perfdata.Sampler
	s.Reset(older, newer, o)
	c.Reset(older, newer, o)
	for c.Next() {
		require.Len(t, c.Statuses(), len(c.Values()))
		for j, got := range c.Values() {
			require.True(t, s.Next())
			require.Equal(t, s.Object(), c.Instance().Object())
			require.Equal(t, s.Instance(), c.Instance())
			require.Equal(t, j, s.Counter())
			want, status := countertypes.Cook(s.Older(), s.Newer(), o)
			require.Equal(t, status, c.Statuses()[j], "%v %v", s.Instance().Path(), s.Newer())
			require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%v %v", s.Instance().Path(), s.Newer())
		}
	}
	require.False(t, s.Next())
	require.False(t, c.Next())
}

func parse(t testing.TB, b []byte) *perfdata.Block {
	t.Helper()
	blk, err := perfdata.Parse(b, perfdata.Options{})
	require.NoError(t, err)
	return blk
}

func TestCookerGivesWhatTheSamplerGives(t *testing.T) {
	a, b := parse(t, perftest.Busy(3, perftest.Small)), parse(t, perftest.BusyNext(3, perftest.Small))
	requireSameCooked(t, a, b, nil)
	requireSameCooked(t, b, a, nil)
	requireSameCooked(t, nil, b, nil)
	requireSameCooked(t, a, b, &countertypes.Options{Negative: countertypes.NegativeSigned})
	other := parse(t, perftest.BusyNext(4, perftest.Small))
	requireSameCooked(t, a, other, nil)
}

func TestGuardCookAllocs(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector allocates")
	}
	a, b := parse(t, busy()), parse(t, next())
	var c perfdata.Cooker
	var s perfdata.Sampler
	require.Zero(t, testing.AllocsPerRun(10, func() { cookAll(&c, a, b) }))
	require.Zero(t, testing.AllocsPerRun(10, func() { sampleAll(&s, a, b) }))
}
