package countertypes

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFormat(t *testing.T) {
	cases := []struct {
		v    float64
		typ  Type
		want string
	}{
		{250, PERF_COUNTER_COUNTER, "250/sec"},
		{12.5, PERF_RAW_FRACTION, "12.5%"},
		{0.1, PERF_AVERAGE_TIMER, "0.1 secs"},
		{4096, PERF_AVERAGE_BULK, "4096"},
		{-20, PERF_COUNTER_RAWCOUNT, "-20"},
		{1e21, PERF_COUNTER_LARGE_RAWCOUNT, "1000000000000000000000"},
		{0xDEADBEEF, PERF_COUNTER_RAWCOUNT_HEX, "0xdeadbeef"},
		{15, PERF_COUNTER_RAWCOUNT_HEX, "0x0000000f"},
		{15, PERF_COUNTER_LARGE_RAWCOUNT_HEX, "0x000000000000000f"},
		{1 << 32, PERF_COUNTER_RAWCOUNT_HEX, "0x0000000100000000"},
		{1.5, PERF_COUNTER_RAWCOUNT_HEX, "1.5"},
		{-1, PERF_COUNTER_RAWCOUNT_HEX, "-1"},
		{1 << 64, PERF_COUNTER_RAWCOUNT_HEX, "18446744073709552000"},
		{math.Inf(1), PERF_COUNTER_RAWCOUNT_HEX, "+Inf"},
	}
	for _, c := range cases {
		assert.Equal(t, c.want, Format(c.v, c.typ))
	}
	assert.Equal(t, "18446744073709551615", FormatInt(math.MaxUint64, PERF_COUNTER_LARGE_RAWCOUNT, 8))
	assert.Equal(t, "0x0000000f", FormatInt(15, PERF_COUNTER_LARGE_RAWCOUNT_HEX, 4), "CounterSize decides")
	assert.Equal(t, "0x000000000000000f", FormatInt(15, PERF_COUNTER_RAWCOUNT_HEX, 8), "CounterSize decides")
	assert.Equal(t, "0xffffffffffffffff", FormatInt(math.MaxUint64, PERF_COUNTER_RAWCOUNT_HEX, 4))
}

func TestExplain(t *testing.T) {
	const want = `0x21510500  PERF_100NSEC_TIMER_INV
  Busy time in percent where the value counts idle time in 100 ns.
  100 * (1 - (N1 - N0) / (S1 - S0))
  8-9    0x00000100  size        LARGE, 8 bytes
  10-11  0x00000400  kind        COUNTER
  16-19  0x00010000  subtype     RATE
  20-21  0x00100000  clock       100 ns
  22     0x00400000  delta       the older value is subtracted
  24     0x01000000  inverse     1 - x is shown
  28-30  0x20000000  suffix      %
`
	assert.Equal(t, want, Explain(PERF_100NSEC_TIMER_INV))
	assert.Contains(t, Explain(0x10510500), "no name, cooked by its bits")
	assert.Contains(t, Explain(0x00060400), "no name, unsupported")
	assert.Contains(t, Explain(0xFFFFFFFF), "undefined bits, unsupported")
	assert.Contains(t, Explain(PERF_DOUBLE_RAW), "a double")
	assert.Contains(t, Explain(PERF_COUNTER_HISTOGRAM_TYPE), "a histogram")
	// The fields hold every bit once: put together they are the type.
	for _, typ := range []Type{0, 0xFFFFFFFF, 0x12345678, 0x40030503, 0x20C20400, 0x8E8E8E8E} {
		var sum, masks uint32
		for _, f := range typ.Fields() {
			assert.Zero(t, masks&f.Mask)
			sum |= f.Value
			masks |= f.Mask
		}
		assert.Equal(t, uint32(typ), sum)
	}
	assert.Equal(t, 13, strings.Count(Explain(0xFFFFFFFF), "\n")-1)
}
