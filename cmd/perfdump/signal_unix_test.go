//go:build unix

package main_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// file makes a file of what write writes.
func file(t *testing.T, name string, write func(w io.Writer)) string {
	t.Helper()
	var b bytes.Buffer
	write(&b)
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o600))
	return name
}

// unpacking returns a line that unpacks 24 GB.
func unpacking(t *testing.T, dir string) []string {
	t.Helper()
	pack := func(b []byte) []byte {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		_, _ = w.Write(b)
		require.NoError(t, w.Close())
		return z.Bytes()
	}
	bomb := file(t, filepath.Join(dir, "bomb.gz"), func(w io.Writer) {
		_, _ = w.Write(pack(bytes.Repeat(pack(make([]byte, 8<<20)), 3000)))
	})
	return []string{"info", "--format", "hive", "--max-unpacked", "300GiB", bomb}
}

// slow returns lines that take long, by what takes it.
func slow(t *testing.T, dir string) map[string][]string {
	t.Helper()
	ini := file(t, filepath.Join(dir, "large.ini"), func(w io.Writer) {
		line := []byte("[info]\ndrivername=A\n[text]\n")
		for i := range 2_500_000 {
			_, _ = w.Write(line)
			line = strconv.AppendInt(append(line[:0], 'S'), int64(i), 10)
			line = append(line, "_009_NAME=Counter\n"...)
		}
	})
	const columns = 20_000
	wide := file(t, filepath.Join(dir, "wide.csv"), func(w io.Writer) {
		_, _ = io.WriteString(w, `"(PDH-CSV 4.0) (UTC)(0)"`)
		for i := range columns {
			_, _ = fmt.Fprintf(w, `,"\\H\Process(p%d)\C"`, i)
		}
		for i := range 900 {
			_, _ = fmt.Fprintf(w, "\n\"01/01/2026 00:%02d:%02d.000\"%s", i/60, i%60, strings.Repeat(`,"1"`, columns))
		}
	})
	paths := file(t, filepath.Join(dir, "paths"), func(w io.Writer) {
		for i := range 16_000 {
			_, _ = fmt.Fprintf(w, "\\Process(*%d*%d*)\\*\n", i, i%7)
		}
	})
	return map[string][]string{
		"unpack": unpacking(t, dir),
		"parse":  {"dump", ini, "-o", "json", "-w", filepath.Join(dir, "out")},
		"filter": {"cook", wide, "--counter-file", paths, "-o", "csv", "-w", filepath.Join(dir, "out")},
		"wait":   {"dump", "-"},
		"cook":   {"cook", wide, "-o", "parquet", "--partition", "-w", filepath.Join(dir, "out")},
	}
}

// A signal ends every verb within a second, whatever it is busy with, and leaves
// nothing half written behind.
func TestSignalsEndEveryVerb(t *testing.T) {
	dir := t.TempDir()
	lines := slow(t, dir)
	before, err := os.ReadDir(dir)
	require.NoError(t, err)
	temp := t.TempDir()
	for name, line := range lines {
		for s, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGQUIT: 131} {
			if name != "cook" && s != syscall.SIGTERM {
				continue // all of them end it in the same way
			}
			t.Run(fmt.Sprintf("%s-%d", name, s), func(t *testing.T) {
				cmd := exec.Command("perfdump", line...)
				cmd.Env = append(os.Environ(), "TMPDIR="+temp)
				stdin, err := cmd.StdinPipe()
				require.NoError(t, err)
				require.NoError(t, cmd.Start())
				defer func() { _ = stdin.Close() }()
				time.Sleep(250 * time.Millisecond)
				start := time.Now()
				require.NoError(t, cmd.Process.Signal(s))
				_ = cmd.Wait()
				assert.Equal(t, want, cmd.ProcessState.ExitCode())
				assert.Less(t, time.Since(start), 2*time.Second, "a second, and one more for a machine that is busy")
				after, err := os.ReadDir(dir)
				require.NoError(t, err)
				assert.Len(t, after, len(before), "%v", after)
				after, err = os.ReadDir(temp)
				require.NoError(t, err)
				assert.Empty(t, after)
			})
		}
	}
}

// A second signal ends the process at once; one that was ignored from the start,
// as nohup has it, stays so.
func TestSecondAndIgnoredSignals(t *testing.T) {
	line := unpacking(t, t.TempDir())
	quick := time.Hour
	for range 5 { // of a machine that is busy the quickest counts
		cmd := exec.Command("perfdump", line...)
		require.NoError(t, cmd.Start())
		time.Sleep(100 * time.Millisecond)
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		time.Sleep(20 * time.Millisecond)
		start := time.Now()
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		assert.Equal(t, 143, cmd.ProcessState.ExitCode())
		if quick = min(quick, time.Since(start)); quick < 400*time.Millisecond {
			break
		}
	}
	assert.Less(t, quick, 400*time.Millisecond)

	cmd := exec.Command("sh", append([]string{"-c", `trap "" HUP; exec perfdump "$@"`, "sh"}, line...)...)
	require.NoError(t, cmd.Start())
	time.Sleep(250 * time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	time.Sleep(500 * time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	assert.Equal(t, 143, cmd.ProcessState.ExitCode(), "it ended by the signal that was ignored")
}
