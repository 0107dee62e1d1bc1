package hexdump_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
)

const captures = "../../../../testdata/captures/"

func run(ctx context.Context, set func(*iostreams.IOStreams), args ...string) (code int, out, errOut string) {
	ios, _, o, e := iostreams.Test()
	if set != nil {
		set(ios)
	}
	code = root.Run(ctx, ios, append([]string{"hexdump"}, args...))
	return code, o.String(), e.String()
}

func TestNamesComeFromTitles(t *testing.T) {
	_, out, _ := run(t.Context(), nil, "--titles", captures+"titles-009.bin", "--path", "object[2].DefaultCounter", captures+"small.bin")
	assert.Contains(t, out, "object[2]  Cache, 52 counters")
	assert.Contains(t, out, "object[2].DefaultCounter = 2  Cache Counter 2\n")
}

func TestTerminal(t *testing.T) {
	tty := func(s *iostreams.IOStreams) { s.SetStdoutTTY(true); s.SetWidth(80) }
	code, out, errOut := run(t.Context(), tty, captures+"inst-x86_64-1.bin")
	assert.Equal(t, cmdutil.ExitOK, code)
	assert.Contains(t, out, "\x1b[1mobject[0]  title 6000")
	assert.Contains(t, out, " | NumInstances = \x1b[1m30\x1b[0m\n")
	assert.Regexp(t, `^perfdump: note: [0-9]+ bytes are folded; --all shows them\n$`, errOut)
	_, out, errOut = run(t.Context(), tty, "--all", "--color", "never", captures+"inst-x86_64-1.bin")
	assert.NotContains(t, out, "\x1b")
	assert.Empty(t, errOut)
}

// Files that cannot be read whole are shown, those of no known format too.
func TestAnyFile(t *testing.T) {
	b, err := os.ReadFile(captures + "inst-x86_64-1.bin")
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "input")
	for _, test := range []struct {
		content string
		args    []string
		code    int
		want    string
	}{
		{string(b[:3000]), nil, cmdutil.ExitInput, "| gap of 8 bytes, object[1]: 8 bytes remain for the 64 of an object header"},
		{string(b[:3000]), []string{"--mode", "salvage"}, cmdutil.ExitOK, "| gap of 8 bytes"},
		{string(b[:3000]), []string{captures + "sys-238-x86_64-1.bin"}, cmdutil.ExitInput, "\n\n" + name + "\n0x0000 50 00 45"},
		{"PK\x03\x04 and so on", nil, cmdutil.ExitOK, "gap of 14 bytes, no known format; it looks like a zip archive"},
		{"xyz", []string{"--format", "carve"}, cmdutil.ExitOK, "| gap of 3 bytes, carve: no fields are looked for;"},
	} {
		require.NoError(t, os.WriteFile(name, []byte(test.content), 0o600))
		code, out, _ := run(t.Context(), nil, append(test.args, name)...)
		assert.Equal(t, test.code, code, test.want)
		assert.Contains(t, out, test.want)
	}
}

func TestCtrlC(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, out, _ := run(ctx, nil, captures+"small.bin")
	assert.Equal(t, cmdutil.ExitInterrupted, code)
	assert.Empty(t, out)
}
