package bounds_test

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// keepers are the verbs and outputs that keep something of each series.
var keepers = []string{
	"cook %s", "cook --summary %s", "cook --summary -o csv %s", "cook -o pdh-csv %s", "cook -o pdh-tsv %s", "cook -o csv %s", "cook -o jsonl %s",
	"cook -o sql %s", "cook --english -o csv %s", "cook -o openmetrics %s", "cook -o influx %s", "cook -o parquet %s", "cook --derive x=20004+20006 %s",
	"dump -o sql %s", "dump -o openmetrics %s", "dump -o influx %s", "plot %s", "report %s",
}

// crowd is some blocks with very many series.
type crowd struct {
	names string
	room  bool // for all of them, whatever the output; else for none that cooks
}

// crowds are two blocks of a busy server, with 558,000 series in 12 MB, one and two
// of 10 MB, with 993,000, some whose values share their bytes, and the smallest
// shapes there are: numbers of 4 and of 8 bytes and next to nothing else, one to
// an instance, and counters without instances to speak of.
var crowds = []crowd{
	{"a b", true},
	{"c", false}, // one alone has less room
	{"c d", true},
	{"shared", false},
	{"narrow", false},
	{"narrow narrow-next", false},
	{"wide", false},
	{"wide wide-next", false},
	{"fewer", true},
	{"rows", true},
	{"rows rows-next", true},
	{"more-rows", false},
	{"counters", false},
	{"counters counters-next", false},
}

// crowdFiles writes the blocks and returns their sizes.
func crowdFiles(t *testing.T) map[string]int {
	t.Helper()
	size := perftest.Server
	size.Instances = 1600
	files := map[string][]byte{
		"a": perftest.Busy(1, perftest.Server), "b": perftest.BusyNext(1, perftest.Server), "shared": sharedValues(4 << 20),
		"c": perftest.Busy(2, size), "d": perftest.BusyNext(2, size),
		"narrow": dense(11_000, 200, 4, 0), "narrow-next": dense(11_000, 200, 4, 1),
		"wide": dense(6000, 200, 8, 0), "wide-next": dense(6000, 200, 8, 1),
		"fewer": dense(3400, 200, 4, 0),
		"rows":  dense(150_000, 1, 4, 0), "rows-next": dense(150_000, 1, 4, 1),
		"more-rows": dense(200_000, 1, 4, 0),
		"counters":  dense(1, 220_000, 4, 0), "counters-next": dense(1, 220_000, 4, 1),
	}
	require.Greater(t, len(files["c"]), 10_000_000)
	sizes := map[string]int{}
	for name, b := range files {
		require.NoError(t, os.WriteFile(name, b, 0o600))
		sizes[name] = len(b)
	}
	return sizes
}

// TestMemoryOfManySeries runs each output on the crowds. What there is no room for
// is refused with advice, within the same memory, and so is a page of any of
// them; all else is done.
func TestMemoryOfManySeries(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector is slow, and its memory its own")
	}
	if os.Getenv("PERFDUMP_LONG") == "" {
		t.Skip("it takes minutes: PERFDUMP_LONG=1 runs it")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	t.Chdir(t.TempDir())
	sizes := crowdFiles(t)
	for _, way := range keepers {
		for _, c := range crowds {
			line := strings.ReplaceAll(way, "%s", c.names)
			t.Run(line, func(t *testing.T) {
				size := 0
				for name := range strings.FieldsSeq(c.names) {
					size += sizes[name]
				}
				used, code := watched(t, line)
				t.Logf("%s: %d MiB for %d MiB, exit code %d", line, used>>20, size>>20, code)
				assert.LessOrEqual(t, used, uint64(64<<20+4*size), "%d MiB of memory for %d bytes", used>>20, size)
				switch {
				case strings.HasPrefix(way, "report"), !c.room && !strings.HasPrefix(way, "dump"):
					assert.Equal(t, cmdutil.ExitInput, code)
				case c.room && !strings.Contains(way, "--derive"): // whose frames are copies
					assert.Equal(t, cmdutil.ExitOK, code)
				}
			})
		}
	}
}

// dense is a block that is little but numbers of a width.
func dense(instances, counters, width int, at uint64) []byte {
	o := perftest.Object{Title: 20_000}
	values := make([]uint64, counters)
	for i := range values {
		kind := uint32(0x00010000)
		if width == 8 {
			kind = 0x00010100
		}
		o.Counters = append(o.Counters, perftest.Counter{Title: uint32(20_002 + 2*i), Type: kind})
		values[i] = uint64(i) + at
	}
	for i := range instances {
		o.Instances = append(o.Instances, perftest.Instance{Name: strconv.Itoa(i), Values: values})
	}
	b := perftest.Block{Objects: []perftest.Object{o}, PerfTime100nSec: int64(perftest.DefaultTime + at*perftest.Interval)}
	return b.Bytes()
}

// sharedValues is a block of about n bytes with as many values: all counters
// of an instance have the same bytes.
func sharedValues(n int) []byte {
	o := perftest.Object{Title: 2}
	for i := range 40 {
		o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*i), Type: 0x00010000, Offset: 4})
	}
	for range n / 40 {
		o.Instances = append(o.Instances, perftest.Instance{Name: "a"})
	}
	return (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
}
