package wire

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
)

// TestCanvas: the parts come in any order, may say the same twice, and neither
// contradict each other nor leave the whole; what none has is a hole.
func TestCanvas(t *testing.T) {
	out := make([]byte, 200)
	for i := range out {
		out[i] = 0xEE
	}
	c := NewCanvas(out)
	require.Equal(t, 0, c.Hole())
	whole := make([]byte, len(out))
	for i := range whole {
		whole[i] = byte(i + 1)
	}
	put := func(from, to int) {
		t.Helper()
		require.NoError(t, c.Put(from, whole[from:to], perfdump.Path{}))
	}
	put(0, 1)
	require.Equal(t, 1, c.Hole())
	put(64, 130)
	put(1, 63)
	require.Equal(t, 63, c.Hole())
	put(60, 70)
	require.Equal(t, 130, c.Hole())
	put(131, 200)
	require.Equal(t, 130, c.Hole())
	put(200, 200)

	for _, at := range []int{0, 1, 62, 63, 64, 127, 128, 129, 131, 199} {
		err := c.Put(at, []byte{0}, perfdump.Path{})
		require.ErrorIs(t, err, perfdump.ErrLength, at)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe)
		require.EqualValues(t, at, fe.Off)
	}
	for _, at := range []int{-1, 199, 200, math.MaxInt} {
		require.ErrorIs(t, c.Put(at, []byte{200, 201}, perfdump.Path{}), perfdump.ErrLength, at)
	}
	put(130, 131)
	require.Equal(t, -1, c.Hole())
	require.Equal(t, whole, out)
	require.Equal(t, -1, NewCanvas(nil).Hole())
}
