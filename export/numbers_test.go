package export

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNumbers compares with a map, for numbers that mostly rise and that do not.
func TestNumbers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, late := range []int{0, 1, 20, 100} { // of a hundred
		var s numbers
		var all []int32
		known := map[int32]bool{}
		for i := range int32(2000) {
			n := 2 * i
			if rnd.IntN(100) < late {
				n = rnd.Int32N(4000)
			}
			require.Equal(t, !known[n], s.add(n), n)
			if !known[n] {
				all = append(all, n)
			}
			known[n] = true
		}
		require.Len(t, s.all, len(all))
		for i, n := range all {
			require.Equal(t, n, s.at(i))
		}
	}
}
