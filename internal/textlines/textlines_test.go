package textlines_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/internal/wire"
)

func wide(s string) string { return string(wire.EncodeUTF16(nil, s)) }

// show returns the lines of t as number:offset:text|eol.
func show(t *textlines.Text) string {
	var b strings.Builder
	for l := range t.All() {
		fmt.Fprintf(&b, "%d:%d:%s|%q ", l.Number, l.Off, l.Text(), l.EOL())
	}
	return strings.TrimSpace(b.String())
}

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		in   string
		o    textlines.Options
		enc  string
		want string
	}{
		{"", textlines.Options{}, "cp1252", ``},
		{"\n\r\nb\r\n", textlines.Options{}, "cp1252", `1:0:|"\n" 2:1:|"\r\n" 3:3:b|"\r\n"`},
		{"a\rb\r", textlines.Options{}, "cp1252", "1:0:a\rb\r|\"\""},
		{"a\nb\r\nc", textlines.Options{OnlyCRLF: true}, "cp1252", "1:0:a\nb|\"\\r\\n\" 2:5:c|\"\""},
		{"\n\x1a", textlines.Options{}, "cp1252", "1:0:|\"\\n\" 2:1:\x1a|\"\""},
		{"caf\xe9\n", textlines.Options{CodePage: 1251}, "cp1251", `1:0:cafй|"\n"`},
		{"café\n", textlines.Options{}, "utf-8", `1:0:café|"\n"`},
		{"café\n", textlines.Options{CodePage: 1252}, "cp1252", `1:0:cafÃ©|"\n"`},
		{"café\xff\n", textlines.Options{CodePage: 65001}, "utf-8", "1:0:caf\uFFFD\uFFFD\uFFFD|\"\\n\""},
		{"\xEF\xBB\xBFa\nb", textlines.Options{}, "utf-8-bom", `1:3:a|"\n" 2:5:b|""`},
		{"\xFF\xFE" + wide("é\r\n\nb"), textlines.Options{}, "utf-16le-bom", `1:2:é|"\r\n" 2:8:|"\n" 3:10:b|""`},
		{wide("\r\n[x]\r\n"), textlines.Options{}, "utf-16le", `1:0:|"\r\n" 2:4:[x]|"\r\n"`},
		{wide("x\ny\r\n"), textlines.Options{OnlyCRLF: true}, "utf-16le", "1:0:x\ny|\"\\r\\n\""},
		// U+0A0D and U+0D0A are letters of no line end.
		{wide("abcd\u0A0D\u0D0A\u0A00\n"), textlines.Options{}, "utf-16le", "1:0:abcd\u0A0D\u0D0A\u0A00|\"\\n\""},
		{wide("ab") + "c", textlines.Options{}, "utf-16le", `1:0:ab|""`},
		{"a\x00", textlines.Options{CodePage: 1252}, "utf-16le", `1:0:a|""`},
	} {
		text, err := textlines.New([]byte(tt.in), tt.o)
		require.NoError(t, err, "%q", tt.in)
		assert.Equal(t, tt.enc, text.Encoding().Name(), "%q", tt.in)
		assert.Equal(t, tt.want, show(text), "%q", tt.in)
		check(t, tt.in, text)
	}
}

// check holds what is so for every text: the lines tile the file, and a line
// whose text inverts comes back from it.
func check(t *testing.T, in string, text *textlines.Text) {
	t.Helper()
	enc := text.Encoding()
	again := []byte(enc.BOM())
	off, n := len(again), 0
	var buf []byte
	for l := range text.All() {
		n++
		require.Equal(t, n, l.Number)
		require.Equal(t, off, l.Off)
		require.Equal(t, l.Text(), string(l.Decode(&buf)))
		off += l.Size()
		if !l.Inverts() {
			again = append(again, in[l.Off:l.Off+l.Size()]...)
			continue
		}
		var err error
		again, err = enc.AppendLine(again, l.Text(), l.EOL())
		require.NoError(t, err)
	}
	require.Equal(t, in, string(again))
	require.Equal(t, n, text.Len())
	parsed, err := textlines.ParseEncoding(enc.Name())
	require.NoError(t, err)
	require.Equal(t, enc, parsed)
}

