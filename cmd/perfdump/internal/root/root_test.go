package root

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/internal/wire"
)

const captures = "../../../../testdata/captures/"

func run(args ...string) (code int, out, errOut string) {
	ios, _, o, e := iostreams.Test()
	code = Run(context.Background(), ios, args)
	return code, o.String(), e.String()
}

// cancelWriter cancels a run in the midst of its output.
type cancelWriter struct {
	cancel context.CancelFunc
	n      int
}

func (w *cancelWriter) Write(b []byte) (int, error) {
	w.n += len(b)
	w.cancel()
	return len(b), nil
}

func TestCtrlCEndsARunThatWrites(t *testing.T) {
	ios, _, _, _ := iostreams.Test()
	ctx, cancel := context.WithCancel(context.Background())
	w := &cancelWriter{cancel: cancel}
	ios.Out = w
	code := Run(ctx, ios, []string{"dump", "-o", "jsonl", captures + "small.bin", captures + "small.bin"})
	assert.Equal(t, cmdutil.ExitInterrupted, code)
	assert.Less(t, w.n, 200<<10, "it went on writing")
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestAClosedPipeIsNoError(t *testing.T) {
	for _, verb := range []string{"dump", "info", "check"} {
		ios, _, _, errOut := iostreams.Test()
		ios.Out = brokenWriter{&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}}
		code := Run(context.Background(), ios, []string{verb, captures + "small.bin", "--titles", captures + "titles-009.bin"})
		assert.Zero(t, code, verb)
		assert.Empty(t, errOut.String(), verb)
	}
}

func TestOutputThatFails(t *testing.T) {
	ios, _, _, errOut := iostreams.Test()
	ios.Out = brokenWriter{syscall.ENOSPC}
	assert.Equal(t, cmdutil.ExitInput, Run(context.Background(), ios, []string{"dump", captures + "small.bin"}))
	assert.Contains(t, errOut.String(), "cannot write the output")
}

// Wrong usage says in one line what is wrong and what to try.
func TestEveryErrorHelps(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"dmup x", `unknown verb "dmup"; did you mean dump?`},
		{"frobnicate", "the verbs are: analyze, check, compare, completion, "},
		{"dump", "dump needs a file; name files or directories, or - for standard input"},
		{"dump --mod x", "did you mean --mode?"},
		{"dump --zzzz x", "unknown flag: --zzzz; see perfdump dump --help"},
		{"dump -o jsom x", "did you mean json? It takes table, "},
		{"dump --mode sloppy x", "it takes strict, tolerant, salvage"},
		{"dump --format perfdat x", "perfdata"},
		{"dump --max-unpacked lots x", "64MiB"},
		{"dump -c Process x", `a path looks like \Processor(*)\% Processor Time`},
		{"dump --query Foreign x", "--query"},
		{"dump --with speed -o csv x", "text, pdh_status"},
		{"dump --with text x", "add -o jsonl or -o csv"},
		{"cook --utc --tz +02:00 x", "--utc and --tz +02:00 cannot be combined; --utc is the same as --tz utc"},
		{"cook --tz nowhere x", "expected recorder, utc, system, an offset such as +02:00"},
		{"info --color=purple x", "it takes auto, always, never"},
		{"version x", "version:"},
		{"help dmup", "did you mean dump?"},
		{"help zzzzzzz", "there is help on: analyze, check, compare, completion, "},
		{"completion tcsh", "completion:"},
		{"dump " + captures + "titles-009.bin", "name it with --titles"},
	} {
		code, out, errOut := run(strings.Split(c.args, " ")...)
		assert.Equal(t, cmdutil.ExitUsage, code, c.args)
		assert.Empty(t, out, c.args)
		assert.Contains(t, errOut, c.want, c.args)
		assert.True(t, strings.HasPrefix(errOut, "perfdump: "), errOut)
		assert.Equal(t, 1, strings.Count(errOut, "\n"), errOut)

		code, out, errOut = run(append(strings.Split(c.args, " "), "--errors", "json")...)
		assert.Equal(t, cmdutil.ExitUsage, code, c.args)
		assert.Empty(t, out, c.args)
		var e struct{ Message string }
		require.NoError(t, json.Unmarshal([]byte(errOut), &e), errOut)
		assert.Contains(t, e.Message, c.want, c.args)
	}
}

