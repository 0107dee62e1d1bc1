// Package apitest holds the exported API of the module to the lists in api.
package apitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/golden"
)

// TestAPI keeps what users of the packages can name from changing by accident.
func TestAPI(t *testing.T) {
	const dir = "../../api"
	l := newLoader(t)
	have := map[string]string{}
	for path, at := range l.list {
		if !at.public() {
			continue
		}
		p, err := l.load(path)
		require.NoError(t, err)
		text := render(p)
		if text == "" {
			continue
		}
		require.NotContains(t, text, "invalid type", path)
		have[fileName(path)] = text
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	require.NoError(t, err)
	want := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		want[filepath.Base(name)] = string(text)
	}
	if *golden.Update {
		require.NoError(t, write(dir, have, want))
		return
	}
	if d := compare(want, have); d != "" {
		t.Errorf("The exported API is not what the lists in api say:\n%s"+
			"If this is meant, accept it by\n"+
			"  go test ./internal/apitest -update\n"+
			"and commit api with the change, and its line in CHANGELOG.md.", d)
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

func write(dir string, have, want map[string]string) error {
	for name := range want {
		if _, ok := have[name]; !ok {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range have {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
