package bounds_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/pdhpath"
)

// TestSeveralLogsStayWithinMemory cooks logs whose instances are others every eight
// records, one behind the other and at the same time: all of them together have the
// room that their bytes allow.
func TestSeveralLogsStayWithinMemory(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector is slow, and its memory its own")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	t.Chdir(t.TempDir())
	const noon, second = 132366960000000000, 10_000_000
	every := blgwriter.Item{Path: pdhpath.Path{Machine: "ONE", Object: "P", Instance: "*", HasInstance: true, Counter: "C"}, Type: 0x10000}
	for _, apart := range []int64{0, 1000 * second} {
		files, size := "", 0
		for k := range 6 {
			w := blgwriter.New(blgwriter.Options{LoggerName: fmt.Sprintf("00000000-0000-0000-0000-%012d", k)})
			w.Items(noon+int64(k)*apart, every)
			for i := range 100 {
				at := noon + int64(k)*apart + int64(i)*second
				s := blgwriter.Series{Kind: blg.Instances, Local: at}
				for j := range 500 {
					s.Values = append(s.Values, blgwriter.Value{Name: fmt.Sprint(k, "-", i/8, "-", j), First: uint64(i)})
				}
				w.Sample(at, s)
			}
			b, err := w.Bytes()
			require.NoError(t, err)
			name := fmt.Sprintf("log%d.blg", k)
			require.NoError(t, os.WriteFile(name, b, 0o600))
			files, size = files+" "+name, size+len(b)
		}
		for _, way := range []string{"cook -o csv", "cook -o pdh-csv", "cook --summary"} {
			used, code := watched(t, way+files)
			t.Logf("%s: %d MiB for %d MiB, exit code %d", way, used>>20, size>>20, code)
			assert.LessOrEqual(t, used, uint64(64<<20+4*size), way)
			assert.Equal(t, cmdutil.ExitOK, code, way)
		}
	}
}

// TestOutputIsBounded wants a text log whose header has 12,000 columns, and which has
// as many rows of a time alone, to be refused as PDH-CSV in little memory, with what
// it would be, and no file to be left.
func TestOutputIsBounded(t *testing.T) {
	t.Chdir(t.TempDir())
	const n = 12_000
	var b strings.Builder
	b.WriteString(`"(PDH-CSV 4.0) (UTC)(0)"`)
	for i := range n {
		fmt.Fprintf(&b, `,"\\h\P(%d)\C"`, i)
	}
	b.WriteString("\r\n" + strings.Repeat("\"11/26/2016 13:46:30.874\"\r\n", n))
	require.NoError(t, os.WriteFile("wide.csv", []byte(b.String()), 0o600))
	for _, line := range []string{"cook -o pdh-csv -w out wide.csv", "cook -o pdh-tsv --max-output 1MiB -w out wide.csv"} {
		if perftest.Race && !strings.Contains(line, "--max-output") {
			continue // half a gigabyte of output takes long there
		}
		if !perftest.Race {
			used, _ := watched(t, line)
			assert.LessOrEqual(t, used, uint64(64<<20+4*b.Len()), line)
		}
		code, _, stderr := runWith(t, nil, strings.Fields(line)...)
		assert.Equal(t, cmdutil.ExitInput, code, line)
		assert.Contains(t, stderr, "it would have 12000 rows x 12000 columns", line)
		assert.NoFileExists(t, "out", line)
	}
	code, stdout, _ := runWith(t, nil, strings.Fields("cook -o pdh-csv --max-output 8MiB --every 100 -w out wide.csv")...)
	assert.Equal(t, cmdutil.ExitOK, code)
	assert.Empty(t, stdout)
	require.NoError(t, os.WriteFile("block.bin", perftest.Busy(1, perftest.Small), 0o600))
	for _, line := range []string{"dump -o jsonl", "dump -o csv", "dump", "hexdump", "info", "cook --summary", "cook -o sql", "plot", "report"} {
		code, stdout, stderr := runWith(t, nil, strings.Fields(line+" --max-output 100 block.bin")...)
		assert.Equal(t, cmdutil.ExitInput, code, line)
		assert.LessOrEqual(t, len(stdout), 100, line)
		assert.Contains(t, stderr, "--max-output", line)
	}
}
