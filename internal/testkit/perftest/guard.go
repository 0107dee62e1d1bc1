package perftest

import (
	"os"
	"strconv"
	"testing"
)

// GuardSpeed skips a guard of speed but where it is asked for: a test that
// every user runs must not depend on what else their machine does. .ci/run
// asks.
func GuardSpeed(t testing.TB) {
	t.Helper()
	if os.Getenv("PERFDUMP_GUARDS") == "" || Race || strconv.IntSize < 64 {
		t.Skip("a guard of speed runs with PERFDUMP_GUARDS=1, on 64 bits, without the race detector")
	}
}
