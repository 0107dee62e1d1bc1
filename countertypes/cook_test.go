package countertypes

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// setAll sets "key=value,key=value".
func setAll(t testing.TB, o *Options, words string) {
	t.Helper()
	for word := range strings.SplitSeq(words, ",") {
		if word != "" {
			key, value, _ := strings.Cut(word, "=")
			require.NoError(t, o.Set(key, value))
		}
	}
}

// pair is a case of two samples: value and clock or base, older and newer.
type pair struct {
	name           string
	typ            Type
	n0, s0, n1, s1 uint64
	f              int64
	multi          uint32
	want           float64
	status         Status
}

func (p *pair) samples() (older, newer *Sample) {
	older = &Sample{Type: p.typ, First: p.n0, Second: p.s0, TimeBase: p.f, Multi: p.multi, Size: uint32(max(p.typ.ValueWidth(), 0))}
	newer = new(*older)
	newer.First, newer.Second = p.n1, p.s1
	return older, newer
}

const (
	t0 = 131_000_000_000_000_000 // a FILETIME of 2016, beyond 2^53
	s1 = 10_000_000              // a second of 100 ns
)

// The expected values are exact: another order of evaluation gives other last
// bits in those marked so. The oracle has the other cases.
var pairs = []pair{
	{"counter, order", PERF_COUNTER_COUNTER, 0, 0, 1, 3, 10, 0, 3.3333333333333335, 0},
	{"bulk count of a real frequency, order", PERF_COUNTER_BULK_COUNT, 7_000_000_000, 5_000_000_000, 7_000_012_387, 5_002_725_537, 2_725_536, 0, 12386.995455207541, 0},
	{"bulk count beyond 2^63", PERF_COUNTER_BULK_COUNT, 0, 0, math.MaxUint64, 1, 1, 0, 18446744073709551615, 0},
	{"differences above 2^53 are exact", PERF_COUNTER_BULK_COUNT, 1<<60 + 1, 1<<61 + 1, 1<<60 + 4, 1<<61 + 2, 1, 0, 3, 0},
	{"over the sign bit", PERF_COUNTER_BULK_COUNT, 1<<63 - 1, 1<<63 - 1, 1<<63 + 1, 1 << 63, 1, 0, 2, 0},
	{"delta", PERF_COUNTER_DELTA, 100, 9, 142, 9, 0, 0, 42, 0},
	{"timer", PERF_COUNTER_TIMER, 0, 0, 25, 100, -3, 0, 25, 0},
	{"100 ns timer, order", PERF_100NSEC_TIMER, 0, t0, 29, t0 + 100, s1, 0, 28.999999999999996, 0},
	{"inverse timer, order", PERF_100NSEC_TIMER_INV, 0, t0, 12 * s1, t0 + 10*s1, s1, 0, -19.999999999999996, 0},
	{"multi timer by F and B", PERF_COUNTER_MULTI_TIMER, 0, 0, 6, 30, 10, 2, 100, 0},
	{"multi timer on 100 ns ignores F", PERF_100NSEC_MULTI_TIMER, 0, t0, 2 * s1, t0 + s1, 0, 4, 50, 0},
	{"inverse multi timer of nothing", PERF_100NSEC_MULTI_TIMER_INV, 0, t0, s1, t0 + s1, s1, 0, -100, 0},
	{"precision 100 ns, order", PERF_PRECISION_100NS_TIMER, 0, 0, 29, 100, 0, 0, 28.999999999999996, 0},
	{"raw fraction takes the newer", PERF_RAW_FRACTION, 1, 2, 25, 200, 0, 0, 12.5, 0},
	{"average timer, order", PERF_AVERAGE_TIMER, 1_000_000, 10, 4_000_000, 13, s1, 0, 0.09999999999999999, 0},
	{"average timer of nothing", PERF_AVERAGE_TIMER, 5, 10, 5, 10, s1, 0, 0, 0},
	{"elapsed takes the newer", PERF_ELAPSED_TIME, 0, 0, 4000, 5000, 10, 0, 100, 0},
	{"elapsed, start 0", PERF_ELAPSED_TIME, 0, 0, 0, 5000, 10, 0, 500, 0},
	{"unnamed rate without suffix on 100 ns", 0x00510500, 0, t0, 5, t0 + s1, s1, 0, 5, 0},
	{"unnamed inverse that is no percentage", 0x11410500, 0, 0, 5, 10, 10, 0, 5, 0},
	{"unnamed rate without DELTA", 0x10010400, 100, 0, 50, 10, 10, 0, 50, 0},
	{"unnamed 1000th", 0x00420000, 500, 0, 2000, 0, 0, 0, 1.5, 0},
	{"unnamed fraction with DELTA alone", 0x20420400, 0, 0, 1, 4, 0, 0, 25, 0},
	{"unnamed raw fraction with DELTA BASE alone", 0x20820400, 0, 3, 1, 4, 0, 0, 25, 0},
	{"unnamed multi object timer", 0x22610500, 0, 0, 5, 10, 99, 2, 25, 0},
	{"wrap is no exception", PERF_COUNTER_COUNTER, 4294967290, 0, 10, 9, 1, 0, 0, StatusNegativeDelta},
	{"went back from beyond 2^63", PERF_COUNTER_BULK_COUNT, 1 << 63, 0, 5, 1, 1, 0, 0, StatusNegativeDelta},
	{"delta went back from beyond 2^63", PERF_COUNTER_LARGE_DELTA, 1 << 63, 0, 5, 1, 1, 0, 0, StatusNegativeDelta},
	{"clock went back from beyond 2^63", PERF_COUNTER_TIMER, 0, 1 << 63, 5, 1, 1, 0, 0, StatusNegativeDenominator},
	{"started after now", PERF_ELAPSED_TIME, 0, 0, 5001, 5000, 10, 0, 0, StatusNegativeDelta},
	{"clock went back", PERF_100NSEC_TIMER, 0, t0 + 1, 5, t0, 0, 0, 0, StatusNegativeDenominator},
	{"clock stood still", PERF_100NSEC_TIMER, 0, t0, 0, t0, 0, 0, 0, StatusZeroDenominator},
	{"rate, F 0", PERF_COUNTER_COUNTER, 0, 0, 5, 9, 0, 0, 0, StatusZeroDenominator},
	{"rate, F below 0", PERF_COUNTER_BULK_COUNT, 0, 0, 5, 9, -1, 0, 0, StatusNegativeTimeBase},
	{"average over no operation", PERF_AVERAGE_TIMER, 5, 10, 6, 10, s1, 0, 0, StatusZeroDenominator},
	{"text", PERF_COUNTER_TEXT, 0, 0, 0, 0, 0, 0, 0, StatusText},
	{"label", PERF_COUNTER_NODATA, 0, 0, 0, 0, 0, 0, 0, StatusNoValue},
	{"base", PERF_AVERAGE_BASE, 5, 0, 1, 0, 0, 0, 0, StatusBaseOnly},
	{"histogram", PERF_COUNTER_HISTOGRAM_TYPE, 0, 0, 0, 0, 0, 0, 0, StatusUnsupported},
	{"zero", 0x00000C00, 5, 5, 5, 5, 0, 0, 0, 0},
}

