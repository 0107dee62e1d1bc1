package capture

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

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
