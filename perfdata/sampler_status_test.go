package perfdata_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/perftest"
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

// The count of a MULTI type is its base's, else the DWORD behind the value, and
// the newer sample's counts; other types have none, whatever stands behind them.
func TestSamplerReadsCounts(t *testing.T) {
	block := func(time, first, second int64) *perfdata.Block {
		o := perftest.Object{Title: 2, Single: true, Counters: []perftest.Counter{
			{Title: 4, Type: uint32(countertypes.PERF_100NSEC_MULTI_TIMER), Offset: 8},
			{Title: 6, Type: uint32(countertypes.PERF_100NSEC_MULTI_TIMER), Offset: 24},
			{Title: 6, Type: uint32(countertypes.PERF_COUNTER_MULTI_BASE), Offset: 40},
			{Title: 8, Type: uint32(countertypes.PERF_COUNTER_RAWCOUNT), Offset: 44},
			{Title: 10, Type: uint32(countertypes.PERF_COUNTER_RAWCOUNT), Offset: 48},
			{Title: 12, Type: uint32(countertypes.PERF_100NSEC_MULTI_TIMER), Offset: 56}, // without a count
		}, Instances: []perftest.Instance{{Values: []uint64{uint64(first), uint64(second), 5, 70, 90, 1}}}}
		m := (&perftest.Block{Objects: []perftest.Object{o}}).Build().Set("PerfTime100nSec", time)
		values := m.At("object[0].instance[0].block").Off
		m.Bytes[values+16], m.Bytes[values+32] = 3, 5
		return parse(t, m.Bytes)
	}
	older, newer := block(1_000_000, 1000, 1000), block(1_010_000, 4000, 6000)
	want := []struct {
		multi  uint32
		status countertypes.Status
		value  float64
	}{
		{3, countertypes.StatusOK, 10},
		{5, countertypes.StatusOK, 10},
		{0, countertypes.StatusBaseOnly, 0},
		{0, countertypes.StatusOK, 70},
		{0, countertypes.StatusOK, 90},
		{0, countertypes.StatusNoBase, 0},
	}
	var s perfdata.Sampler
	s.Reset(older, newer, nil)
	for j := range want {
		require.True(t, s.Next())
		require.Equal(t, want[j].multi, s.Newer().Multi, "counter %d", j)
		v, status := countertypes.Cook(s.Older(), s.Newer(), nil)
		require.Equal(t, want[j].status, status, "counter %d", j)
		require.InDelta(t, want[j].value, v, 1e-9, "counter %d", j)
	}
	requireSameCooked(t, older, newer, nil)
}

// Instances pair by UniqueID where they have one, whatever their names and
// places, else by name.
func TestSamplerPairsByUniqueID(t *testing.T) {
	block := func(instances ...perftest.Instance) *perfdata.Block {
		return parse(t, (&perftest.Block{Objects: []perftest.Object{number(2, instances...)}}).Bytes())
	}
	is := func(name string, id int32, value uint64) perftest.Instance {
		return perftest.Instance{Name: name, UniqueID: id, Values: []uint64{value}}
	}
	var s perfdata.Sampler
	s.Reset(block(is("a", 0, 10), is("b", 0, 20)), block(is("b", 0, 0), is("a", 0, 0)), nil)
	for _, value := range []uint64{20, 10} {
		require.True(t, s.Next())
		require.Equal(t, value, s.Older().First)
	}
	older := block(is("a", 1, 10), is("b", 2, 20), is("c", 0, 30), is("d", 4, 40), is("e", 0, 50))
	newer := block(is("b", 4, 0), is("a", 2, 0), is("e", 0, 0), is("x", 1, 0), is("c", 0, 0), is("d", 0, 0), is("a", 5, 0))
	want := []uint64{40, 20, 50, 10, 30, 0, 0} // 0: none
	s.Reset(older, newer, nil)
	for i, value := range want {
		require.True(t, s.Next())
		if value == 0 {
			require.Nil(t, s.Older(), i)
			continue
		}
		require.NotNil(t, s.Older(), i)
		require.Equal(t, value, s.Older().First, i)
	}
	require.False(t, s.Next())
}

