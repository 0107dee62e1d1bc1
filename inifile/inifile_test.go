package inifile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/wire"
)

func wide(s string) string { return string(wire.EncodeUTF16(nil, s)) }

// parse reads a file. FuzzINIFile holds what is true of every file.
func parse(t testing.TB, in string) *inifile.File {
	t.Helper()
	f, err := inifile.Parse([]byte(in), perfdump.Options{})
	require.NoError(t, err, "%q", in)
	out, err := f.Edit().AppendBinary(nil)
	require.NoError(t, err)
	require.Equal(t, in, string(out), "an edit without changes")
	return f
}

// found returns the anomalies as code:offset.
func found(f *inifile.File) string {
	var s []string
	for _, a := range f.Anomalies().Kept() {
		s = append(s, fmt.Sprintf("%s:%d", a.Code, a.Off))
	}
	return strings.Join(s, " ")
}

func TestLines(t *testing.T) {
	for _, tt := range []struct{ line, kind, key, value string }{
		{" \t ", "blank", "", ""},
		{"; a=b", "comment", "", ""},
		{"  // a=b", "comment", "", ""},
		{"\t# a=b", "comment", "", ""},
		{"/ a=b", "key", "/ a", "b"},
		{" \ta\t = \t b c \t", "key", "a", "b c"},
		{"a= \t", "key", "a", ""},
		{"a==", "key", "a", "="},
		{"a=# of ; things", "key", "a", "# of ; things"},
		{`a=C:\dir\`, "key", "a", `C:\dir\`},
		{"a=\u00a0x\u3000", "key", "a", "\u00a0x\u3000"},
		{"=b", "other", "", ""},
		{"ab", "other", "", ""},
		{"[x=1", "other", "", ""},
		{"[text] \t", "section", "", ""},
		{" [a]b]", "section", "", ""},
		{"[]", "section", "", ""},
		{" \x1a\x1a", "ctrl-z", "", ""},
		{"\x1aa=b", "key", "\x1aa", "b"},
	} {
		for _, enc := range []func(string) string{
			func(s string) string { return s },
			func(s string) string { return "\xFF\xFE" + wide(s) },
			wide,
		} {
			for _, eol := range []string{"\n", "\r\n", ""} {
				all := slices.Collect(parse(t, enc("[info]\r\n"+tt.line+eol)).Lines())
				require.Len(t, all, 2)
				l := all[1]
				assert.Equal(t, []string{tt.kind, tt.line, eol, tt.key, tt.value}, []string{l.Kind.String(), l.Text(), l.EOL(), l.Key(), l.Value()}, "%q", tt.line)
			}
		}
	}
}

func TestSectionsOfOneName(t *testing.T) {
	f := parse(t, "[Text] \na_009_NAME=1\n[a]b]\nx=2\n[TEXT]\nb_009_NAME=3\nA_009_Name=4\n")
	var names []string
	for l := range f.Keys("text") {
		names = append(names, l.Section+"."+l.Key()+"="+l.Value())
	}
	assert.Equal(t, []string{"Text.a_009_NAME=1", "TEXT.b_009_NAME=3", "TEXT.A_009_Name=4"}, names)
	l, ok := f.Get("TEXT", "A_009_NAME")
	require.True(t, ok)
	assert.Equal(t, "1", l.Value(), "the first counts")
	for _, at := range [][2]string{{"text", "c"}, {"none", "a_009_NAME"}} {
		_, ok = f.Get(at[0], at[1])
		assert.False(t, ok)
	}
	assert.True(t, f.HasSection("A]B"))
	assert.False(t, f.HasSection("a"))
}

// The offset of an anomaly is where a | is, in files of any encoding.
func TestAnomalies(t *testing.T) {
	for in, want := range map[string]string{
		"[info]\ndrivername=X\nsymbolfile=x.h\n\n[languages]\n009=English\n\n[text]\nOBJ_009_NAME=Object\n": "",
		"\n \n|":                             "empty",
		"; only\n":                           "",
		"[info]\n |x=1\n":                    "unknown-key",
		"[info]\n |ab\n":                     "no-equals",
		"[info]\n |=b\n":                     "empty-key",
		"[info]\n |[text\n":                  "unclosed-section",
		"; a\n [info] |x\n":                  "section-tail",
		"\n [|files]\na=b\n":                 "unknown-section",
		" |a=b\n[info]\n":                    "outside-section",
		"[info]\n [|INFO]\n":                 "duplicate-section",
		"[|]\n":                              "unknown-section",
		"[info]\ntrusted=\n |Trusted=1\n":    "duplicate-key",
		"[languages]\n |9=E\n":               "language-id",
		"[text]\n |A_9_NAME=E\n":             "language-id",
		"[text]\n |A_009_TEXT=E\n":           "key-form",
		"[text]\n|009_NAME=E\n":              "key-form",
		"[objects]\n|A_009_HELP=E\n":         "key-form",
		"[text]\nA_009_NAME= |\"E\"\n":       "quoted-value",
		"[text]\nA_009_NAME=E \"x\"\n":       "",
		"[info]\ntrusted=a|\rb\n":            "lone-cr",
		"[info]\ntrusted=a|\x00\n":           "nul",
		"[info]\n|\x1a":                      "ctrl-z",
		"[info]\ntrusted=|\x1a\n":            "ctrl-z",
		"|[info]\ntrusted=é\n":               "utf-8",
		"|\xEF\xBB\xBF[info]\n":              "utf-8",
		"[info]\ntrusted=\xE9\n":             "",
		"\xFF\xFE" + wide("[info]\n") + "|x": "odd-length",
		"\xFF\xFE" + wide("[info]\n") + "|;\x00\x00\xD8\n\x00": "encoding",
	} {
		at := strings.Index(in, "|")
		text := strings.Replace(in, "|", "", 1)
		check := func(text string, at int) {
			expected := want
			if want != "" {
				expected += fmt.Sprint(":", at)
			}
			assert.Equal(t, expected, found(parse(t, text)), "%q", text)
			_, err := inifile.Parse([]byte(text), perfdump.Options{Mode: perfdump.Strict})
			assert.Equal(t, want == "", err == nil, "%q: %v", text, err)
		}
		check(text, at)
		if !strings.ContainsFunc(text, func(r rune) bool { return r > 0x7F }) {
			check("\xFF\xFE"+wide(text), 2+2*at)
		}
	}
	a := parse(t, "[info]\n\nab\n").Anomalies().Kept()[0]
	assert.Equal(t, "line[2]: line 3 has no =; key=value is expected, the line has no effect (offset 0x8)", a.String())
	a = parse(t, "[info]\ntrusted=\nTRUSTED=\n").Anomalies().Kept()[0]
	assert.Equal(t, "line 3 has the key of line 2; the first counts", a.Message())
}

func TestRefused(t *testing.T) {
	_, err := inifile.Parse([]byte("; x\n\nMZ garbage\n"), perfdump.Options{})
	assert.EqualError(t, err, `line[2]: line 3 is "MZ garbage" where a section such as [info] is expected; the file has none (offset 0x5)`)
	assert.ErrorIs(t, err, perfdump.ErrSyntax)
	_, err = inifile.Parse([]byte("\xFE\xFF\x00["), perfdump.Options{})
	assert.ErrorIs(t, err, perfdump.ErrBigEndian)
	_, err = inifile.Parse([]byte("[a]"), perfdump.Options{CodePage: 37})
	assert.Error(t, err)
	_, err = inifile.Parse([]byte(strings.Repeat("[]\n", 1<<16+1)), perfdump.Options{})
	assert.ErrorIs(t, err, perfdump.ErrLimit)
	f, err := inifile.Parse([]byte("[x]\n"+strings.Repeat("a=\n", 50_000)), perfdump.Options{})
	require.NoError(t, err)
	_, err = f.INI()
	assert.ErrorIs(t, err, perfdump.ErrLimit)
}

func TestEncodings(t *testing.T) {
	text := func(s string) string { return "[text]\r\nA_009_NAME=" + s }
	for _, tt := range []struct {
		in, enc, want string
		page          uint32
		ascii         bool
	}{
		{text("x"), "cp1252", "x", 0, true},
		{text("\xE9"), "cp1251", "й", 1251, false},
		{text("caf\xC3\xA9"), "utf-8", "café", 0, false},
		{text("caf\xC3\xA9"), "cp1252", "cafÃ©", 1252, false},
		{"\xEF\xBB\xBF" + text("é"), "utf-8-bom", "é", 0, false},
		{"\xFF\xFE" + wide(text("日本")), "utf-16le-bom", "日本", 0, false},
		{"\xFF\xFE" + wide(text("x")), "utf-16le-bom", "x", 0, true},
		{wide(text("é")), "utf-16le", "é", 0, false},
		// The second byte of these is a backslash and a bracket.
		{text("\x83\x5C"), "cp932", "ソ", 932, false},
		{"[\x83\x5D]\r\n" + text("x"), "cp932", "x", 932, false},
	} {
		f, err := inifile.Parse([]byte(tt.in), perfdump.Options{CodePage: tt.page})
		require.NoError(t, err)
		assert.Equal(t, tt.enc, f.Encoding())
		assert.Equal(t, tt.ascii, f.ASCII(), "%q", tt.in)
		texts := slices.Collect(f.Texts())
		require.Len(t, texts, 1)
		assert.Equal(t, tt.want, texts[0].Text)
	}
	f, err := inifile.Parse([]byte("[a]\n[\x83\x5D\nx=1\n"), perfdump.Options{CodePage: 932})
	require.NoError(t, err)
	assert.Equal(t, "unknown-section:1 unclosed-section:4", found(f), "the ] is half a character")
}

// A text in 8 bits is in the code page of the language of its key, unless the
// page is given or the text is not valid there.
func TestTextsInTheCodePageOfTheirLanguage(t *testing.T) {
	const text = "[text]\nA_011_NAME=\x83v\x83\x8d\nA_012_NAME=\xc7\xd1\nA_404_NAME=\xa4\xa4\nA_804_NAME=\xd6\xd0\nA_019_NAME=\xd1\xf7\nA_00C_NAME=\xe9\n" +
		"B_011_NAME=\x83\nA_XYZ_NAME=\xe9\nC_=\xe9\n"
	names := func(o perfdump.Options) (all []string) {
		f, err := inifile.Parse([]byte(text), o)
		require.NoError(t, err)
		for l := range f.Keys("text") {
			again, ok := f.Get("text", l.Key())
			require.True(t, ok)
			require.Equal(t, l.Value(), again.Value())
			all = append(all, l.Value())
		}
		return all
	}
	require.Equal(t, []string{"プロ", "한", "中", "中", "Сч", "é", "ƒ", "é", "é"}, names(perfdump.Options{}))
	require.Equal(t, []string{"ƒvƒ\u008d", "ÇÑ", "¤¤", "ÖÐ", "Ñ÷", "é", "ƒ", "é", "é"}, names(perfdump.Options{CodePage: 1252}))
}

func TestFormsOfKeys(t *testing.T) {
	for key, want := range map[string]string{
		"DEVICE_COUNTER_10_009_NAME": "DEVICE_COUNTER_10 009 NAME",
		"ESE_000_Help":               "ESE 000 HELP",
		"A_x_name":                   "A x NAME",
		"__009_NAME":                 "_ 009 NAME",
		"_009_NAME":                  "",
		"009_NAME":                   "",
		"NAME":                       "",
		"A__NAME":                    "",
		"A_009_NAM":                  "",
		"A_009_":                     "",
	} {
		got := ""
		for text := range parse(t, "[text]\n"+key+"=\n").Texts() {
			got = fmt.Sprint(text.Symbol, " ", text.Language, " ", text.Kind)
		}
		assert.Equal(t, want, got, key)
	}
}

// TestSequencesStop breaks off each sequence of a file at every place.
func TestSequencesStop(t *testing.T) {
	f := parse(t, "a=0\n[info]\ndrivername=d\nsymbolfile=d.h\n[languages]\n009=English\n00C=French\n[objects]\nA_009_NAME=A\nA_00C_NAME=A\n"+
		"[text]\nA_009_NAME=A\nA_009_HELP=a\nA_00C_NAME=A\nB_009_NAME=B\n; end\n[Text]\nB_009_HELP=b\n")
	formattest.Stops(t, f.Lines(), f.Keys(""), f.Keys("info"), f.Keys("text"))
	formattest.Stops(t, f.Languages())
	formattest.Stops(t, f.Objects())
	formattest.Stops(t, f.Texts())
	formattest.Stops(t, f.Spans())
}
