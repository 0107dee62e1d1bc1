package cell

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "Grüße": 5, "日本語": 6, "ｱｲｳ": 3, "Ａ": 2, "💻🚀": 4, "e\u0301": 1, "a\u200db": 2, "עברית": 5, "…": 1,
	} {
		assert.Equal(t, want, Width(s), "%q", s)
	}
}

func TestClean(t *testing.T) {
	for s, want := range map[string]string{
		"plain": "plain", "Grüße 日本": "Grüße 日本", "a\tb\r\n": `a\tb\r\n`, "\x1b[31mred": `\x1b[31mred`, "\x00\x7f\u0085": `\x00\x7f\x85`,
		"\u202egnp.exe": `\u202egnp.exe`, "\ufeffBOM": `\ufeffBOM`, "a\xffb": `a\xffb`, "\ufffd": "\ufffd", "\U000e0041": `\U000e0041`,
	} {
		assert.Equal(t, want, Clean(s), "%q", s)
	}
}

func TestCut(t *testing.T) {
	assert.Equal(t, "abc", Cut("abc", 3))
	assert.Equal(t, "ab…", Cut("abcd", 3))
	assert.Equal(t, "日…", Cut("日本語", 4))
	assert.Equal(t, "日本…", Cut("日本語", 5))
	assert.Equal(t, "…", Cut("abc", 1))
	assert.Empty(t, Cut("abc", 0))
	assert.Empty(t, Cut("abc", -5))
}

func TestCutMiddle(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{{"abcdef", 6, "abcdef"}, {"abcdefg", 6, "abc…fg"}, {"abcdefgh", 5, "ab…gh"}, {"日本語日本語", 7, "日…本語"}, {"abc", 1, "…"}} {
		assert.Equal(t, c.want, CutMiddle(c.s, c.n), c.s)
		assert.LessOrEqual(t, Width(CutMiddle(c.s, c.n)), max(c.n, 1))
	}
}

func TestWrap(t *testing.T) {
	assert.Equal(t, []string{"a bc", "def", "ghijklmn", "o"}, Wrap("a bc  def ghijklmn\to", 4))
	assert.Equal(t, []string{"% Time", "x"}, Wrap("%\u00a0Time x", 6))
	assert.Empty(t, Wrap("  ", 4))
}

func TestStyle(t *testing.T) {
	assert.Equal(t, "x", Style{}.Bold("x"))
	assert.Equal(t, "\x1b[1mx\x1b[0m", Style{On: true}.Bold("x"))
	assert.Empty(t, Style{On: true}.Dim(""))
}

func FuzzCell(f *testing.F) {
	for _, s := range []string{"", "日本語 a\x1b\xff\u202e", "e\u0301 % Time", "\U000e0041💻"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		c := Clean(s)
		if !utf8.ValidString(c) || Clean(c) != c || strings.ContainsAny(c, "\x00\x1b\n\r\t") {
			t.Fatalf("Clean(%q) = %q", s, c)
		}
		if n = n & 0xff; Width(Cut(c, n)) > n {
			t.Fatalf("Cut(%q, %d) is wider", c, n)
		}
		if got := strings.Join(Wrap(c, n), " "); strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(c), "") {
			t.Fatalf("Wrap(%q, %d) lost something: %q", c, n, got)
		}
	})
}
