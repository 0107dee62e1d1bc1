package encode_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
)

func run(t *testing.T, in []byte, args ...string) (code int, out []byte, errOut string) {
	t.Helper()
	io, stdin, stdout, stderr := iostreams.Test()
	stdin.Write(in)
	code = root.Run(context.Background(), io, args)
	return code, stdout.Bytes(), stderr.String()
}

var captures = filepath.Join("..", "..", "..", "..", "testdata", "captures")

func TestCapturesComeBackByTheCommandLine(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(captures, "*.bin"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	dir := t.TempDir()
	for _, name := range names {
		want, err := os.ReadFile(name)
		require.NoError(t, err)
		code, doc, _ := run(t, nil, "dump", "-o", "json", name)
		require.Zero(t, code, name)

		code, got, errOut := run(t, doc, "encode", "-")
		require.Zero(t, code, errOut)
		require.True(t, bytes.Equal(want, got), name)

		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(doc)
		require.NoError(t, w.Close())
		from, to := filepath.Join(dir, "x.json.gz"), filepath.Join(dir, "x.bin")
		require.NoError(t, os.WriteFile(from, packed.Bytes(), 0o600))
		code, got, errOut = run(t, nil, "encode", from, "-w", to)
		require.Zero(t, code, errOut)
		require.Empty(t, got)
		got, err = os.ReadFile(to)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), name)
		code, got, _ = run(t, packed.Bytes(), "encode", "-")
		require.Zero(t, code)
		require.True(t, bytes.Equal(want, got), name)
	}
	// All of them are several documents one after the other.
	code, docs, _ := run(t, nil, append([]string{"dump", "-o", "json"}, names...)...)
	require.Zero(t, code)
	code, out, errOut := run(t, docs, "encode", "-")
	require.Equal(t, cmdutil.ExitInput, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "one document")
}

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "x.bin")
	bad := []byte(`{"format":"perfdata","blocks":[{"offset":0,"wire":{},"version":1}],"gaps":[],"size":100}`)
	code, out, errOut := run(t, bad, "encode", "-", "-w", to)
	require.Equal(t, cmdutil.ExitInput, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "0xc bytes from 0x58 on")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)

	require.NoError(t, os.WriteFile(to, []byte("as it was"), 0o640))
	code, _, _ = run(t, bad, "encode", "-", "-w", to)
	require.Equal(t, cmdutil.ExitInput, code)
	got, err := os.ReadFile(to)
	require.NoError(t, err)
	require.Equal(t, "as it was", string(got))

	link := filepath.Join(dir, "link.bin")
	require.NoError(t, os.Symlink(to, link))
	code, _, errOut = run(t, []byte(`{"format":"titles","entries":[]}`), "encode", "-", "-w", link)
	require.Zero(t, code, errOut)
	got, err = os.ReadFile(to)
	require.NoError(t, err)
	require.Equal(t, "\x00\x00", string(got))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink, "the link was replaced")
	info, err = os.Stat(to)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	left, err = os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 2)

	code, _, _ = run(t, []byte(`{"format":"titles","entries":[]}`), "encode", "-", "-w", os.DevNull)
	require.Zero(t, code)
	code, _, errOut = run(t, []byte(`{"format":"titles","entries":[]}`), "encode", "-", "-w", filepath.Join(dir, "none", "x"))
	require.Equal(t, cmdutil.ExitInput, code)
	require.Contains(t, errOut, "none")
}

func TestErrorsOfEncode(t *testing.T) {
	for _, c := range []struct {
		in   string
		args []string
		code int
		text string
	}{
		{"", []string{"encode"}, cmdutil.ExitUsage, "needs one document"},
		{"", []string{"encode", "a", "b"}, cmdutil.ExitUsage, "not 2"},
		{"", []string{"encode", "-"}, cmdutil.ExitInput, "empty"},
		{"", []string{"encode", "nowhere.json"}, cmdutil.ExitInput, "nowhere.json: no such file"},
		{"PERF", []string{"encode", "-"}, cmdutil.ExitInput, "dump -o json"},
		{`{"format":"blg"}`, []string{"encode", "-"}, cmdutil.ExitUsage, "read only"},
		{`{"format":"blg"}`, []string{"--errors", "json", "encode", "-"}, cmdutil.ExitUsage, `{"file":"-","code":"read-only","offset":null,"path":"format","message":`},
		{`{"format":"perfdata","partial":true,"blocks":[]}`, []string{"encode", "-"}, cmdutil.ExitUsage, "filters"},
		{`{"format":"x"}`, []string{"encode", "-"}, cmdutil.ExitInput, "x"},
		{`{"format":"perfdata","blocks":[{"version":"1"}]}`, []string{"--errors", "json", "encode", "-"}, cmdutil.ExitInput, `"code":"syntax","offset":42,"path":"blocks[0].version"`},
	} {
		code, out, errOut := run(t, []byte(c.in), c.args...)
		require.Equal(t, c.code, code, "%s %v: %s", c.in, c.args, errOut)
		require.Empty(t, out)
		require.Contains(t, errOut, c.text)
	}
}

func TestNoBinaryOnTerminals(t *testing.T) {
	io, stdin, stdout, stderr := iostreams.Test()
	io.SetStdoutTTY(true)
	stdin.WriteString(`{"format":"titles","entries":[]}`)
	require.Equal(t, cmdutil.ExitUsage, root.Run(context.Background(), io, []string{"encode", "-"}))
	require.Zero(t, stdout.Len())
	require.Contains(t, stderr.String(), "terminal")
}

func TestInterruptedEncode(t *testing.T) {
	io, stdin, stdout, _ := iostreams.Test()
	stdin.WriteString(`{"format":"titles","entries":[]}`)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	to := filepath.Join(t.TempDir(), "x")
	require.Equal(t, cmdutil.ExitInterrupted, root.Run(ctx, io, []string{"encode", "-", "-w", to}))
	require.Zero(t, stdout.Len())
	require.NoFileExists(t, to)
}

func TestPartialDumps(t *testing.T) {
	small := filepath.Join(captures, "small.bin")
	for _, args := range [][]string{{"-c", `\Processor(*)\*`}, {"--query", "238"}, {"--mode", "salvage"}} {
		code, doc, _ := run(t, nil, append([]string{"dump", "-o", "json", small}, args...)...)
		require.Zero(t, code)
		require.Contains(t, string(doc), `,"partial":true,`)
		code, out, _ := run(t, doc, "encode", "-")
		require.Equal(t, cmdutil.ExitUsage, code)
		require.Empty(t, out)
	}
	code, _, errOut := run(t, nil, "dump", "-o", "json", small, "-c", `\Nothing(*)\*`)
	require.Equal(t, cmdutil.ExitFindings, code)
	require.Contains(t, errOut, "nothing matches")
	code, out, errOut := run(t, nil, "dump", "-o", "json", "--with", "text", small)
	require.Equal(t, cmdutil.ExitUsage, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "--with")
}

// A broken file gives no half of a document, and salvage mode what there is.
func TestDumpsOfBrokenFiles(t *testing.T) {
	small, err := os.ReadFile(filepath.Join(captures, "small.bin"))
	require.NoError(t, err)
	code, out, errOut := run(t, small[:len(small)-1000], "dump", "-o", "json", "-")
	require.Equal(t, cmdutil.ExitInput, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "standard input")
	code, out, errOut = run(t, small[:len(small)-1000], "dump", "-o", "json", "--mode", "salvage", "-")
	require.Equal(t, cmdutil.ExitInput, code)
	require.Contains(t, string(out), `"partial":true`)
	require.NotEmpty(t, errOut)
}
