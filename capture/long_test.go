package capture

import (
	"strings"
	"testing"

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
