// Package golden holds files of the tree to what the code makes: expected
// outputs, fixtures, and the seeds of the fuzz targets. It is for tests.
package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Update is the flag -update of the tests that use this package: what they
// make is written, not compared.
var Update = flag.Bool("update", false, "write the files that the tests compare with anew")

// File wants a file to hold got. With -update it writes the file first.
func File(t testing.TB, name string, got []byte) {
	t.Helper()
	if *Update {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o750))
		require.NoError(t, os.WriteFile(name, got, 0o600))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err, "run go test with -update")
	require.Equal(t, string(want), string(got), "%s: run go test with -update", name)
}

// Seed wants the target of package fuzz to have a seed of these arguments. It
// is called by the tests of a package that lies beside fuzz.
func Seed(t testing.TB, target, name string, args ...any) {
	t.Helper()
	var seed strings.Builder
	seed.WriteString("go test fuzz v1\n")
	for _, a := range args {
		switch a := a.(type) {
		case []byte:
			fmt.Fprintf(&seed, "[]byte(%q)\n", a)
		case byte: // as the fuzzer itself writes one
			fmt.Fprintf(&seed, "byte(%q)\n", a)
		default:
			fmt.Fprintf(&seed, "%T(%v)\n", a, a)
		}
	}
	File(t, filepath.Join("..", "fuzz", "testdata", "fuzz", target, name), []byte(seed.String()))
}
