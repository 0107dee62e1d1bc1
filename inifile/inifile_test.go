package inifile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/formattest"
)

const small = "[info]\ndrivername=X\nsymbolfile=x.h\n\n[languages]\n009=English\n\n[text]\nOBJ_009_NAME=Object\n"

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		line string // the last of a file
		kind inifile.LineKind
		key  string
		want string // the value
	}{
		{"", inifile.Blank, "", ""},
		{" \t ", inifile.Blank, "", ""},
		{"; a=b", inifile.Comment, "", ""},
		{"  // a=b", inifile.Comment, "", ""},
		{"\t# a=b", inifile.Comment, "", ""},
		{"/ a=b", inifile.Key, "/ a", "b"},
		{"a=b", inifile.Key, "a", "b"},
		{" \ta\t = \t b c \t", inifile.Key, "a", "b c"},
		{"a=", inifile.Key, "a", ""},
		{"a= \t", inifile.Key, "a", ""},
		{"a==", inifile.Key, "a", "="},
		{"a=Database ==> Instances", inifile.Key, "a", "Database ==> Instances"},
		{"a=# of ; things", inifile.Key, "a", "# of ; things"},
		{`a=C:\dir\`, inifile.Key, "a", `C:\dir\`},
		{"a=\u00a0x\u3000", inifile.Key, "a", "\u00a0x\u3000"},
		{"a = %(a)s", inifile.Key, "a", "%(a)s"},
		{"=b", inifile.Other, "", ""},
		{"ab", inifile.Other, "", ""},
		{"[x", inifile.Other, "", ""},
		{"[x=1", inifile.Other, "", ""},
		{"[text] \t", inifile.Section, "", ""},
		{" [a]b]", inifile.Section, "", ""},
		{"[]", inifile.Section, "", ""},
		{"\x1a", inifile.CtrlZ, "", ""},
		{" \x1a\x1a", inifile.CtrlZ, "", ""},
		{"\x1aa=b", inifile.Key, "\x1aa", "b"},
	} {
		for _, enc := range []func(string) string{
			func(s string) string { return s },
			func(s string) string { return "\xFF\xFE" + wide(s) },
			wide,
		} {
			for _, eol := range []string{"\n", "\r\n", ""} {
				f := parse(t, enc("[info]\r\n"+tt.line+eol))
				if tt.line+eol == "" {
					continue
				}
				l, ok := f.Line(2)
				require.True(t, ok)
				assert.Equal(t, tt.kind, l.Kind, "%q", tt.line)
				assert.Equal(t, tt.line, l.Text())
				assert.Equal(t, eol, l.EOL())
				assert.Equal(t, tt.key, l.Key(), "%q", tt.line)
				assert.Equal(t, tt.want, l.Value(), "%q", tt.line)
			}
		}
	}
}

func TestSectionNames(t *testing.T) {
	f := parse(t, "[Text] \na_009_NAME=1\n[a]b]\nx=2\n[TEXT]\nb_009_NAME=3\nA_009_Name=4\n")
	assert.Equal(t, "duplicate-section:5 duplicate-key:7", strings.ReplaceAll(told(f), "section-tail:3 ", "")[len("unknown-section:3 "):])
	var names []string
	for l := range f.Keys("text") {
		names = append(names, l.Section+"."+l.Key()+"="+l.Value())
	}
	assert.Equal(t, []string{"Text.a_009_NAME=1", "TEXT.b_009_NAME=3", "TEXT.A_009_Name=4"}, names)
	l, ok := f.Get("TEXT", "A_009_NAME")
	require.True(t, ok)
	assert.Equal(t, "1", l.Value(), "the first counts")
	_, ok = f.Get("text", "c")
	assert.False(t, ok)
	_, ok = f.Get("none", "a_009_NAME")
	assert.False(t, ok)
	assert.True(t, f.HasSection("A]B"))
	assert.False(t, f.HasSection("a"))
}

func TestAnomalies(t *testing.T) {
	for in, want := range map[string]string{
		small:                               "",
		"":                                  "empty:0",
		"\n \n":                             "empty:2",
		"; only\n":                          "",
		"[info]\nx=1\n":                     "unknown-key:2",
		"[info]\nab\n":                      "no-equals:2",
		"[info]\n=b\n":                      "empty-key:2",
		"[info]\n[text\n":                   "unclosed-section:2",
		"[info] x\n":                        "section-tail:1",
		"[files]\na=b\n":                    "unknown-section:1",
		"a=b\n[info]\n":                     "outside-section:1",
		"[info]\n[INFO]\n":                  "duplicate-section:2",
		"[info]\ntrusted=\nTrusted=1\n":     "duplicate-key:3",
		"[languages]\n9=E\n":                "language-id:2",
		"[text]\nA_9_NAME=E\n":              "language-id:2",
		"[text]\nA_009_TEXT=E\n":            "key-form:2",
		"[text]\n009_NAME=E\n":              "key-form:2",
		"[objects]\nA_009_HELP=E\n":         "key-form:2",
		"[text]\nA_009_NAME=\"E\"\n":        "quoted-value:2",
		"[text]\nA_009_NAME=E \"x\"\n":      "",
		"[info]\ntrusted=a\rb\n":            "lone-cr:2",
		"[info]\ntrusted=a\x00\n":           "nul:2",
		"[info]\n\x1a":                      "ctrl-z:2",
		"[info]\ntrusted=\x1a\n":            "ctrl-z:2",
		"[info]\ntrusted=é\n":               "utf-8:1",
		"\xEF\xBB\xBF[info]\n":              "utf-8:1",
		"\xEF\xBB\xBF[info]\n; \xE9\n":      "encoding:2 utf-8:1",
		"[info]\ntrusted=\xE9\n":            "",
		"\xFF\xFE" + wide("[info]\n") + "x": "odd-length:2",
		"\xFF\xFE" + wide("[info]\n; ") + "\x00\xD8\n\x00": "encoding:2",
	} {
		f := parse(t, in)
		assert.Equal(t, want, told(f), "%q", in)
		_, err := inifile.Parse([]byte(in), inifile.Options{Mode: perfdump.Strict})
		assert.Equal(t, want == "", err == nil, "%q: %v", in, err)
	}
	a := parse(t, "[info]\n\nab\n").Anomalies().Kept()[0]
	assert.Equal(t, "line[2]: line 3 has no =; key=value is expected, the line has no effect (offset 0x8)", a.String())
	a = parse(t, "[info]\ntrusted=\nTRUSTED=\n").Anomalies().Kept()[0]
	assert.Equal(t, "line 3 has the key of line 2; the first counts", a.Message())
}

// What is told of a line stands where a | does here, in a file of any encoding.
func TestAnomalyPlaces(t *testing.T) {
	for _, c := range []struct {
		code perfdump.Code
		text string
	}{
		{inifile.CodeEmpty, " \n |"},
		{inifile.CodeUnknownKey, "[info]\n |x=1\n"},
		{inifile.CodeNoEquals, "[info]\n |ab\n"},
		{inifile.CodeEmptyKey, "[info]\n |=b\n"},
		{inifile.CodeUnclosedSection, "[info]\n |[text\n"},
		{inifile.CodeSectionTail, "; a\n [info] |x\n"},
		{inifile.CodeUnknownSection, "\n [|files]\na=b\n"},
		{inifile.CodeOutsideSection, " |a=b\n[info]\n"},
		{inifile.CodeDuplicateSection, "[info]\n [|INFO]\n"},
		{inifile.CodeDuplicateKey, "[info]\ntrusted=\n |Trusted=1\n"},
		{inifile.CodeLanguageID, "[languages]\n |9=E\n"},
		{inifile.CodeLanguageID, "[text]\n |A_9_NAME=E\n"},
		{inifile.CodeKeyForm, "[text]\n |A_009_TEXT=E\n"},
		{inifile.CodeQuotedValue, "[text]\nA_009_NAME= |\"E\"\n"},
		{inifile.CodeLoneCR, "[info]\ntrusted=a|\rb\n"},
		{inifile.CodeNUL, "[info]\ntrusted=a|\x00\n"},
		{inifile.CodeCtrlZ, "[info]\n|\x1a"},
		{inifile.CodeCtrlZ, "[info]\ntrusted=|\x1a\n"},
	} {
		at := strings.Index(c.text, "|")
		text := c.text[:at] + c.text[at+1:]
		for _, enc := range []struct {
			in  string
			off int
		}{{text, at}, {"\xFF\xFE" + wide(text), 2 + 2*at}, {"\xEF\xBB\xBF" + text, 3 + at}} {
			var offs []int64
			for _, a := range parse(t, enc.in).Anomalies().Kept() {
				if a.Code == c.code {
					offs = append(offs, a.Off)
				}
			}
			assert.Equal(t, []int64{int64(enc.off)}, offs, "%s: %q", c.code, enc.in)
		}
	}
	odd := "\xFF\xFE" + wide("[info]\n") + "x"
	assert.EqualValues(t, len(odd)-1, parse(t, odd).Anomalies().Kept()[0].Off)
	bad := "\xFF\xFE" + wide("[info]\n") + "; \x00\xD8"
	assert.EqualValues(t, 2+14, parse(t, bad).Anomalies().Kept()[0].Off)
}

func TestRefused(t *testing.T) {
	_, err := inifile.Parse([]byte("; x\n\nMZ garbage\n"), inifile.Options{})
	fe := formatError(t, err)
	assert.Equal(t, `line[2]: line 3 is "MZ garbage" where a section is expected, as [info]; the file has none (offset 0x5)`, fe.Error())
	assert.ErrorIs(t, err, perfdump.ErrSyntax)
	_, err = inifile.Parse([]byte("\xFE\xFF\x00["), inifile.Options{})
	assert.ErrorIs(t, err, perfdump.ErrBigEndian)
	_, err = inifile.Parse([]byte("[a]"), inifile.Options{CodePage: 37})
	assert.Error(t, err)
	_, err = inifile.Parse([]byte(strings.Repeat("[]\n", 1<<16+1)), inifile.Options{})
	assert.ErrorIs(t, err, perfdump.ErrLimit)
	f, err := inifile.Parse([]byte("[x]\n"+strings.Repeat("a=\n", 50_000)), inifile.Options{})
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
		{text("caf\xE9"), "cp1252", "café", 0, false},
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
		f, err := inifile.Parse([]byte(tt.in), inifile.Options{CodePage: tt.page})
		require.NoError(t, err)
		check(t, tt.in, f)
		assert.Equal(t, tt.enc, f.Encoding())
		assert.Equal(t, tt.ascii, f.ASCII(), "%q", tt.in)
		texts := slices.Collect(f.Texts())
		require.Len(t, texts, 1)
		assert.Equal(t, tt.want, texts[0].Text)
	}
	f, err := inifile.Parse([]byte("[a]\n[\x83\x5D\nx=1\n"), inifile.Options{CodePage: 932})
	require.NoError(t, err)
	assert.Equal(t, "unknown-section:1 unclosed-section:2", told(f), "the ] is half a character")
}

func TestSplitKey(t *testing.T) {
	for key, want := range map[string][3]string{
		"DEVICE_COUNTER_10_009_NAME": {"DEVICE_COUNTER_10", "009", "NAME"},
		"ESE_000_Help":               {"ESE", "000", "HELP"},
		"A_x_name":                   {"A", "x", "NAME"},
		"_009_NAME":                  {},
		"__009_NAME":                 {"_", "009", "NAME"},
		"009_NAME":                   {},
		"NAME":                       {},
		"A__NAME":                    {},
		"A_009_NAM":                  {},
		"A_009_":                     {},
	} {
		symbol, language, kind, ok := inifile.SplitKey(key)
		assert.Equal(t, want != [3]string{}, ok, key)
		if ok {
			assert.Equal(t, want, [3]string{symbol, language, kind.String()}, key)
		}
	}
}

func TestRawValue(t *testing.T) {
	f := parse(t, "[text]\nA_009_NAME = \tx  \nB_009_NAME=\n")
	l, _ := f.Line(2)
	assert.Equal(t, " \tx  ", l.RawValue())
	assert.Equal(t, int64(7), l.KeyOff())
	assert.Equal(t, int64(7+14), l.ValueOff())
	l, _ = f.Line(3)
	assert.Equal(t, "", l.RawValue())
	l, _ = f.Line(1)
	assert.Equal(t, "", l.RawValue())
	assert.Equal(t, int64(8-7), l.KeyOff())
	_, ok := f.Line(4)
	assert.False(t, ok)
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
