package symbolh_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/symbolh"
)

func wide(s string) string { return string(wire.EncodeUTF16(nil, s)) }

// parse reads a file. FuzzSymbolH holds what is true of every file.
func parse(t testing.TB, in string) *symbolh.File {
	t.Helper()
	f, err := symbolh.Parse([]byte(in), perfdump.Options{})
	require.NoError(t, err, "%q", in)
	out, err := f.Edit().AppendBinary(nil)
	require.NoError(t, err)
	require.Equal(t, in, string(out), "an edit without changes")
	return f
}

// found returns the anomalies as code:line.
func found(f *symbolh.File) string {
	var s []string
	for _, a := range f.Anomalies().Kept() {
		s = append(s, fmt.Sprintf("%s:%d", a.Code, f.LineAt(a.Off)))
	}
	return strings.Join(s, " ")
}

func TestDefines(t *testing.T) {
	for in, want := range map[string]string{ // name, value, kind, offset, anomalies
		"#define A 10":          "A|10|decimal|10|",
		"#define\tA\t10\t":      "A|10|decimal|10|",
		"#define A 10;":         "A|10;|decimal|10|",
		"#define A 10 ;":        "A|10 ;|decimal|10|",
		"#define A 10// x":      "A|10|decimal|10|",
		"#define A 10; /* x */": "A|10;|decimal|10|",
		"#define A 4294967295":  "A|4294967295|decimal|4294967295|",
		"#define A":             "A||none|0|",
		"#define A/**/":         "A||none|0|",
		"#define A 4294967296":  "A|4294967296|unsupported|0|unsupported-value:1",
		"#define A 0x10":        "A|0x10|unsupported|0|unsupported-value:1",
		"#define A (10)":        "A|(10)|unsupported|0|unsupported-value:1",
		"#define A B + 2":       "A|B + 2|unsupported|0|unsupported-value:1",
		"#define A -2":          "A|-2|unsupported|0|unsupported-value:1",
		"#define A 10 \\":       "A|10 \\|unsupported|0|unsupported-value:1",
		"#define A ;":           "A|;|unsupported|0|unsupported-value:1",
		"#define A 010":         "A|010|decimal|10|leading-zero:1",
		"#define A B":           "A|B|alias|0|unknown-alias:1",
		"#define A A":           "A|A|alias|0|alias-cycle:1",
	} {
		for _, enc := range []func(string) string{func(s string) string { return s }, func(s string) string { return "\xFF\xFE" + wide(s) }} {
			f := parse(t, enc(in+"\r\n"))
			n := 0
			for d := range f.Defines() {
				n++
				got := fmt.Sprintf("%s|%s|%s|%d|%s", d.Name, d.Value, d.Kind, d.Offset, found(f))
				assert.Equal(t, want, got, "%q", in)
				assert.Equal(t, strings.HasSuffix(d.Value, ";"), d.Semicolon)
			}
			assert.Equal(t, 1, n, "%q", in)
		}
	}
}

func TestAnomalies(t *testing.T) {
	const ok = "#define A 0\n"
	for in, want := range map[string]string{
		"":        "empty:0",
		" \n\x1a": "ctrl-z:2 empty:2",
		"// x\n":  "",
		ok + "#All these\nHGLOBAL f(\n#endif // x\n":           "",
		ok + "#define a 2\n":                                   "duplicate-define:2",
		ok + "# define B 2\n":                                  "define-form:2",
		ok + "#define F(x) 2\n":                                "define-form:2",
		ok + "#define 2 2\n":                                   "define-form:2",
		ok + "#define\n":                                       "define-form:2",
		ok + "#define É 2\n":                                   "define-form:2",
		ok + "enum {\nB = 2 };\n":                              "enum:2",
		ok + "typedef enum X\n":                                "enum:2",
		ok + "enumerate\n":                                     "",
		ok + "/* x\n#define B 2\n*/\n":                         "define-in-comment:3",
		ok + "/* x */ /* y\n#define B 2\n// */\n#define C 4\n": "define-in-comment:3",
		ok + "// /* x\n#define B 2\n":                          "",
		ok + "#define B 2 /* x\n#define C 4 */\n":              "define-in-comment:3",
		ok + "\x1a":                                            "ctrl-z:2",
		ok + "// \x00\n":                                       "nul:2",
		ok + "// \r x\n":                                       "lone-cr:2",
		"\xEF\xBB\xBF" + ok + "// \xE9\n":                      "encoding:2",
		"\xFF\xFE" + wide(ok) + "x":                            "odd-length:2",
		"#define A B\n#define B C\n#define C 4\n":              "",
		"#define A B\n#define B A\n":                           "alias-cycle:1 alias-cycle:2",
	} {
		f := parse(t, in)
		assert.Equal(t, want, found(f), "%q", in)
		_, err := symbolh.Parse([]byte(in), perfdump.Options{Mode: perfdump.Strict})
		assert.Equal(t, want == "", err == nil, "%q: %v", in, err)
	}
	a := parse(t, ok+"\n#define A 2\n").Anomalies().Kept()[0]
	assert.Equal(t, "line[2]: line 3 defines the name of line 1; the first counts (offset 0x15)", a.String())

	_, err := symbolh.Parse([]byte("\nint x;\n"), perfdump.Options{})
	assert.EqualError(t, err, `line[1]: line 2 is "int x;"; a #define NAME 10 is expected, and no line is one (offset 0x1)`)
	_, err = symbolh.Parse([]byte("\xFE\xFF\x00#"), perfdump.Options{})
	assert.ErrorIs(t, err, perfdump.ErrBigEndian)
}

