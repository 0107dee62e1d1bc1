package perfdata_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// What is found where a value is read comes out as its status, by hand-made
// blocks and expectations: the cooker and the sampler share the code.
func TestSamplerTellsWhatItFound(t *testing.T) {
	block := func(n uint64) *perfdata.Block {
		tree := perfdata.Tree{SystemName: "HOST"}
		tree.PerfFreq, tree.PerfTime = 10, int64(10*n)
		tree.Objects = []perfdata.TreeObject{{
			ObjectType: perfdata.ObjectType{ObjectNameTitleIndex: 2, DetailLevel: 100, NumInstances: perfdata.NoInstances},
			Counters: []perfdata.CounterDefinition{
				{CounterNameTitleIndex: 4, DetailLevel: 100, CounterType: countertypes.PERF_AVERAGE_BULK}, // no base follows
				{CounterNameTitleIndex: 6, DetailLevel: 100, CounterType: countertypes.PERF_COUNTER_BULK_COUNT},
				{CounterNameTitleIndex: 8, DetailLevel: 100, CounterType: countertypes.PERF_AVERAGE_BULK},
				{CounterNameTitleIndex: 8, DetailLevel: 100, CounterType: countertypes.PERF_AVERAGE_BASE},
				{CounterNameTitleIndex: 10, DetailLevel: 100, CounterType: countertypes.PERF_COUNTER_RAWCOUNT},
			},
			Instances: []perfdata.TreeInstance{{Values: []perfdata.TreeValue{
				{Kind: perfdata.Uint64, Uint: 100 * n},
				{Kind: perfdata.Uint64, Uint: 50 * n},
				{Kind: perfdata.Uint64, Uint: 60 * n},
				{Kind: perfdata.Uint32, Uint: 3 * n},
				{Kind: perfdata.Uint32, Uint: 7},
			}}},
		}}
		require.NoError(t, tree.Layout())
		tree.Objects[0].Counters[4].CounterOffset = 1000 // past the block
		tree.Objects[0].Instances[0].Values[4] = perfdata.TreeValue{}
		b, err := tree.AppendBinary(nil)
		require.NoError(t, err)
		return parse(t, b)
	}
	statuses := []countertypes.Status{
		countertypes.StatusNoBase, countertypes.StatusOK, countertypes.StatusOK, countertypes.StatusBaseOnly, countertypes.StatusInvalidData,
	}
	values := []float64{0, 50, 20, 0, 0}
	older, newer := block(1), block(2)

	var s perfdata.Sampler
	s.Reset(older, newer, nil)
	for j := range statuses {
		require.True(t, s.Next())
		v, status := countertypes.Cook(s.Older(), s.Newer(), nil)
		require.Equal(t, statuses[j], status, "counter %d", j)
		require.Equal(t, values[j], v, "counter %d", j)
	}
	var c perfdata.Cooker
	c.Reset(older, newer, nil)
	require.True(t, c.Next())
	require.Equal(t, statuses, c.Statuses())
	require.Equal(t, values, c.Values())
}
