package mcp_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
	"github.com/perfdump/perfdump/internal/testkit/doctest"
)

const testdata = "../../../../testdata/"

// answer is a line of the server.
type answer struct {
	JSONRPC string
	ID      any
	Result  struct {
		ProtocolVersion   string
		Content           []struct{ Type, Text string }
		StructuredContent *struct {
			Items []map[string]any
			Notes []string
			More  string
		}
		IsError bool
		Tools   []struct {
			Name                      string
			InputSchema, OutputSchema map[string]any
		}
	}
	Error *struct {
		Code    int
		Message string
	}
}

func answers(t *testing.T, out string) (all []answer) {
	t.Helper()
	for line := range strings.Lines(out) {
		var a answer
		require.NoError(t, json.Unmarshal([]byte(line), &a), line)
		require.Equal(t, "2.0", a.JSONRPC)
		all = append(all, a)
	}
	return all
}

// ask sends lines to a server of folders.
func ask(t *testing.T, lines string, folders ...string) []answer {
	t.Helper()
	ios, in, out, errOut := iostreams.Test()
	in.WriteString(lines)
	require.Zero(t, root.Run(t.Context(), ios, append([]string{"mcp", "--"}, folders...)), errOut.String())
	require.Empty(t, errOut.String())
	return answers(t, out.String())
}

func line(t *testing.T, tool string, arguments any) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments}})
	require.NoError(t, err)
	return string(b) + "\n"
}

// call calls a tool and returns its answer and the text of it.
func call(t *testing.T, tool string, arguments map[string]any, folders ...string) (answer, string) {
	t.Helper()
	all := ask(t, line(t, tool, arguments), folders...)
	require.Len(t, all, 1)
	a := all[0]
	require.Nil(t, a.Error)
	require.Len(t, a.Result.Content, 1)
	text := a.Result.Content[0].Text
	require.NotEmpty(t, text)
	return a, text
}

// TestLines holds what the server says to lines of all kinds, and to which it says
// nothing.
func TestLines(t *testing.T) {
	for line, want := range map[string]int{
		"":                                      1,
		"hello":                                 -32700,
		`{"jsonrpc":"2.0","id":1`:               -32700,
		"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"}": -32700,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`: -32600,
		`5`:    -32600,
		`null`: -32600,
		`{}`:   -32600,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`:                                                  -32600,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`:                                               -32600,
		`{"jsonrpc":"2.0","id":[1],"method":"ping"}`:                                                -32600,
		`{"jsonrpc":"2.0","id":1,"method":5}`:                                                       -32600,
		`{"jsonrpc":"2.0","id":1}`:                                                                  -32600,
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                                                      1,
		`{"jsonrpc":"2.0","id":1,"error":{}}`:                                                       1,
		`{"jsonrpc":"2.0","method":"ping"}`:                                                         1,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                                    1,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`:                                      1,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`:                         1,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}`:                                      0,
		`{"jsonrpc":"2.0","id":"a","method":"ping"}` + "\r":                                         0,
		`{"jsonrpc":"2.0","id":-1.5,"method":"tools/list"}`:                                         0,
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`:                                            0,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`:                                       -32601,
		`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`:                                        -32601,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`:                                            -32602,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`:                                -32602,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`:                                -32602,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dump"}}`:                   -32602,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"files","arguments":null}}`: 0,
		strings.Repeat(" ", 300<<10) + "5":                                                          -32600,
		strings.Repeat("[", 200<<10):                                                                -32700,
	} {
		all := ask(t, line+"\n"+`{"jsonrpc":"2.0","id":99,"method":"ping"}`, testdata+"story")
		about := fmt.Sprintf("%.100s", line)
		if want == 1 {
			assert.Len(t, all, 1, about)
			continue
		}
		require.Len(t, all, 2, about)
		if strings.Contains(line, "tools/call") && want == 0 { // answered after the ping, maybe
			continue
		}
		if want == 0 {
			assert.Nil(t, all[0].Error, about)
		} else if assert.NotNil(t, all[0].Error, about) {
			assert.Equal(t, want, all[0].Error.Code, about)
			assert.NotEmpty(t, all[0].Error.Message, about)
		}
	}
}

