package titles

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"*", "", true},
		{"*disk*", "physicaldisk", true},
		{"disk*", "physicaldisk", false},
		{"*disk", "physicaldisk", true},
		{"a*a", "a", false},
		{"a*a", "aa", true},
		{"a*b*a", "aba", true},
		{"a*bb*a", "aba", false},
		{"**", "x", true},
	} {
		assert.Equal(t, c.want, matches(strings.Split(c.pattern, "*"), c.s), "%s %s", c.pattern, c.s)
	}
}

// TestMatch looks for names of the registry's own form.
func TestMatch(t *testing.T) {
	table, err := Parse([]byte("1\x001847\x002\x00System\x004\x00Memory\x006\x00% Processor Time\x0010\x00File System\x0012\x00\x00\x00"), perfdump.Options{})
	require.NoError(t, err)
	for name, want := range map[string][]uint32{
		"system": {2}, "*SYSTEM*": {2, 10}, "*m": {2, 10}, "% *time": {6}, "*": {2, 4, 6, 10}, "m*": {4}, "1*": nil, "": nil, "stem": nil,
	} {
		assert.Equal(t, want, table.Match(name), name)
	}
}

// TestMatchFoldsAsIndexes: the letters that have more than two forms, a sigma at
// the end of a word among them, are the same to both.
func TestMatchFoldsAsIndexes(t *testing.T) {
	table, err := New(Encoding{}, Entry{Index: 2, Text: "χρόνος"}, Entry{Index: 4, Text: "KB/s"})
	require.NoError(t, err)
	for name, want := range map[string]uint32{"ΧΡΌΝΟΣ": 2, "kb/ſ": 4} {
		assert.Equal(t, []uint32{want}, table.Indexes(name), name)
		assert.Equal(t, []uint32{want}, table.Match(name+"*"), name)
	}
}
