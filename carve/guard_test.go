package carve_test

import (
	"bytes"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/carve"
)

// TestGuardSpeed wants 1 GB/s of data without blocks. What counts is the
// fastest of many short runs: a neighbour on the machine spoils some, a slower
// search all of them.
func TestGuardSpeed(t *testing.T) {
	if os.Getenv("PERFDUMP_GUARDS") == "" || raceEnabled || strconv.IntSize < 64 {
		t.Skip("a guard of speed runs with PERFDUMP_GUARDS=1, on 64 bits, without the race detector")
	}
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
