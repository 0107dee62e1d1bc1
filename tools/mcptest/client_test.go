// Package mcptest asks perfdump mcp by the Model Context Protocol's own client.
package mcptest

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const repo = "../.."

// build builds the command.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "perfdump")
	cmd := exec.Command("go", "build", "-o", program, "./cmd/perfdump")
	cmd.Dir = repo
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

func connect(t *testing.T, program, version string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "mcptest", Version: "1"}, nil)
	cmd := exec.Command(program, "mcp", filepath.Join(repo, "testdata", "story"), filepath.Join(repo, "testdata", "registration"))
	s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("%s: %v", version, err)
	}
	return s
}

// TestVersions connects by each version that the client knows.
func TestVersions(t *testing.T) {
	program := build(t)
	for _, version := range mcp.SupportedProtocolVersions() {
		s := connect(t, program, version)
		t.Log(version, s.InitializeResult().ProtocolVersion)
		if err := s.Ping(t.Context(), nil); err != nil {
			t.Errorf("%s: %v", version, err)
		}
		if err := s.Close(); err != nil { // it ends with its input, by exit code 0
			t.Errorf("%s: %v", version, err)
		}
	}
}

// TestTools calls each tool, and holds what it answers against its schema.
func TestTools(t *testing.T) {
	s := connect(t, build(t), "")
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	const log = "srv-sql-01.blg.gz"
	calls := map[string]map[string]any{
		"files":         nil,
		"overview":      {"paths": []string{log}},
		"findings":      {"paths": []string{log}},
		"series":        {"paths": []string{log}, "top": 5},
		"timeline":      {"paths": []string{log}, "counters": []string{`\Memory\*`}},
		"compare":       {"older": "srv-quiet-01.blg.gz", "newer": log},
		"explain":       {"word": "0xC0000BC6"},
		"explain_value": {"path": log, "counter": `\Memory\Available Bytes`, "time": "10:05"},
		"check":         {"paths": []string{log}},
		"doctor":        {"paths": []string{"mismatch"}},
		"hexdump":       {"path": log, "range": "0..64"},
	}
	for _, tool := range list.Tools {
		arguments, ok := calls[tool.Name]
		if !ok {
			t.Errorf("%s is not called", tool.Name)
			continue
		}
		delete(calls, tool.Name)
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: arguments})
		if err != nil || r.IsError || len(r.Content) != 1 {
			t.Errorf("%s: %v, %+v", tool.Name, err, r)
			continue
		}
		if tool.OutputSchema == nil {
			continue
		}
		b, _ := json.Marshal(tool.OutputSchema)
		var schema jsonschema.Schema
		if err := json.Unmarshal(b, &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(r.StructuredContent); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		t.Logf("%s: %d characters", tool.Name, len(r.Content[0].(*mcp.TextContent).Text))
	}
	for name := range calls {
		t.Errorf("there is no tool %s", name)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "findings", Arguments: map[string]any{"paths": []string{log}}}); err == nil {
		t.Error("a call that was cancelled has an answer")
	}
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "hexdump", Arguments: map[string]any{"path": "../README.md"}})
	if err != nil || !r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "the tool files lists what is there") {
		t.Errorf("%v, %+v", err, r)
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "none"}); err == nil || !strings.Contains(err.Error(), `there is no tool "none"`) {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
