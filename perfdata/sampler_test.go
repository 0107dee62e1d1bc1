package perfdata_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
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
	blk, err := perfdata.Parse(b, perfdump.Options{})
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

// TestCookedPairs cooks each two of many blocks in both ways, which must give
// the same: blocks in which a value lies behind some of the counter blocks, has
// another type, size or place, or whose clocks stand still; with instances in
// another order, fewer, and none.
func TestCookedPairs(t *testing.T) {
	blocks := []*perfdata.Block{nil}
	for clock := range int64(2) {
		for extra := range 4 { // which instances have longer counter blocks
			for counter := range 7 {
				blocks = append(blocks, pairBlock(t, clock, extra, counter, "CounterOffset", 56))
			}
		}
		blocks = append(blocks, pairBlock(t, clock, 0, 0, "CounterSize", 4), pairBlock(t, clock, 0, 2, "CounterSize", 3),
			pairBlock(t, clock, 3, 1, "CounterType", int64(countertypes.PERF_COUNTER_RAWCOUNT)), pairBlock(t, clock, 3, 3, "CounterNameTitleIndex", 99))
	}
	for i, older := range blocks {
		for j, newer := range blocks {
			if newer != nil && !(perftest.Race && (i+j)%8 > 0) {
				requireSameCooked(t, older, newer, nil)
			}
		}
	}
}

// pairBlock makes a block, of which a field of a counter is other than usual.
func pairBlock(t *testing.T, clock int64, extra, counter int, field string, value int64) *perfdata.Block {
	t.Helper()
	o := perftest.Object{Title: 2, PerfTime: 50 * clock, PerfFreq: 1000}
	for i, typ := range []countertypes.Type{
		countertypes.PERF_RAW_FRACTION, countertypes.PERF_RAW_BASE, countertypes.PERF_AVERAGE_BULK, countertypes.PERF_AVERAGE_BASE,
		countertypes.PERF_COUNTER_COUNTER, countertypes.PERF_100NSEC_TIMER_INV, countertypes.PERF_COUNTER_RAWCOUNT,
	} {
		o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + i/2), Type: uint32(typ)})
	}
	for i := range 4 + extra%2 { // which are read in bulk where they are alike
		n := uint64((i + extra) % 5)
		in := perftest.Instance{Name: fmt.Sprint(n), BlockExtra: 16 * (extra >> i & 1)}
		for j := range o.Counters {
			in.Values = append(in.Values, (n+3)*uint64(j+1)<<clock)
		}
		o.Instances = append(o.Instances, in)
	}
	m := (&perftest.Block{PerfTime: 1000 + 70*clock, PerfTime100nSec: perftest.DefaultTime + 90*clock, Objects: []perftest.Object{o}}).Build()
	blk, err := parseIn(m.Set(fmt.Sprintf("object[0].counter[%d].%s", counter, field), value).Bytes, perfdump.Tolerant)
	if err != nil {
		t.Fatal(err)
	}
	return blk
}

// TestCookedRows: objects of more counters than are cooked at a time have their
// instances one by one.
func TestCookedRows(t *testing.T) {
	for _, counters := range []int{2047, 2048, 2049, 4097} {
		blk := parse(t, perftest.Wide(counters, 5))
		requireSameCooked(t, blk, blk, nil)
	}
}

