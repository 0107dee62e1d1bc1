package main_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
	"github.com/perfdump/perfdump/internal/detect"
)

// matrix is testdata/matrix.txt, which says what its signs mean.
type matrix struct {
	formats []detect.Format
	rows    []row
	idle    []string // verbs that read no file of a format
}

// row is what one command line does with each format.
type row struct {
	line  string
	cells map[detect.Format]string
}

func (r row) verb() string { return strings.Fields(r.line)[0] }

// output is the word of -o, "" where the row leaves it out.
func (r row) output() string {
	words := strings.Fields(r.line)
	if i := slices.Index(words, "-o"); i >= 0 {
		return words[i+1]
	}
	return ""
}

// bare reports whether the row is a verb and its file and nothing else.
func (r row) bare() bool { return r.line == r.verb()+" FILE" }

func readMatrix(t *testing.T) *matrix {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "matrix.txt"))
	require.NoError(t, err)
	m := &matrix{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		n := len(words) - len(m.formats)
		switch {
		case len(words) == 0, words[0] == "#":
		case m.formats == nil:
			for _, word := range words {
				m.formats = append(m.formats, detect.Format(word))
			}
		case len(words) == 1:
			m.idle = append(m.idle, words[0])
		default:
			require.Greater(t, n, 1, "the row %q has too few cells", line)
			r := row{strings.Join(words[:n], " "), map[detect.Format]string{}}
			for i, format := range m.formats {
				require.Contains(t, []string{"+", "0", "1", "2", "no", "3", "-", "!"}, words[n+i], "the row %q of %s", r.line, format)
				r.cells[format] = words[n+i]
			}
			m.rows = append(m.rows, r)
		}
	}
	return m
}

// reads reports whether a verb has an answer to files of a format.
func (m *matrix) reads(verb string, format detect.Format) bool {
	return slices.ContainsFunc(m.rows, func(r row) bool { return r.verb() == verb && strings.Contains("+01", r.cells[format]) })
}

// shows reports whether the verb alone has an answer.
func (m *matrix) shows(verb string, format detect.Format) bool {
	return slices.ContainsFunc(m.rows, func(r row) bool {
		return r.bare() && r.verb() == verb && strings.Contains("+01", r.cells[format])
	})
}

// The table has all formats, all verbs, and all words of their -o.
func TestMatrixIsWhole(t *testing.T) {
	m := readMatrix(t)
	require.Equal(t, allFormats(t), m.formats)
	seen := map[string]bool{}
	for _, r := range m.rows {
		assert.False(t, seen[r.line], "%q stands there twice", r.line)
		seen[r.line] = true
	}
	var all []string
	for _, cmd := range verbs(t)[1:] {
		if cmd.Name() == "help" || cmd.IsAdditionalHelpTopicCommand() {
			continue
		}
		all = append(all, cmd.Name())
		if slices.Contains(m.idle, cmd.Name()) {
			continue
		}
		o := cmd.Flags().Lookup("output")
		if o == nil || strings.Trim(o.Value.Type(), "|") == "string" {
			assert.True(t, slices.ContainsFunc(m.rows, func(r row) bool { return r.verb() == cmd.Name() }), "no row has the verb %s", cmd.Name())
			continue
		}
		for word := range strings.SplitSeq(o.Value.Type(), "|") {
			if word == o.DefValue {
				word = ""
			}
			assert.True(t, slices.ContainsFunc(m.rows, func(r row) bool { return r.verb() == cmd.Name() && r.output() == word }), "no row has %s -o %s", cmd.Name(), word)
		}
	}
	for _, r := range m.rows {
		assert.Contains(t, all, r.verb())
	}
	assert.Subset(t, all, m.idle)
}

// shelf is a directory with the files that the matrix is about. It is the
// current one.
type shelf struct {
	matrix   *matrix
	fixtures []fixture
}

// shelved are the files of all shelves by their names, once one was made.
var shelved map[string][]byte

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{readMatrix(t), fixtures(t)}
	if shelved == nil {
		shelved = s.make(t)
	}
	t.Chdir(t.TempDir())
	for name, b := range shelved {
		write(t, name, b)
	}
	return s
}

func write(t *testing.T, name string, b []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
	require.NoError(t, os.WriteFile(name, b, 0o600))
}

