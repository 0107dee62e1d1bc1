package perfdata_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// An anomaly of a counter is reported once, not once an instance; at most 1,000
// are kept, and the rest is counted.
func TestSpecAnomaliesAreBounded(t *testing.T) {
	o := perftest.Object{Title: 2, Counters: counters{{Title: 4, Type: dword, Size: 8}, {Title: 6, Type: dword, Offset: 400}}}
	for range 5000 {
		o.Instances = append(o.Instances, perftest.Instance{Name: "a", NoNul: true})
	}
	m := (&perftest.Block{Objects: []perftest.Object{o}}).Build()
	blk := parse(t, m.Set("object[0].counter[1].CounterOffset", 4000).Bytes)
	want := map[perfdump.Code]int{"name-nul": 5000, "size-mismatch": 1, "value-range": 1}
	require.Len(t, blk.Anomalies().Kept(), 1000)
	require.Equal(t, 5002, blk.Anomalies().Len())
	require.Equal(t, want, codes(blk))
	for _, a := range blk.Anomalies().Kept()[:2] { // of the counters
		require.Equal(t, m.At(a.Path.String()).Off, int(a.Off), a.Path)
	}

	few, err := perfdata.Parse(blk.Bytes(), perfdump.Options{Limits: perfdump.Limits{Anomalies: 3}})
	require.NoError(t, err)
	require.Len(t, few.Anomalies().Kept(), 3)
	require.Equal(t, want, codes(few))
}

// Several anomalies in one object: each value is read by its own counter's
// rule, one at a time and in bulk.
func TestSpecAnomaliesTogether(t *testing.T) {
	for _, n := range []int{5, 20} { // of many, runs of equal width form
		o := perftest.Object{Title: 2}
		for c := range n {
			kind := uint32(0x10410500)
			if c%7 == 2 {
				kind = dword
			}
			o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*c), Type: kind})
		}
		for i := range uint64(9) {
			in := perftest.Instance{Name: "a"}
			for c := range n {
				in.Values = append(in.Values, uint64(c+1)<<20+i)
			}
			o.Instances = append(o.Instances, in)
		}
		base := (&perftest.Block{Objects: []perftest.Object{o}}).Build()
		for size := range n {
			for offset := range n {
				if offset == size {
					continue
				}
				m := base.Clone().Set(fmt.Sprintf("object[0].counter[%d].CounterSize", size), 0x2534)
				m.Set(fmt.Sprintf("object[0].counter[%d].CounterOffset", offset), 0xf64be637)
				got := parse(t, m.Bytes).Object(0)
				var all []uint64
				for i, in := range o.Instances {
					values := append([]uint64(nil), in.Values...)
					values[offset] = 0
					all = append(all, values...)
					require.Equal(t, perfdata.Absent, got.Instance(i).Value(offset).Kind)
				}
				require.Equal(t, all, got.AppendUint64s(nil), "size of %d, offset of %d", size, offset)
				require.Empty(t, disagreements(got.Block()))
				for _, a := range got.Block().Anomalies().Kept() {
					require.EqualValues(t, m.At(a.Path.String()).Off, a.Off, "%v", a.Path)
				}
			}
		}
	}
}

// An object is found by its title: the first of those that share it.
func TestSpecObjectByIndex(t *testing.T) {
	blk := mustParse(t, plain().Build().Set("object[3].ObjectNameTitleIndex", 2).Bytes)
	for title, want := range map[uint32]int{2: 0, 230: 1, 232: 2} {
		o, ok := blk.ObjectByIndex(title)
		require.True(t, ok)
		require.Equal(t, want, o.Position())
	}
	o, ok := blk.ObjectByIndex(600)
	require.False(t, ok)
	require.Nil(t, o)
}
