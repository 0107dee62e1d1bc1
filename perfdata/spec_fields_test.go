package perfdata_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// TestSpecFields sets fields as testdata/fields.txt says, and updates what the
// file says of each. No vector of .NET is fine in strict mode.
func TestSpecFields(t *testing.T) {
	defined := perftest.Object{Title: 2, Counters: counters{{Title: 4, Type: dword}}}
	present := defined
	present.Instances = instances{{Unnamed: true}}
	blocks := map[string]*perftest.Block{
		"": plain(), "header": {}, "object": {Objects: []perftest.Object{{Title: 2}}},
		"defined": {Objects: []perftest.Object{defined}}, "instance": {Objects: []perftest.Object{present}},
	}
	file, err := os.ReadFile("testdata/fields.txt")
	require.NoError(t, err)
	var cases []specCase
	vectors := 0
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "\t") {
			continue
		}
		if strings.HasPrefix(line, "#") {
			cases = append(cases, specCase{name: line})
			continue
		}
		codes, changes, _ := strings.Cut(line, " ")
		block := ""
		if name, ok := strings.CutPrefix(changes, "@"); ok {
			block, changes, _ = strings.Cut(name, " ")
			require.NotEqual(t, "fine", codes, line)
			vectors++
		}
		m := blocks[block].Build()
		for change := range strings.FieldsSeq(changes) {
			path, value, _ := strings.Cut(change, "=")
			n, err := strconv.ParseInt(value, 0, 64)
			require.NoError(t, err, change)
			if path, add := strings.CutSuffix(path, "+"); add {
				m.Add(path, n)
			} else {
				m.Set(path, n)
			}
		}
		cases = append(cases, specCase{line, codes, m})
	}
	require.Equal(t, 44, vectors)
	runSpec(t, "fields", cases)
}
