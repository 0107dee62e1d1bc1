package minidump_test

import (
	"testing"

	"github.com/perfdump/perfdump/internal/golden"
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
		golden.Seed(t, "FuzzMinidump", name, b)
	}
	for _, name := range []string{"tables", "cut", "none"} {
		golden.Seed(t, "FuzzImage", name, seeds[name])
	}
}
