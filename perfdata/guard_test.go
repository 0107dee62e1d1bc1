package perfdata_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

func skipGuard(t *testing.T) {
	t.Helper()
	if perftest.Race {
		t.Skip("a guard of speed or allocations means nothing under the race detector")
	}
}

// In steady state decoding and reading allocate nothing.
func TestGuardDecodeAllocs(t *testing.T) {
	skipGuard(t)
	for name, pair := range map[string][2][]byte{
		"header": {(&perftest.Block{Name: "HOST"}).Bytes(), (&perftest.Block{}).Bytes()},
		"plain":  {plain().Bytes(), samba("SAMBA", "smbd")},
		"small":  {perftest.Sized(1, 1<<10), perftest.Busy(1, perftest.Small)},
		"busy":   {busy(), next()},
	} {
		var text []byte
		var d perfdata.Decoder
		r := newReader()
		salvage := newReader()
		salvage.d.Options.Mode = perfdump.Salvage
		require.Zero(t, testing.AllocsPerRun(10, func() {
			for _, b := range pair {
				r.read(b)
				salvage.read(b)
				sink += iterateAll(&d, b)
				blk, _ := d.Decode(b)
				for _, o := range blk.Objects() {
					for _, in := range o.Instances() {
						text = in.AppendFullName(text[:0])
						r.values = in.AppendUint64s(r.values[:0])
					}
				}
			}
		}), name)
	}
}

// guard measures until a number is within its limit, half a second apart, 40
// times at most: a neighbour on the machine spoils some runs, a slower decoder
// all of them.
func guard(t *testing.T, limit float64, measure func() float64) {
	t.Helper()
	perftest.GuardSpeed(t)
	for range 40 {
		got := measure()
		t.Logf("%.3f, at most %.3f", got, limit)
		if got <= limit {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
	t.Errorf("never within %.3f", limit)
}

// times returns how many times as long the first takes as the second.
func times(rounds int, first, second func()) float64 {
	m := perftest.Turns(rounds, first, second)
	return m[0].Median.Seconds() / m[1].Median.Seconds()
}

// TestGuardDecodeSpeed: decoding with all checks and reading every value takes
// at most 2.5 times as long as summing the same bytes as words.
func TestGuardDecodeSpeed(t *testing.T) {
	r := newReader()
	guard(t, 2.5, func() float64 {
		return times(31, func() { r.read(busy()) }, func() { sink += perftest.SumWords(busy()) })
	})
}

// TestGuardFlatSpeed: the bytes of a block far larger than the processor's
// caches cost at most half more than those of one that fits.
func TestGuardFlatSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	r := newReader()
	small, large := perftest.Sized(1, 100<<10), perftest.Sized(1, 100<<20)
	r.read(large) // lets the decoder grow
	bytes := float64(len(large)) / float64(len(small))
	guard(t, 1.5, func() float64 {
		return times(7, func() { r.read(large) }, func() { r.read(small) }) / bytes
	})
}

// TestGuardRivalSpeed: 30 times as fast as a decoder the way exporters write it.
func TestGuardRivalSpeed(t *testing.T) {
	r := newReader()
	guard(t, 1.0/30, func() float64 {
		return times(7, func() { r.read(busy()) }, func() { _, _ = perftest.Export(busy()) })
	})
}

// TestGuardCookSpeed: cooking all values of two blocks costs at most three and a half
// times decoding them and reading the values.
func TestGuardCookSpeed(t *testing.T) {
	var c perfdata.Cooker
	r := newReader()
	a, b := parse(t, busy()), parse(t, next())
	guard(t, 3.5, func() float64 {
		return times(21, func() { sink += cookAll(&c, a, b) }, func() { r.read(busy()); r.read(next()) })
	})
}

// TestGuardCookAloneSpeed: without an older block most values need one, so that
// cooking takes half as long at most.
func TestGuardCookAloneSpeed(t *testing.T) {
	var c perfdata.Cooker
	a, b := parse(t, busy()), parse(t, next())
	guard(t, 0.5, func() float64 {
		return times(21, func() { sink += cookAll(&c, nil, b) }, func() { sink += cookAll(&c, a, b) })
	})
}

// TestGuardValuesSpeed: decoding and reading value by value takes at most five times as
// long as summing the same bytes as words.
func TestGuardValuesSpeed(t *testing.T) {
	var d perfdata.Decoder
	guard(t, 5, func() float64 {
		return times(21, func() { sink += iterateAll(&d, busy()) }, func() { sink += perftest.SumWords(busy()) })
	})
}

// TestGuardSmallBlock: a block of 1 KB in less than a microsecond.
func TestGuardSmallBlock(t *testing.T) {
	var d perfdata.Decoder
	data := perftest.Sized(1, 1<<10)
	guard(t, 1, func() float64 {
		m := perftest.Turns(31, func() {
			for range 1000 {
				_, _ = d.Decode(data)
			}
		})
		return m[0].Median.Seconds() * 1e6 / 1000
	})
}

func TestGuardCookAllocs(t *testing.T) {
	skipGuard(t)
	a, b := parse(t, busy()), parse(t, next())
	var c perfdata.Cooker
	var s perfdata.Sampler
	require.Zero(t, testing.AllocsPerRun(10, func() { cookAll(&c, a, b) }))
	require.Zero(t, testing.AllocsPerRun(10, func() { sampleAll(&s, a, b) }))
}
