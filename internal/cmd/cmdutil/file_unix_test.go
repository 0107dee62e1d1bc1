//go:build unix

package cmdutil_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// A file that is replaced keeps its mode, whatever the umask, and its owner where
// the system lets us.
func TestWriteFileKeepsModeAndOwner(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Chmod(file, 0o666))
	if err := os.Chown(file, 1234, 2345); err != nil {
		t.Log("the owner is not tried:", err)
	}
	before, err := os.Stat(file)
	require.NoError(t, err)
	require.NoError(t, cmdutil.WriteFile(file, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }))
	after, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, before.Mode(), after.Mode())
	was, is := before.Sys().(*syscall.Stat_t), after.Sys().(*syscall.Stat_t)
	assert.Equal(t, []uint32{was.Uid, was.Gid}, []uint32{is.Uid, is.Gid})
}
