package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
)

// full is an output on a disk that has room for so many more bytes.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	if f.room -= n; n < len(b) {
		return n, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	}
	return n, nil
}

// runOn runs a command line whose standard output is on such a disk.
func runOn(t *testing.T, room int, stdin []byte, args ...string) (code int, stderr string) {
	t.Helper()
	ios, in, _, errOut := iostreams.Test()
	in.Write(stdin)
	ios.Out = &full{room}
	code = root.Run(t.Context(), ios, args)
	return code, errOut.String()
}

// none are lines of verbs that read no file of a format, and of what all verbs
// have.
var none = []string{
	"types", "types -o json", "types PERF_COUNTER_COUNTER", "explain perflib:1008", "explain -o json perflib:1008", "version", "man", "man cook",
	"completion bash", "completion zsh", "completion fish", "completion powershell", "help", "help cook", "cook --help", "--help", "--version", "exit-codes", "formats", "titles", "titles --index 238",
	"titles -o text", "titles -o multisz", "titles -o dat", "titles -o perfstrings", "titles -o reg", "titles -o json", "titles --stats",
}

// TestFullStandardOutput has space for half of the output, and for all but its
// last byte: each verb says so and ends with an error, whatever it has read and
// found. Each row runs on the first two formats that it reads.
func TestFullStandardOutput(t *testing.T) {
	s := newShelf(t)
	check := func(t *testing.T, stdin []byte, args ...string) {
		code, stdout, _ := runWith(t, stdin, args...)
		if code > cmdutil.ExitFindings || stdout == "" {
			return
		}
		rooms := []int{len(stdout) / 2, len(stdout) - 1}
		for _, room := range slices.Compact(rooms) {
			code, stderr := runOn(t, room, stdin, args...)
			about := strings.Join(args, " ")
			assert.Equal(t, cmdutil.ExitInput, code, "%s, room for %d of %d bytes: %s", about, room, len(stdout), stderr)
			assert.Contains(t, stderr, cmdutil.ErrOutput.Error(), about)
			assert.Contains(t, stderr, syscall.ENOSPC.Error(), about)
		}
	}
	for _, r := range s.matrix.rows {
		n := 0
		for _, f := range s.fixtures {
			if strings.Contains("+1", r.cells[f.format]) && n < 2 {
				n++
				t.Run(strings.Join(s.args(r, f, f.name), " "), func(t *testing.T) { check(t, nil, s.args(r, f, f.name)...) })
			}
		}
	}
	for _, line := range none {
		t.Run(line, func(t *testing.T) {
			code, stdout, stderr := runWith(t, nil, strings.Fields(line)...)
			require.Zero(t, code, stderr)
			require.NotEmpty(t, stdout)
			check(t, nil, strings.Fields(line)...)
		})
	}
}

// written are the lines that write files, of all verbs. FILE is what they read.
var written = map[string]string{
	"man -w out":                        "",
	"unlodctr -w out App --reg FILE":    "sound.reg",
	"titles -o dat -w out FILE":         "titles.bin",
	"titles -o text -w out FILE":        "titles.bin",
	"titles -o multisz -w out FILE":     "titles.bin",
	"titles -o perfstrings -w out FILE": "titles.bin",
	"titles -o reg -w out FILE":         "titles.bin",
	"titles --stats -w out FILE":        "titles.bin",
	"encode -w out FILE":                "document-sys.bin",
}

// eachWritten runs f for the lines that write files, in a directory of its own
// with their inputs.
func eachWritten(t *testing.T, f func(t *testing.T, args []string)) {
	t.Helper()
	sound, err := os.ReadFile(filepath.Join(repo(t), "testdata", "registration", "sound", "machine.reg"))
	require.NoError(t, err)
	s := newShelf(t)
	shelf, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("sound.reg", sound, 0o600))
	all := map[string]string{}
	for _, line := range files {
		if !strings.HasPrefix(line, "encode") && !strings.HasPrefix(line, "titles") {
			all[strings.ReplaceAll(line, "%s", "FILE")] = s.fixtures[0].name
			if verb := strings.Fields(line)[0]; verb != "dump" { // a value is of two moments
				all[strings.ReplaceAll(line, "%s", "FILE")] += " other-" + s.fixtures[0].name
			}
		}
	}
	for line, file := range written {
		all[line] = file
	}
	for line, file := range all {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			var args []string
			for _, word := range strings.Fields(line) {
				if word == "FILE" {
					for name := range strings.FieldsSeq(file) {
						args = append(args, filepath.Join(shelf, name))
					}
					continue
				} else if _, err := os.Stat(filepath.Join(shelf, word)); err == nil && word != "out" {
					word = filepath.Join(shelf, word)
				}
				args = append(args, word)
			}
			f(t, args)
		})
	}
}
