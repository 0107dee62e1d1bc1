package inifile_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/ini.v1"

	"github.com/perfdump/perfdump/inifile"
)

// What ini.v1 makes of text that it reads itself, and that File.INI makes what
// the lines have. A trap that a later ini.v1 no longer has fails here, so that
// docs/inifile.md stays true.
func TestTraps(t *testing.T) {
	const section, key = "text", "a_009_name"
	plain := inifile.INIOptions()
	for _, tt := range []struct {
		name    string
		in      string
		options ini.LoadOptions
		fails   bool   // ini.v1 gives an error
		gets    string // what it has of the key, where it does not
		want    string // what the file has
	}{
		// Under the default options.
		{"ColonIsADelimiter", "A:B_009_NAME=1\nA_009_NAME=x:y", ini.LoadOptions{}, false, "x:y", "x:y"},
		{"HashCutsValue", "A_009_NAME=# Gen 0 Collections", ini.LoadOptions{}, false, "", "# Gen 0 Collections"},
		{"SemicolonCutsValue", "A_009_NAME=a; b", ini.LoadOptions{}, false, "a", "a; b"},
		{"BackslashEatsTheNextLine", "A_009_NAME=C:\\\nB_009_NAME=b", ini.LoadOptions{}, false, "C:B_009_NAME=b", `C:\`},
		{"QuotesAreLost", `A_009_NAME="x"`, ini.LoadOptions{}, false, "x", `"x"`},
		{"SlashesAbort", "// comment\nA_009_NAME=x", ini.LoadOptions{}, true, "", "x"},
		{"CtrlZAborts", "A_009_NAME=x\n\x1a", ini.LoadOptions{}, true, "", "x"},
		{"NoEqualsAborts", "A_009_NAME=x\nword", ini.LoadOptions{}, true, "", "x"},
		// Under the options of INIOptions.
		{"BacktickIsAQuote", "A_009_NAME=`x` y", plain, false, "x", "`x` y"},
		{"TripleQuoteIsAQuote", `A_009_NAME="""x"""`, plain, false, "x", `"""x"""`},
		{"OpenTripleQuoteAborts", `A_009_NAME="""x`, plain, true, "", `"""x`},
		{"OpenBacktickAborts", "A_009_NAME=`x", plain, true, "", "`x"},
		{"UnclosedSectionAborts", "A_009_NAME=x\n[y", plain, true, "", "x"},
		{"NoBreakSpaceIsTrimmed", "A_009_NAME=\u00a0x\u3000", plain, false, "x", "\u00a0x\u3000"},
		{"LoneCRIsTrimmed", "A_009_NAME=x\r\r\n", plain, false, "x", "x\r"},
		{"EmptySectionAborts", "A_009_NAME=x\n[]\n", plain, true, "", "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := "[text]\n" + tt.in
			direct, err := ini.LoadSources(tt.options, []byte(in))
			require.Equal(t, tt.fails, err != nil, "%v", err)
			if err == nil {
				got := direct.Section(section)
				k := key
				if !tt.options.Insensitive {
					k = "A_009_NAME"
				}
				require.Equal(t, tt.gets, got.Key(k).Value())
			}
			f := parse(t, in)
			l, ok := f.Get(section, key)
			require.True(t, ok)
			assert.Equal(t, tt.want, l.Value())
			view, err := f.INI()
			require.NoError(t, err)
			assert.Equal(t, tt.want, view.Section(section).Key(key).Value())
		})
	}
}

func load(t *testing.T, in string) *ini.File {
	t.Helper()
	f, err := ini.LoadSources(inifile.INIOptions(), []byte(in))
	require.NoError(t, err)
	return f
}

func view(t *testing.T, in string) *ini.File {
	t.Helper()
	f, err := parse(t, in).INI()
	require.NoError(t, err)
	return f
}

func TestTrapUTF16IsGarbage(t *testing.T) {
	in := "\xFF\xFE" + wide("[info]\r\ndrivername=X\r\n")
	assert.NotContains(t, load(t, in).SectionStrings(), "info")
	assert.Equal(t, "X", view(t, in).Section("info").Key("drivername").Value())
}

func TestTrapDashBecomesANumber(t *testing.T) {
	in := "[text]\n-=x\n"
	assert.Equal(t, []string{"#1"}, load(t, in).Section("text").KeyStrings())
	assert.Equal(t, []string{"-"}, view(t, in).Section("text").KeyStrings())
}

func TestTrapQuotedKeyLosesQuotes(t *testing.T) {
	in := "[text]\n\"a\"=x\n`b`=y\n"
	assert.Equal(t, []string{"a", "b"}, load(t, in).Section("text").KeyStrings())
	assert.Equal(t, []string{`"a"`, "`b`"}, view(t, in).Section("text").KeyStrings())
}

func TestTrapCommentBecomesAKey(t *testing.T) {
	in := "[text]\n// A=1\n"
	assert.Equal(t, []string{"// a"}, load(t, in).Section("text").KeyStrings())
	assert.Empty(t, view(t, in).Section("text").KeyStrings())
}

func TestTrapLineWithoutEqualsVanishes(t *testing.T) {
	in := "[text]\nword\n"
	assert.Empty(t, load(t, in).Section("text").KeyStrings())
	assert.Equal(t, "no-equals:2", told(parse(t, in)))
}

func TestTrapLastDuplicateWins(t *testing.T) {
	in := "[text]\nA=1\nA=2\n"
	direct, err := ini.Load([]byte(in))
	require.NoError(t, err)
	assert.Equal(t, "2", direct.Section("text").Key("A").Value())
	key := view(t, in).Section("text").Key("A")
	assert.Equal(t, "1", key.Value())
	assert.Equal(t, []string{"1", "2"}, key.ValueWithShadows())
}

func TestTrapDuplicateSectionsMerge(t *testing.T) {
	in := "[text]\nA=1\n[text]\nB=2\n"
	assert.Equal(t, []string{"a", "b"}, load(t, in).Section("text").KeyStrings())
	assert.Equal(t, []string{"a", "b"}, view(t, in).Section("text").KeyStrings())
	assert.Contains(t, told(parse(t, in)), "duplicate-section:3")
}

func TestTrapSectionsInherit(t *testing.T) {
	in := "[PERF_ASP]\nA=1\n[PERF_ASP.NET]\nB=2\n"
	direct, err := ini.Load([]byte(in))
	require.NoError(t, err)
	assert.True(t, direct.Section("PERF_ASP.NET").HasKey("A"))
	assert.False(t, view(t, in).Section("PERF_ASP.NET").HasKey("A"))
}

func TestTrapCaseOfSections(t *testing.T) {
	in := "[Text]\nA=1\n[TEXT]\nB=2\n"
	direct, err := ini.Load([]byte(in))
	require.NoError(t, err)
	assert.False(t, direct.Section("text").HasKey("A"))
	assert.Equal(t, []string{"a", "b"}, view(t, in).Section("text").KeyStrings())
}

func TestTrapDefaultSectionIsNotFound(t *testing.T) {
	in := "[DEFAULT]\nA=1\n"
	assert.False(t, load(t, in).Section("DEFAULT").HasKey("A"))
	assert.True(t, view(t, in).Section("DEFAULT").HasKey("A"))
}

// File.INI itself does not expand anything; Key.String would, without end.
func TestTrapCycleIsTheCallers(t *testing.T) {
	in := "[text]\nA=%(B)s\nB=%(A)s\n"
	assert.Equal(t, "%(B)s", view(t, in).Section("text").Key("A").Value())
}

func TestTrapWritingChangesTheFile(t *testing.T) {
	in := "; c\r\n\r\n[text]\r\nA = 1 \r\nword\r\n"
	var b writerBuffer
	_, err := load(t, in).WriteTo(&b)
	require.NoError(t, err)
	assert.NotEqual(t, in, string(b))
	out, err := parse(t, in).AppendBinary(nil)
	require.NoError(t, err)
	assert.Equal(t, in, string(out))
}

type writerBuffer []byte

func (b *writerBuffer) Write(p []byte) (int, error) { *b = append(*b, p...); return len(p), nil }
