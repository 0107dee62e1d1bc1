//go:build !linux

package perftest

import "testing"

// LargePages returns a copy of b in memory of large pages, where the kernel has
// them.
func LargePages(t testing.TB, _ []byte) []byte {
	t.Helper()
	t.Skip("large pages are asked for on Linux only")
	return nil
}
