package derive_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/derive"
	"github.com/perfdump/perfdump/internal/testkit/doctest"
)

func TestSyntax(t *testing.T) {
	for _, c := range []struct{ line, name, parts string }{
		{"a = B", "a", "B"},
		{"a=[B]", "a", "B"},
		{"  a b\t=  Received Packets/sec / Receive Indications/sec  ", "a b", "Received Packets/sec | Receive Indications/sec"},
		{"a = [B/sec]/[C-D]*2", "a", "B/sec | C-D"},
		{"a = [B + C]", "a", "B + C"},
		{"a = [B [x]]]", "a", "B [x]"},
		{"a = (A/sec - B/sec) / A/sec", "a", "A/sec | B/sec"},
		{"a = % Time Suspended (Lifetime) / 100", "a", "% Time Suspended (Lifetime)"},
		{"a = (% Time Suspended (Lifetime)) / 100", "a", "% Time Suspended (Lifetime)"},
		{"a = ((A) * (B))", "a", "A | B"},
		{"a = # Bytes / # of Exceps", "a", "# Bytes | # of Exceps"},
		{"[# of = things] = A", "# of = things", "A"},
		{"[a]]b] = A", "a]b", "A"},
		{`a = Processor\% Processor Time / \System\Processes`, "a", `Processor\% Processor Time | System\Processes`},
		{"a = A * 1e3 - -2.5 + .5", "a", "A"},
		{"a = a + A + B + b", "a", "a | B"},
		{"a = 5xx/sec / 100/sec", "a", "5xx/sec | 100/sec"},
		{"a = Inf + NaN + 0x10", "a", "Inf | NaN | 0x10"},
		{"a = b = c", "a", "b = c"},
		{"Größe = Öffnungen/s", "Größe", "Öffnungen/s"},
	} {
		set, err := derive.ParseString(c.line)
		require.NoError(t, err, c.line)
		m, ok := set.Find(strings.ToUpper(c.name))
		require.True(t, ok, c.line)
		assert.Equal(t, c.name, m.Name)
		var parts []string
		for _, p := range m.Parts() {
			parts = append(parts, p.String())
		}
		assert.Equal(t, c.parts, strings.Join(parts, " | "), c.line)
		again, err := derive.ParseString(m.String())
		require.NoError(t, err, m.String())
		m2, _ := again.Find(c.name)
		assert.Equal(t, m, m2)
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		off  int64
		want string
	}{
		{"A / B", 0, `no "=": want name = expression`},
		{"\n  A / B", 3, `no "=": want name = expression`},
		{" = A", 1, `no name in front of the "=": want name = expression`},
		{"[a] A", 4, `no "=" after the name: write name = expression`},
		{"[a = A", 0, `no "]" for this "["`},
		{"a =", 3, `it ends where a counter, a number or "(" should be`},
		{"a = A /", 7, `it ends where a counter, a number or "(" should be`},
		{"a = A / / B", 8, `a '/' where a counter, a number or "(" should be`},
		{"a = * B", 4, `a '*' where a counter, a number or "(" should be`},
		{"a = (A / B", 4, `no ")" for this "("`},
		{"a = A / B)", 9, `")" without "("; put a name that contains one in [ ]`},
		{"a = ()", 5, `a ')' where a counter, a number or "(" should be`},
		{"a = [A", 4, `no "]" for this "["`},
		{"a = [ ]", 5, "no name of a counter"},
		{"a = [A] [B]", 8, `"[B]" where an operator or the end should be`},
		{"a = 100*[A]", 8, `a '[' in a name; write operators between blanks, and a name that holds one in [ ]`},
		{"a = A]", 5, `a ']' in a name; write operators between blanks, and a name that holds one in [ ]`},
		{`a = O\`, 4, "no name of a counter"},
		{`a = \\A`, 4, `no object in front of the "\": want Object\Counter, or the counter alone`},
		{"a = 1 / 2", 3, "it has no counter: name at least one"},
		{"a = A\r\nb = B\r\nA = C", 14, `"A" is defined twice`},
		{"# ä\na = ö / ", 13, `it ends where a counter, a number or "(" should be`},
	} {
		_, err := derive.ParseString(c.text)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe, c.text)
		assert.Equal(t, perfdump.CodeSyntax, fe.Code, c.text)
		assert.ErrorIs(t, err, perfdump.ErrSyntax)
		assert.Equal(t, c.want, fe.Message(), c.text)
		assert.Equal(t, c.off, fe.Off, "%s: %v", c.text, err)
		assert.True(t, strings.HasPrefix(fe.Path, "line["), fe.Path)
	}
}

