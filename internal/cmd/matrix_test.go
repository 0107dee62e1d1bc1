package cmd_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/cmd/root"
	"github.com/perfdump/perfdump/internal/iostreams"
)

// readers are the verbs that read captures. %s stands for the input.
var readers = map[string]string{
	"info": "info %s", "info json": "info -o json %s",
	"dump": "dump %s", "dump json": "dump -o json %s", "dump jsonl": "dump -o jsonl %s", "dump csv": "dump -o csv %s",
	"dump openmetrics": "dump -o openmetrics %s", "dump parquet": "dump -o parquet %s", "dump checkmk": "dump -o checkmk %s",
	"cook": "cook %s", "cook csv": "cook -o csv %s", "cook parquet": "cook -o parquet %s", "plot": "plot %s",
	"check": "check %s", "check json": "check -o json %s",
	"hexdump": "hexdump %s", "diff": "diff %s sys.bin", "encode": "encode -w out.bin %s", "report": "report %s",
	"titles": "titles %s", "titles json": "titles -o json %s", "titles multisz": "titles -o multisz %s",
}

// What formats do not have: rows of values, names of counters, and being
// compared with a capture or made of a document that is none.
var (
	noRows = map[string]int{
		"dump jsonl": 3, "dump csv": 3, "dump openmetrics": 3, "dump parquet": 3, "dump checkmk": 3,
		"cook": 3, "cook csv": 3, "cook parquet": 3, "plot": 3, "report": 3, "diff": 3, "encode": 2,
	}
	noNames     = map[string]int{"titles": 3, "titles json": 3, "titles multisz": 3}
	notCompared = map[string]int{"diff": 3, "encode": 2}
)

func answers(all ...map[string]int) map[string]int {
	m := map[string]int{}
	for _, a := range all {
		maps.Copy(m, a)
	}
	return m
}

// formats are the verbs' answers to good files of each format. A verb that a
// format does not have is wrong usage.
var formats = map[string]map[string]int{
	"titles.bin": answers(noRows, map[string]int{"dump": 3}),
	"small.blg":  answers(notCompared),
	"small.csv": answers(noNames, notCompared, map[string]int{
		"dump": 3, "dump json": 3, "dump jsonl": 3, "dump csv": 3, "dump openmetrics": 3, "dump parquet": 3, "dump checkmk": 3,
	}),
	"agent.txt":  answers(noNames, notCompared),
	"block.bin":  answers(noNames, notCompared, map[string]int{"dump checkmk": 3}),
	"legacy.bin": answers(noNames, notCompared, map[string]int{"dump checkmk": 3}),
	"a.ini":      answers(noNames, noRows),
	"a.h":        answers(noNames, noRows),
	"a.reg":      answers(noRows),
	"a.hive":     answers(noNames, noRows),
	"a.man":      answers(noNames, noRows),
	"backup.ini": answers(noRows),
	"sys.bin":    answers(noNames, map[string]int{"encode": 2}),
}

// TestVerbsOnEveryFormat runs each verb on files of each format: as they are,
// packed, from standard input, and alone in a directory.
func TestVerbsOnEveryFormat(t *testing.T) {
	files := map[string][]byte{}
	for name, from := range map[string]string{
		"sys.bin": "captures/sys-238-x86_64-1.bin", "titles.bin": "captures/titles-009.bin",
		"small.blg": "blg/small.blg", "block.bin": "ipcblock/sxs_x64.bin", "legacy.bin": "ipcblock/legacy_public_v2_x64.bin",
		"a.hive": "registry/system.hive",
	} {
		b, err := os.ReadFile(filepath.Join(repo(t), "testdata", from))
		require.NoError(t, err)
		files[name] = b
	}
	files["a.ini"] = []byte("[info]\ndrivername=A\nsymbolfile=a.h\n[text]\nA_009_NAME=A\n")
	files["a.h"] = []byte("#define A 0\n#define B 2\n")
	files["a.reg"] = []byte("REGEDIT4\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009]\n\"Counter\"=hex(7):32,00,41,00,00\n")
	files["a.man"] = []byte("<instrumentationManifest><instrumentation><counters><provider applicationIdentity='a' providerGuid='{ffddaaee-965a-4cf9-9c07-fe25378c2a24}'/></counters></instrumentation></instrumentationManifest>")
	files["backup.ini"] = []byte("[Perflib]\r\nBase Index=1847\r\nLast Counter=2\r\nLast Help=3\r\n[PerfStrings_009]\r\n2=System")
	for name, line := range map[string]string{
		"small.csv": "cook -o pdh-csv " + filepath.Join(repo(t), "testdata", "blg", "small.blg"),
		"agent.txt": "dump -o checkmk " + filepath.Join(captures(t), "sys-238-x86_64-1.bin"),
	} {
		code, out, stderr := runWith(t, nil, strings.Fields(line)...)
		require.Zero(t, code, stderr)
		files[name] = []byte(out)
	}
	t.Chdir(t.TempDir())
	for name, b := range files {
		require.NoError(t, os.WriteFile(name, b, 0o600))
		require.NoError(t, os.WriteFile(name+".gz", packed(t, b, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }), 0o600))
		require.NoError(t, os.MkdirAll(name+".d", 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(name+".d", name), b, 0o600))
	}
	for verb, line := range readers {
		for name, answers := range formats {
			for _, input := range []string{name, name + ".gz", "-", name + ".d"} {
				t.Run(verb+" "+name+" as "+input, func(t *testing.T) {
					want := answers[verb]
					switch {
					case input == name+".d" && (verb == "hexdump" || verb == "diff" || verb == "encode"):
						t.Skip("reads files alone")
					case input == name+".d":
						want = 0 // what a verb does not read is passed over there
					}
					code, stdout, stderr := runWith(t, files[name], strings.Fields(strings.ReplaceAll(line, "%s", input))...)
					assert.Equal(t, want, code, "%s%s", stdout[:min(len(stdout), 200)], stderr)
					if code != 0 {
						assert.Contains(t, stderr, "perfdump: ")
						if verb != "dump parquet" && verb != "cook parquet" { // bytes, in which a { says nothing
							assert.NotContains(t, stdout, "{")
						}
					} else if stdout == "" && verb != "check json" {
						assert.Contains(t, stderr, "passed over")
					}
					_, err := os.Stat("out.bin")
					assert.ErrorIs(t, err, os.ErrNotExist)
				})
			}
		}
	}
}

