package lake_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/lake"
)

// TestFullDisk adds to a lake on disks that become full at any moment: an error leaves the
// lake as it was, and the run that has room makes what one of an empty lake does.
func TestFullDisk(t *testing.T) {
	in, disk := filepath.Join(t.TempDir(), "in"), t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=16m"); err != nil {
		t.Skipf("only root can mount a small disk: %v", err)
	}
	defer func() { require.NoError(t, syscall.Unmount(disk, 0)) }()
	out := filepath.Join(disk, "lake")
	fleet(t, in, 6)
	run(t, out, in, lake.Options{})
	before := cooked(t, in)
	was, err := os.ReadFile(filepath.Join(out, "_lake", "manifest.jsonl"))
	require.NoError(t, err)
	var used syscall.Statfs_t
	require.NoError(t, syscall.Statfs(disk, &used))
	fleet(t, in, 20)

	full := 0
	for size := (used.Blocks - used.Bfree) * uint64(used.Bsize); ; size += 2 * uint64(used.Bsize) {
		require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, fmt.Sprint("size=", size)))
		_, err := lake.Run(t.Context(), out, []string{in}, lake.Options{})
		if err == nil {
			break
		}
		require.True(t, errors.Is(err, syscall.ENOSPC), err)
		full++
		now, err := os.ReadFile(filepath.Join(out, "_lake", "manifest.jsonl"))
		require.NoError(t, err)
		require.Equal(t, was, now)
		require.Equal(t, before, rowsOf(t, out, counted(t, out)))
	}
	t.Logf("the disk was full in %d runs", full)
	require.Greater(t, full, 10)
	require.Equal(t, cooked(t, in), rows(t, out))
	for _, name := range files(t, out, "") {
		require.NotContains(t, name, ".tmp-")
	}
}
