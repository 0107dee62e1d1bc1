package main_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// standIns are the files that stand for those of a reader in the commands of
// the docs, below testdata.
var standIns = map[string]string{
	"other.blg":        "blg/small.blg",
	"logs/january.blg": "blg/small.blg", "logs/february.blg": "blg/small.blg",
	"capture.bin":        "captures/small.bin",
	"captures/small.bin": "captures/small.bin", "captures/small-next.bin": "captures/small-next.bin",
	"monday/0900.bin": "captures/small.bin", "monday/0905.bin": "captures/small-next.bin",
	"titles-009.bin": "captures/titles-009.bin",
	"sxs.bin":        "ipcblock/sxs_x86.bin", "before.bin": "ipcblock/sxs_x86.bin", "after.bin": "ipcblock/sxs_x86.bin",
	"service.dmp": "minidump/service_x64.dmp", "image.raw": "minidump/service_x64.dmp", "pagefile.sys": "captures/small.bin",
	"app.ini": "registration/sound/app.ini", "app.h": "registration/sound/app.h",
	"machine.reg": "registration/sound/machine.reg", "perfc009.dat": "registration/sound/perfc009.dat",
	"FOLDER/app.ini": "registration/mismatch/app.ini", "FOLDER/app.h": "registration/mismatch/app.h",
}

// foreign are files of other languages, of which there are no fixtures.
var foreign = map[string]string{
	"german.csv": `"(PDH-CSV 4.0) (Mitteleuropäische Zeit)(-60)","\\DE\Prozessor(_Total)\Prozessorzeit (%)"` + "\r\n" +
		`"01/15/2026 10:00:00.000","12.5"` + "\r\n" + `"01/15/2026 10:00:01.000","13.5"` + "\r\n",
	"russian.csv": `"(PDH-CSV 4.0) (RTZ 2)(-180)","\\RU\Процессор(_Total)\% загруженности процессора"` + "\r\n" +
		`"01/15/2026 10:00:00.000","12.5"` + "\r\n" + `"01/15/2026 10:00:01.000","13.5"` + "\r\n",
	"perfc019.dat": "6 : % загруженности процессора\n238 : Процессор\n",
}

// elsewhere are programs that need not be here.
var elsewhere = []string{"jq", "promtool"}

// TestDocs runs the commands of README.md and of each page, in their order: the
// lines of its blocks marked sh, and those that begin with "$ " in blocks that
// are not marked. Each has to say or write something, and what stands under it.
func TestDocs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	if perftest.Race {
		t.Skip("each command is a process of its own; transcripts run the verbs under the race detector")
	}
	pages, err := filepath.Glob(filepath.Join(repo(t), "docs", "*.md"))
	require.NoError(t, err)
	n := 0
	for _, page := range append(pages, filepath.Join(repo(t), "README.md")) {
		commands := commandsOf(t, page)
		n += len(commands)
		if len(commands) == 0 {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Chdir(desk(t))
			for _, c := range commands {
				t.Run(c.line, c.run)
			}
		})
	}
	require.Greater(t, n, 50)
}

// desk is a folder with the files that the docs speak of.
func desk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	testdata := filepath.Join(repo(t), "testdata")
	require.NoError(t, os.Symlink(testdata, filepath.Join(dir, "testdata")))
	for name, text := range foreign {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for name, from := range standIns {
		b, err := os.ReadFile(filepath.Join(testdata, from))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "server.blg"), morning(t), 0o600))
	return dir
}

// morning is the log of the story until 10:30, a third of it, which has all times
// that the docs speak of.
func morning(t *testing.T) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join(repo(t), "testdata", "story", "srv-sql-01.blg.gz"))
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	const buffers = 113
	log := make([]byte, buffers<<16)
	_, err = io.ReadFull(z, log)
	require.NoError(t, err)
	binary.LittleEndian.PutUint32(log[0x8c:], buffers) // as its header says
	return log
}

// command is a line of a page, and what stands under it.
type command struct {
	line, shown string
}

func commandsOf(t *testing.T, page string) []command {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	var all []command
	fence, inside := "", false
	shown := false // what stands here belongs to the last command
	for line := range strings.Lines(string(text)) {
		mark, isFence := strings.CutPrefix(line, "```")
		prompted, isPrompt := strings.CutPrefix(line, "$ ")
		switch {
		case isFence:
			fence, inside, shown = strings.TrimSpace(mark), !inside, false
		case !inside:
		case fence == "" && isPrompt:
			all, shown = append(all, command{line: strings.TrimSpace(prompted)}), true
		case fence == "sh" && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			all = append(all, command{line: strings.TrimSpace(line)})
		case shown:
			all[len(all)-1].shown += line
		}
	}
	return all
}

// TestReadmeShowsTheExample keeps the program of README.md as it is in the code,
// where it runs.
func TestReadmeShowsTheExample(t *testing.T) {
	code, err := os.ReadFile(filepath.Join(repo(t), "capture", "example_test.go"))
	require.NoError(t, err)
	_, body, ok := strings.Cut(string(code), "func ExampleRecording() {\n")
	require.True(t, ok)
	body, _, ok = strings.Cut(body, "\t// Output:")
	require.True(t, ok)
	body = strings.ReplaceAll(strings.TrimPrefix(strings.ReplaceAll("\n"+body, "\n\t", "\n"), "\n"), "../testdata", "testdata")
	p := doctest.Open(t, filepath.Join(repo(t), "README.md"))
	p.Set("Recording", "```go\n"+body+"```\n")
	p.Close()
}

