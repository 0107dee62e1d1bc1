package registry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/registry"
)

// BenchmarkReg reads an export of 20,000 services, and what it says of counters.
func BenchmarkReg(b *testing.B) {
	data := perftest.Services(20_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := registry.ParseReg(data, perfdump.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if v, err := r.View(); err != nil || len(v.Providers) != 2000 {
			b.Fatal(err, len(v.Providers))
		}
	}
}

// TestGuardRegSpeed: an export is read and viewed in at most 60 times the time that summing
// its bytes as words takes.
func TestGuardRegSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	data := perftest.Services(20_000)
	var sum uint64
	best := 1e9
	for i := 0; i < 20 && best > 60; i++ {
		took := perftest.Turns(5, func() {
			r, err := registry.ParseReg(data, perfdump.Options{})
			require.NoError(t, err)
			_, err = r.View()
			require.NoError(t, err)
		}, func() { sum += perftest.SumWords(data) })
		best = min(best, took[0].Median.Seconds()/took[1].Median.Seconds())
		t.Logf("%v, the words %v: %.1f times", took[0].Median, took[1].Median, best)
	}
	require.LessOrEqual(t, best, 60.0, sum)
}
