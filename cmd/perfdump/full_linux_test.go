package main_test

import (
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// TestFullDevice writes to the device that is always full, as standard output
// and by -w.
func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	eachWritten(t, func(t *testing.T, args []string) {
		if i := slices.Index(args, "out"); i >= 0 {
			args[i] = "/dev/full"
		}
		code, stdout, stderr := runWith(t, nil, args...)
		assert.Contains(t, []int{cmdutil.ExitInput, cmdutil.ExitUsage}, code, stderr) // usage where it wants a directory
		assert.Empty(t, stdout)
		assert.NotEmpty(t, stderr)
	})
}

// TestFullDisk lets no file grow beyond a few bytes, which is as if the disk were
// full: no file is there afterwards, or the one that was there.
func TestFullDisk(t *testing.T) {
	const own = "PERFDUMP_FULL_DISK"
	if os.Getenv(own) == "" { // a process of its own, since the limit is of all its files
		cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
		cmd.Env = append(os.Environ(), own+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var old syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old))
	eachWritten(t, func(t *testing.T, args []string) {
		code, _, stderr := runWith(t, nil, args...)
		require.LessOrEqual(t, code, cmdutil.ExitFindings, stderr)
		whole := tree(t)
		require.NotEmpty(t, whole)
		for _, room := range []uint64{0, 100} {
			require.NoError(t, os.RemoveAll("out"))
			require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: room, Max: old.Max}))
			code, stdout, stderr := runWith(t, nil, args...)
			require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old))
			assert.Equal(t, cmdutil.ExitInput, code, stderr)
			assert.Contains(t, stderr, cmdutil.ErrOutput.Error())
			assert.Contains(t, stderr, syscall.EFBIG.Error())
			assert.Empty(t, stdout)
			for name, b := range tree(t) { // of several files some may be whole
				assert.Equal(t, whole[name], b, "%s, with room for %d bytes", name, room)
			}
		}
	})
}

// tree returns the files of the current directory.
func tree(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		all[name] = string(b)
		return err
	}))
	return all
}
