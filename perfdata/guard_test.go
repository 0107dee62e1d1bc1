package perfdata_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

func skipGuard(t *testing.T) {
	t.Helper()
	if perftest.Race {
		t.Skip("a guard of speed or allocations means nothing under the race detector")
	}
}

func TestGuardDecodeAllocs(t *testing.T) {
	skipGuard(t)
	for name, data := range map[string][]byte{"busy": busy(), "small": perftest.Sized(1, 1<<10)} {
		var d perfdata.Decoder
		r := newReader()
		require.Zero(t, testing.AllocsPerRun(20, func() { r.read(data) }), name)
		require.Zero(t, testing.AllocsPerRun(10, func() { sink += iterateAll(&d, data) }), name)
	}
}

// attempts is how often a guard of speed may try, half a second apart: a
// neighbour on the machine spoils some runs, a slower decoder all of them.
const (
	attempts = 40
	apart    = 500 * time.Millisecond
)

// TestGuardDecodeSpeed wants decoding with all checks and reading every value
// to take at most 2.5 times as long as summing the same bytes as words.
func TestGuardDecodeSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	r := newReader()
	best := 0.0
	for i := 0; i < attempts && best < 0.4; i++ {
		m := perftest.Turns(31,
			func() { sink += perftest.SumWords(busy()) },
			func() { r.read(busy()) })
		ratio := m[0].Median.Seconds() / m[1].Median.Seconds()
		t.Logf("sum %v, decode and read %v: %.2f of the speed", m[0].Median, m[1].Median, ratio)
		if best = max(best, ratio); best < 0.4 {
			time.Sleep(apart)
		}
	}
	require.GreaterOrEqual(t, best, 0.4)
}

// TestGuardFlatSpeed wants the bytes of a block far larger than the processor's
// caches to cost at most half more than those of one that fits.
func TestGuardFlatSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	r := newReader()
	small, large := perftest.Sized(1, 100<<10), perftest.Sized(1, 100<<20)
	r.read(large) // lets the decoder grow
	best := math.Inf(1)
	for i := 0; i < attempts && best > 1.5; i++ {
		m := perftest.Turns(7, func() { r.read(small) }, func() { r.read(large) })
		a := m[0].Median.Seconds() / float64(len(small))
		b := m[1].Median.Seconds() / float64(len(large))
		t.Logf("100 KB %.3f ns a byte, 100 MB %.3f: %.2f times", a*1e9, b*1e9, b/a)
		if best = min(best, b/a); best > 1.5 {
			time.Sleep(apart)
		}
	}
	require.LessOrEqual(t, best, 1.5)
}

// TestGuardRivalSpeed wants to be 30 times as fast as a decoder the way
// exporters write it.
func TestGuardRivalSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	r := newReader()
	best := 0.0
	for i := 0; i < attempts && best < 30; i++ {
		m := perftest.Turns(7,
			func() { _, _ = perftest.Export(busy()) },
			func() { r.read(busy()) })
		ratio := m[0].Median.Seconds() / m[1].Median.Seconds()
		t.Logf("rival %v, ours %v: %.1f times", m[0].Median, m[1].Median, ratio)
		if best = max(best, ratio); best < 30 {
			time.Sleep(apart)
		}
	}
	require.GreaterOrEqual(t, best, 30.0)
}

// TestGuardCookSpeed wants cooking all values of two blocks to cost at most
// three times decoding them and reading the values.
func TestGuardCookSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	var c perfdata.Cooker
	r := newReader()
	a, b := parse(t, busy()), parse(t, next())
	best := math.Inf(1)
	for i := 0; i < attempts && best > 3; i++ {
		m := perftest.Turns(21,
			func() { r.read(busy()); r.read(next()) },
			func() { sink += uint64(int64(cookAll(&c, a, b))) })
		ratio := m[1].Median.Seconds() / m[0].Median.Seconds()
		t.Logf("decode both %v, cook %v: %.2f times", m[0].Median, m[1].Median, ratio)
		if best = min(best, ratio); best > 3 {
			time.Sleep(apart)
		}
	}
	require.LessOrEqual(t, best, 3.0)
}

// TestGuardSmallBlock wants a block of 1 KB in less than a microsecond.
func TestGuardSmallBlock(t *testing.T) {
	perftest.GuardSpeed(t)
	var d perfdata.Decoder
	data := perftest.Sized(1, 1<<10)
	const n = 1000
	best := time.Hour
	for i := 0; i < attempts && best >= time.Microsecond; i++ {
		m := perftest.Turns(31, func() {
			for range n {
				_, _ = d.Decode(data)
			}
		})
		t.Logf("%d bytes: %v", len(data), m[0].Median/n)
		best = min(best, m[0].Median/n)
	}
	require.Less(t, best, time.Microsecond)
}