func TestLookup(t *testing.T) {
	f := parse(t, "#define G\n#define A 4\n#define LAST A\n#define L2 last\n#define a 6\n#define X 0x10\n#define Z X\n")
	for name, want := range map[string]int64{"A": 4, "a": 4, "LAST": 4, "l2": 4, "G": -1, "X": -1, "Z": -1, "none": -1} {
		got, ok := f.Lookup(name)
		assert.Equal(t, want >= 0, ok, name)
		if ok {
			assert.EqualValues(t, want, got, name)
		}
	}
	n, ok := f.Largest()
	assert.True(t, ok)
	assert.EqualValues(t, 6, n)
	_, ok = parse(t, "#define G\n").Largest()
	assert.False(t, ok)
}

// As many as 16 names may refer to each other in a row.
func TestLongChainsOfAliases(t *testing.T) {
	for _, n := range []int{1, 16, 17, 40} {
		text := "#define N0 4\n"
		for i := range n {
			text += fmt.Sprintf("#define N%d N%d\n", i+1, i)
		}
		f := parse(t, text)
		_, ok := f.Lookup(fmt.Sprint("N", n))
		assert.Equal(t, n <= 16, ok, n)
		assert.Equal(t, n <= 16, f.Anomalies().Len() == 0, n)
	}
}

const corpus = "../../shared/corpus/registration"

func TestCorpus(t *testing.T) {
	for name, want := range map[string]struct {
		defines, decimals int
		largest           uint32
	}{
		"ms-docs-sample/CounterOffsets.h":  {8, 5, 8},
		"ms-ese-generated/eseperf.hxx":     {920, 920, 1838},
		"ms-sdk-samples-appmem/AppMem.h":   {1, 0, 0},
		"ms-sdk-samples-appmem/MemCtrnm.h": {8, 8, 14},
		"pywin32/perf_install.h":           {5, 5, 8},
	} {
		b, err := os.ReadFile(filepath.Join(corpus, name))
		if os.IsNotExist(err) {
			t.Skipf("no corpus at hand: %v", err)
		}
		require.NoError(t, err)
		f := parse(t, string(b))
		assert.Empty(t, found(f), name)
		decimals := 0
		for d := range f.Defines() {
			if d.Kind == symbolh.Decimal {
				decimals++
			}
		}
		largest, _ := f.Largest()
		assert.Equal(t, strings.Count(string(b), "\n"), f.NumLines(), name)
		assert.Equal(t, []int{want.defines, want.decimals, int(want.largest)}, []int{f.NumDefines(), decimals, int(largest)}, name)
	}
}

