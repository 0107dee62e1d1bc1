package export_test

import (
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/perfdata"
)

// TestTables holds that no line of a truncated table is wider than the page, nor
// ends in blanks, nor holds what moves the cursor; that colour changes nothing but
// colour; and that a table in a pipe has every value.
func TestTables(t *testing.T) {
	strip := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "")
	for _, name := range []string{"basic-x86_64-1", "inst-x86_64-1", "var-x86_64-1", "sys-238-x86_64-1", "small"} {
		s := snapshot(t, name)
		for _, width := range []int{80, 100, 200} {
			text, _ := raw(t, "table", export.Options{Width: width, Cut: true}, s)
			require.True(t, utf8.ValidString(text))
			for n, line := range strings.Split(text, "\n") {
				require.Equal(t, strings.TrimRight(line, " "), line, "%s, line %d", name, n)
				require.Equal(t, cell.Clean(line), line, "%s, line %d", name, n)
				if strings.HasPrefix(line, "  ") {
					assert.LessOrEqual(t, cell.Width(line), width, "%s at %d: %s", name, width, line)
				}
			}
		}
		plain, _ := raw(t, "table", export.Options{Width: 100}, s)
		color, _ := raw(t, "table", export.Options{Width: 100, Color: true}, s)
		assert.NotContains(t, plain, "\x1b")
		assert.True(t, plain == strip.Replace(color), name)
		if name == "inst-x86_64-1" {
			for r := range s.Rows() {
				require.True(t, r.Type.IsBase() || strings.Contains(plain, strconv.FormatUint(r.First, 10)), r.First)
				require.True(t, strings.Contains(plain, cell.Clean(r.Instance)), r.Instance)
			}
			assert.False(t, strings.Contains(plain, "…"))
		}
	}
}

func TestTablesOfUnusualValues(t *testing.T) {
	tree := perfdata.Tree{SystemName: "HOST"}
	tree.Version, tree.Revision = 1, 1
	tree.PerfFreq = 1
	double := perfdata.TreeObject{
		ObjectType: perfdata.ObjectType{ObjectNameTitleIndex: 90001, NumInstances: perfdata.NoInstances, DetailLevel: 100},
		Counters: []perfdata.CounterDefinition{
			{CounterNameTitleIndex: 90002, CounterType: 0x00012000, CounterSize: 8, DetailLevel: 100},
			{CounterNameTitleIndex: 90004, CounterType: 0x00000000, CounterSize: 4, DetailLevel: 100},
		},
		Instances: []perfdata.TreeInstance{{Values: []perfdata.TreeValue{
			{Kind: perfdata.Uint64, Uint: 0x3ff8000000000000}, {Kind: perfdata.Uint32, Uint: 0xbeef},
		}}},
	}
	metadata := double
	metadata.NumInstances, metadata.Instances = perfdata.MetadataMulti, nil
	empty := double
	empty.NumInstances, empty.Instances = 0, nil
	tree.Objects = []perfdata.TreeObject{double, metadata, empty}
	require.NoError(t, tree.Layout())
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	block, err := perfdata.Parse(b, perfdump.Options{})
	require.NoError(t, err)
	text, _ := raw(t, "table", export.Options{}, capture.FromBlock(block, capture.Options{}))
	assert.Equal(t, `HOST  at an unknown time, 3 objects, 1 anomaly (see "perfdump check")

90001  (no name)
  90002         1.5  DOUBLE_RAW
  90004  0x0000beef  COUNTER_RAWCOUNT_HEX

90001  (no name)
  definitions only: no values were requested
  90002  DOUBLE_RAW
  90004  COUNTER_RAWCOUNT_HEX

90001  (no name), 0 instances
  no instances now
  90002  DOUBLE_RAW
  90004  COUNTER_RAWCOUNT_HEX
`, text)
}

// TestMemoryDoesNotGrowWithTheOutput writes a snapshot many times over and
// looks at what stays.
func TestMemoryDoesNotGrowWithTheOutput(t *testing.T) {
	s := snapshot(t, "small")
	for _, output := range []string{"csv", "jsonl", "table"} {
		w := rawTo(t, io.Discard, output, export.Options{})
		require.NoError(t, w.Write(s))
		before := heap()
		for range 10 {
			require.NoError(t, w.Write(s))
		}
		assert.Less(t, heap(), before+1<<20, output)
		runtime.KeepAlive(w)
	}
}
