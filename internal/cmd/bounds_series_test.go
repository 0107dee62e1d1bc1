package cmd_test

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/perftest"
)

// keepers are the verbs and outputs that keep something of each series.
var keepers = []string{
	"cook %s", "cook --summary %s", "cook -o pdh-csv %s", "cook -o csv %s", "cook -o jsonl %s", "cook -o sql %s",
	"cook -o openmetrics %s", "cook -o influx %s", "cook -o parquet %s",
	"dump -o sql %s", "dump -o openmetrics %s", "dump -o influx %s", "plot %s", "report %s",
}

// large are those of the keepers that two blocks of 10 MB leave room: docs/testing.md
// tells what the others take.
var large = []string{"cook -o pdh-csv %s", "dump -o sql %s", "dump -o openmetrics %s", "dump -o influx %s"}

// TestMemoryOfManySeries cooks, by each output, two blocks of a busy
// server, which have 558,000 series in 12 MB, by some two of 10 MB, and one whose values
// share their bytes, so that it has as many as a decoder lets through. That one is
// refused with advice, within the same memory, and so is a page of any of them;
// all else is done.
func TestMemoryOfManySeries(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector is slow, and its memory its own")
	}
	if os.Getenv("PERFDUMP_LONG") == "" {
		t.Skip("it takes a minute: PERFDUMP_LONG=1 runs it")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	t.Chdir(t.TempDir())
	size := perftest.Server
	size.Instances = 1600
	files := map[string][]byte{
		"a": perftest.Busy(1, perftest.Server), "b": perftest.BusyNext(1, perftest.Server), "shared": sharedValues(4 << 20),
		"c": perftest.Busy(2, size), "d": perftest.BusyNext(2, size),
	}
	require.Greater(t, len(files["c"]), 10_000_000)
	for name, b := range files {
		require.NoError(t, os.WriteFile(name, b, 0o600))
	}
	for _, way := range keepers {
		for _, names := range []string{"a b", "shared", "c", "c d"} {
			if strings.HasPrefix(names, "c") && !slices.Contains(large, way) || names == "c" && strings.HasPrefix(way, "cook") {
				continue // one block alone has less room: see docs/testing.md
			}
			line := strings.ReplaceAll(way, "%s", names)
			t.Run(line, func(t *testing.T) {
				size := 0
				for name := range strings.FieldsSeq(names) {
					size += len(files[name])
				}
				used, code := watched(t, line)
				t.Logf("%s: %d MiB for %d MiB, exit code %d", line, used>>20, size>>20, code)
				assert.LessOrEqual(t, used, uint64(64<<20+4*size), "%d MiB of memory for %d bytes", used>>20, size)
				want := cmdutil.ExitOK
				if names == "shared" || strings.HasPrefix(way, "report") {
					want = cmdutil.ExitInput
				}
				assert.Equal(t, want, code)
			})
		}
	}
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
