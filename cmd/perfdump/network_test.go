package main_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// No package but those for tests can speak HTTP.
func TestNoPackageImportsHTTP(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "../../...").Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		name, deps, _ := strings.Cut(line, " ")
		if !strings.Contains(name, "/internal/testkit/") {
			assert.NotContains(t, strings.Fields(deps), "net/http", name)
		}
	}
}

// TestNoVerbUsesTheNetwork traces each row of the matrix with the first format
// that it knows, and wants no socket.
func TestNoVerbUsesTheNetwork(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip(err)
	}
	s := newShelf(t)
	trace := func(args ...string) (calls string, code int) {
		cmd := exec.Command("strace", append(strings.Fields("-f -qq --seccomp-bpf -e signal=none -e trace=%network -o calls"), args...)...)
		cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"findings","arguments":{"paths":["small.blg"]}}}`)
		err := cmd.Run()
		require.NotNil(t, cmd.ProcessState, err)
		b, err := os.ReadFile("calls")
		require.NoError(t, err)
		return string(b), cmd.ProcessState.ExitCode()
	}
	if calls, _ := trace("bash", "-c", "</dev/tcp/127.0.0.1/9"); !strings.Contains(calls, "connect(") {
		t.Skip("strace cannot trace here")
	}
	for _, r := range s.matrix.rows {
		i := slices.IndexFunc(s.fixtures, func(f fixture) bool { return !strings.Contains("no-", r.cells[f.format]) })
		args := s.args(r, s.fixtures[i], s.fixtures[i].name)
		calls, code := trace(append([]string{"perfdump"}, args...)...)
		assert.LessOrEqual(t, code, cmdutil.ExitUsage, args)
		assert.Empty(t, calls, args)
	}
	idle := map[string]string{"completion": "bash", "man": "-w pages", "types": "", "lake": "-w lake small.blg", "mcp": ".", "version": ""}
	for _, verb := range s.matrix.idle {
		require.Contains(t, idle, verb)
		calls, code := trace(append([]string{"perfdump", verb}, strings.Fields(idle[verb])...)...)
		assert.Zero(t, code, verb)
		assert.Empty(t, calls, verb)
	}
}
