package countertypes

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each case gives something else by default.
func TestSwitches(t *testing.T) {
	const start = unixEpoch + 15*s1
	cases := []struct {
		options string
		pair
	}{
		{"multi-timer=ticks", pair{"", PERF_COUNTER_MULTI_TIMER, 0, 0, 6, 30, 10, 2, 10, 0}},
		{"multi-timer=ticks", pair{"F is not used", PERF_COUNTER_MULTI_TIMER, 0, 0, 6, 30, -1, 2, 10, 0}},
		{"multi-inv=divided", pair{"on 100 ns", PERF_100NSEC_MULTI_TIMER_INV, 0, 0, s1, s1, s1, 4, 75, 0}},
		{"multi-inv=divided", pair{"ticks a second", PERF_COUNTER_MULTI_TIMER_INV, 0, 0, 3, 30, 10, 4, 75, 0}},
		{"multi-inv=divided,multi-timer=ticks", pair{"are two things", PERF_COUNTER_MULTI_TIMER_INV, 0, 0, 3, 30, 10, 4, 75, 0}},
		{"multi-inv=divided", pair{"F is used", PERF_COUNTER_MULTI_TIMER_INV, 0, 0, 3, 30, -1, 4, 0, StatusNegativeTimeBase}},
		{"multi-inv=divided", pair{"by nothing", PERF_COUNTER_MULTI_TIMER_INV, 0, 0, 3, 30, 10, 0, 0, StatusZeroDenominator}},
		{"elapsed=net", pair{"old start, old F", PERF_ELAPSED_TIME, 1000, 0, 4000, 5000, 10, 0, 400, 0}},
		{"elapsed=net", pair{"32 bits", PERF_ELAPSED_TIME, 1, 0, 5, 1<<24 + 2, 1, 0, 1 << 24, 0}},
		{"elapsed=net", pair{"start 0", PERF_ELAPSED_TIME, 1, 0, 0, 5000, 10, 0, 0, 0}},
		{"elapsed=net", pair{"old start 0", PERF_ELAPSED_TIME, 0, 0, 1, 5000, 10, 0, 0, 0}},
		{"elapsed=net", pair{"start is now", PERF_ELAPSED_TIME, 5000, 0, 4000, 5000, 10, 0, 0, 0}},
		{"elapsed=net", pair{"F 0", PERF_ELAPSED_TIME, 1000, 0, 4000, 5000, 0, 0, 0, 0}},
		{"elapsed=start-time", pair{"", PERF_ELAPSED_TIME, 0, 0, start, start + 1, s1, 0, 15, 0}},
		{"elapsed=start-time", pair{"before 1970", PERF_ELAPSED_TIME, 0, 0, unixEpoch - s1, start, s1, 0, -1, 0}},
		{"elapsed=start-time", pair{"after now", PERF_ELAPSED_TIME, 0, 0, start, start - 1, s1, 0, 15, 0}},
		{"truncate-rates", pair{"", PERF_COUNTER_BULK_COUNT, 0, 0, 29, 3, 1, 0, 9, 0}},
		{"truncate-rates=true", pair{"no suffix", PERF_SAMPLE_COUNTER, 0, 0, 1, 3, 1, 0, 0, 0}},
		{"truncate-rates", pair{"full", PERF_COUNTER_BULK_COUNT, 0, 0, 1 << 40, 1, 1, 0, 4294967295, 0}},
		{"negative=zero", pair{"", PERF_COUNTER_DELTA, 9, 0, 5, 0, 0, 0, 0, 0}},
		{"negative=zero", pair{"the value, not the difference", PERF_COUNTER_TIMER_INV, 9, 0, 5, 9, 0, 0, 0, 0}},
		{"negative=zero", pair{"elapsed", PERF_ELAPSED_TIME, 0, 0, 5, 4, 1, 0, 0, 0}},
		{"negative=signed", pair{"", PERF_COUNTER_DELTA, 9, 0, 5, 0, 0, 0, -4, 0}},
		{"negative=signed", pair{"rate", PERF_COUNTER_BULK_COUNT, 9, 0, 5, 2, 1, 0, -2, 0}},
		{"negative=signed", pair{"elapsed", PERF_ELAPSED_TIME, 0, 0, 50, 40, 5, 0, -2, 0}},
		{"negative=signed", pair{"later tests stand", PERF_COUNTER_BULK_COUNT, 9, 0, 5, 0, 1, 0, 0, StatusZeroDenominator}},
		{"negative=signed,truncate-rates", pair{"a DWORD has no sign", PERF_COUNTER_COUNTER, 9, 0, 5, 2, 1, 0, 0, 0}},
		{"negative=wrap32", pair{"", PERF_COUNTER_COUNTER, 4294967290, 0, 10, 2, 1, 0, 8, 0}},
		{"negative=wrap32", pair{"the largest step", PERF_COUNTER_DELTA, 1<<32 - 1, 0, 1<<31 - 2, 0, 0, 0, 1<<31 - 1, 0}},
		{"scale=3", pair{"", PERF_COUNTER_COUNTER, 0, 0, 5, 1, 1, 0, 5000, 0}},
		{"scale=-7", pair{"", PERF_COUNTER_LARGE_RAWCOUNT, 0, 0, 1, 0, 0, 0, 1e-7, 0}},
		{"cap=100", pair{"", PERF_COUNTER_TIMER, 0, 0, 25, 10, 0, 0, 100, 0}},
		{"cap=0-100", pair{"above", PERF_COUNTER_TIMER, 0, 0, 25, 10, 0, 0, 100, 0}},
		{"cap=0-100", pair{"below", PERF_COUNTER_TIMER_INV, 0, 0, 25, 10, 0, 0, 0, 0}},
		{"cap=100,scale=1", pair{"before the scale", PERF_COUNTER_TIMER, 0, 0, 25, 10, 0, 0, 1000, 0}},
	}
	tried := map[string]bool{"obj-clock": true, "rate-clock": true, "scale": true} // TestTuple, TestDefaultScale
	for _, c := range cases {
		t.Run(c.options+" "+c.name, func(t *testing.T) {
			var o Options
			setAll(t, &o, c.options)
			older, newer := c.samples()
			v, s := Cook(older, newer, &o)
			assert.Equal(t, c.status, s)
			assert.Equal(t, c.want, v)
			dv, ds := Cook(older, newer, nil)
			assert.False(t, dv == v && ds == s, "the default gives the same")
			key, _, _ := strings.Cut(c.options, "=")
			tried[key] = true
		})
	}
	for _, s := range Switches() {
		assert.True(t, tried[s.Key], s.Key)
	}
}

