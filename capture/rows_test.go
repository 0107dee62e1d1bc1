package capture

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRowsByPlace holds the rows of instances that come and go, move and have no
// name now and then against a plain map of them.
func TestRowsByPlace(t *testing.T) {
	rnd := rand.New(rand.NewPCG(31, 32))
	for range 300 {
		table := seriesTable{names: NewNames()}
		table.room.Size = 1 << 20
		g := table.group(groupKey{host: "H", object: "O"}, 0)
		known := map[string]*row{}
		var here []string
		for range 12 {
			for range rnd.IntN(8) {
				switch rnd.IntN(4) {
				case 0:
					rnd.Shuffle(len(here), func(i, j int) { here[i], here[j] = here[j], here[i] })
				case 1:
					here = here[rnd.IntN(len(here)+1):]
				}
				if name := strconv.Itoa(rnd.IntN(20)); !slices.Contains(here, name) {
					here = append(here, name)
				}
			}
			unnamed := rnd.IntN(3) == 0
			g.again()
			for i, name := range here {
				if unnamed && rnd.IntN(2) == 0 {
					continue
				}
				r, isNew := g.rowAt(i, []byte(name))
				require.Equal(t, known[name] == nil, isNew, name)
				if isNew {
					known[name] = r
				}
				require.Same(t, known[name], r, name)
				require.Equal(t, name, r.key)
			}
		}
		require.Len(t, g.order, len(known))
	}
}