func (s *shelf) make(t *testing.T) map[string][]byte {
	t.Helper()
	ini, err := os.ReadFile(filepath.Join(repo(t), "testdata", "registration", "sound", "app.ini"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	all := map[string][]byte{}
	put := func(name string, b []byte) {
		all[name] = b
		write(t, name, b)
	}
	put("app.ini", ini)
	for _, f := range s.fixtures {
		for name, b := range map[string][]byte{f.name: f.data, "cut-" + f.name: f.data[:len(f.data)/2]} {
			put(name, b)
			put(name+".gz", packed(t, b, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }))
			put(name+".zst", packed(t, b, func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z }))
			put(name+".d/"+name, b)
		}
		put("other-"+f.name, f.other)
		_, document, _ := runWith(t, nil, s.args(row{line: "dump -o json FILE"}, f, f.name)...)
		if document == "" { // encode knows the formats by their names
			document = fmt.Sprintf(`{"format":%q}`, f.format)
		}
		put("document-"+f.name, []byte(document))
	}
	return all
}

// args returns a row's command line for a fixture, with its file, or the cut
// one, in a form of it: packed, in a directory, or -. Only one of two can be
// standard input.
func (s *shelf) args(r row, f fixture, file string) []string {
	var args []string
	given := file
	for _, word := range strings.Fields(r.line) {
		switch word {
		case "FILE", "CUT":
			word, given = given, f.name
		case "OTHER":
			word = "other-" + f.name
		case "DOCUMENT":
			word = "document-" + f.name
		}
		args = append(args, word)
	}
	about := r.verb() != "encode" && !strings.Contains(r.line, "--reg ") && !strings.Contains(r.line, "--titles ")
	if f.named && about { // else another file would be of the format as well
		args = append(args, "--format", string(f.format))
	}
	return args
}

// walks are the verbs that take directories.
var walks = []string{"check", "cook", "doctor", "dump", "info", "plot", "report", "titles"}

// forms returns how a row's file is given.
func forms(r row, f fixture) []string {
	name := f.name
	if strings.Contains(r.line, " CUT") {
		name = "cut-" + name
	}
	all := []string{name, "-"}
	if strings.Contains(r.line, "DOCUMENT") || strings.Count(r.line, "FILE")+strings.Count(r.line, "CUT") > 1 {
		return all[:1]
	}
	if r.output() == "" || r.output() == "json" {
		all = append(all, name+".gz", name+".zst")
		if slices.Contains(walks, r.verb()) && !strings.Contains(r.line, "--titles") {
			all = append(all, name+".d")
		}
	}
	return all
}

// TestMatrix runs each row with each format: the file itself, packed, from
// standard input, in a directory.
func TestMatrix(t *testing.T) {
	s := newShelf(t)
	for _, r := range s.matrix.rows {
		for _, f := range s.fixtures {
			if r.cells[f.format] == "-" {
				continue
			}
			for _, form := range forms(r, f) {
				t.Run(strings.Join(s.args(r, f, form), " "), func(t *testing.T) { s.check(t, r, f, form) })
			}
		}
	}
}

