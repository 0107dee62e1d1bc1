package ipcblock_test

import (
	"strings"
	"testing"

	"github.com/perfdump/perfdump/internal/golden"
	"github.com/perfdump/perfdump/ipcblock"
)

// TestSeeds holds the seeds of the fuzz targets equal to the samples.
func TestSeeds(t *testing.T) {
	for name, b := range samples(t) {
		name = strings.ReplaceAll(name, " ", "-")
		tab := parse(t, b)
		if tab.Layout() == ipcblock.SxS {
			b = b[:4*2048] // the fuzzer does better with less
		}
		golden.Seed(t, "FuzzIPCDecode", name, b, byte(0))
		golden.Seed(t, "FuzzIPCFind", name, b, uint16(0), uint32(4096), byte(3))
	}
	for _, name := range []string{"mixed", "overlapping entries", "private x64", "public x86", "bare x86"} {
		b := samples(t)[name]
		golden.Seed(t, "FuzzIPCDocument", strings.ReplaceAll(name, " ", "-"), b[:min(len(b), 4*2048)])
	}
	golden.Seed(t, "FuzzIPCASPNET", "2.0", make([]byte, 336), byte(1))
	golden.Seed(t, "FuzzIPCASPNET", "4.x", make([]byte, 404), byte(2))
}