// What is found where a value is read becomes its status, by hand-made blocks
// and expectations: the cooker and the sampler share the code. The count of a
// MULTI type is its base's, else the DWORD behind the value, and the newer
// sample's counts; other types have none, whatever is behind them.
func TestSamplerStatuses(t *testing.T) {
	type row struct {
		typ    countertypes.Type
		multi  uint32
		status countertypes.Status
		value  float64
	}
	rows := []row{
		{countertypes.PERF_AVERAGE_BULK, 0, countertypes.StatusNoBase, 0}, // no base follows
		{countertypes.PERF_COUNTER_BULK_COUNT, 0, countertypes.StatusOK, 50},
		{countertypes.PERF_AVERAGE_BULK, 0, countertypes.StatusOK, 20},
		{countertypes.PERF_AVERAGE_BASE, 0, countertypes.StatusBaseOnly, 0},
		{countertypes.PERF_COUNTER_RAWCOUNT, 0, countertypes.StatusOK, 70},
		{countertypes.PERF_100NSEC_MULTI_TIMER, 3, countertypes.StatusOK, 10},
		{countertypes.PERF_100NSEC_MULTI_TIMER, 5, countertypes.StatusOK, 10},
		{countertypes.PERF_COUNTER_MULTI_BASE, 0, countertypes.StatusBaseOnly, 0},
		{countertypes.PERF_COUNTER_RAWCOUNT, 0, countertypes.StatusInvalidData, 0}, // past the block
		{countertypes.PERF_100NSEC_MULTI_TIMER, 0, countertypes.StatusNoBase, 0},   // without a count
	}
	block := func(n uint64) *perfdata.Block {
		o := perftest.Object{Title: 2, Single: true, Instances: instances{{Values: []uint64{100 * n, 50 * n, 60 * n, 3 * n, 70, 3000 * n, 5000 * n, 5, 0, 1}}}}
		for i, offset := range []int{8, 16, 24, 32, 36, 40, 56, 72, 4, 80} {
			o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*i), Type: uint32(rows[i].typ), Offset: offset})
		}
		b := &perftest.Block{PerfTime: int64(10 * n), PerfFreq: 10, PerfTime100nSec: perftest.DefaultTime + int64(10_000*n), Objects: []perftest.Object{o}}
		m := b.Build().Set("object[0].counter[8].CounterOffset", 1000)
		values := m.At("object[0].instance[0].block").Off
		m.Bytes[values+48], m.Bytes[values+64] = 3, 4
		return parse(t, m.Bytes)
	}
	older, newer := block(1), block(2)
	var s perfdata.Sampler
	s.Reset(older, newer, nil)
	for j, want := range rows {
		require.True(t, s.Next())
		v, status := countertypes.Cook(s.Older(), s.Newer(), nil)
		require.Equal(t, want.multi, s.Newer().Multi, "counter %d", j)
		require.Equal(t, want.status, status, "counter %d", j)
		require.InDelta(t, want.value, v, 1e-9, "counter %d", j)
	}
	requireSameCooked(t, older, newer, nil)
}

// olders are the first values of the older samples, 0 where there is none.
func olders(older, newer *perfdata.Block) (values []uint64) {
	var s perfdata.Sampler
	for s.Reset(older, newer, nil); s.Next(); {
		values = append(values, 0)
		if s.Older() != nil {
			values[len(values)-1] = s.Older().First
		}
	}
	return values
}

// Instances pair by UniqueID where they have one, whatever their names and
// places, else by name.
func TestSamplerPairsByUniqueID(t *testing.T) {
	block := func(list ...perftest.Instance) *perfdata.Block {
		return parse(t, (&perftest.Block{Objects: []perftest.Object{number(2, list...)}}).Bytes())
	}
	is := func(name string, id int32, value uint64) perftest.Instance {
		return perftest.Instance{Name: name, UniqueID: id, Values: []uint64{value}}
	}
	require.Equal(t, []uint64{20, 10}, olders(block(is("a", 0, 10), is("b", 0, 20)), block(is("b", 0, 0), is("a", 0, 0))))
	require.Equal(t, []uint64{40, 20, 50, 10, 30, 0, 0}, olders(
		block(is("a", 1, 10), is("b", 2, 20), is("c", 0, 30), is("d", 4, 40), is("e", 0, 50)),
		block(is("b", 4, 0), is("a", 2, 0), is("e", 0, 0), is("x", 1, 0), is("c", 0, 0), is("d", 0, 0), is("a", 5, 0))))
}

// Instances pair by the whole of their names: one whose parent at the same
// place has another name is another, whichever parent it shares with the one
// before, in blocks decoded into the memory of others too.
func TestSamplerPairsByFullName(t *testing.T) {
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
	for _, c := range []struct {
		was  string
		want []uint64 // of the threads; 0: none
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
		require.Equal(t, c.want, olders(a, b)[:5], c.was)
		older, newer = newer, older
	}
}

// A counter whose value is in no counter block, or of a width that no integer
// has, has no value next to many that do: it is not 0.
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

// TestCookerOfInstancesInAnotherOrder pairs the last instance of a block with the
// first of the next one: there are no bytes after its values.
func TestCookerOfInstancesInAnotherOrder(t *testing.T) {
	block := func(at int64, order func(i int) int) *perfdata.Block {
		o := perftest.Object{Title: 2}
		for j := range 16 {
			o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*j), Type: uint32(countertypes.PERF_COUNTER_BULK_COUNT)})
		}
		for i := range 40 {
			name := order(i)
			o.Instances = append(o.Instances, perftest.Instance{Name: fmt.Sprint("instance ", name), Values: slices.Repeat([]uint64{uint64(name)}, 16)})
		}
		return parse(t, slices.Clip((&perftest.Block{PerfTime: at, PerfFreq: 10, PerfTime100nSec: at, Objects: []perftest.Object{o}}).Bytes()))
	}
	requireSameCooked(t, block(1, func(i int) int { return i }), block(2, func(i int) int { return (i + 39) % 40 }), nil)
}
