package wire

import "testing"

// TestPrefetch asks for any number of bytes, none and the last of a slice
// among them: it changes nothing and reads nothing that is not there.
func TestPrefetch(t *testing.T) {
	b := make([]byte, 1<<12)
	for n := range b {
		Prefetch(b[:n])
		Prefetch(b[len(b)-n:])
	}
	Prefetch(nil)
}
