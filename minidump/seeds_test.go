package minidump_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/minidump"
)

// TestSeeds holds the corpus of FuzzMinidump and some of it for FuzzImage, which
// lie where fuzzers look for them, to what the generator makes.
func TestSeeds(t *testing.T) {
	small := func(wide bool) []byte { return block(wide, 4711) }
	x86, parts := sample(), sample()
	x86.arch, x86.modules, x86.other = minidump.X86, x86.modules[1:2], nil
	x86.regions = []minidump.Region{mapped(0xFFFFFFFF_BFFF0000), private(0x10000, 0x2000)}
	x86.memory64 = []extent{at(0xFFFFFFFF_BFFF0000, small(false)), at(0x10000, append(make([]byte, 0x128), small(false)...))}
	parts.memory64 = nil
	parts.memory = []extent{at(0x10000, small(true)), at(0x20128, legacy(4711)), at(0x20800, small(true)), at(0x30000, legacy(1)), at(0x10800, small(true))}
	seeds := samples()
	seeds["tables"], seeds["parts"] = x86.bytes(), parts.bytes()
	seeds["cut"] = x86.bytes()[:900]
	seeds["none"] = (&dump{noSystem: true}).bytes()
	for name, b := range seeds {
		seed(t, "FuzzMinidump", name, b)
	}
	for _, name := range []string{"tables", "cut", "none"} {
		seed(t, "FuzzImage", name, seeds[name])
	}
}

func seed(t *testing.T, target, name string, b []byte) {
	t.Helper()
	want := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", b)
	dir := filepath.Join("..", "fuzz", "testdata", "fuzz", target)
	file := filepath.Join(dir, name)
	if *update {
		require.NoError(t, os.MkdirAll(dir, 0o750))
		require.NoError(t, os.WriteFile(file, []byte(want), 0o600))
	}
	got, err := os.ReadFile(file)
	require.NoError(t, err, "run go test ./minidump -run Seeds -update")
	require.Equal(t, want, string(got), "run go test ./minidump -run Seeds -update")
}
