package carve_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/internal/carve"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// TestGuardSpeed wants 1 GB/s of data without blocks. What counts is the
// fastest of many short runs: a neighbour on the machine spoils some, a slower
// search all of them.
func TestGuardSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	const size, want = 8 << 20, 1.0 // GB/s
	for _, kind := range []string{"zeros", "random", "text"} {
		data := noise(kind, size)
		best := 0.0
		for i := 0; i < 400 && best < want; i++ {
			start := time.Now()
			for range carve.Scan(bytes.NewReader(data), size) {
				t.Fatal("a block in", kind)
			}
			best = max(best, size/1e9/time.Since(start).Seconds())
			if i%10 == 9 && best < want {
				time.Sleep(500 * time.Millisecond)
			}
		}
		t.Logf("%s: %.1f GB/s", kind, best)
		assert.GreaterOrEqual(t, best, want, kind)
	}
}
