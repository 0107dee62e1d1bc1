package perfdata_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// TestAllocOfParse holds that a small block costs little more than its own memory.
func TestAllocOfParse(t *testing.T) {
	if perftest.Race {
		t.Skip("counts of allocations mean nothing under the race detector")
	}
	b, err := os.ReadFile("../testdata/captures/sys-238-x86_64-1.bin")
	require.NoError(t, err)
	r := testing.Benchmark(func(bm *testing.B) {
		bm.ReportAllocs()
		for bm.Loop() {
			_, err := perfdata.Parse(b, perfdump.Options{})
			require.NoError(bm, err)
		}
	})
	assert.LessOrEqual(t, r.AllocedBytesPerOp(), int64(1024))
	assert.LessOrEqual(t, r.AllocsPerOp(), int64(5)) // require takes some
}