func (s *shelf) check(t *testing.T, r row, f fixture, form string) {
	want := r.cells[f.format]
	switch {
	case f.format == detect.INIFile && (form == "-" || strings.HasSuffix(form, ".d")) && r.verb() == "doctor":
		want = "1" // its symbol file is not beside
	case f.format == detect.INIFile && form == "-" && strings.HasPrefix(r.line, "lodctr") && want != "no":
		want = "2" // as above
	case want == "no" && strings.HasSuffix(form, ".d") && r.verb() == "doctor":
		want = "2" // there is nothing else
	case want == "no" && strings.HasSuffix(form, ".d"):
		want = "passed"
	}
	args := s.args(r, f, form)
	stdin := f.data
	if strings.Contains(r.line, " CUT") {
		stdin = stdin[:len(stdin)/2]
	}
	code, stdout, stderr := runWith(t, stdin, args...)
	about := fmt.Sprintf("perfdump %s\n%.300s%s", strings.Join(args, " "), stdout, stderr)
	switch want {
	case "+":
		assert.Zero(t, code, about)
		assert.NotEmpty(t, stdout, about)
	case "0":
		assert.Zero(t, code, about)
		assert.Empty(t, stdout, about)
	case "1":
		assert.Equal(t, cmdutil.ExitFindings, code, about)
		assert.NotEmpty(t, stdout, about)
	case "!":
		assert.Equal(t, cmdutil.ExitFindings, code, about)
		assert.Empty(t, stdout, about)
		assert.Contains(t, stderr, "nothing matches", about)
	case "2":
		assert.Equal(t, cmdutil.ExitInput, code, about)
		assert.Contains(t, stderr, "perfdump: ", about)
	case "no":
		assert.Equal(t, cmdutil.ExitUsage, code, about)
		assert.Empty(t, stdout, about)
		assert.Contains(t, stderr, string(f.format), about)
		if r.verb() == "encode" {
			assert.Contains(t, stderr, "read only", about)
		} else {
			assert.True(t, s.leads(stderr, f.format), "no verb is named that reads it: %s", about)
		}
	case "3":
		assert.Equal(t, cmdutil.ExitUsage, code, about)
		assert.Empty(t, stdout, about)
	case "passed":
		assert.Zero(t, code, about)
		assert.Contains(t, stderr, "skipped", about)
	}
	if code < cmdutil.ExitInput || form != args[len(args)-1] && form != f.name {
		return
	}
	// The same as JSON.
	again, out, lines := runWith(t, stdin, append(args, "--errors", "json")...)
	assert.Equal(t, code, again, about)
	assert.Equal(t, stdout, out, about)
	assert.NotEmpty(t, lines, about)
	for line := range strings.Lines(lines) {
		var e map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &e), line)
		assert.Equal(t, []string{"code", "file", "message", "offset", "path"}, slices.Sorted(maps.Keys(e)))
	}
}

var named = regexp.MustCompile("`perfdump ([a-z]+)")

// leads reports whether a message names a verb that reads the format.
func (s *shelf) leads(message string, format detect.Format) bool {
	return slices.ContainsFunc(named.FindAllStringSubmatch(message, -1), func(m []string) bool { return s.matrix.reads(m[1], format) })
}

// bare returns the rows of a verb and its file and nothing else.
func (s *shelf) bare() []row {
	return slices.DeleteFunc(slices.Clone(s.matrix.rows), func(r row) bool { return !r.bare() })
}

// Every verb says of an empty file that it is empty, of one that is missing
// that, of one that nobody knows that it is unknown.
func TestFilesThatAreNone(t *testing.T) {
	s := newShelf(t)
	write := func(name string, b []byte) { require.NoError(t, os.WriteFile(name, b, 0o600)) }
	write("empty", nil)
	write("empty.gz", packed(t, nil, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }))
	write("unknown", []byte("\x01\x7fnothing that anybody knows\x00\xff"))
	cutGzip := packed(t, s.fixtures[0].data, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	write("cut.gz", cutGzip[:len(cutGzip)/2])
	codes := map[string]string{"empty": "empty", "empty.gz": "empty", "-": "empty", "unknown": "unknown-format", "missing": "io", "cut.gz": "truncated"}
	for _, r := range s.bare() {
		for name, want := range codes {
			t.Run(r.verb()+" "+name, func(t *testing.T) {
				switch {
				case name == "unknown" && r.verb() == "hexdump":
					t.Skip("it shows the bytes of any file")
				case name == "unknown" && (r.verb() == "encode" || r.verb() == "lodctr"):
					want = "syntax" // of a document, of an .ini
				}
				args := []string{r.verb(), name, "--errors", "json"}
				code, stdout, stderr := runWith(t, nil, args...)
				assert.Equal(t, cmdutil.ExitInput, code, "%s%s", stdout, stderr)
				if r.verb() != "doctor" && r.verb() != "report" {
					assert.Empty(t, stdout)
				}
				assert.Contains(t, stderr, fmt.Sprintf(`{"file":%q,"code":%q,`, name, want))
				code, _, stderr = runWith(t, nil, args[:2]...)
				assert.Equal(t, cmdutil.ExitInput, code)
				assert.True(t, strings.HasPrefix(stderr, "perfdump: "+cmdutil.FileName(name)+": "), stderr)
			})
		}
	}
	for _, f := range s.fixtures {
		t.Run("--format "+string(f.format), func(t *testing.T) {
			for _, verb := range []string{"info", "dump", "cook", "check", "hexdump", "diff", "titles", "doctor"} {
				args := []string{verb, "empty", "--errors", "json", "--format", string(f.format)}
				if verb == "diff" {
					args = append(args, "empty")
				}
				if !s.matrix.reads(verb, f.format) {
					continue
				}
				code, _, stderr := runWith(t, nil, args...)
				assert.Equal(t, cmdutil.ExitInput, code, verb+stderr)
				assert.Contains(t, stderr, `{"file":"empty","code":"empty",`, verb)
			}
		})
	}
}

