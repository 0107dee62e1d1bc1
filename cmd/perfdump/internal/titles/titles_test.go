package titles

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
)

func TestNoBytesForATerminal(t *testing.T) {
	ios, _, out, _ := iostreams.Test()
	ios.SetStdoutTTY(true)
	cmd := NewCmd(&cmdutil.Factory{IO: ios})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs([]string{"-o", "multisz"})
	var usage *cmdutil.UsageError
	require.ErrorAs(t, cmd.Execute(), &usage)
	assert.Contains(t, usage.Hint, "-w FILE")
	assert.Empty(t, out.String())

	file := filepath.Join(t.TempDir(), "out.bin")
	cmd.SetArgs([]string{"-o", "multisz", "--index", "238", "-w", file})
	require.NoError(t, cmd.Execute())
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "2\x003\x008\x00\x00\x00P\x00r\x00", string(b[:12]))
}

// TestRepairsAreTold wants the first repairs of a table to be told and the rest to
// be counted, however many there are: those that are kept and those that are not.
func TestRepairsAreTold(t *testing.T) {
	for _, n := range []int{19, 20, 21, 3000} {
		var list strings.Builder
		for i := n + 1; i > 0; i-- {
			fmt.Fprintf(&list, "%d : name\n", 2*i)
		}
		file := filepath.Join(t.TempDir(), "list.txt")
		require.NoError(t, os.WriteFile(file, []byte(list.String()), 0o600))
		ios, _, _, errOut := iostreams.Test()
		cmd := NewCmd(&cmdutil.Factory{IO: ios})
		cmd.SetArgs([]string{"--format", "titles", "--repair", "-o", "text", file})
		require.NoError(t, cmd.Execute())
		notes := strings.Split(strings.TrimSuffix(errOut.String(), "\n"), "\n")
		if n <= 20 {
			require.Len(t, notes, n)
			continue
		}
		require.Len(t, notes, 21)
		assert.Contains(t, notes[19], "in its place")
		assert.Equal(t, fmt.Sprintf("perfdump: note: %s: %d more repairs are not listed", file, n-20), notes[20])
	}
}

func TestColorIsForTerminalsOnly(t *testing.T) {
	ios, _, out, _ := iostreams.Test()
	ios.SetStdoutTTY(true)
	cmd := NewCmd(&cmdutil.Factory{IO: ios})
	cmd.SetArgs([]string{"--index", "238"})
	require.NoError(t, cmd.Execute())
	assert.Contains(t, out.String(), "\x1b[1mbuilt-in table\x1b[0m")

	file := filepath.Join(t.TempDir(), "out.txt")
	cmd.SetArgs([]string{"--index", "238", "-w", file})
	require.NoError(t, cmd.Execute())
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.NotContains(t, string(b), "\x1b")
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestOutputThatFails(t *testing.T) {
	for _, as := range []string{asTable, asText, asJSON, asMultiSz} {
		ios, _, _, _ := iostreams.Test()
		ios.Out = brokenWriter{syscall.EPIPE}
		cmd := NewCmd(&cmdutil.Factory{IO: ios})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs([]string{"-o", as})
		err := cmd.Execute()
		require.ErrorIs(t, err, cmdutil.ErrOutput, as)
		assert.True(t, cmdutil.ClosedPipe(err), as)
	}
}
