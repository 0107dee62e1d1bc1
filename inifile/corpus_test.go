package inifile_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/ini.v1"

	"github.com/perfdump/perfdump/internal/wire"
)

func TestCorpus(t *testing.T) {
	for name, want := range map[string]struct {
		found, encoding, driver, symbols string
		trusted                          bool
		lines, languages, objects        int
		texts                            int
	}{
		"ms-docs-sample/MyApplication.ini":                  {"utf-8:0", "utf-8", "MyApplication", "CounterOffsets.h", true, 48, 2, 2, 20},
		"ms-docs-sample/MyApplication.utf16le-bom-crlf.ini": {"", "utf-16le-bom", "MyApplication", "CounterOffsets.h", true, 48, 2, 2, 20},
		"ms-ese-generated/eseperf.ini":                      {"", "utf-16le-bom", "ESE", "eseperf.hxx", false, 3699, 2, 4, 3680},
		"ms-sdk-samples-appmem/AppMem.Ini":                  {"ctrl-z:1293", "cp1252", "APPMEM", "memctrnm.h", false, 25, 1, 0, 16},
		"pywin32/perf_install.ini":                          {"", "cp1252", "PipeServicePerf", "perf_install.h", false, 18, 1, 0, 10},
	} {
		b, err := os.ReadFile(filepath.Join("../../shared/corpus/registration", name))
		if os.IsNotExist(err) {
			t.Skipf("no corpus at hand: %v", err)
		}
		require.NoError(t, err)
		f := parse(t, string(b))
		assert.Equal(t, want.found, found(f), name)
		assert.Equal(t, want.encoding, f.Encoding(), name)
		r := f.Registration()
		assert.Equal(t, []any{want.driver, want.symbols, want.trusted, want.objects > 0}, []any{r.DriverName, r.SymbolFile, r.Trusted, f.HasObjects()}, name)
		assert.Equal(t, []int{want.lines, want.languages, want.objects, want.texts}, []int{f.NumLines(), len(r.Languages), len(r.Objects), len(r.Texts)}, name)

		// ini.v1, which reads the decoded text itself, finds the same.
		text := b
		if want.encoding == "utf-16le-bom" {
			text = wire.AppendUTF16(nil, b[2:])
		}
		direct, err := ini.LoadSources(options, text)
		require.NoError(t, err, name)
		view, err := f.INI()
		require.NoError(t, err, name)
		other := contents(direct)
		maps.DeleteFunc(other, func(k string, _ []string) bool { return strings.HasPrefix(k, "default\x00") })
		assert.Equal(t, other, contents(view), name)
		assert.Equal(t, direct.SectionStrings(), view.SectionStrings(), name)

		// And a new file says the same.
		out, err := r.AppendBinary(nil)
		require.NoError(t, err, name)
		again := parse(t, string(out))
		assert.Equal(t, "utf-16le-bom", again.Encoding())
		assert.Empty(t, found(again), name)
		twice, err := again.Registration().AppendBinary(nil)
		require.NoError(t, err, name)
		assert.Equal(t, string(out), string(twice), name)
		assert.Len(t, again.Registration().Texts, want.texts)
	}
}

// contents returns all values by lower-case section and key.
func contents(view *ini.File) map[string][]string {
	got := map[string][]string{}
	for _, s := range view.Sections() {
		for _, k := range s.Keys() {
			got[s.Name()+"\x00"+k.Name()] = append([]string{k.Value()}, k.ValueWithShadows()...)
		}
	}
	return got
}

// options are those under which ini.v1 reads such files with the least harm.
var options = ini.LoadOptions{
	KeyValueDelimiters:         "=",
	IgnoreInlineComment:        true,
	IgnoreContinuation:         true,
	PreserveSurroundedQuote:    true,
	SkipUnrecognizableLines:    true,
	ChildSectionDelimiter:      "\x00",
	Insensitive:                true,
	AllowShadows:               true,
	AllowDuplicateShadowValues: true,
}

