package main_test

import (
	"compress/gzip"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
	"github.com/perfdump/perfdump/internal/testkit/golden"
)

func TestMain(m *testing.M) {
	// Under the race detector each process sleeps for a second at its end by default.
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	testscript.Main(m, map[string]func(){
		"perfdump": func() { os.Exit(root.Main(os.Args[1:])) },
	})
}

// repo is the root of the checkout.
func repo(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return dir
}

// TestScripts runs the transcripts. In them $CAPTURES is testdata/captures and
// $BLOCKS testdata/ipcblock, $LOGS testdata/blg, $DUMPS testdata/minidump, $REGISTRY
// testdata/registry, $REGISTRATION testdata/registration, $STORY testdata/story,
// and $MORNING a third of its log, packed; pack is gzip or zstd; cut writes the
// first bytes of a file to another; join writes files, and numbers of zeros between them,
// to one; poke writes bytes in hex over those at an offset; exits N ARGS runs
// perfdump and wants the exit code N.
func TestScripts(t *testing.T) {
	captures := filepath.Join(repo(t), "testdata", "captures")
	third := filepath.Join(t.TempDir(), "morning.blg.gz")
	write(t, third, packed(t, morning(t), func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }))
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: *golden.Update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CAPTURES", captures)
			env.Setenv("STORY", filepath.Join(repo(t), "testdata", "story"))
			env.Setenv("MORNING", third)
			env.Setenv("BLOCKS", filepath.Join(repo(t), "testdata", "ipcblock"))
			env.Setenv("REGISTRATION", filepath.Join(repo(t), "testdata", "registration"))
			env.Setenv("DUMPS", filepath.Join(repo(t), "testdata", "minidump"))
			env.Setenv("REGISTRY", filepath.Join(repo(t), "testdata", "registry"))
			env.Setenv("LOGS", filepath.Join(repo(t), "testdata", "blg"))
			env.Setenv("SETS", filepath.Join(repo(t), "testdata", "perflib2"))
			env.Setenv("COLUMNS", "80")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command ends with a second of sleep
			env.Setenv("NO_COLOR", "")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"pack": pack,
			"cut":  cut,
			"join": join,
			"poke": poke,

			"exits": exits,
		},
	})
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(ts.Exec("perfdump", args[1:]...), &exit) {
		code = exit.ExitCode()
	}
	if want, err := strconv.Atoi(args[0]); err != nil || code != want {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

func pack(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: pack gzip|zstd FROM TO")
	}
	to, err := os.Create(ts.MkAbs(args[2]))
	ts.Check(err)
	var w io.WriteCloser = gzip.NewWriter(to)
	if args[0] == "zstd" {
		w, err = zstd.NewWriter(to)
		ts.Check(err)
	}
	_, err = io.WriteString(w, ts.ReadFile(args[1]))
	ts.Check(err)
	ts.Check(w.Close())
	ts.Check(to.Close())
}

func join(ts *testscript.TestScript, _ bool, args []string) {
	var all []byte
	for _, arg := range args[1:] {
		if n, err := strconv.Atoi(arg); err == nil {
			all = append(all, make([]byte, n)...)
			continue
		}
		all = append(all, ts.ReadFile(arg)...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), all, 0o600))
}

func poke(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: poke FILE OFFSET HEX")
	}
	b := []byte(ts.ReadFile(args[0]))
	off, err := strconv.Atoi(args[1])
	ts.Check(err)
	over, err := hex.DecodeString(args[2])
	ts.Check(err)
	copy(b[off:off+len(over)], over)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o600))
}

func cut(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: cut BYTES FROM TO")
	}
	n := 0
	for _, c := range args[0] {
		n = 10*n + int(c-'0')
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(ts.ReadFile(args[1])[:n]), 0o600))
}

// TestExamplesRun runs every line of the examples in the help of the verbs,
// from the root of the checkout as their reader would.
func TestExamplesRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples are for a Unix shell")
	}
	dir := t.TempDir() // some examples write
	require.NoError(t, os.Symlink(filepath.Join(repo(t), "testdata"), filepath.Join(dir, "testdata")))
	for _, cmd := range verbs(t) {
		if cmd.Name() == "completion" || cmd.Name() == "help" || cmd.IsAdditionalHelpTopicCommand() {
			continue
		}
		require.NotEmpty(t, cmd.Example, "%s has no example", cmd.Name())
		for line := range strings.Lines(cmd.Example) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			t.Run(line, func(t *testing.T) {
				sh := exec.Command("sh", "-c", line)
				sh.Dir = dir
				out, err := sh.Output()
				code := 0
				if err != nil {
					var exit *exec.ExitError
					require.ErrorAs(t, err, &exit)
					code = exit.ExitCode()
				}
				assert.NotEmpty(t, out)
				if strings.Contains(line, "check") || strings.Contains(line, "doctor") {
					assert.LessOrEqual(t, code, cmdutil.ExitFindings)
				} else {
					assert.Zero(t, code)
				}
			})
		}
	}
}

func verbs(t *testing.T) []*cobra.Command {
	t.Helper()
	io, _, _, _ := iostreams.Test()
	cmd := root.NewCmd(&cmdutil.Factory{IO: io})
	return append([]*cobra.Command{cmd}, cmd.Commands()...)
}

// TestHelpFits holds that the help of a verb fits a terminal, but for command
// lines, which are for copying.
func TestHelpFits(t *testing.T) {
	for _, cmd := range verbs(t) {
		if cmd.Name() == "completion" {
			continue
		}
		var b strings.Builder
		cmd.SetOut(&b)
		require.NoError(t, cmd.Help())
		help := strings.Replace(b.String(), cmd.Example, "", 1)
		for line := range strings.Lines(help) {
			if strings.HasPrefix(line, "  perfdump ") {
				continue
			}
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, " \n")), 80, "%s: %s", cmd.Name(), line)
		}
	}
}
