package ipcblock_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/ipcblock"
)

// TestSeeds holds the seeds of the fuzz targets equal to the samples.
func TestSeeds(t *testing.T) {
	seeds := map[string]string{}
	for name, b := range samples(t) {
		name = strings.ReplaceAll(name, " ", "-")
		tab := parse(t, b)
		if tab.Layout() == ipcblock.SxS {
			b = b[:4*2048] // the fuzzer does better with less
		}
		seeds["FuzzIPCDecode/"+name] = fmt.Sprintf("go test fuzz v1\n[]byte(%q)\nbyte('\\x00')\n", b)
		seeds["FuzzIPCFind/"+name] = fmt.Sprintf("go test fuzz v1\n[]byte(%q)\nuint16(0)\nuint32(4096)\nbyte('\\x03')\n", b)
	}
	for _, name := range []string{"mixed", "overlapping entries", "private x64", "public x86", "bare x86"} {
		b := samples(t)[name]
		seeds["FuzzIPCDocument/"+strings.ReplaceAll(name, " ", "-")] = fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", b[:min(len(b), 4*2048)])
	}
	seeds["FuzzIPCASPNET/2.0"] = fmt.Sprintf("go test fuzz v1\n[]byte(%q)\nbyte('\\x01')\n", make([]byte, 336))
	seeds["FuzzIPCASPNET/4.x"] = fmt.Sprintf("go test fuzz v1\n[]byte(%q)\nbyte('\\x02')\n", make([]byte, 404))
	for name, want := range seeds {
		name = filepath.Join("../fuzz/testdata/fuzz", name)
		if *update {
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
			require.NoError(t, os.WriteFile(name, []byte(want), 0o600))
		}
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, want, string(got), "run go test ./ipcblock -run Seeds -update")
	}
}
