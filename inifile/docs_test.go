package inifile_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
)

// The page lists every anomaly, with an example that has it.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/inifile.md")
	require.NoError(t, err)
	source, err := os.ReadFile("anomalies.go")
	require.NoError(t, err)
	want := []string{string(perfdump.CodeEmpty)}
	for _, m := range regexp.MustCompile(`perfdump\.Code\("([a-z0-9-]+)"\)`).FindAllSubmatch(source, -1) {
		want = append(want, string(m[1]))
	}
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\| `(\".*\")` \\| ").FindAllSubmatch(page, -1) {
		listed = append(listed, string(m[1]))
		in, err := strconv.Unquote(string(m[2]))
		require.NoError(t, err, "%s", m[2])
		f, err := inifile.Parse([]byte(in), inifile.Options{})
		require.NoError(t, err, "%q", in)
		assert.True(t, slices.ContainsFunc(f.Anomalies().Kept(), func(a perfdump.Anomaly) bool { return string(a.Code) == string(m[1]) }), "%s: %q", m[1], in)
	}
	assert.ElementsMatch(t, want, listed)
}
