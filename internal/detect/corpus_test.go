package detect_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/detect"
)

const shared = "../../../shared"

// expected tells the format of a file of the shared test data, "" for what is
// unknown. The first rule that fits counts; a rule that fits nothing is wrong.
var expected = []struct {
	pattern string // of the path below shared
	format  detect.Format
}{
	{"captures/busy/help-009.bin", detect.Titles},
	{"captures/busy/titles-009.bin", detect.Titles},
	{"captures/busy/*.bin", detect.PerfData},
	{"captures/wine/wine-*009-*.bin", detect.Titles},
	{"captures/wine/*.bin", detect.PerfData},
	{"captures/malformed/007-ff-4096.bin", ""},
	{"captures/malformed/010-ascii-sig.bin", ""},
	{"captures/malformed/013-sig-bit2.bin", ""},
	{"captures/malformed/*.bin", detect.PerfData},
	{"captures/malformed-titles/09-huge.bin", ""},
	{"captures/malformed-titles/13-spaces.bin", ""},
	{"captures/malformed-titles/15-empty.bin", ""},
	{"captures/malformed-titles/17-one-byte.bin", ""},
	{"captures/malformed-titles/*.bin", detect.Titles},
	{"captures/*/*.json", ""},
	{"captures/*/*.c", ""},
	{"captures/*/*.h", ""},
	{"corpus/blg/*.blg", detect.BLG},
	{"corpus/hives/*.hive", detect.Hive},
	{"corpus/registration/manifests/*.man", detect.Manifest},
	{"corpus/registration/ms-sdk-samples-appmem/AppMem.h", ""}, // prototypes
	{"corpus/registration/*/*.h", detect.SymbolH},
	{"corpus/registration/*/*.hxx", detect.SymbolH},
	{"corpus/registration/*/*.[iI]ni", detect.INIFile},
	{"corpus/registration/*/*.ini", detect.INIFile},
	{"corpus/registration/*/*.Reg", detect.Reg},
	{"corpus/*/*.txt", ""},
	{"corpus/*/*/*.[tT]xt", ""},
	{"vectors/ipcblock/*.bin", detect.IPCBlock},
	{"vectors/ipcblock/*.json", ""},
	{"vectors/base-titles.tsv", detect.Titles},
	{"vectors/*.tsv", ""},
	{"vectors/*.json", ""},
	{"corpus/pal/*.xml", ""},
	{"captures/README.md", ""},
	{"spec/*", ""},
	{"*.md", ""},
}

func TestSharedFiles(t *testing.T) {
	if _, err := os.Stat(shared); err != nil {
		t.Skip("shared test data are not beside the checkout")
	}
	used := make([]bool, len(expected))
	for _, dir := range []string{"captures", "corpus", "vectors", "spec"} {
		root := filepath.Join(shared, dir)
		if _, err := os.Stat(root); err != nil {
			t.Skipf("no %s", root)
		}
		require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(shared, name)
			require.NoError(t, err)
			rel = filepath.ToSlash(rel)
			for i, e := range expected {
				if ok, err := filepath.Match(e.pattern, rel); err != nil || !ok {
					continue
				}
				used[i] = true
				in, err := detect.Open(name, detect.Options{})
				if e.format == "" {
					if !strings.Contains(rel, "empty") || err == nil {
						require.ErrorIs(t, err, perfdump.ErrUnknownFormat, rel)
					}
				} else {
					require.NoError(t, err, rel)
					require.Equal(t, e.format, in.Format, rel)
				}
				return nil
			}
			t.Errorf("%s: nothing is expected of it", rel)
			return nil
		}))
	}
	for i, e := range expected[:len(expected)-1] {
		if e.pattern != "corpus/registration/*/*.ini" && !used[i] {
			t.Errorf("%s: fits no file", e.pattern)
		}
	}
}
