package capture

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/pdhpath"
)

// Columns and items with names of any length are told apart, though their paths
// show no more than a name may have.
func TestLongPaths(t *testing.T) {
	long := strings.Repeat("é", 5000)
	path := pdhpath.Path{Machine: long, Object: long, Parent: long, Instance: long, HasInstance: true, Index: 3, Counter: long}
	short := cut(long)
	assert.LessOrEqual(t, len(short), maxName)
	assert.Greater(t, len(short), maxName-4)
	assert.True(t, strings.HasPrefix(long, short))
	assert.Equal(t, pdhpath.Path{Machine: short, Object: short, Parent: short, Instance: short, HasInstance: true, Index: 3, Counter: short}, shownPath(path))
	assert.NotEqual(t, columnKey(long+"a"), columnKey(long+"b"))
	assert.Equal(t, columnKey(long+"a"), columnKey(long+"a"))
	assert.Less(t, len(columnKey(long)), maxName+64)
	assert.Equal(t, "a", string(columnKey("a")))
}

// What is no UTF-8, as an agent may send it, is cut too.
func TestCutOfWhatIsNoText(t *testing.T) {
	for _, unit := range []string{"\x80", "\xff", "a", "é", "€", "😀"} {
		for shift := range 4 {
			whole := strings.Repeat("a", shift) + strings.Repeat(unit, 5000)
			short := cut(whole)
			assert.True(t, strings.HasPrefix(whole, short), "%q", unit)
			assert.LessOrEqual(t, len(short), maxName, "%q", unit)
			assert.Greater(t, len(short), maxName-len(unit), "%q", unit)
			assert.Equal(t, utf8.ValidString(whole), utf8.ValidString(short), "%q", unit)
		}
	}
}

// TestRowsByPlace holds the rows of instances that come and go, move and have no
// name now and then against a plain map of them.
func TestRowsByPlace(t *testing.T) {
	rnd := rand.New(rand.NewPCG(31, 32))
	for range 300 {
		table := seriesTable{names: NewNames()}
		table.budget.Size = 1 << 20
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
