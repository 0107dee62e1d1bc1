package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/mcp"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
)

// serve runs a server whose calls are run by run. It returns where to write lines, what
// was answered, and a channel that has the error at the end.
func serve(t *testing.T, run mcp.Runner) (in *io.PipeWriter, out <-chan string, end <-chan error) {
	t.Helper()
	r, in := io.Pipe()
	lines, ended := make(chan string, 1000), make(chan error, 1)
	cmd := mcp.NewCmd(&cmdutil.Factory{IO: iostreams.New(r, chanWriter(lines), io.Discard)}, run)
	cmd.SetArgs([]string{testdata})
	go func() { ended <- cmd.ExecuteContext(t.Context()) }()
	return in, lines, ended
}

type chanWriter chan string

func (w chanWriter) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

func next(t *testing.T, out <-chan string) string {
	t.Helper()
	select {
	case line := <-out:
		return line
	case <-time.After(time.Minute):
		t.Fatal("no answer")
		return ""
	}
}

// TestCancel cancels a call that runs and one that waits, while pings are answered.
func TestCancel(t *testing.T) {
	started := make(chan bool, 10)
	in, out, end := serve(t, func(ctx context.Context, ios *iostreams.IOStreams, _ func(string) (*os.File, error), args []string) int {
		started <- true
		if strings.HasSuffix(args[len(args)-1], "wait") {
			<-ctx.Done()
			return cmdutil.ExitInterrupted
		}
		_, _ = io.WriteString(ios.Out, "{}\n")
		return 0
	})
	send := func(format string, args ...any) { _, _ = fmt.Fprintf(in, format+"\n", args...) }
	const call = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"explain","arguments":{"word":%q}}}`
	send(call, 1, "wait")
	<-started
	send(call, 2, "wait")
	send(call, 3, "word")
	send(`{"jsonrpc":"2.0","id":4,"method":"ping"}`)
	assert.Equal(t, `{"jsonrpc":"2.0","id":4,"result":{}}`+"\n", next(t, out))
	send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
	assert.Contains(t, next(t, out), `{"jsonrpc":"2.0","id":3,"result":{"content":`)
	assert.Len(t, started, 1, "the call that waited has not begun")
	require.NoError(t, in.Close())
	require.NoError(t, <-end)
	assert.Empty(t, out)
}

// TestManyCalls has more calls wait than may.
func TestManyCalls(t *testing.T) {
	open := make(chan bool)
	in, out, end := serve(t, func(_ context.Context, _ *iostreams.IOStreams, _ func(string) (*os.File, error), _ []string) int {
		<-open
		return 0
	})
	const n = 100
	for i := range n {
		_, _ = fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"files"}}`+"\n", i)
	}
	close(open)
	require.NoError(t, in.Close())
	require.NoError(t, <-end)
	busy := 0
	for range n {
		if strings.Contains(next(t, out), "64 calls are waiting; call again when they have ended") {
			busy++
		}
	}
	assert.GreaterOrEqual(t, busy, n-64-1-1)
	assert.Empty(t, out)
}

// TestOutput is cut after so many characters, whatever the verb writes.
func TestOutput(t *testing.T) {
	for _, c := range []struct{ out, more string }{
		{strings.Repeat("{}\n", 10_000), "there is more: skip=2666 shows what follows"},
		{`{"a":"` + strings.Repeat("ä", 20_000) + `"}` + "\n", "the next item has 20009 characters: max_chars=20009 shows it"},
		{`{"a":"` + strings.Repeat("x", 200_000) + `"}` + "\n", "the next item has 200009 characters, and an answer up to 100000: skip=1 passes over it"},
		{strings.Repeat("x", 9<<20), "an item has more than 8 MiB; ask for less"},
	} {
		in, out, end := serve(t, func(_ context.Context, ios *iostreams.IOStreams, _ func(string) (*os.File, error), _ []string) int {
			if _, err := io.Copy(ios.Out, strings.NewReader(c.out)); err != nil {
				_, _ = fmt.Fprintln(ios.ErrOut, "perfdump:", err)
				return cmdutil.ExitInput
			}
			return 0
		})
		_, _ = io.WriteString(in, line(t, "explain", map[string]any{"word": "x"}))
		got := next(t, out)
		assert.Contains(t, got, c.more)
		assert.Less(t, len(got), 40_000)
		require.NoError(t, in.Close())
		require.NoError(t, <-end)
	}
}

// TestClosedOutput ends the server when the client has gone.
func TestClosedOutput(t *testing.T) {
	ios, in, _, errOut := iostreams.Test()
	in.WriteString(strings.Repeat(`{"jsonrpc":"2.0","id":4,"method":"ping"}`+"\n", 10))
	ios.Out = closed{}
	assert.Zero(t, root.Run(t.Context(), ios, []string{"mcp", testdata}))
	assert.Empty(t, errOut.String())
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// FuzzMCP: no line ends the server, and each request has one answer, unless it was
// cancelled: then it has at most one.
func FuzzMCP(f *testing.F) {
	f.Fuzz(func(t *testing.T, lines, output []byte) {
		if len(lines) > 1<<16 || len(output) > 1<<16 {
			return
		}
		want, cancelled := map[string]int{}, map[string]bool{}
		for line := range bytes.Lines(lines) {
			var m struct {
				JSONRPC string
				ID      json.RawMessage
				Method  *string
				Params  struct{ RequestID json.RawMessage }
			}
			if line = bytes.TrimSpace(line); !utf8.Valid(line) || !json.Valid(line) {
				continue
			}
			if err := json.Unmarshal(line, &m); m.ID == nil && m.Params.RequestID != nil {
				cancelled[string(m.Params.RequestID)] = true
			} else if err == nil && m.Method != nil && m.ID != nil && strings.Contains(`"-0123456789`, string(m.ID[:1])) {
				want[string(m.ID)]++
			}
		}
		var out bytes.Buffer
		cmd := mcp.NewCmd(&cmdutil.Factory{IO: iostreams.New(bytes.NewReader(lines), &out, io.Discard)}, func(_ context.Context, ios *iostreams.IOStreams, _ func(string) (*os.File, error), args []string) int {
			if args[0] != "--" && !strings.Contains(strings.Join(args, " "), " -- ") {
				t.Fatalf("%q", args)
			}
			if _, err := ios.Out.Write(output); err != nil {
				return cmdutil.ExitInput
			}
			return 0
		})
		cmd.SetArgs([]string{testdata})
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for line := range bytes.Lines(out.Bytes()) {
			var a struct {
				JSONRPC       string
				ID            json.RawMessage
				Result, Error json.RawMessage
			}
			if err := json.Unmarshal(line, &a); err != nil || a.JSONRPC != "2.0" || (a.Result == nil) == (a.Error == nil) {
				t.Fatalf("%v: %s", err, line)
			}
			got[string(a.ID)]++
		}
		for id, n := range want {
			if got[id] != n && !(cancelled[id] && got[id] < n) {
				t.Fatalf("%d answers to %d requests of %s", got[id], n, id)
			}
		}
	})
}
