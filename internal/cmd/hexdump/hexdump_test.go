package hexdump_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/cmd/root"
	"github.com/perfdump/perfdump/internal/iostreams"
)

const captures = "../../../testdata/captures/"

func run(t *testing.T, set func(*iostreams.IOStreams), args ...string) (code int, out, errOut string) {
	t.Helper()
	ios, _, o, e := iostreams.Test()
	if set != nil {
		set(ios)
	}
	code = root.Run(context.Background(), ios, append([]string{"hexdump"}, args...))
	return code, o.String(), e.String()
}

func write(t *testing.T, b []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "input")
	require.NoError(t, os.WriteFile(name, b, 0o600))
	return name
}

func TestShowsAFile(t *testing.T) {
	code, out, errOut := run(t, nil, captures+"sys-238-x86_64-1.bin")
	assert.Equal(t, cmdutil.ExitOK, code)
	assert.Empty(t, errOut)
	assert.Contains(t, out, "\n0x0168 e0 2f c8 d8 03 00 00 00                         |./......        | object[0].instance[0].counter[0] = 16521900000  % Processor Time\n")

	code, piped, _ := run(t, func(s *iostreams.IOStreams) {
		b, err := os.ReadFile(captures + "sys-238-x86_64-1.bin")
		require.NoError(t, err)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write(b)
		require.NoError(t, z.Close())
		s.In = &packed
	}, "-")
	assert.Equal(t, cmdutil.ExitOK, code)
	assert.Equal(t, out, piped)
}

func TestNamesComeFromTitles(t *testing.T) {
	_, out, _ := run(t, nil, "--titles", captures+"titles-009.bin", "--path", "object[2].DefaultCounter", captures+"small.bin")
	assert.Contains(t, out, "object[2]  Cache, 52 counters")
	assert.Contains(t, out, "object[2].DefaultCounter = 2  Cache Counter 2\n")
	_, out, _ = run(t, nil, "--path", "object[2].DefaultCounter", captures+"small.bin")
	assert.NotContains(t, out, "Cache Counter")
}

func TestTerminal(t *testing.T) {
	tty := func(s *iostreams.IOStreams) { s.SetStdoutTTY(true); s.SetWidth(80) }
	code, out, errOut := run(t, tty, captures+"inst-x86_64-1.bin")
	assert.Equal(t, cmdutil.ExitOK, code)
	assert.Contains(t, out, "\x1b[1mobject[0]  title 6000")
	assert.Contains(t, out, " | NumInstances = \x1b[1m30\x1b[0m\n")
	assert.Regexp(t, `^perfdump: note: [0-9]+ bytes are folded; --all shows them\n$`, errOut)
	_, out, errOut = run(t, tty, "--all", "--color", "never", captures+"inst-x86_64-1.bin")
	assert.NotContains(t, out, "\x1b")
	assert.Empty(t, errOut)
}

func TestBrokenFilesAreShownAndReported(t *testing.T) {
	b, err := os.ReadFile(captures + "inst-x86_64-1.bin")
	require.NoError(t, err)
	name := write(t, b[:3000])
	code, out, errOut := run(t, nil, name)
	assert.Equal(t, cmdutil.ExitInput, code)
	assert.Contains(t, out, "| gap of 8 bytes, object[1]: 8 bytes left for the 64 of an object's header; the input is cut short (offset 0xbb0)\n")
	assert.Contains(t, errOut, name+": object[1]: 8 bytes left")
	code, _, errOut = run(t, nil, "--mode", "salvage", name)
	assert.Equal(t, cmdutil.ExitOK, code)
	assert.Empty(t, errOut)

	// The others go on.
	code, out, _ = run(t, nil, name, "no-such-file", captures+"sys-238-x86_64-1.bin")
	assert.Equal(t, cmdutil.ExitInput, code)
	assert.Contains(t, out, "\n\n"+captures+"sys-238-x86_64-1.bin\n0x0000 50 00 45")
	code, out, _ = run(t, nil, "--fail-fast", name, captures+"sys-238-x86_64-1.bin")
	assert.Equal(t, cmdutil.ExitInput, code)
	assert.NotContains(t, out, "sys-238")
}

func TestAnyInputIsShown(t *testing.T) {
	code, out, _ := run(t, nil, write(t, []byte("PK\x03\x04 and so on")))
	assert.Equal(t, cmdutil.ExitOK, code)
	assert.Contains(t, out, "gap of 14 bytes, no known format; it looks like a zip archive")
	code, out, _ = run(t, nil, "--format", "carve", write(t, []byte("xyz")))
	assert.Equal(t, cmdutil.ExitOK, code)
	assert.Equal(t, "0x0000 78 79 7a                                        |xyz             | gap of 3 bytes, carve: no fields are looked for; perfdump info --format carve says where blocks are\n", out)
	code, out, _ = run(t, nil, captures+"titles-009.bin")
	assert.Equal(t, cmdutil.ExitOK, code)
	assert.Contains(t, out, `| entry[1].Text = "System"`)
	code, out, errOut := run(t, nil, write(t, nil))
	assert.Equal(t, cmdutil.ExitInput, code)
	assert.Empty(t, out)
	assert.Contains(t, errOut, "there are no bytes")
}

func TestUsage(t *testing.T) {
	sys := captures + "sys-238-x86_64-1.bin"
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--range", "0x100..0x400", sys}, "--range 0x100..0x400: 0x100..0x400 ends past the input's 0x220 bytes"},
		{[]string{"--range", "tail", sys}, "want a range such as 0x100..0x200 or 0x100+32"},
		{[]string{"--path", "object[4]", sys}, `--path "object[4]": here are Signature, LittleEndian, `},
		{[]string{"--path", "object[0].counter[9]", sys}, "object[0] has TotalByteLength, "},
		{[]string{"--format", "elf", sys}, "no format is named"},
		{nil, "needs a file"},
	} {
		code, out, errOut := run(t, nil, test.args...)
		assert.Equal(t, cmdutil.ExitUsage, code, test.args)
		assert.Empty(t, out, test.args)
		assert.Contains(t, errOut, test.want, test.args)
	}
}

func TestCtrlC(t *testing.T) {
	ios, _, out, _ := iostreams.Test()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code := root.Run(ctx, ios, []string{"hexdump", captures + "small.bin"})
	assert.Equal(t, cmdutil.ExitInterrupted, code)
	assert.Empty(t, out.String())
}

func TestRangeIsNotFolded(t *testing.T) {
	_, out, _ := run(t, nil, "--range", "0x1f0..0xbb0", captures+"inst-x86_64-1.bin")
	assert.NotRegexp(t, "… [0-9]+ more", out)
	assert.Equal(t, 27, strings.Count(out, ".Name = "))
}
