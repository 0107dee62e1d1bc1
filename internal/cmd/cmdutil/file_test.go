package cmdutil_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

func TestWriteFileKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o640))
	require.NoError(t, os.Symlink(file, link))
	require.NoError(t, cmdutil.WriteFile(link, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }))
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "new", string(b))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "something was left behind")
}

// A file is written whole or not at all.
func TestWriteFileLeavesNothingHalf(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	broken := errors.New("broken")
	err := cmdutil.WriteFile(file, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return broken
	})
	require.ErrorIs(t, err, broken)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "old", string(b))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}
