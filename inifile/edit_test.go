package inifile_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
)

func TestEdit(t *testing.T) {
	set := func(s, k, v string) func(*inifile.Editor) {
		return func(e *inifile.Editor) {
			if err := e.Set(s, k, v); err != nil {
				panic(err)
			}
		}
	}
	del := func(s, k string) func(*inifile.Editor) { return func(e *inifile.Editor) { e.Delete(s, k) } }
	type edits []func(*inifile.Editor)
	for _, tt := range []struct {
		in   string
		do   edits
		want string
	}{
		{"[info]\r\n DriverName = x \t\r\n; c\r\n", edits{set("INFO", "drivername", "yz")}, "[info]\r\n DriverName = yz \t\r\n; c\r\n"},
		{"[info]\na=\nb", edits{set("info", "a", "1")}, "[info]\na=1\nb"},
		{"[info]\na=1\nA=2\n", edits{set("info", "a", "3")}, "[info]\na=3\nA=2\n"},
		{"[info]\na=1\nA=2\nb=3\n", edits{del("info", "a")}, "[info]\nb=3\n"},
		{"[info]\na=1\n", edits{set("info", "a", "2"), set("info", "a", "3")}, "[info]\na=3\n"},
		{"[info]\na=1\n", edits{del("info", "a"), set("info", "a", "3")}, "[info]\na=3\n"},
		{"[info]\na=1\n\n; c\n[text]\n", edits{set("info", "b", "2"), set("info", "c", "3")}, "[info]\na=1\nb=2\nc=3\n\n; c\n[text]\n"},
		{"[info]\n[text]\n[info]\nx=1\n", edits{set("info", "b", "2")}, "[info]\nb=2\n[text]\n[info]\nx=1\n"},
		{"[info]\r\na=1", edits{set("info", "b", "2")}, "[info]\r\na=1\r\nb=2\r\n"},
		{"[info]\n", edits{set("info", "b", "2"), del("info", "B")}, "[info]\n"},
		{"[info]\na=1\n\x1a", edits{set("text", "b", "2")}, "[info]\na=1\n\n[text]\nb=2\n\x1a"},
		{"[info]\na=1", edits{set("text", "b", "2"), set("Text", "c", "3"), set("text", "B", "4")}, "[info]\na=1\n\n[text]\nb=4\nc=3\n"},
		{"\xFF\xFE" + wide("[info]\na = x\n"), edits{set("info", "a", "日本")}, "\xFF\xFE" + wide("[info]\na = 日本\n")},
		{"[info]\nc=\xE9\n", edits{set("info", "a", "é")}, "[info]\nc=\xE9\na=\xE9\n"},
		{"", edits{set("info", "a", "1")}, "\r\n[info]\r\na=1\r\n"},
	} {
		e := parse(t, tt.in).Edit()
		for _, f := range tt.do {
			f(e)
		}
		out, err := e.AppendBinary([]byte("kept"))
		require.NoError(t, err)
		assert.Equal(t, "kept"+tt.want, string(out))
	}
}

func TestEditRefuses(t *testing.T) {
	e := parse(t, "[info]\na=1\nb=\xE9").Edit()
	for _, p := range [][3]string{
		{"info", "", "x"},
		{"info", "a=b", "x"},
		{"info", " a", "x"},
		{"info", "a", " x"},
		{"info", "a", "x\t"},
		{"info", "a", "x\ny"},
		{"info", "a", "\x00"},
		{"info", "a", "\x1a"},
		{"info", ";a", "x"},
		{"info", "//a", "x"},
		{"info", "[a", "x"},
		{"", "a", "x"},
		{"a\nb", "a", "x"},
		{"info", "a", "я"},
		{"info", "я", "x"},
		{"info", "a", "\xff"},
	} {
		err := e.Set(p[0], p[1], p[2])
		assert.ErrorIs(t, err, perfdump.ErrSyntax, "%q", p)
	}
	assert.False(t, e.Delete("info", "c"))
	assert.False(t, e.Delete("text", "a"))
	out, _ := e.AppendBinary(nil)
	assert.Equal(t, "[info]\na=1\nb=\xE9", string(out))
}

func TestRegistration(t *testing.T) {
	r := inifile.Registration{
		DriverName: "X", SymbolFile: "x.h", Trusted: true,
		Languages: []inifile.Language{{ID: "009", Name: "English"}, {ID: "00C"}},
		Objects:   []inifile.Object{{Symbol: "OBJ", Language: "009"}},
		Texts: []inifile.Text{
			{Symbol: "OBJ", Language: "009", Kind: inifile.Name, Text: "Café"},
			{Symbol: "OBJ", Language: "009", Kind: inifile.Help},
		},
	}
	out, err := r.AppendBinary(nil)
	require.NoError(t, err)
	assert.Equal(t, "\xFF\xFE"+wide("[info]\r\ndrivername=X\r\nsymbolfile=x.h\r\ntrusted=\r\n\r\n[languages]\r\n009=English\r\n00C=\r\n\r\n"+
		"[objects]\r\nOBJ_009_NAME=\r\n\r\n[text]\r\nOBJ_009_NAME=Café\r\nOBJ_009_HELP=\r\n"), string(out))
	assert.Empty(t, found(parse(t, string(out))))

	for name, spoil := range map[string]func(*inifile.Registration){
		"driver":         func(r *inifile.Registration) { r.DriverName = "" },
		"symbol file":    func(r *inifile.Registration) { r.SymbolFile = "" },
		"driver's line":  func(r *inifile.Registration) { r.DriverName = "a\nb" },
		"language":       func(r *inifile.Registration) { r.Languages[0].ID = "9" },
		"twice":          func(r *inifile.Registration) { r.Languages[1].ID = "009" },
		"symbol":         func(r *inifile.Registration) { r.Objects[0].Symbol = "A B" },
		"empty name":     func(r *inifile.Registration) { r.Texts[0].Text = "" },
		"text twice":     func(r *inifile.Registration) { r.Texts[1].Kind = inifile.Name; r.Texts[1].Text = "x" },
		"text's case":    func(r *inifile.Registration) { r.Texts[1] = r.Texts[0]; r.Texts[1].Symbol = "obj" },
		"text's blanks":  func(r *inifile.Registration) { r.Texts[1].Text = " x" },
		"text's quality": func(r *inifile.Registration) { r.Texts[1].Text = "\xff" },
		"text's symbol":  func(r *inifile.Registration) { r.Texts[1].Symbol = "" },
	} {
		f := parse(t, string(out))
		bad := f.Registration()
		spoil(&bad)
		got, err := bad.AppendBinary([]byte("x"))
		assert.ErrorIs(t, err, perfdump.ErrSyntax, name)
		assert.Equal(t, "x", string(got), name)
	}
}