// What a switch must leave alone.
func TestSwitchesLeaveAlone(t *testing.T) {
	cases := []struct {
		options string
		size    uint32
		pair
	}{
		{"multi-timer=ticks", 8, pair{"", PERF_100NSEC_MULTI_TIMER, 0, t0, 2 * s1, t0 + s1, s1, 4, 50, 0}},
		{"multi-inv=divided", 8, pair{"", PERF_COUNTER_MULTI_TIMER, 0, 0, 6, 30, 10, 2, 100, 0}},
		{"truncate-rates", 8, pair{"", PERF_COUNTER_TIMER, 0, 0, 1, 8, 1, 0, 12.5, 0}},
		{"truncate-rates", 8, pair{"", PERF_100NSEC_MULTI_TIMER, 0, 0, 1, 8, 1, 1, 12.5, 0}},
		{"truncate-rates", 4, pair{"", PERF_COUNTER_QUEUELEN_TYPE, 0, 0, 3, 2, 1, 0, 1.5, 0}},
		{"negative=wrap32", 8, pair{"8 bytes", PERF_COUNTER_COUNTER, 4294967290, 0, 10, 2, 1, 0, 0, StatusNegativeDelta}},
		{"negative=wrap32", 0, pair{"size unknown", PERF_COUNTER_COUNTER, 4294967290, 0, 10, 2, 1, 0, 0, StatusNegativeDelta}},
		{"negative=wrap32", 4, pair{"2^31", PERF_COUNTER_DELTA, 1<<32 - 1, 0, 1<<31 - 1, 0, 0, 0, 0, StatusNegativeDelta}},
		{"negative=wrap32", 4, pair{"a reset", PERF_COUNTER_DELTA, 1000, 0, 1, 0, 0, 0, 0, StatusNegativeDelta}},
		{"negative=wrap32", 4, pair{"no 4-byte value", PERF_COUNTER_DELTA, 1<<32 + 5, 0, 10, 0, 0, 0, 0, StatusNegativeDelta}},
		{"negative=wrap32", 4, pair{"elapsed", PERF_ELAPSED_TIME, 0, 0, 5, 4, 1, 0, 0, StatusNegativeDelta}},
		{"negative=zero", 4, pair{"base", PERF_AVERAGE_BULK, 0, 9, 5, 5, 0, 0, 0, StatusNegativeDenominator}},
		{"negative=wrap32", 4, pair{"base", PERF_SAMPLE_FRACTION, 0, 4294967290, 5, 5, 0, 0, 0, StatusNegativeDenominator}},
		{"negative=signed", 4, pair{"base", PERF_AVERAGE_BULK, 0, 9, 5, 5, 0, 0, 0, StatusNegativeDenominator}},
		{"cap=0-100", 4, pair{"no percentage", PERF_COUNTER_COUNTER, 0, 0, 500, 1, 1, 0, 500, 0}},
		{"cap=100", 8, pair{"below 0", PERF_COUNTER_TIMER_INV, 0, 0, 25, 10, 0, 0, -150, 0}},
		{"scale=none", 4, pair{"", PERF_COUNTER_COUNTER, 0, 0, 500, 1, 1, 0, 500, 0}},
		{"scale=0", 4, pair{"", PERF_COUNTER_COUNTER, 0, 0, 500, 1, 1, 0, 500, 0}},
	}
	for _, c := range cases {
		var o Options
		setAll(t, &o, c.options)
		older, newer := c.samples()
		older.Size, newer.Size = c.size, c.size
		v, s := Cook(older, newer, &o)
		assert.Equal(t, c.status, s, c.options+c.name)
		assert.Equal(t, c.want, v, c.options+c.name)
	}
	_, s := Cook(nil, &Sample{Type: PERF_ELAPSED_TIME, First: 4, Second: 9, TimeBase: 1}, &Options{Elapsed: ElapsedNET})
	assert.Equal(t, StatusOK, s, ".NET shows 0 for a first sample")

	// Its frequency is that of the older sample.
	for _, c := range []struct {
		older, newer int64
		want         float64
		status       Status
	}{
		{10, 10, 2, StatusOK},
		{10, 5, 2, StatusOK},
		{10, 0, 2, StatusOK},
		{10, -1, 2, StatusOK},
		{0, 10, 0, StatusOK},
		{-10, 10, 0, StatusNegativeTimeBase},
		{-1 << 63, 10, 0, StatusNegativeTimeBase},
	} {
		v, s := Cook(&Sample{Type: PERF_ELAPSED_TIME, First: 4, Second: 9, TimeBase: c.older},
			&Sample{Type: PERF_ELAPSED_TIME, First: 4, Second: 24, TimeBase: c.newer}, &Options{Elapsed: ElapsedNET})
		assert.Equal(t, c.status, s, c)
		assert.Equal(t, c.want, v, c)
	}
}

