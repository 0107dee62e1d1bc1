// Package golden holds files of the tree to what the code makes: expected
// outputs, fixtures, and the seeds of the fuzz targets. It is for tests.
package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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

// Seed wants a fuzz target of the package in dir to have a seed of these
// arguments.
func Seed(t testing.TB, dir, target, name string, args ...any) {
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
	File(t, filepath.Join(dir, "testdata", "fuzz", target, name), []byte(seed.String()))
}

// Cases runs f over the inputs of a file and compares the file with what it
// returns. Lines that begin with "> " are an input, and those with ">> " are Go
// strings of one, for what a line cannot show. f's output follows, indented and
// in the same way: lines that end in blanks or controls are Go strings.
// Lines that begin with # are comments. With -update the outputs are rewritten.
func Cases(t testing.TB, name string, f func(in string) string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var in, out strings.Builder
	open := false // an input
	run := func() {
		if !open {
			return
		}
		for line := range strings.Lines(f(in.String())) {
			text, whole := strings.CutSuffix(line, "\n")
			if !whole || text != strings.TrimRightFunc(text, func(r rune) bool { return r <= ' ' }) {
				text = strconv.Quote(line)
			}
			out.WriteString("  " + text + "\n")
		}
		out.WriteByte('\n')
		in.Reset()
		open = false
	}
	for line := range strings.Lines(string(text)) {
		if quoted, ok := strings.CutPrefix(line, ">> "); ok {
			s, err := strconv.Unquote(strings.TrimSpace(quoted))
			require.NoError(t, err, line)
			in.WriteString(s)
			open = true
		} else if raw, ok := strings.CutPrefix(line, "> "); ok {
			in.WriteString(raw)
			open = true
		} else if run(); line[0] != '#' {
			continue
		}
		out.WriteString(line)
	}
	run()
	File(t, name, []byte(out.String()))
}