// What ini.v1 makes of text that it reads itself, and that File.INI has what the
// lines have.
func TestTraps(t *testing.T) {
	key := func(section, name string) func(*ini.File) any {
		return func(f *ini.File) any { return f.Section(section).Key(name).Value() }
	}
	keys := func(f *ini.File) any { return f.Section("text").KeyStrings() }
	const fails = "ini.v1 gives an error"
	for name, tt := range map[string]struct {
		in           string
		options      ini.LoadOptions
		of           func(*ini.File) any
		direct, view any
	}{
		"HashCutsValue":            {"[text]\nA=# Gen 0 Collections", ini.LoadOptions{}, key("text", "A"), "", "# Gen 0 Collections"},
		"SemicolonCutsValue":       {"[text]\nA=a; b", ini.LoadOptions{}, key("text", "A"), "a", "a; b"},
		"ColonSplits":              {"[text]\nA:B=1", ini.LoadOptions{}, key("text", "A:B"), "", "1"},
		"BackslashEatsTheNextLine": {"[text]\nA=C:\\\nB=b", ini.LoadOptions{}, key("text", "A"), "C:B=b", `C:\`},
		"QuotesAreLost":            {"[text]\nA=\"x\"", ini.LoadOptions{}, key("text", "A"), "x", `"x"`},
		"CtrlZFails":               {"[text]\nA=x\n\x1a", ini.LoadOptions{}, key("text", "A"), fails, "x"},
		"BacktickIsAQuote":         {"[text]\nA=`x` y", options, key("text", "A"), "x", "`x` y"},
		"OpenTripleQuoteFails":     {`[text]` + "\n" + `A="""x`, options, key("text", "A"), fails, `"""x`},
		"UnclosedSectionFails":     {"[text]\nA=x\n[y", options, key("text", "A"), fails, "x"},
		"NoBreakSpaceIsTrimmed":    {"[text]\nA=\u00a0x\u3000", options, key("text", "A"), "x", "\u00a0x\u3000"},
		"EmptySectionFails":        {"[text]\nA=x\n[]\n", options, key("text", "A"), fails, "x"},
		"DashBecomesANumber":       {"[text]\n-=x\n", options, keys, []string{"#1"}, []string{"-"}},
		"CommentBecomesAKey":       {"[text]\n// A=1\n", options, keys, []string{"// a"}, []string{}},
		"SectionsMerge":            {"[text]\nA=1\n[TEXT]\nB=2\n", options, keys, []string{"a", "b"}, []string{"a", "b"}},
		"SectionsInherit":          {"[PERF_ASP]\nA=1\n[PERF_ASP.NET]\nB=2\n", ini.LoadOptions{}, key("PERF_ASP.NET", "A"), "1", ""},
		"DefaultIsNotFound":        {"[DEFAULT]\nA=1\n", options, key("DEFAULT", "A"), "", "1"},
		"UTF16IsGarbage":           {"\xFF\xFE" + wide("[info]\r\ndrivername=X\r\n"), options, key("info", "drivername"), "", "X"},
		"KeysOfNoSection":          {"A=1\n[text]\n", options, key("DEFAULT", "A"), "1", "1"},
		"LastDuplicateWins": {"[text]\nA=1\nA=2\nA=\n", ini.LoadOptions{}, func(f *ini.File) any {
			return f.Section("text").Key("A").ValueWithShadows()
		}, []string{}, []string{"1", "2"}},
		// File.INI itself does not expand anything; Key.String would, without end.
		"CyclesAreNotExpanded": {"[text]\nA=%(B)s\nB=%(A)s\n", options, key("text", "A"), "%(B)s", "%(B)s"},
	} {
		t.Run(name, func(t *testing.T) {
			direct, err := ini.LoadSources(tt.options, []byte(tt.in))
			require.Equal(t, tt.direct == fails, err != nil, "%v", err)
			if err == nil {
				assert.Equal(t, tt.direct, tt.of(direct))
			}
			view, err := parse(t, tt.in).INI()
			require.NoError(t, err)
			assert.Equal(t, tt.view, tt.of(view))
		})
	}
}