// A format that is named rightly changes nothing, and one that is named wrongly
// ends with an answer or with an error that has a place.
func TestNamedFormats(t *testing.T) {
	s := newShelf(t)
	for _, f := range s.fixtures {
		for _, r := range s.bare() {
			if r.verb() == "encode" || f.named {
				continue
			}
			t.Run("right "+r.verb()+" "+f.name, func(t *testing.T) {
				args := s.args(r, f, f.name)
				code, stdout, stderr := runWith(t, nil, args...)
				again, out, errOut := runWith(t, nil, append(args, "--format", string(f.format))...)
				assert.Equal(t, code, again, errOut)
				assert.Equal(t, stdout, out)
				assert.Equal(t, stderr, errOut)
			})
		}
		for _, wrong := range allFormats(t) {
			t.Run(f.name+" as "+string(wrong), func(t *testing.T) {
				for _, verb := range []string{"check", "dump"} {
					code, _, stderr := runWith(t, nil, verb, f.name, "--format", string(wrong), "--errors", "json")
					assert.LessOrEqual(t, code, cmdutil.ExitUsage)
					if code == cmdutil.ExitInput {
						assert.Contains(t, stderr, `{"file":"`+f.name, verb)
						assert.NotContains(t, stderr, `"message":""`, verb)
					}
				}
			})
		}
	}
	code, _, stderr := runWith(t, nil, "info", s.fixtures[0].name, "--format", "perfdat")
	assert.Equal(t, cmdutil.ExitUsage, code)
	assert.Contains(t, stderr, "there are perfdata, ")
}

// --max-unpacked holds for whatever is read into memory or unpacked; of formats
// that are read here and there the file itself may be longer.
func TestMatrixOfLimits(t *testing.T) {
	s := newShelf(t)
	for _, f := range s.fixtures {
		for _, r := range s.bare() {
			if r.verb() == "encode" { // it has no such flag
				continue
			}
			for _, form := range []string{f.name, "-", f.name + ".gz"} {
				args := append(s.args(r, f, form), "--max-unpacked", "64", "--errors", "json")
				whole := r.verb() == "lodctr" || r.verb() == "hexdump" && !slices.Contains([]detect.Format{detect.Minidump, detect.Memory, detect.Carve, detect.BLG}, f.format)
				t.Run(strings.Join(args, " "), func(t *testing.T) {
					code, stdout, stderr := runWith(t, f.data, args...)
					if f.format.RandomAccess() && form == f.name && !whole {
						assert.Less(t, code, 4, stderr)
						assert.NotContains(t, stderr, `"code":"limit"`)
						return
					}
					assert.Equal(t, cmdutil.ExitInput, code, stderr)
					assert.Contains(t, stderr, `"code":"limit"`)
					if r.verb() != "doctor" && r.verb() != "report" {
						assert.Empty(t, stdout)
					}
				})
			}
		}
	}
}

// TestInterruptedVerbs ends each verb while it reads its input.
// (TestSignalsEndEveryVerb ends a process, whatever it does.)
func TestInterruptedVerbs(t *testing.T) {
	s := newShelf(t)
	for _, r := range s.matrix.rows {
		if !strings.HasSuffix(r.line, " FILE") || strings.Count(r.line, "FILE") > 1 || strings.Contains(r.line, "--titles") || r.output() == "dat" {
			continue
		}
		t.Run(r.line, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			ios, _, _, _ := iostreams.Test()
			never, w := io.Pipe()
			defer w.Close()
			ios.In = never
			time.AfterFunc(20*time.Millisecond, func() {
				cancel()
				_ = w.CloseWithError(context.Canceled)
			})
			done := make(chan int)
			go func() { done <- root.Run(ctx, ios, s.args(r, s.fixtures[0], "-")) }()
			select {
			case code := <-done:
				assert.Equal(t, cmdutil.ExitInterrupted, code)
			case <-time.After(20 * time.Second):
				t.Fatal("still running after Ctrl-C")
			}
		})
	}
}

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
	stdout, stderr = out.String(), errOut.String()
	*out, *errOut = bytes.Buffer{}, bytes.Buffer{} // cobra keeps all commands that ever were
	return code, stdout, stderr
}
