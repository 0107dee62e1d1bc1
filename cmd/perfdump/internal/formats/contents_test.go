package formats_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

func contents(f detect.Format, text string) (*compare.Contents, error) {
	return formats.Of(f).Contents(&detect.Input{Name: "x", Format: f, Data: []byte(text)}, capture.Options{})
}

func entries(t *testing.T, f detect.Format, older, newer string) []compare.Entry {
	t.Helper()
	a, err := contents(f, older)
	require.NoError(t, err)
	b, err := contents(f, newer)
	require.NoError(t, err)
	return compare.Entries(a, b)
}

func TestEntries(t *testing.T) {
	require.Equal(t, []compare.Entry{
		{Change: compare.Gone, Key: "[info] b", Older: "1"},
		{Change: compare.New, Key: "[Info] d"},
	}, entries(t, detect.INIFile, "[info]\na=1\nA=2\nb=1\n[INFO]\nc=1\n", "[Info]\nC = 1\nA=1\nd=\n"))

	const reg = "Windows Registry Editor Version 5.00\n"
	require.Len(t, entries(t, detect.Reg,
		reg+"[HKEY_CLASSES_ROOT\\A]\n\"a\"=\"1\"\n\"A\"=\"2\"\n\"u\"=hex(1):61,00\n",
		reg+"[HKEY_CLASSES_ROOT\\a]\n\"a\"=\"2\"\n\"u\"=\"a\"\n"), 1, "the last value counts; a text without its NUL is another")

	a, b := "2\tb\n4\td\n6\tf\n4294967294\tz\n", "4\td\n6\tF\n8\th\n10\tj\n4294967294\tz\n4294967295\tend\n"
	require.Equal(t, []compare.Entry{
		{Change: compare.Gone, Key: "2", Older: "b"},
		{Change: compare.Changed, Key: "6", Older: "f", Newer: "F"},
		{Change: compare.New, Key: "8", Newer: "h"},
		{Change: compare.New, Key: "10", Newer: "j"},
		{Change: compare.New, Key: "4294967295", Newer: "end"},
	}, entries(t, detect.Titles, a, b))
	require.Empty(t, entries(t, detect.Titles, a, a))
	require.Len(t, entries(t, detect.Titles, b, a), 5)
}

func TestTooManyEntries(t *testing.T) {
	var b strings.Builder
	b.WriteString("[Perflib]\nLast Help=1\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "[PerfStrings_%03x]\n2=x\n", i)
	}
	_, err := contents(detect.PerfStrings, b.String())
	require.ErrorIs(t, err, perfdump.ErrLimit)
	b.Reset()
	for i := range 1<<18 + 1 {
		fmt.Fprintf(&b, "#define A%d 0\n", i)
	}
	_, err = contents(detect.SymbolH, b.String())
	require.ErrorIs(t, err, perfdump.ErrLimit)
}

// wholeText is the text of a value by the texts that package registry has of it.
func wholeText(v *registry.Value) string {
	text := v.Type.String()
	ended := func(s string) bool { return bytes.Equal(v.Data, wire.EncodeUTF16(nil, s+"\x00")) }
	if s, ok := v.Text(); ok && ended(s) {
		return text + " " + strconv.Quote(s)
	}
	if members, ok := v.Strings(); ok && ended(strings.Join(append(members, ""), "\x00")) {
		return fmt.Sprintf("%s %q", text, members)
	}
	return text + " " + hex.EncodeToString(v.Data)
}

// Values are what their texts are: those that end well, and those that have a
// NUL too many, too few, half of a unit, half of a pair.
func TestTextsOfValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	units := []string{"a\x00", "\"\x00", "\\\x00", "\x01\x00", "\x00\x4e", "\x3d\xd8\x00\xde", "\x3d\xd8", "\xfd\xff", "\x00\x00", "\x00\x00", "x"}
	kinds := []registry.Type{registry.SZ, registry.ExpandSZ, registry.MultiSZ, registry.Binary, registry.None}
	seen := map[byte]int{}
	for i := range 10_000 {
		var data []byte
		for range random.IntN(6) {
			data = append(data, strings.Repeat(units[random.IntN(len(units))], 1+random.IntN(3))...)
		}
		if i%2 == 0 {
			data = append(data, 0, 0)
		}
		v := &registry.Value{Type: kinds[random.IntN(len(kinds))], Data: data}
		want := wholeText(v)
		require.Equal(t, want, formats.ValueText(v), "%s of %x", v.Type, data)
		_, text, _ := strings.Cut(want, " ")
		seen[(text + " ")[0]]++
	}
	for _, kind := range []byte{'"', '['} {
		assert.Greater(t, seen[kind], 300)
	}
}