func TestCook(t *testing.T) {
	for _, p := range pairs {
		t.Run(p.name, func(t *testing.T) {
			older, newer := p.samples()
			before := [2]Sample{*older, *newer}
			v, s := Cook(older, newer, nil)
			assert.Equal(t, p.status, s)
			assert.Equal(t, p.want, v)
			assert.Equal(t, before, [2]Sample{*older, *newer})

			v, s = Cook(older, newer, &Options{})
			assert.Equal(t, p.status, s, "the zero Options are the defaults")
			assert.Equal(t, p.want, v)

			v, s = Cook(nil, newer, nil)
			if p.typ.NeedsTwo() {
				assert.Equal(t, StatusNeedsSecondSample, s)
				assert.Zero(t, v)
			} else {
				assert.Equal(t, p.status, s, "a type of one sample uses the newer")
				assert.Equal(t, p.want, v)
			}
		})
	}
	_, s := Cook(nil, nil, nil)
	assert.Equal(t, StatusInvalidData, s)
}

func TestDoubles(t *testing.T) {
	for _, want := range []float64{0, 1.5, -273.15, math.Inf(1), math.MaxFloat64} {
		s := Sample{Type: PERF_DOUBLE_RAW, First: math.Float64bits(want), Size: 8}
		v, status := Cook(nil, &s, nil)
		assert.Equal(t, StatusOK, status)
		assert.Equal(t, want, v)
		s.Size = 4
		v, status = Cook(nil, &s, nil)
		assert.Equal(t, StatusUnsupported, status)
		assert.Zero(t, v)
	}
}

func TestCookAllocatesNothing(t *testing.T) {
	o := Options{Scale: ScaleDefault, Cap: Cap100, Negative: NegativeWrap32}
	found := Sample{Status: StatusInvalidData}
	for _, p := range pairs {
		older, newer := p.samples()
		assert.Zero(t, testing.AllocsPerRun(10, func() {
			Cook(older, newer, nil)
			Cook(nil, newer, &o)
			_ = Exact(Inexact, Rest(older, newer, Inexact))
			found.Type = newer.Type
			Cook(older, &found, nil)
		}), p.name)
	}
}