func TestDefaultScale(t *testing.T) {
	sample := &Sample{Type: PERF_COUNTER_RAWCOUNT, First: 10, DefaultScale: 2}
	for options, want := range map[string]float64{"": 10, "scale=default": 1000, "scale=1": 100, "scale=-1": 1} {
		var o Options
		setAll(t, &o, options)
		v, s := Cook(nil, sample, &o)
		assert.Equal(t, StatusOK, s)
		assert.Equal(t, want, v, options)
	}
	for n, want := range map[int32]int8{0: 0, 10: 10, -10: -10, 11: 0, -11: 0, 1 << 30: 0, 258: 0} {
		assert.Equal(t, want, ClampScale(n))
	}
	assert.Equal(t, 7.0, Scale(7, 11))
	assert.Equal(t, 7.0, Scale(7, -11))
	assert.Equal(t, 0.3, Scale(3, -1))
	assert.Equal(t, 7e10, Scale(7, 10))
}

func TestSet(t *testing.T) {
	for _, s := range Switches() {
		assert.NotEmpty(t, s.Doc)
		for i, value := range s.Values {
			if value == "N" {
				value = "-3"
			}
			var o Options
			require.NoError(t, o.Set(s.Key, value))
			assert.Equal(t, i == 0, o == Options{}, s.Key)
			if i > 0 {
				assert.Equal(t, s.Key+"="+value, o.String())
			}
			require.NoError(t, o.Set(s.Key, s.Values[0]))
			assert.Equal(t, Options{}, o, "the default turns it off")
		}
	}
	var o Options
	setAll(t, &o, "cap=100,multi-timer=ticks,truncate-rates,scale=default")
	assert.Equal(t, "multi-timer=ticks,truncate-rates=true,scale=default,cap=100", o.String())
	assert.Empty(t, Options{}.String())
	for _, word := range []string{
		"=", "cap=", "cap=50", "scale=11", "scale=-11", "scale=", "scale=1.5", "scale=N", "scale=127",
		"multi-timer=F", "elapsed=NET", "truncate-rates=yes", "bases=none",
	} {
		before := o
		key, value, _ := strings.Cut(word, "=")
		assert.Error(t, o.Set(key, value), word)
		assert.Equal(t, before, o)
	}
	for _, scale := range []string{"-10", "-9", "9", "10"} {
		assert.NoError(t, o.Set("scale", scale), scale)
	}
	assert.Empty(t, Options{Cap: 99}.String(), "out of range acts as the default")
}