// A file whose name begins as a flag does: the error says how to name it.
func TestFileNamedAsFlag(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("-x.bin", nil, 0o600))
	code, _, errOut := run("info", "-x.bin")
	assert.Equal(t, cmdutil.ExitUsage, code)
	assert.Equal(t, "perfdump: info: unknown shorthand flag: 'x' in -x.bin; the file is ./-x.bin\n", errOut)
}

func TestErrorsAsJSON(t *testing.T) {
	code, _, errOut := run("dump", "--zzzz", "--errors=json")
	assert.Equal(t, cmdutil.ExitUsage, code)
	assert.Equal(t, `{"file":"","code":"syntax","offset":null,"path":"","message":"dump: unknown flag: --zzzz; see perfdump dump --help"}`+"\n", errOut)
	code, _, errOut = run("dump", "--", "--errors=json")
	assert.Equal(t, cmdutil.ExitInput, code)
	assert.Equal(t, "perfdump: --errors=json: no such file or directory\n", errOut)

	for _, verb := range []string{"dump", "info", "check"} {
		code, _, errOut := run(verb, "--errors", "json", "no such file", captures+"sys-238-x86_64-1.bin")
		assert.Equal(t, cmdutil.ExitInput, code)
		var e map[string]any
		require.NoError(t, json.Unmarshal([]byte(errOut), &e), errOut)
		assert.Equal(t, []any{"no such file", "io", nil, ""}, []any{e["file"], e["code"], e["offset"], e["path"]})
	}
}

func TestFailFast(t *testing.T) {
	_, out, _ := run("info", "no such file", captures+"small.bin")
	assert.Contains(t, out, "SRV-HOST-42")
	code, out, _ := run("info", "--fail-fast", "no such file", captures+"small.bin")
	assert.Equal(t, cmdutil.ExitInput, code)
	assert.Empty(t, out)
}

func TestColor(t *testing.T) {
	for _, c := range []struct {
		tty   bool
		flags []string
		want  bool
	}{{false, nil, false}, {true, nil, true}, {false, []string{"--color", "always"}, true}} {
		ios, _, out, _ := iostreams.Test()
		ios.SetStdoutTTY(c.tty)
		Run(context.Background(), ios, append(c.flags, "dump", captures+"sys-238-x86_64-1.bin"))
		assert.Equal(t, c.want, strings.Contains(out.String(), "\x1b[1m"))
	}
}

// A name in a CSV does nothing to a terminal, and is itself anywhere else.
func TestNamesDoNothingToATerminal(t *testing.T) {
	block, err := os.ReadFile(captures + "sys-238-x86_64-1.bin")
	require.NoError(t, err)
	total := wire.EncodeUTF16(nil, "_Total")
	require.Equal(t, 1, bytes.Count(block, total))
	file := filepath.Join(t.TempDir(), "a.bin")
	for name, shown := range map[string]string{"\x1b[2J\u009bm": `\x1b[2J\x9bm`, "\x1b[31mX": `\x1b[31mX`} {
		require.NoError(t, os.WriteFile(file, bytes.Replace(block, total, wire.EncodeUTF16(nil, name), 1), 0o600))
		for _, tty := range []bool{false, true} {
			ios, _, out, _ := iostreams.Test()
			ios.SetStdoutTTY(tty)
			require.Zero(t, Run(context.Background(), ios, []string{"dump", "-o", "csv", file}))
			want := name + ",0,"
			if tty {
				want = shown + ",0,"
			}
			assert.Contains(t, out.String(), want)
			assert.Equal(t, tty, !strings.ContainsAny(out.String(), "\x1b\u009b"))
		}
	}
}
