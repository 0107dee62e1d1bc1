package perfdata_test

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// turn is how long a function runs at a time: what the one before leaves
// behind, garbage and cold caches, is a small part of it.
const turn = 5 * time.Millisecond

// interleaved gives the functions their turns, one after the other, so that a
// slow spell of the machine meets all of them, and returns the median over the
// rounds of what one call takes.
func interleaved(rounds int, fs ...func()) []time.Duration {
	times := make([][]time.Duration, len(fs))
	for range rounds {
		for i, f := range fs {
			f() // the caches are its own
			start, calls := time.Now(), 0
			var took time.Duration
			for took < turn {
				f()
				calls++
				took = time.Since(start)
			}
			times[i] = append(times[i], took/time.Duration(calls))
			runtime.GC() // the next does not pay for this one's garbage
		}
	}
	medians := make([]time.Duration, len(fs))
	for i := range times {
		slices.Sort(times[i])
		medians[i] = times[i][rounds/2]
	}
	return medians
}

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
		m := interleaved(31,
			func() { sink += sumWords(busy()) },
			func() { r.read(busy()) })
		ratio := m[0].Seconds() / m[1].Seconds()
		t.Logf("sum %v, decode and read %v: %.2f of the speed", m[0], m[1], ratio)
		if best = max(best, ratio); best < 0.4 {
			time.Sleep(apart)
		}
	}
	require.GreaterOrEqual(t, best, 0.4)
}

// TestGuardRivalSpeed wants to be 30 times as fast as a decoder the way
// exporters write it.
func TestGuardRivalSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	r := newReader()
	best := 0.0
	for i := 0; i < attempts && best < 30; i++ {
		m := interleaved(7,
			func() { _, _ = rivalDecode(busy()) },
			func() { r.read(busy()) })
		ratio := m[0].Seconds() / m[1].Seconds()
		t.Logf("rival %v, ours %v: %.1f times", m[0], m[1], ratio)
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
		m := interleaved(21,
			func() { r.read(busy()); r.read(next()) },
			func() { sink += uint64(int64(cookAll(&c, a, b))) })
		ratio := m[1].Seconds() / m[0].Seconds()
		t.Logf("decode both %v, cook %v: %.2f times", m[0], m[1], ratio)
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
		m := interleaved(31, func() {
			for range n {
				_, _ = d.Decode(data)
			}
		})
		t.Logf("%d bytes: %v", len(data), m[0]/n)
		best = min(best, m[0]/n)
	}
	require.Less(t, best, time.Microsecond)
}
