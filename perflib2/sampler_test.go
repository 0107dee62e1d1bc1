package perflib2_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perflib2"
)

// sampled returns the samples of the first instance of the first result.
func sampled(t *testing.T, reg []byte, r perflib2.TreeResult, o *countertypes.Options) []countertypes.Sample {
	t.Helper()
	var registration *perflib2.Registration
	if reg != nil {
		registration = parseRegistration(t, reg)
	}
	var s perflib2.Sampler
	res := parse(t, encode(t, r)).Result(0)
	s.Reset(registration, res, o)
	values := res.Instance(0).AppendValues(nil)
	require.Equal(t, len(values), s.Len())
	var all []countertypes.Sample
	for j := range s.Len() {
		all = append(all, s.Sample(values, j))
	}
	return all
}

func set(ids []uint32, values ...[]byte) perflib2.TreeResult {
	return perflib2.TreeResult{Type: perflib2.CounterSet, IDs: ids, Instances: []perflib2.TreeInstance{{Name: "x", Values: values}}}
}

const (
	perfTime  = 6618187010636
	perf100ns = 132617525327780023
	perfFreq  = 10000000
)

// TestSamples gives each kind of counter what its type needs.
func TestSamples(t *testing.T) {
	type list = []perflib2.TreeCounter
	timed := counter(10, countertypes.PERF_COUNTER_TIMER, "own clock")
	timed.PerfTimeID, timed.PerfFreqID = 11, 12
	average := based(counter(20, countertypes.PERF_AVERAGE_TIMER, "average"), 21)
	ownAverage := average
	ownAverage.PerfFreqID = 12
	multi := counter(30, countertypes.PERF_COUNTER_MULTI_TIMER, "multi")
	multi.MultiID = 31
	scaled := counter(40, countertypes.PERF_COUNTER_RAWCOUNT, "scaled")
	scaled.DefaultScale = -3
	one := func(typ countertypes.Type) list { return list{counter(1, typ, "r")} }
	clocked := list{timed, counter(11, 0, ""), counter(12, 0, "")}
	averages := list{average, counter(21, countertypes.PERF_AVERAGE_BASE, "")}
	const noBase, invalid = countertypes.StatusNoBase, countertypes.StatusInvalidData
	for name, c := range map[string]struct {
		counters list
		ids      []uint32
		values   [][]byte
		want     countertypes.Sample // of the first value, but for First, Type and Size
	}{
		"raw":            {list{scaled}, []uint32{40}, [][]byte{u32(1)}, countertypes.Sample{DefaultScale: -3}},
		"rate":           {one(countertypes.PERF_COUNTER_COUNTER), []uint32{1}, [][]byte{u32(1)}, countertypes.Sample{Second: perfTime, TimeBase: perfFreq}},
		"100 ns":         {one(countertypes.PERF_100NSEC_TIMER_INV), []uint32{1}, [][]byte{u64(1)}, countertypes.Sample{Second: perf100ns, TimeBase: 10000000}},
		"object clock":   {one(countertypes.PERF_OBJ_TIME_TIMER), []uint32{1}, [][]byte{u64(1)}, countertypes.Sample{Second: perfTime, TimeBase: perfFreq}},
		"elapsed":        {one(countertypes.PERF_ELAPSED_TIME), []uint32{1}, [][]byte{u64(1)}, countertypes.Sample{Second: perfTime, TimeBase: perfFreq}},
		"own clock":      {clocked, []uint32{10, 12, 11}, [][]byte{u64(1), u32(250), u64(9)}, countertypes.Sample{Second: 9, TimeBase: 250}},
		"no own clock":   {clocked, []uint32{10, 12}, [][]byte{u64(1), u32(250)}, countertypes.Sample{Second: perfTime, TimeBase: 250, Status: invalid}},
		"base behind":    {averages, []uint32{20, 21}, [][]byte{u64(1), u32(3)}, countertypes.Sample{Second: 3, TimeBase: perfFreq}},
		"base elsewhere": {append(averages, counter(9, 0, "n")), []uint32{20, 9, 21}, [][]byte{u64(1), u32(7), u32(3)}, countertypes.Sample{Second: 3, TimeBase: perfFreq}},
		"base, own freq": {list{ownAverage, averages[1], counter(12, 0, "")}, []uint32{20, 21, 12}, [][]byte{u64(1), u32(3), u32(250)}, countertypes.Sample{Second: 3, TimeBase: 250}},
		"base not there": {averages, []uint32{20}, [][]byte{u64(1)}, countertypes.Sample{TimeBase: perfFreq, Status: noBase}},
		"base unknown":   {list{based(average, perflib2.NoID)}, []uint32{20, 21}, [][]byte{u64(1), u32(3)}, countertypes.Sample{TimeBase: perfFreq, Status: noBase}},
		"base no number": {averages, []uint32{20, 21}, [][]byte{u64(1), {1}}, countertypes.Sample{TimeBase: perfFreq, Status: noBase}},
		"multi":          {list{multi, counter(31, countertypes.PERF_COUNTER_MULTI_BASE, "")}, []uint32{30, 31}, [][]byte{u64(1), u32(4)}, countertypes.Sample{Second: perfTime, TimeBase: perfFreq, Multi: 4}},
		"no multi":       {list{multi}, []uint32{30}, [][]byte{u64(1)}, countertypes.Sample{Second: perfTime, TimeBase: perfFreq, Status: noBase}},
		"odd size":       {one(countertypes.PERF_COUNTER_RAWCOUNT), []uint32{1}, [][]byte{{1, 2, 3}}, countertypes.Sample{Status: invalid}},
		"the same id":    {averages, []uint32{20, 21, 21}, [][]byte{u64(1), u32(3), u32(4)}, countertypes.Sample{Second: 3, TimeBase: perfFreq}},
	} {
		got := sampled(t, register(t, c.counters...), set(c.ids, c.values...), nil)[0]
		c.want.Type, c.want.Size = c.counters[0].Type, uint32(len(c.values[0]))
		if name != "odd size" {
			c.want.First = 1
		}
		require.Equal(t, c.want, got, name)
	}
}