func TestLimits(t *testing.T) {
	for _, text := range []string{
		"a = " + strings.Repeat("(", 65) + "A" + strings.Repeat(")", 65),
		"a = " + strings.Repeat("(", 1<<15),
		"a = A" + strings.Repeat(" + A", 1<<14),
		strings.Repeat("x", 10) + manyLines(1001),
	} {
		_, err := derive.ParseString(text)
		assert.ErrorIs(t, err, perfdump.ErrLimit, text[:40])
	}
	for _, text := range []string{
		"a = " + strings.Repeat("(", 64) + "A" + strings.Repeat(")", 64),
		"a = A" + strings.Repeat(" + (A)", 10000),
		manyLines(1000),
	} {
		_, err := derive.ParseString(text)
		assert.NoError(t, err, text[:40])
	}
}

func manyLines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("m" + strings.Repeat("i", i) + "=A\n")
	}
	return b.String()
}

// TestComments checks that what stands right above a metric is told of it, and
// that files of Windows read as those of others.
func TestComments(t *testing.T) {
	text := "# a file\n\n# one\n## two #\na = A\nb = B\n# three\n\nc = C\n"
	wide := []byte{0xFF, 0xFE}
	for _, r := range text {
		wide = append(wide, byte(r), byte(r>>8))
	}
	for _, data := range [][]byte{[]byte(text), []byte("\xEF\xBB\xBF" + strings.ReplaceAll(text, "\n", "\r\n")), wide} {
		set, err := derive.Parse(data)
		require.NoError(t, err)
		var got []string
		for m := range set.All() {
			got = append(got, m.Name+":"+m.About)
		}
		assert.Equal(t, []string{"a:one two", "b:", "c:"}, got)
	}
	_, err := derive.Parse(append(wide, "d\x00"...))
	var fe *perfdump.FormatError
	require.ErrorAs(t, err, &fe)
	assert.EqualValues(t, len(wide), fe.Off)
	_, err = derive.Parse([]byte{0xFE, 0xFF, 0, 'a'})
	assert.ErrorIs(t, err, perfdump.ErrBigEndian)
}

// TestNDIS holds the built-in set against the page that it is made of.
func TestNDIS(t *testing.T) {
	set, _ := derive.NDIS()
	var using []string
	for m := range set.Using("sent packets/SEC") {
		using = append(using, m.Name)
	}
	assert.Equal(t, []string{"Send batch size", "Cycles per packet sent, NDIS", "Cycles per packet sent, driver"}, using)
	page, err := os.ReadFile("../../../../../shared/spec/ndis.md")
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no page of the counters beside the checkout")
	}
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(page), "## Built-in derived metrics")
	object := regexp.MustCompile(`Per Processor [^\\]*\\`)
	want, got := map[string]string{}, map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \|`).FindAllStringSubmatch(table, -1)[1:] {
		want[row[1]] = row[2]
	}
	for m := range set.All() {
		got[m.Name] = object.ReplaceAllString(m.Expression, "")
	}
	assert.Equal(t, want, got)
	assert.Len(t, got, 17)
}

// TestPage checks that docs/cookbook.md lists the built-in set.
func TestPage(t *testing.T) {
	want := "| metric | expression | reads |\n|---|---|---|\n"
	set, _ := derive.NDIS()
	for m := range set.All() {
		want += "| " + m.Name + " | " + m.Expression + " | " + m.About + " |\n"
	}
	page := doctest.Open(t, "../../../../docs/cookbook.md")
	page.Set("ndis", want)
	page.Close()
}