func TestVersions(t *testing.T) {
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2024-11-05", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "": "2024-11-05", "1.0": "2024-11-05",
	} {
		all := ask(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q}}`, asked), testdata+"story")
		assert.Equal(t, want, all[0].Result.ProtocolVersion, asked)
	}
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"mcp needs a folder; name those that the assistant may read": {"mcp"},
		"no such folder is no folder; name the folders":              {"mcp", "no such folder"},
		"small.bin is no folder; name the folders":                   {"mcp", testdata + "captures/small.bin"},
		"unknown flag: --write":                                      {"mcp", "--write", "x", testdata},
	} {
		ios, _, out, errOut := iostreams.Test()
		assert.Equal(t, cmdutil.ExitUsage, root.Run(t.Context(), ios, args))
		assert.Empty(t, out.String())
		assert.Contains(t, errOut.String(), want)
	}
}

// all are calls of each tool, with answers.
var all = map[string]map[string]any{
	"files":         {},
	"overview":      {"paths": []string{"blg/small.blg"}},
	"findings":      {"paths": []string{"blg/small.blg"}, "from": "12:00:01"},
	"series":        {"paths": []string{"blg"}, "counters": []string{`\Processor(*)\*`, `\Memory\*`}, "exclude": []string{`\Memory\Page*`}, "top": 3, "sort": "p95", "to": "12:00:02"},
	"timeline":      {"paths": []string{"blg/small.blg"}, "counters": []string{`\Processor(*)\% Processor Time`}, "points": 3},
	"compare":       {"older": "blg/small.blg", "newer": "blg/small.blg", "from": "0s", "to": "1s", "from_b": "2s", "to_b": "3s", "counters": []string{`\Processor(*)\*`}, "all": true},
	"explain":       {"word": "% Processor Time"},
	"explain_value": {"path": "blg/small.blg", "counter": `\Processor(1)\% Processor Time`, "time": "12:00:02"},
	"check":         {"paths": []string{"captures"}},
	"doctor":        {"paths": []string{"registration/mismatch"}},
	"hexdump":       {"path": "captures/small.bin", "range": "0x18+64", "element": "HeaderLength"},
}

// TestTools calls each tool. Its answer is as its schema says, has no more characters
// than it may, and has what follows with skip.
func TestTools(t *testing.T) {
	list := ask(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, testdata)[0].Result.Tools
	require.Len(t, list, len(all))
	for _, tool := range list {
		t.Run(tool.Name, func(t *testing.T) {
			given := all[tool.Name]
			require.NotNil(t, given)
			require.NoError(t, schema(t, tool.InputSchema).Validate(plain(t, given)))
			a, text := call(t, tool.Name, given, testdata)
			require.False(t, a.Result.IsError, text)
			assert.LessOrEqual(t, utf8.RuneCountInString(text), 8000+2000)

			with := func(name string, value any) map[string]any {
				m := map[string]any{name: value}
				for k, v := range given {
					if m[k] == nil {
						m[k] = v
					}
				}
				return m
			}
			whole, text := call(t, tool.Name, with("max_chars", 100_000), testdata)
			s := whole.Result.StructuredContent
			if tool.OutputSchema == nil {
				require.Nil(t, s)
				next, _ := call(t, tool.Name, with("skip", 1), testdata)
				_, rest, _ := strings.Cut(text, "\n")
				assert.Equal(t, cmp.Or(rest, "(there are no more lines)"), next.Result.Content[0].Text)
				return
			}
			var same, structured any
			require.NoError(t, json.Unmarshal([]byte(text), &same))
			structured = plain(t, map[string]any{"items": s.Items, "notes": s.Notes, "more": s.More})
			for k, v := range same.(map[string]any) {
				assert.Equal(t, v, structured.(map[string]any)[k])
			}
			require.NoError(t, schema(t, tool.OutputSchema).Validate(same))
			require.NotEmpty(t, s.Items)
			require.Empty(t, s.More)
			var items []map[string]any
			for skip, n := 0, 0; n < 20; n++ {
				args := with("skip", skip)
				args["max_chars"] = max(1500, len(text)/4)
				part, about := call(t, tool.Name, args, testdata)
				of := part.Result.StructuredContent
				items = append(items, of.Items...)
				skip = len(items)
				if len(of.Items) == 0 && of.More != "" { // the next is longer
					var chars int
					_, err := fmt.Sscanf(of.More, "the next item has %d characters", &chars)
					require.NoError(t, err, about)
					args["max_chars"] = chars
					part, _ = call(t, tool.Name, args, testdata)
					require.Len(t, part.Result.StructuredContent.Items, 1)
					items = append(items, part.Result.StructuredContent.Items...)
					skip = len(items)
					of = part.Result.StructuredContent
				}
				if of.More == "" {
					break
				}
			}
			assert.Equal(t, s.Items, items)
		})
	}
}

// plain returns v as JSON has it.
func plain(t *testing.T, v any) (p any) {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &p))
	return p
}

func schema(t *testing.T, of map[string]any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("mem:schema", of))
	s, err := c.Compile("mem:schema")
	require.NoError(t, err)
	return s
}

// TestMistakes holds that what is wrong with arguments is said, and what to do.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		tool      string
		arguments any
		want      string
	}{
		{"findings", nil, "findings needs paths: files of one recording"},
		{"findings", []int{1}, "the arguments are no object"},
		{"findings", map[string]any{"path": "x"}, `findings has no argument "path"; it takes counters, from, max_chars, paths, skip, to`},
		{"findings", map[string]any{"paths": "x"}, "paths is not as tools/list has it"},
		{"findings", map[string]any{"paths": []any{}}, "paths is not as tools/list has it"},
		{"findings", map[string]any{"paths": []any{1}}, "paths is not as tools/list has it"},
		{"findings", map[string]any{"paths": []any{"nosuch.blg"}}, `there is no "nosuch.blg" in ../../../../testdata/; the tool files lists`},
		{"findings", map[string]any{"paths": []any{"captures/titles-009.bin"}}, "analyze does not read the format titles"},
		{"findings", map[string]any{"paths": []any{"blg"}, "max_chars": 199}, "max_chars is not as"},
		{"findings", map[string]any{"paths": []any{"blg"}, "max_chars": 1e300}, "max_chars is not as"},
		{"findings", map[string]any{"paths": []any{"blg"}, "skip": 0.5}, "skip is not as"},
		{"findings", map[string]any{"paths": []any{"blg"}, "from": "noon"}, "--from"},
		{"series", map[string]any{"paths": []any{"blg"}, "sort": "size"}, "sort is not as"},
		{"series", map[string]any{"paths": []any{"blg"}, "counters": []any{`\Processor(*)\% Procesor Time`}}, "did you mean % Processor Time?"},
		{"series", map[string]any{"paths": []any{"blg"}, "counters": []any{"Processor"}}, `a path looks like \Processor(*)`},
		{"compare", map[string]any{"older": "blg", "newer": "blg", "all": "yes"}, "all is not as"},
		{"explain_value", map[string]any{"path": "blg", "counter": "Processor", "time": "10:05"}, `no path of a counter`},
		{"hexdump", map[string]any{"path": "captures/small.bin", "range": "x"}, "--range"},
		{"hexdump", map[string]any{"path": "captures"}, "is a directory"},
	} {
		all := ask(t, line(t, c.tool, c.arguments), testdata)
		require.True(t, all[0].Result.IsError, c.want)
		assert.Contains(t, all[0].Result.Content[0].Text, c.want)
	}
}

// TestConfined has a folder next to a secret, and tries all ways to it.
func TestConfined(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it makes links")
	}
	dir := t.TempDir()
	inside, outside := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	require.NoError(t, os.MkdirAll(filepath.Join(inside, "sub"), 0o700))
	require.NoError(t, os.Mkdir(outside, 0o700))
	put := func(name, from string) {
		b, err := os.ReadFile(testdata + from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, b, 0o600))
	}
	put(filepath.Join(outside, "secret.bin"), "captures/small.bin") // of SRV-HOST-42
	put(filepath.Join(outside, "app.h"), "registration/mismatch/app.h")
	put(filepath.Join(inside, "app.ini"), "registration/mismatch/app.ini")
	put(filepath.Join(inside, "sub", "own.bin"), "captures/small.bin")
	link := func(to, name string) { require.NoError(t, os.Symlink(to, filepath.Join(inside, name))) }
	link(filepath.Join(outside, "secret.bin"), "absolute")
	link("../out/secret.bin", "relative")
	link("absolute", "chain")
	link(outside, "folder")
	link("../out/app.h", "app.h") // the symbol file of app.ini
	link(filepath.Join(inside, "sub", "own.bin"), "own")
	link("-w", "dash")
	link(filepath.Join(inside, "sub"), "again")

	before := tree(t, dir)
	t.Chdir(dir)
	ways := []string{
		"absolute", "relative", "chain", "folder", "folder/secret.bin", "../out/secret.bin", "../out", "sub/../../out/secret.bin", "..", "/", "/etc/passwd",
		filepath.Join(outside, "secret.bin"), filepath.Join(inside, "..", "out", "secret.bin"), "out/secret.bin", inside + "/../out", inside + "ner",
		"-", "--", "-w", "--titles=" + filepath.Join(outside, "secret.bin"), "--help", "dash", "http://example.org/a.blg", "file:///etc/passwd", "sub/own.bin\x00", "/dev/stdin", "/proc/self/fd/0",
	}
	for tool, given := range all {
		for _, name := range []string{"paths", "path", "older", "newer"} {
			if given[name] == nil && (tool != "files" || name != "paths") {
				continue
			}
			for _, way := range ways {
				arguments := map[string]any{}
				for k, v := range given {
					arguments[k] = v
				}
				for _, other := range []string{"older", "newer"} {
					if given[other] != nil {
						arguments[other] = "sub/own.bin"
					}
				}
				arguments[name] = way
				if name == "paths" {
					arguments[name] = []string{"sub/own.bin", way}
				}
				a, text := call(t, tool, arguments, "in")
				assert.True(t, a.Result.IsError, "%s %s: %s", tool, way, text)
				assert.Equal(t, fmt.Sprintf("there is no %q in in; the tool files lists what is there", way), text, tool)
			}
		}
	}

	// A walk meets the links, and says no more of them.
	for _, tool := range []string{"files", "check", "doctor"} {
		_, text := call(t, tool, map[string]any{"paths": []string{"."}}, "in")
		assert.Contains(t, text, "it is outside the folders of the server", tool)
		assert.NotContains(t, text, "RATES", tool)
		assert.NotContains(t, text, `absolute","format"`, tool)
	}
	a, text := call(t, "files", map[string]any{"paths": []string{"own"}}, "in")
	assert.False(t, a.Result.IsError, text)
	_, text = call(t, "files", map[string]any{"paths": []string{"again"}}, "in")
	assert.Contains(t, text, `"in/again/own.bin"`)
	a, text = call(t, "doctor", map[string]any{"paths": []string{"app.ini"}}, "in")
	assert.NotContains(t, text, "RATES")
	assert.Contains(t, a.Result.StructuredContent.Notes, "in/app.h: it is outside the folders of the server")

	// Each of several folders, by all its names.
	for _, way := range []string{"own.bin", "sub/own.bin", "in/sub/own.bin", filepath.Join(inside, "own"), "in/../in/own"} {
		a, text := call(t, "hexdump", map[string]any{"path": way}, "in/sub", inside)
		assert.False(t, a.Result.IsError, "%s: %s", way, text)
	}

	// No argument is a flag.
	for _, value := range []string{"-w", "--write=x", "-wx", "--help"} {
		for tool, given := range all {
			arguments := map[string]any{}
			for k, v := range given {
				arguments[k] = v
				if _, ok := v.([]string); ok && k != "paths" {
					arguments[k] = []string{value, "x"}
				} else if _, ok := v.(string); ok && k != "path" && k != "older" && k != "newer" {
					arguments[k] = value
				}
			}
			_, text := call(t, tool, arguments, testpath(t), ".")
			assert.NotContains(t, text, "Usage:", "%s %s", tool, value)
		}
	}
	assert.Equal(t, before, tree(t, dir), "nothing is written")
}