// TestSharedBase: two counters share one base, and the clock switches apply.
func TestSharedBase(t *testing.T) {
	reg := register(t, based(counter(1, countertypes.PERF_RAW_FRACTION, "a"), 3), based(counter(2, countertypes.PERF_RAW_FRACTION, "b"), 3), counter(3, countertypes.PERF_RAW_BASE, ""))
	got := sampled(t, reg, set([]uint32{1, 2, 3}, u32(10), u32(20), u32(40)), nil)
	for j, want := range []float64{25, 50} {
		v, status := countertypes.Cook(nil, &got[j], nil)
		require.Equal(t, countertypes.StatusOK, status)
		require.InDelta(t, want, v, 0)
	}
	_, status := countertypes.Cook(nil, &got[2], nil)
	require.Equal(t, countertypes.StatusBaseOnly, status)

	reg = register(t, counter(1, countertypes.PERF_COUNTER_COUNTER, "r"))
	o := &countertypes.Options{RateClock: countertypes.RateClock100ns}
	require.EqualValues(t, uint64(perf100ns), sampled(t, reg, set([]uint32{1}, u32(1)), o)[0].Second)
}

// TestNotRegistered: without a registration there is a status, and with one for
// counters that it does not have.
func TestNotRegistered(t *testing.T) {
	r := set([]uint32{1, 2}, u32(10), u64(20))
	unsupported := countertypes.Sample{First: 20, Size: 8, Status: countertypes.StatusUnsupported}
	require.Equal(t, unsupported, sampled(t, nil, r, nil)[1])
	got := sampled(t, register(t, counter(1, countertypes.PERF_COUNTER_RAWCOUNT, "a")), r, nil)
	require.Equal(t, unsupported, got[1])
	require.Equal(t, countertypes.StatusOK, got[0].Status)

	// Results of one counter do not say which: it is known in a set of one.
	one := perflib2.TreeResult{Type: perflib2.SingleCounter, Instances: []perflib2.TreeInstance{{Values: [][]byte{u32(5)}}}}
	require.Equal(t, countertypes.StatusOK, sampled(t, register(t, counter(9, countertypes.PERF_COUNTER_RAWCOUNT, "a")), one, nil)[0].Status)
	two := register(t, counter(9, countertypes.PERF_COUNTER_RAWCOUNT, "a"), counter(8, countertypes.PERF_COUNTER_RAWCOUNT, "b"))
	require.Equal(t, countertypes.StatusUnsupported, sampled(t, two, one, nil)[0].Status)
}

// TestText: a text is a text also where it has the size of a number.
func TestText(t *testing.T) {
	const unicodeText = countertypes.Type(0x00000B00)
	reg := register(t, counter(1, unicodeText, "t"))
	for _, text := range []string{"", "a", "abc", "longer"} {
		s := sampled(t, reg, set([]uint32{1}, utf16(text)), nil)[0]
		_, status := countertypes.Cook(nil, &s, nil)
		require.Equal(t, countertypes.StatusText, status, text)
	}
}

// TestSamplerIsReset changes from one list of ids to another and back.
func TestSamplerIsReset(t *testing.T) {
	r := parseRegistration(t, smallSet(t))
	blk := parse(t, encode(t, set([]uint32{0, 3}, u32(1), u32(2)), set([]uint32{3, 0}, u32(2), u32(1)), set([]uint32{0}, u32(1))))
	var s perflib2.Sampler
	for _, c := range []struct {
		result, counter int
		second          uint64
		status          countertypes.Status
	}{{0, 0, 2, 0}, {1, 1, 2, 0}, {2, 0, 0, countertypes.StatusNoBase}, {0, 0, 2, 0}} {
		res := blk.Result(c.result)
		s.Reset(r, res, nil)
		got := s.Sample(res.Instance(0).AppendValues(nil), c.counter)
		require.Equal(t, []any{uint64(1), c.second, c.status}, []any{got.First, got.Second, got.Status})
		require.Equal(t, "% Full", s.Counter(c.counter).Name())
	}
}