func TestEdit(t *testing.T) {
	set := func(e *symbolh.Editor, name string, offset uint32) { require.NoError(t, e.Set(name, offset)) }
	for _, tt := range []struct {
		in   string
		do   func(e *symbolh.Editor)
		want string
	}{
		{"#define A\t10; // x\r\n", func(e *symbolh.Editor) { set(e, "a", 12) }, "#define A\t12; // x\r\n"},
		{"#define A (1)\nx\n", func(e *symbolh.Editor) { set(e, "A", 12) }, "#define A 12\nx\n"},
		{"#define A\n", func(e *symbolh.Editor) { set(e, "A", 12) }, "#define A 12\n"},
		{"#define A/**/\n", func(e *symbolh.Editor) { set(e, "A", 12) }, "#define A 12 /**/\n"},
		{"#define A 0\n#endif", func(e *symbolh.Editor) { set(e, "B", 2); set(e, "C", 4); set(e, "b", 6) }, "#define A 0\n#define B 6\n#define C 4\n#endif"},
		{"#define A 0", func(e *symbolh.Editor) { set(e, "B", 2) }, "#define A 0\r\n#define B 2\r\n"},
		{"#define A 0\n#define a 2\n#define B 4\n", func(e *symbolh.Editor) { e.Delete("A") }, "#define B 4\n"},
		{"#define A 0\n#define B 2\n", func(e *symbolh.Editor) { e.Delete("B"); set(e, "C", 4); set(e, "D", 6); e.Delete("D") }, "#define A 0\n#define C 4\n"},
		{"\xFF\xFE" + wide("#define A 0\n"), func(e *symbolh.Editor) { set(e, "A", 2); set(e, "B", 4) }, "\xFF\xFE" + wide("#define A 2\n#define B 4\n")},
		{"// none\n", func(e *symbolh.Editor) { set(e, "A", 2) }, "#define A 2\n// none\n"},
	} {
		e := parse(t, tt.in).Edit()
		tt.do(e)
		out, err := e.AppendBinary(nil)
		require.NoError(t, err)
		assert.Equal(t, tt.want, string(out))
	}
	e := parse(t, "#define A 0").Edit()
	assert.ErrorIs(t, e.Set("a b", 0), perfdump.ErrSyntax)
	assert.False(t, e.Delete("B"))
}

var symbols = []symbolh.Symbol{
	{Name: "OBJ", Offset: 0, Title: "Object", Help: "The\r\nobject. */ x"},
	{Name: "CNT", Offset: 2, Title: "# of things"},
	{Name: "third", Offset: 4},
}

func TestEmit(t *testing.T) {
	out, err := symbolh.AppendHeader(nil, "X_H", symbols)
	require.NoError(t, err)
	assert.Equal(t, "#ifndef X_H\r\n#define X_H\r\n\r\n#define OBJ 0\r\n#define CNT 2\r\n#define third 4\r\n\r\n#endif\r\n", string(out))
	assert.Empty(t, found(parse(t, string(out))))

	out, err = symbolh.AppendEnum(nil, "offsets", symbols)
	require.NoError(t, err)
	assert.Equal(t, "enum offsets {\n\tOBJ = 0, /* Object: The object. * / x */\n\tCNT = 2, /* # of things */\n\tthird = 4,\n};\n", string(out))

	for _, bad := range [][]symbolh.Symbol{
		{{Name: "a b"}}, {{}}, {{Name: "A", Offset: 1}}, {{Name: "A"}, {Name: "B"}}, {{Name: "A"}, {Name: "a", Offset: 2}},
	} {
		for _, f := range []func() ([]byte, error){
			func() ([]byte, error) { return symbolh.AppendHeader([]byte("x"), "", bad) },
			func() ([]byte, error) { return symbolh.AppendEnum([]byte("x"), "e", bad) },
		} {
			out, err := f()
			assert.ErrorIs(t, err, perfdump.ErrSyntax)
			assert.Equal(t, "x", string(out))
		}
	}
	_, err = symbolh.AppendHeader(nil, "OBJ", symbols)
	assert.ErrorIs(t, err, perfdump.ErrSyntax)
	_, err = symbolh.AppendEnum(nil, "e", nil)
	assert.ErrorIs(t, err, perfdump.ErrSyntax)
}

func TestHostileFilesStayWithinMemory(t *testing.T) {
	size := 1 << 20
	if perftest.Race { // the detector is slow and its memory its own
		size = 128 << 10
	}
	var distinct strings.Builder
	for i := 0; distinct.Len() < size; i++ {
		fmt.Fprintf(&distinct, "#define A%d\n", i)
	}
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, in := range map[string]string{
		"same":     fill("#define A\n"),
		"distinct": distinct.String(),
		"aliases":  fill("#define A B\n"),
		"comments": fill("/*\n*/\n"),
		"wide":     "\xFF\xFE" + wide(fill("#define A 0\n")),
	} {
		var f *symbolh.File
		var err error
		used := perftest.Allocated(func() { f, err = symbolh.Parse([]byte(in), perfdump.Options{}) })
		require.NoError(t, err, name)
		t.Logf("%s: %d defines, %.1f bytes a byte", name, f.NumDefines(), float64(used)/float64(len(in)))
		require.LessOrEqual(t, used, uint64(16<<20+24*len(in)), name)
	}
}

// TestSequencesStop breaks off each sequence of a file at every place.
func TestSequencesStop(t *testing.T) {
	f := parse(t, "// one\n#define A 0\n\n#define B 2 /* two */\n#ifdef X\n#define C 0x4\n#endif\n")
	formattest.Stops(t, f.Lines())
	formattest.Stops(t, f.Defines())
	formattest.Stops(t, f.Spans())
}