// TestVerbsOnEveryKindOfInput runs each verb on each kind of input and wants
// the exit code that perfdump help exit-codes promises, output where there is
// something to say, and an error that names the input.
func TestVerbsOnEveryKindOfInput(t *testing.T) {
	sys, err := os.ReadFile(filepath.Join(captures(t), "sys-238-x86_64-1.bin"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	write := func(name string, b []byte) { require.NoError(t, os.WriteFile(name, b, 0o600)) }
	write("sys.bin", sys)
	write("sys.bin.gz", packed(t, sys, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }))
	write("sys.bin.zst", packed(t, sys, func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z }))
	write("cut.bin", sys[:400])
	write("empty.bin", nil)
	write("random.bin", []byte("\x01\x7fnothing that anybody knows\x00\xff"))
	require.NoError(t, os.Mkdir("dir", 0o700))
	write("dir/a.bin", sys)
	write("dir/b.bin.gz", packed(t, sys, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }))
	code, out, _ := runWith(t, nil, "dump", "-o", "json", "sys.bin")
	require.Zero(t, code)
	write("sys.json", []byte(out))

	for verb, line := range readers {
		for input, want := range map[string]int{
			"sys.bin": 0, "-": 0, "sys.bin.gz": 0, "sys.bin.zst": 0, "dir": 0,
			"cut.bin": 2, "empty.bin": 2, "random.bin": 2, "missing.bin": 2,
		} {
			t.Run(verb+" "+input, func(t *testing.T) {
				stdin := sys
				switch {
				case verb == "encode" && input == "sys.bin": // encode reads documents
					input = "sys.json"
				case verb == "encode" && input == "-":
					stdin = []byte(out)
				case verb == "encode" && input == "dir", verb == "diff" && input == "dir", verb == "hexdump" && input == "dir":
					want = -1 // these read files alone: wrong usage or an unreadable input
				case verb == "encode" && strings.HasPrefix(input, "sys.bin."):
					want = -1 // a packed capture is no document
				case verb == "hexdump" && input == "random.bin":
					want = 0 // every byte of any input
				case strings.HasPrefix(verb, "titles") && (want == 0 && input != "dir" || input == "cut.bin"):
					want = 3 // captures hold no table of names
				}
				code, stdout, stderr := runWith(t, stdin, strings.Fields(strings.ReplaceAll(line, "%s", input))...)
				if want < 0 {
					assert.Contains(t, []int{cmdutil.ExitInput, cmdutil.ExitUsage}, code, stderr)
				} else {
					assert.Equal(t, want, code, "%s%s", stdout, stderr)
				}
				if code != 0 {
					assert.Contains(t, stderr, "perfdump: ")
					assert.Contains(t, stderr, cmdutil.FileName(strings.TrimSuffix(input, ".bin")))
				} else if strings.HasPrefix(verb, "titles") {
					assert.Contains(t, stderr, "2 files of other formats passed over")
				} else if verb != "encode" && verb != "check json" { // a clean file has no findings
					assert.NotEmpty(t, stdout)
				}
			})
		}
	}
}

// TestInterruptedVerbs sends Ctrl-C to each verb while it waits for its input.
func TestInterruptedVerbs(t *testing.T) {
	sys, err := os.ReadFile(filepath.Join(captures(t), "sys-238-x86_64-1.bin"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("sys.bin", sys, 0o600))
	for verb, line := range readers {
		t.Run(verb, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			ios, _, _, _ := iostreams.Test()
			never, w := io.Pipe()
			defer w.Close()
			ios.In = never
			time.AfterFunc(20*time.Millisecond, cancel)
			done := make(chan int)
			go func() { done <- root.Run(ctx, ios, strings.Fields(strings.ReplaceAll(line, "%s", "-"))) }()
			select {
			case code := <-done:
				assert.Equal(t, cmdutil.ExitInterrupted, code)
			case <-time.After(20 * time.Second):
				t.Fatal("still running after Ctrl-C")
			}
			_, err := os.Stat("out.bin")
			assert.ErrorIs(t, err, os.ErrNotExist, "a partial file was left")
		})
	}
}

func captures(t *testing.T) string { return filepath.Join(repo(t), "testdata", "captures") }

func packed(t *testing.T, b []byte, by func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := by(&buf)
	_, err := w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return buf.Bytes()
}

func runWith(t *testing.T, stdin []byte, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ios, in, out, errOut := iostreams.Test()
	in.Write(stdin)
	code = root.Run(t.Context(), ios, args)
	return code, out.String(), errOut.String()
}
