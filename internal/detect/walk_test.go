package detect_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

func tree(t *testing.T) string {
	dir := t.TempDir()
	block := perftest.Sized(1, 2000)
	write(t, dir, "b.bin", block)
	write(t, dir, "a.bin.gz", gz(block))
	write(t, dir, "c/1.dat", []byte(table))
	write(t, dir, "c/notes.txt", []byte("hello"))
	write(t, dir, "c/empty", nil)
	write(t, dir, "d.gz", gz(block)[:500])
	write(t, dir, "z.bin", block)
	return dir
}

func TestWalk(t *testing.T) {
	dir := tree(t)
	alone := write(t, t.TempDir(), "alone.txt", []byte("hello"))
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink(dir, filepath.Join(dir, "c", "loop")))
		require.NoError(t, os.Symlink(filepath.Join(dir, "b.bin"), filepath.Join(dir, "c", "link")))
		require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "c", "dangling")))
	}
	type seen struct {
		name   string
		format detect.Format
		code   perfdump.Code
	}
	var passed []string
	o := detect.Options{
		Stdin:  bytes.NewReader([]byte(table)),
		Passed: func(name string) { passed = append(passed, name) },
	}
	join := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	args := []string{alone, "-", dir, join("c/empty"), filepath.Join(dir, "absent"), join("b.bin")}
	want := []seen{
		{alone, "", "unknown-format"},
		{"-", detect.Titles, ""},
		{join("a.bin.gz"), detect.PerfData, ""},
		{join("b.bin"), detect.PerfData, ""},
		{join("c/1.dat"), detect.Titles, ""},
		{join("d.gz"), "", "truncated"},
		{join("z.bin"), detect.PerfData, ""},
		{join("c/empty"), "", "empty"},
		{filepath.Join(dir, "absent"), "", "io"},
		{join("b.bin"), detect.PerfData, ""},
	}
	wantPassed := []string{join("c/empty"), join("c/notes.txt")}
	if runtime.GOOS != "windows" {
		want = append(want[:5:5], append([]seen{{join("c/link"), detect.PerfData, ""}}, want[5:]...)...)
		wantPassed = []string{join("c/dangling"), join("c/empty"), join("c/loop"), join("c/notes.txt")}
	}

	var got []seen
	for in, err := range detect.Walk(args, o) {
		s := seen{name: in.Name, format: in.Format}
		if err != nil {
			s.code = code(t, err)
			require.Nil(t, in.Data)
		} else {
			require.NotEmpty(t, in.Data)
		}
		got = append(got, s)
	}
	require.Equal(t, want, got)
	require.Equal(t, wantPassed, passed)
}

func TestWalkStops(t *testing.T) {
	dir := tree(t)
	for _, args := range [][]string{{dir, dir}, {filepath.Join(dir, "b.bin"), dir}} {
		formattest.Stops(t, formattest.Firsts(detect.Walk(args, detect.Options{})))
	}
}

func TestWalkWithAFormatTakesAll(t *testing.T) {
	dir := tree(t)
	n := 0
	for f, err := range detect.Walk([]string{filepath.Join(dir, "c")}, detect.Options{Format: detect.Carve, Passed: func(string) { t.Error("passed") }}) {
		require.NoError(t, err)
		require.NotNil(t, f.At)
		n++
	}
	require.Equal(t, 3, n)
}

// A file named "-" that a walk meets is a file.
func TestWalkOfADash(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "-", []byte(table))
	t.Chdir(dir)
	n := 0
	for in, err := range detect.Walk([]string{"."}, detect.Options{Stdin: bytes.NewReader([]byte("hello"))}) {
		require.NoError(t, err)
		require.Equal(t, detect.Titles, in.Format)
		require.Equal(t, "."+string(filepath.Separator)+"-", in.Name)
		n++
	}
	require.Equal(t, 1, n)
}
