package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCookbook runs the commands of docs/cookbook.md in their order, on a log
// that stands for its reader's. Each has to say or write something.
func TestCookbook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	text, err := os.ReadFile(filepath.Join(repo(t), "docs", "cookbook.md"))
	require.NoError(t, err)
	log, err := os.ReadFile(filepath.Join(repo(t), "testdata", "blg", "small.blg"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("logs", 0o700))
	for _, name := range []string{"server.blg", "other.blg", "logs/january.blg", "logs/february.blg"} {
		require.NoError(t, os.WriteFile(name, log, 0o600))
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		line, isCommand := strings.CutPrefix(strings.TrimSpace(line), "$ ")
		if !isCommand {
			continue
		}
		n++
		t.Run(line, func(t *testing.T) {
			sh := exec.Command("sh", "-c", line)
			out, err := sh.Output()
			require.NoError(t, err)
			written := line
			if i := strings.LastIndex(line, "-w "); i >= 0 {
				written, _, _ = strings.Cut(line[i+len("-w "):], " ")
				info, err := os.Stat(written)
				require.NoError(t, err)
				require.Positive(t, info.Size())
				return
			}
			require.NotEmpty(t, out)
		})
	}
	require.Greater(t, n, 12)
}