func TestRandomAccess(t *testing.T) {
	in := "\xEF\xBB\xBF\n\nab\r\n\nend"
	text, err := textlines.New([]byte(in), textlines.Options{})
	require.NoError(t, err)
	all := slices.Collect(text.All())
	require.Len(t, all, 5)
	for i, l := range all {
		assert.Equal(t, l, text.Line(i+1))
		assert.Equal(t, all[i:], slices.Collect(text.From(i+1)))
		for off := range l.Size() {
			assert.Equal(t, l.Number, text.LineAt(int64(l.Off+off)))
		}
	}
	assert.Equal(t, 1, text.LineAt(0), "the byte order mark")
	assert.Equal(t, 5, text.LineAt(int64(len(in))))
	assert.Zero(t, text.Line(0))
	assert.Zero(t, text.Line(6))
	empty, err := textlines.New(nil, textlines.Options{})
	require.NoError(t, err)
	assert.Zero(t, empty.LineAt(0))
}

func TestRefused(t *testing.T) {
	for _, in := range []string{"\xFE\xFF\x00a", "\x00[\x00i\x00n\x00f\x00o\x00]"} {
		_, err := textlines.New([]byte(in), textlines.Options{})
		assert.ErrorIs(t, err, perfdump.ErrBigEndian, "%q", in)
	}
	_, err := textlines.New(append([]byte("a\n"), make([]byte, 8<<20+1)...), textlines.Options{})
	assert.ErrorIs(t, err, perfdump.ErrLimit)
	for _, page := range []uint32{37, 1201, 12000, 50220, 99999} {
		_, err := textlines.New([]byte("a"), textlines.Options{CodePage: page})
		assert.Error(t, err, page)
	}
	for _, name := range []string{"", "cp", "cp1200", "cp65001", "cp01252", "cp37", "utf-16", "UTF-8"} {
		_, err := textlines.ParseEncoding(name)
		assert.Error(t, err, name)
	}
}

func TestInverts(t *testing.T) {
	cp := func(n uint32) textlines.Encoding {
		e, err := textlines.CodePage(n)
		require.NoError(t, err)
		return e
	}
	for _, tt := range []struct {
		enc  textlines.Encoding
		raw  string
		want bool
	}{
		{cp(1252), "caf\xe9\x81", true},
		{cp(932), "\x83\x5c", true},
		{cp(932), "\x83", false},
		{cp(932), "\xfa\x54", false}, // a second form of U+FFE2
		{cp(20127), "\x80", false},
		{textlines.UTF8(false), "\xe9", false},
		{textlines.UTF16(true), "a\x00b", false},
		{textlines.UTF16(true), "\x00\xd8", false},
		{textlines.UTF16(true), "\x00\xd8\x00\xdc", true},
	} {
		assert.Equal(t, tt.want, tt.enc.Inverts([]byte(tt.raw)), "%s %q", tt.enc, tt.raw)
	}
}

func TestAppendLine(t *testing.T) {
	out, err := textlines.UTF16(true).AppendLine(nil, "é", "\r\n")
	require.NoError(t, err)
	assert.Equal(t, wide("é\r\n"), string(out))
	cp, err := textlines.CodePage(1252)
	require.NoError(t, err)
	for _, tt := range []struct {
		enc       textlines.Encoding
		text, eol string
	}{{cp, "я", "\n"}, {textlines.UTF16(false), "\xff", ""}, {textlines.UTF8(false), "\xff", ""}, {cp, "a", "\r"}} {
		out, err := tt.enc.AppendLine([]byte("x"), tt.text, tt.eol)
		assert.ErrorIs(t, err, perfdump.ErrSyntax)
		assert.Equal(t, "x", string(out))
	}
}