// TestPictures holds that the pictures of the docs are what the command draws;
// -update draws them.
func TestPictures(t *testing.T) {
	dir := t.TempDir()
	log, found := filepath.Join(repo(t), "testdata", "story", "srv-sql-01.blg.gz"), filepath.Join(dir, "found.json")
	code, _, errOut := runWith(t, nil, "analyze", "-o", "json", "-w", found, log)
	require.Zero(t, code, errOut)
	picture := filepath.Join(dir, "picture.png")
	code, _, errOut = runWith(t, nil, "plot", "--findings", found, "-w", picture, log)
	require.Zero(t, code, errOut)
	b, err := os.ReadFile(picture)
	require.NoError(t, err)
	file := filepath.Join(repo(t), "docs", "pictures", "srv-sql-01.png")
	if *golden.Update {
		require.NoError(t, os.WriteFile(file, b, 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, b), "%s: -update draws it", file)
}

// TestDocsNameVerbsAndFlags holds that the command lines in the running text of
// the docs, as `perfdump VERB --flag`, have verbs and flags that there are.
func TestDocsNameVerbsAndFlags(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(repo(t), "docs", "*.md"))
	require.NoError(t, err)
	root := verbs(t)[0]
	span := regexp.MustCompile("`perfdump ([^`]+)`")
	flag := regexp.MustCompile(`^--?[a-z][a-z-]*$`)
	n := 0
	for _, page := range append(pages, filepath.Join(repo(t), "README.md")) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range span.FindAllStringSubmatch(string(text), -1) {
			first, _, _ := strings.Cut(m[1], "|")
			words := strings.Fields(first)
			cmd, _, err := root.Find(words[:1])
			if words[0] == "VERB" {
				continue
			}
			n++
			if !assert.NoError(t, err, m[0]) {
				continue
			}
			cmd.InitDefaultHelpFlag()
			for _, word := range words[1:] {
				word, _, _ = strings.Cut(word, "=")
				if !flag.MatchString(word) {
					continue
				}
				name := strings.TrimLeft(word, "-")
				f := cmd.Flag(name)
				if len(name) == 1 {
					f = cmd.Flags().ShorthandLookup(name)
				}
				assert.NotNil(t, f, "%s: %s has no %s", filepath.Base(page), words[0], word)
			}
		}
	}
	require.Greater(t, n, 40)
}

func (c command) run(t *testing.T) {
	line := strings.ReplaceAll(c.line, "go run ./cmd/perfdump", "perfdump")
	for _, part := range strings.Split(line, "|") {
		words := strings.Fields(part)
		words = words[slices.IndexFunc(words, func(word string) bool { return !strings.Contains(word, "=") }):]
		program := words[0]
		if program == "go" || program == ".ci/run" {
			t.Skip("builds or tests the tree")
		}
		for _, name := range elsewhere {
			if _, err := exec.LookPath(name); program == name && err != nil {
				t.Skip("there is no " + name + " here")
			}
		}
	}
	out, err := exec.Command("sh", "-c", line).CombinedOutput()
	code := 0
	if err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		code = exit.ExitCode()
	}
	if strings.Contains(line, "ndis") && code == cmdutil.ExitFindings {
		assert.Contains(t, string(out), "nothing matches") // the captures here have no such counters
		return
	}
	switch verb := strings.Fields(line)[1]; {
	case strings.Contains(c.shown, "perfdump: "):
		assert.NotZero(t, code)
	case verb == "check" || verb == "diff" || verb == "doctor" || verb == "unlodctr" || verb == "lodctr":
		assert.LessOrEqual(t, code, cmdutil.ExitFindings, "%s", out)
	default:
		assert.Zero(t, code, "%s", out)
	}
	if _, name, writes := strings.Cut(line, " -w "); writes {
		name, _, _ = strings.Cut(name, " ")
		_, err := os.Stat(name)
		assert.False(t, errors.Is(err, os.ErrNotExist), "it did not write %s: %s", name, out)
	} else if !strings.Contains(line, " > ") {
		assert.NotEmpty(t, out)
	}
	c.compare(t, string(out))
}

// compare wants in the output what stands under a command; a line "..." or "…"
// stands for any lines.
func (c command) compare(t *testing.T, got string) {
	t.Helper()
	var parts []string
	part := ""
	for line := range strings.Lines(c.shown) {
		if word := strings.TrimSpace(line); word == "..." || word == "…" {
			parts, part = append(parts, part), ""
			continue
		}
		part += line
	}
	for _, part := range append(parts, part) {
		part = strings.Trim(part, "\n")
		i := strings.Index(got, part)
		require.GreaterOrEqual(t, i, 0, "the page shows\n%s\nand this was printed\n%s", part, got)
		got = got[i+len(part):]
	}
}
