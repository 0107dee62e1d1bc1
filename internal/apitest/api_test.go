// Package apitest checks the exported API of the module against the lists in api.
package apitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/golden"
)

// TestAPI keeps what users of the packages can name from changing by accident:
// api has a file for each package, which -update writes.
func TestAPI(t *testing.T) {
	const dir = "../../api"
	l := newLoader(t)
	files := map[string]bool{}
	for path, at := range l.list {
		if !at.public() {
			continue
		}
		p, err := l.load(path)
		require.NoError(t, err)
		text := render(p)
		require.NotContains(t, text, "invalid type", path)
		if text != "" {
			files[fileName(path)] = true
			golden.File(t, filepath.Join(dir, fileName(path)), []byte(text))
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	require.NoError(t, err)
	for _, name := range names {
		if files[filepath.Base(name)] {
			continue
		}
		if *golden.Update {
			require.NoError(t, os.Remove(name))
		} else {
			assert.Fail(t, "no package has this list", name)
		}
	}
}

// fileName is the name of a package's list: titles_perfstrings.txt.
func fileName(path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	if path == "" {
		path = "perfdump"
	}
	return strings.ReplaceAll(path, "/", "_") + ".txt"
}
