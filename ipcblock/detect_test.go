package ipcblock_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/ipcblock"
)

// A chunk with three fields that are none of its kind is known by the other
// four, whichever these are.
func TestDetectDamagedChunk(t *testing.T) {
	for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
		wrong := []func(b []byte) []byte{
			func(b []byte) []byte { return put16(b, 16, 5) },
			func(b []byte) []byte { return put16(b, 18, 8) },
			func(b []byte) []byte { return put32(b, 20, 2000) },
			func(b []byte) []byte { return put32(b, 28, 2) },
			func(b []byte) []byte { return put32(b, 32, 44) },
			func(b []byte) []byte { return put32(b, 36, 100) },
			func(b []byte) []byte { return put16(b, 40, 100) },
		}
		for set := range 1 << len(wrong) {
			b, n := oneLive(t, a)[:2048], 0
			for i, change := range wrong {
				if set>>i&1 != 0 {
					b, n = change(b), n+1
				}
			}
			want := ipcblock.Auto
			if n <= 3 {
				want = ipcblock.SxS
			}
			require.Equal(t, want, ipcblock.Detect(b, int64(len(b))), "%v %07b", a, set)
		}
	}
}
