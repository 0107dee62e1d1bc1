//go:build unix

package cmdutil_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// A file that is replaced keeps its owner, where the system lets us.
func TestWriteFileKeepsTheOwner(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	if err := os.Chown(file, 1234, 2345); err != nil {
		t.Skip("not allowed:", err)
	}
	require.NoError(t, cmdutil.WriteFile(file, func(io.Writer) error { return nil }))
	info, err := os.Stat(file)
	require.NoError(t, err)
	owner := info.Sys().(*syscall.Stat_t)
	require.Equal(t, []uint32{1234, 2345}, []uint32{owner.Uid, owner.Gid})
}
