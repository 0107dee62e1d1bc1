package bounds_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// TestHexdumpOfLargeFiles shows some of files that no memory holds. They have
// holes, so that they take no room.
func TestHexdumpOfLargeFiles(t *testing.T) {
	if perftest.Race {
		t.Skip("its memory is its own under the race detector")
	}
	if runtime.GOOS == "windows" {
		t.Skip("a hole takes its room there")
	}
	t.Chdir(t.TempDir())
	file := func(name string, size int64) {
		f, err := os.Create(name)
		require.NoError(t, err)
		defer f.Close()
		_, err = f.WriteAt([]byte("nobody knows this"), 64)
		require.NoError(t, err)
		_, err = f.WriteAt([]byte("the end"), size-7)
		require.NoError(t, err)
	}
	file("huge", 10<<30)
	file("large", 256<<20)
	for _, line := range []string{"hexdump --range 0x27fffffe0.. huge", "hexdump --format carve --range 0x27fffffe0+32 huge", "hexdump large", "hexdump --format memory large"} {
		used, code := watched(t, line)
		assert.Zero(t, code, line)
		assert.Less(t, used, uint64(16<<20), line)
	}
	code, out, _ := runWith(t, nil, "hexdump", "--range", "0x27fffffe0..", "huge")
	assert.Zero(t, code)
	assert.Contains(t, out, "|.........the end|\n")
	code, out, _ = runWith(t, nil, "hexdump", "large")
	assert.Zero(t, code)
	assert.Contains(t, out, "268435392 more bytes (0x40..0x10000000)\n")
}

// TestCookLargeCarvedFiles cooks what carving finds in a file that is more than a
// recording keeps of its inputs: no file has the name of what was found.
func TestCookLargeCarvedFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	block := perftest.Busy(1, perftest.Small)
	n := 34<<20/len(block) + 1
	raw := append([]byte("raw"), bytes.Repeat(block, n)...)
	for i := range n { // a second apart: blocks that are the same count once
		const perfTime100nSec = 0x48
		b := raw[len("raw")+i*len(block)+perfTime100nSec:]
		binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+uint64(i)*1e7)
	}
	require.NoError(t, os.WriteFile("raw", raw, 0o600))
	code, out, errOut := runWith(t, nil, "cook", "--format", "carve", "-o", "csv", "-c", `\System\Processes`, "raw")
	assert.Zero(t, code, errOut)
	assert.Equal(t, n+1, strings.Count(out, "\n"))
}
