package cmdutil_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// A name of 255 bytes is the longest there is.
func TestWriteFileWithALongName(t *testing.T) {
	for _, base := range []string{strings.Repeat("n", 255), strings.Repeat("é", 127)} {
		name := filepath.Join(t.TempDir(), base)
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Skip("the file system has no such names:", err)
		}
		require.NoError(t, cmdutil.WriteFile(name, func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }))
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, "x", string(got))
		entries, err := os.ReadDir(filepath.Dir(name))
		require.NoError(t, err)
		assert.Len(t, entries, 1)
	}
}

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