// An instance whose parent at the same place has another name is another.
func TestSamplerPairsByFullName(t *testing.T) {
	block := func(parents ...string) *perfdata.Block {
		processes, threads := number(2), number(6)
		for i, name := range parents {
			processes.Instances = append(processes.Instances, perftest.Instance{Name: name})
			threads.Instances = append(threads.Instances, perftest.Instance{Name: "0", ParentTitle: 2, Parent: uint32(i), Values: []uint64{uint64(10 + i)}})
		}
		return parse(t, (&perftest.Block{Objects: []perftest.Object{threads, processes}}).Bytes())
	}
	var s perfdata.Sampler
	s.Reset(block("p", "q", "r"), block("q", "new", "r", "p"), nil)
	for i, want := range []uint64{11, 0, 12, 10} { // 0: none
		require.True(t, s.Next())
		if want == 0 {
			require.Nil(t, s.Older(), i)
			continue
		}
		require.NotNil(t, s.Older(), i)
		require.Equal(t, want, s.Older().First, i)
	}
}

// Threads are told apart by the whole of their names, whichever process they
// share with the one before, in blocks decoded into the memory of others too.
func TestSamplerPairsByParentsAnew(t *testing.T) {
	block := func(parents string, threads ...string) []byte {
		processes, o := number(2), number(6)
		for _, c := range parents {
			processes.Instances = append(processes.Instances, perftest.Instance{Name: string(c)})
		}
		for i, name := range threads { // a parent's letter, or one of none, before the name
			in := perftest.Instance{Name: name[1:], Values: []uint64{uint64(10 + i)}}
			if at := strings.IndexByte(parents, name[0]); at >= 0 {
				in.ParentTitle, in.Parent = 2, uint32(at)
			}
			o.Instances = append(o.Instances, in)
		}
		return (&perftest.Block{Objects: []perftest.Object{o, processes}}).Bytes()
	}
	var older, newer perfdata.Decoder
	var s perfdata.Sampler
	for _, c := range []struct {
		was  string
		want []uint64 // 0: none
	}{
		{"pq", []uint64{12, 10, 11, 13, 14}},
		{"pr", []uint64{0, 10, 11, 13, 0}},
		{"Pq", []uint64{12, 10, 11, 13, 14}},
		{"rq", []uint64{12, 0, 0, 13, 14}},
	} {
		p, q := c.was[:1], c.was[1:]
		a, err := older.Decode(block(c.was, p+"0", p+"1", q+"0", ".0", q+"a long name"))
		require.NoError(t, err)
		b, err := newer.Decode(block("pq", "q0", "p0", "p1", ".0", "qA LONG name"))
		require.NoError(t, err)
		s.Reset(a, b, nil)
		var got []uint64
		for range c.want {
			require.True(t, s.Next())
			got = append(got, 0)
			if s.Older() != nil {
				got[len(got)-1] = s.Older().First
			}
		}
		require.Equal(t, c.want, got, c.was)
		older, newer = newer, older
	}
}

// A counter whose value lies in no counter block, or is of no width that an
// integer has, has no value beside many that do: it is no 0.
func TestCookerWhereAValueIsNowhere(t *testing.T) {
	const raw = uint32(countertypes.PERF_COUNTER_LARGE_RAWCOUNT)
	for field, v := range map[string]int64{"CounterOffset": 2, "CounterSize": 2} {
		o := perftest.Object{Title: 2, Counters: []perftest.Counter{{Title: 4, Type: raw}, {Title: 6, Type: raw}, {Title: 8, Type: raw}}}
		for i := range 40 {
			n := uint64(i)
			o.Instances = append(o.Instances, perftest.Instance{Name: string(rune('A' + i)), Values: []uint64{n, 1000 + n, 2000 + n}})
		}
		m := (&perftest.Block{Objects: []perftest.Object{o}}).Build().Set("object[0].counter[1]."+field, v)
		var c perfdata.Cooker
		c.Reset(parse(t, m.Bytes), parse(t, m.Bytes), nil)
		for i := range 40 {
			require.True(t, c.Next())
			require.Equal(t, []float64{float64(i), 0, 2000 + float64(i)}, c.Values(), field)
			require.Equal(t, []countertypes.Status{countertypes.StatusOK, countertypes.StatusInvalidData, countertypes.StatusOK}, c.Statuses(), field)
		}
		require.False(t, c.Next())
	}
}
