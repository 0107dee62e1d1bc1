package ipcblock

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIndexAnywhere holds the search at every byte against the plain one, over
// memory that is nearly nothing but parts of anchors.
func TestIndexAnywhere(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		b := make([]byte, 400+random.IntN(200))
		for range random.IntN(12) {
			at := random.IntN(len(b))
			copy(b[at:], anchorBytes[random.IntN(8):])
			b[random.IntN(len(b))] = byte(random.IntN(2) * 0x28)
		}
		for range random.IntN(3) {
			copy(b[random.IntN(len(b)):], anchorBytes)
		}
		i := random.IntN(len(b) / 2)
		end := i + random.IntN(len(b)-i-anchorAt-7+1)
		want := -1
		if end > i {
			if j := bytes.Index(b[i+anchorAt:end+anchorAt+7], anchorBytes); j >= 0 {
				want = i + j
			}
		}
		require.Equal(t, want, indexAnywhere(b, i, end), "%x %d %d", b, i, end)
	}
}