func testpath(t *testing.T) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), testdata)
}

func tree(t *testing.T, dir string) (names []string) {
	t.Helper()
	require.NoError(t, filepath.Walk(dir, func(name string, _ os.FileInfo, err error) error {
		names = append(names, name)
		return err
	}))
	return names
}

// TestConversation is the one of docs/mcp.md: what was asked, and what was answered, an
// item a line.
func TestConversation(t *testing.T) {
	story := []string{"srv-sql-01.blg.gz"}
	var b strings.Builder
	for _, c := range []struct {
		tool      string
		arguments map[string]any
	}{
		{"files", map[string]any{}},
		{"findings", map[string]any{"paths": story, "max_chars": 4000}},
		{"findings", map[string]any{"paths": story, "max_chars": 4000, "skip": 4}},
		{"timeline", map[string]any{"paths": story, "counters": []string{`\PhysicalDisk(1 D:)\Avg. Disk sec/Read`}, "from": "09:30", "to": "10:30", "points": 12}},
		{"compare", map[string]any{"older": story[0], "newer": story[0], "counters": []string{`\Process(*)\IO Data Bytes/sec`}, "from": "09:00", "to": "10:00", "from_b": "10:02", "to_b": "10:19"}},
		{"series", map[string]any{"paths": story, "counters": []string{`\Process(*)\IO Data Bytes/sec`}, "exclude": []string{`\Process(_Total)\*`}, "from": "10:02", "to": "10:19", "top": 2}},
		{"explain", map[string]any{"word": `\PhysicalDisk(*)\Avg. Disk sec/Read`}},
		{"explain_value", map[string]any{"path": story[0], "counter": `\PhysicalDisk(1 D:)\Avg. Disk sec/Read`, "time": "10:05"}},
		{"series", map[string]any{"paths": story, "counters": []string{`\PhysicalDisk(*)\Avg. Disk sec/Reads`}}},
	} {
		var arguments bytes.Buffer
		e := json.NewEncoder(&arguments)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(c.arguments))
		_, text := call(t, c.tool, c.arguments, testdata+"story")
		fmt.Fprintf(&b, "```text\n> %s %s", c.tool, arguments.String())
		var of struct {
			Items []json.RawMessage
			Notes []string
			More  string
		}
		if json.Unmarshal([]byte(text), &of) == nil {
			text = ""
			for _, item := range of.Items {
				text += string(item) + "\n"
			}
			for _, note := range of.Notes {
				text += "note: " + note + "\n"
			}
			if of.More != "" {
				text += "more: " + of.More + "\n"
			}
		}
		for line := range strings.Lines(strings.ReplaceAll(text, testdata, "")) {
			line = strings.TrimSuffix(line, "\n")
			if r := []rune(line); len(r) > 420 {
				line = string(r[:419]) + "…"
			}
			b.WriteString(line + "\n")
		}
		b.WriteString("```\n")
	}
	p := doctest.Open(t, testdata+"../docs/mcp.md")
	p.Set("conversation", b.String())
	p.Close()
}