func TestTuple(t *testing.T) {
	clocks := &Clocks{PerfTime: 1, Time100ns: 2, ObjectTime: 3, PerfFreq: 4, ObjectFreq: 5}
	type tuple struct {
		second   uint64
		timeBase int64
		fromBase bool
	}
	ticks, ns100, object := tuple{1, 4, false}, tuple{2, 10_000_000, false}, tuple{3, 5, false}
	base, none := tuple{0, 0, true}, tuple{}
	want := map[Type]tuple{
		PERF_SAMPLE_COUNTER: ticks, PERF_COUNTER_QUEUELEN_TYPE: ticks, PERF_COUNTER_LARGE_QUEUELEN_TYPE: ticks,
		PERF_COUNTER_100NS_QUEUELEN_TYPE: ns100, PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE: object,
		PERF_COUNTER_COUNTER: ticks, PERF_COUNTER_BULK_COUNT: ticks, PERF_RAW_FRACTION: base, PERF_LARGE_RAW_FRACTION: base,
		PERF_COUNTER_TIMER: ticks, PERF_PRECISION_SYSTEM_TIMER: base, PERF_100NSEC_TIMER: ns100, PERF_PRECISION_100NS_TIMER: base,
		PERF_OBJ_TIME_TIMER: object, PERF_PRECISION_OBJECT_TIMER: base, PERF_SAMPLE_FRACTION: base,
		PERF_COUNTER_TIMER_INV: ticks, PERF_100NSEC_TIMER_INV: ns100, PERF_COUNTER_MULTI_TIMER: ticks,
		PERF_100NSEC_MULTI_TIMER: ns100, PERF_COUNTER_MULTI_TIMER_INV: ticks, PERF_100NSEC_MULTI_TIMER_INV: ns100,
		PERF_AVERAGE_TIMER: {0, 4, true}, PERF_ELAPSED_TIME: object, PERF_AVERAGE_BULK: base,
	} // all others none: raw, delta, text, labels, bases
	rate100ns := map[Type]bool{PERF_SAMPLE_COUNTER: true, PERF_COUNTER_COUNTER: true, PERF_COUNTER_BULK_COUNT: true}
	system := map[Type]bool{PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE: true, PERF_OBJ_TIME_TIMER: true}
	for _, n := range named {
		typ := Type(n.hex)
		check := func(o *Options, want tuple) {
			var got tuple
			got.second, got.timeBase, got.fromBase = typ.Tuple(clocks, o)
			assert.Equal(t, want, got, "%s %s", n.name, o)
			assert.Equal(t, typ.NeedsBase(), got.fromBase)
		}
		expected, ok := want[typ]
		if !ok {
			expected = none
		}
		check(nil, expected)
		check(&Options{}, expected)
		changed := expected
		if rate100ns[typ] {
			changed = ns100
		}
		check(&Options{RateClock: RateClock100ns}, changed)
		if system[typ] {
			changed = ticks
		}
		check(&Options{RateClock: RateClock100ns, ObjClock: ObjClockSystem}, changed)
	}
	second, timeBase, fromBase := Type(0x80410400).Tuple(clocks, nil)
	assert.Equal(t, none, tuple{second, timeBase, fromBase}, "unsupported")
}
