package cmdutil_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// A file is written whole or not at all, next to its place and behind a link. It
// keeps its mode, whatever the umask, and nothing else is left in the directory.
// A name of 255 bytes is the longest there is.
func TestWriteFile(t *testing.T) {
	broken := errors.New("broken")
	for _, base := range []string{"file", strings.Repeat("n", 255), strings.Repeat("é", 127)} {
		dir := t.TempDir()
		file, link := filepath.Join(dir, base), filepath.Join(t.TempDir(), "link")
		if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
			t.Skip("the file system has no such names:", err)
		}
		require.NoError(t, os.Chmod(file, 0o666))
		require.NoError(t, os.Symlink(file, link))
		before, err := os.Stat(file)
		require.NoError(t, err)
		for _, name := range []string{file, link} {
			for _, failure := range []error{broken, nil} {
				err := cmdutil.WriteFile(name, func(w io.Writer) error {
					_, _ = io.WriteString(w, base)
					return failure
				})
				require.ErrorIs(t, err, failure)
				b, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, failure == nil || name == link, string(b) == base)
			}
		}
		after, err := os.Stat(file)
		require.NoError(t, err)
		require.Equal(t, before.Mode(), after.Mode())
		linked, err := os.Lstat(link)
		require.NoError(t, err)
		require.NotZero(t, linked.Mode()&os.ModeSymlink)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1)
	}
}