func TestScan(t *testing.T) {
	for _, enc := range []textlines.Encoding{textlines.UTF8(false), textlines.UTF16(false)} {
		raw := func(s string) []byte { b, _ := enc.Encode(nil, s); return b }
		u := enc.Unit()
		assert.Equal(t, 2*u, enc.Index(raw("ab=c="), '='))
		assert.Equal(t, -1, enc.Index(raw("ab\u3D3D\u003C"), '='))
		assert.True(t, enc.At(raw("a="), u, '='))
		assert.False(t, enc.At(raw("a="), 2*u, '='))
		for s, want := range map[string]string{" \ta b\t ": "a b", "": "", " \t ": "", "\u2020a\u0920": "\u2020a\u0920"} {
			b := raw(s)
			start, end := enc.Trim(b)
			assert.Equal(t, want, enc.Text(b[start:end]), "%q", s)
		}
		assert.True(t, enc.HasPrefix(raw("#Define x"), "#define", true))
		assert.False(t, enc.HasPrefix(raw("#Define x"), "#define", false))
		assert.False(t, enc.HasPrefix(raw("#def"), "#define", true))
		for s, want := range map[string]bool{"": false, "\x1a": true, "\x1a\x1a": true, "\x1aa": false, " \x1a": false} {
			assert.Equal(t, want, enc.OnlyCtrlZ(raw(s)), "%q", s)
		}
		for s, want := range map[string]string{"": "\r\n", "a": "\r\n", "a\nb\r\n": "\n", "a\r\nb\nc": "\r\n"} {
			text, err := textlines.NewIn(raw(s), enc, textlines.Options{})
			require.NoError(t, err)
			assert.Equal(t, want, text.EOL(), "%q", s)
		}
	}
	for s, want := range map[string]bool{"": true, "0123456789": true, "01234567é": false, "0é2345678": false, "01Ā": false} {
		assert.Equal(t, want, textlines.UTF8(false).ASCII([]byte(s)), "%q", s)
		assert.Equal(t, want, textlines.UTF16(false).ASCII([]byte(wide(s))), "%q", s)
	}
	assert.False(t, textlines.UTF16(false).ASCII([]byte("a\x00b")))
	assert.False(t, textlines.UTF16(false).HasPrefix([]byte("a\x01"), "a", true))
	start, end := textlines.UTF16(false).Trim([]byte(" \x00x"))
	assert.Equal(t, []int{2, 3}, []int{start, end})
}

func TestAllocLines(t *testing.T) {
	for _, enc := range []textlines.Encoding{textlines.UTF8(false), textlines.UTF16(true)} {
		in := []byte(enc.BOM())
		for range 1000 {
			in, _ = enc.AppendLine(in, "KEY_009_NAME=Value", "\r\n")
		}
		text, err := textlines.New(in, textlines.Options{})
		require.NoError(t, err)
		buf := make([]byte, 0, 64)
		n := 0
		got := testing.AllocsPerRun(10, func() {
			for l := range text.All() {
				n += len(l.Decode(&buf))
			}
		})
		assert.LessOrEqual(t, got, 2.0, enc)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a=b\r\nc", "\xEF\xBB\xBF\n", "\xFF\xFEa\x00\n\x00x", "a\x00\r\x00\n\x00", "\x83\x5c\n\x83"} {
		f.Add([]byte(s), uint32(0), false)
		f.Add([]byte(s), uint32(932), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, page uint32, crlf bool) {
		text, err := textlines.New(b, textlines.Options{CodePage: page, OnlyCRLF: crlf})
		if (err == nil) == (text == nil) {
			t.Fatalf("%v, %v", text, err)
		}
		if err == nil {
			check(t, string(b), text)
		}
	})
}
