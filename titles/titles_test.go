package titles_test

import (
	"encoding"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/titles"
)

var _ encoding.BinaryAppender = (*titles.Table)(nil)

// wide writes a string with NULs as UTF-16LE.
func wide(s string) []byte { return wire.EncodeUTF16(nil, s) }

const good = "1\x001847\x002\x00System\x004\x00Memory\x006\x00% Processor Time\x00\x00"

func parse(t testing.TB, b []byte) *titles.Table {
	t.Helper()
	table, err := titles.Parse(b, perfdump.Options{})
	require.NoError(t, err)
	check(t, b, table)
	return table
}

// check holds for every table that was read.
func check(t testing.TB, b []byte, table *titles.Table) {
	t.Helper()
	got, err := table.AppendBinary([]byte("> "))
	if err != nil || string(got) != "> "+string(b) {
		t.Fatalf("% x comes back as % x", b, got)
	}
	formattest.Tile(t, table.Spans(), 0, int64(len(b)))
	last := map[uint32]string{}
	off := int64(-1)
	for e := range table.Entries() {
		last[e.Index] = e.Text
		if e.Off <= off {
			t.Fatalf("entry at %d after %d", e.Off, off)
		}
		off = e.Off
		at := b[off:min(len(b), int(off)+64)]
		if table.Encoding().UTF16() {
			at = []byte(wire.UTF16(at))
		}
		if !strings.HasPrefix(string(at), e.IndexText+"\x00") {
			t.Fatalf("no %q at %d", e.IndexText, off)
		}
	}
	delete(last, 1)
	if all := maps.Collect(table.All()); !maps.Equal(all, last) || len(all) != table.Len() {
		t.Fatalf("All gives %v, Entries %v", all, last)
	}
	prev := int64(-1)
	for index, text := range table.All() {
		if got, ok := table.Lookup(index); !ok || got != text || int64(index) <= prev {
			t.Fatalf("Lookup(%d) = %q, %v; want %q", index, got, ok, text)
		}
		prev = int64(index)
	}
	if _, ok := table.Lookup(1); ok {
		t.Fatal("index 1 was found")
	}
}

func codes(t *titles.Table) []string {
	var all []string
	for _, a := range t.Anomalies().Kept() {
		all = append(all, fmt.Sprintf("%s@%d", a.Code, a.Off))
	}
	return all
}

func TestBothEncodings(t *testing.T) {
	for name, b := range map[string][]byte{
		"utf-16":       wide(good),
		"utf-16 BOM":   append([]byte{0xFF, 0xFE}, wide(good)...),
		"windows-1252": []byte(good),
	} {
		table := parse(t, b)
		require.Equal(t, strings.TrimSuffix(name, " BOM"), table.Encoding().String())
		require.Equal(t, strings.HasSuffix(name, "BOM"), table.Encoding().BOM)
		require.Empty(t, codes(table), name)
		require.Equal(t, map[uint32]string{2: "System", 4: "Memory", 6: "% Processor Time"}, maps.Collect(table.All()))
		base, ok := table.BaseIndex()
		require.True(t, ok)
		require.EqualValues(t, 1847, base)
		require.Equal(t, titles.Counter, table.Kind())
		_, ok = table.Lookup(3)
		require.False(t, ok)
		first := slices.Collect(table.Entries())[0]
		require.Equal(t, "1847", first.Text, "index 1 is kept as data")
		_, err := titles.Parse(b, perfdump.Options{Mode: perfdump.Strict})
		require.NoError(t, err)
	}
}

// 31 00 00 00 is "1" in UTF-16; 31 00 31 38 is "1", "18..." in a code page.
func TestHowTheEncodingIsFound(t *testing.T) {
	require.True(t, parse(t, []byte("1\x00\x00\x00")).Encoding().UTF16())
	require.False(t, parse(t, []byte("1\x0018\x00\x00")).Encoding().UTF16())
	require.False(t, parse(t, []byte("1\x00A\x00\x00")).Encoding().UTF16(), "texts of one character in a page")
	require.False(t, parse(t, []byte("2\x00A\x004\x00B\x00\x00")).Encoding().UTF16())
	require.True(t, parse(t, []byte("\xFF\xFE1\x00\x00")).Encoding().UTF16(), "but not behind a byte order mark")

	require.False(t, parse(t, []byte("2\x00\x00\x00\x00\x00\x00")).Encoding().UTF16(), "an index and empty strings")
	for _, c := range []struct {
		b    string
		wide bool
	}{ // odd lengths, about where a text's first character has a byte and where it is whole
		{"1\x00\x00\x00\x00", false},
		{"1\x00\x00\x00A", false},
		{"1\x00\x00\x00A\x00\x00", true},
		{"1\x00\x00\x00\x00\x04\x00", true},
		{"1\x002\x00\x00\x00\x00", false},
		{"1\x002\x00\x00\x00A", false},
		{"1\x002\x00\x00\x00A\x00\x00", true},
		{"1\x00/\x00\x00\x00A\x00\x00", false},
		{"1\x00:\x00\x00\x00A\x00\x00", false},
		{"1\x002\x01\x00\x00A\x00\x00", false},
		{"\x00\x00\x00\x00A\x00\x00", false},
		{"\x00\x00A\x00\x00", false},
		{"1\x002\x003\x004\x005\x006\x007\x008\x009\x000\x00\x00\x00A\x00\x00", true},
		{"1\x002\x003\x004\x005\x006\x007\x008\x009\x000\x001\x00\x00\x00A\x00\x00", false},
	} {
		table, _ := titles.Parse([]byte(c.b), perfdump.Options{})
		require.Equal(t, c.wide, table != nil && table.Encoding().UTF16(), "%q", c.b)
	}
	for n := 9; n < len(wide(good)); n += 2 {
		table := parse(t, wide(good)[:n])
		require.True(t, table.Encoding().UTF16(), "cut to %d bytes", n)
		require.Contains(t, codes(table), fmt.Sprintf("odd-length@%d", n-1))
	}
	table, err := titles.Parse([]byte("2\x00A\x00\x00"), perfdump.Options{CodePage: 1200})
	require.ErrorIs(t, err, perfdump.ErrSyntax, "1200 forces it: %v", table)

	for _, b := range []string{"\xFE\xFF\x001", "\x001\x00\x00", "\x002\x003\x00\x00", "\x002\x003\x00\x00\x00"} {
		_, err := titles.Parse([]byte(b), perfdump.Options{})
		require.ErrorIs(t, err, perfdump.ErrBigEndian)
	}
}

func TestCodePages(t *testing.T) {
	table := parse(t, []byte("2\x00caf\xE9 \x80\x00\x00"))
	name, _ := table.Lookup(2)
	require.Equal(t, "café €", name)
	require.Empty(t, codes(table))

	b := []byte("2\x00\x83v\x83\x8D\x00\x00")
	table, err := titles.Parse(b, perfdump.Options{CodePage: 932})
	require.NoError(t, err)
	check(t, b, table)
	name, _ = table.Lookup(2)
	require.Equal(t, "プロ", name)
	require.Equal(t, "shift_jis", table.Encoding().String())

	_, err = titles.Parse([]byte("2\x00a\x00\x00"), perfdump.Options{CodePage: 4711})
	require.ErrorContains(t, err, "4711")
	_, err = titles.Parse([]byte("2\x00a\x00\x00"), perfdump.Options{CodePage: 37})
	require.ErrorContains(t, err, "ASCII")
	require.Equal(t, "code page 4711", titles.Encoding{CodePage: 4711}.String())
}

// TestAnomalies reads tables in both encodings: testdata has their names and
// anomalies, with offsets in characters.
func TestAnomalies(t *testing.T) {
	golden.Cases(t, "testdata/tables.txt", func(in string) (first string) {
		for _, b := range [][]byte{append([]byte{0xFF, 0xFE}, wide(in)...), []byte(in)} {
			unit, start := 2, 2
			if first != "" {
				unit, start = 1, 0
				if len(b) >= 4 && len(b)%2 == 0 && b[1]|b[3] == 0 {
					continue // by the rule this is UTF-16
				}
			}
			table := parse(t, b)
			var out strings.Builder
			for index, name := range table.All() {
				fmt.Fprintf(&out, "%d %q\n", index, name)
			}
			for _, a := range table.Anomalies().Kept() {
				fmt.Fprintf(&out, "%s at %d: %s\n", a.Code, (int(a.Off)-start)/unit, bytesOf.ReplaceAllString(a.Message(), "# bytes"))
			}
			if first == "" {
				first = out.String()
			}
			if len(in) > 0 {
				require.Equal(t, first, out.String())
			}
			_, err := titles.Parse(b, perfdump.Options{Mode: perfdump.Strict})
			require.Equal(t, table.Anomalies().Len() > 0, err != nil)
		}
		return first
	})
	_, err := titles.Parse(nil, perfdump.Options{Mode: perfdump.Strict})
	require.ErrorIs(t, err, perfdump.ErrEmpty)
}

var bytesOf = regexp.MustCompile(`\d+ bytes`)

func TestBadTextIsReplacedAndTold(t *testing.T) {
	b := append(append(wide("2\x00a"), 0x00, 0xD8), wide("\x004\x00b\x00\x00")...)
	table := parse(t, b)
	require.Equal(t, []string{"encoding@4"}, codes(table))
	name, _ := table.Lookup(2)
	require.Equal(t, "a\uFFFD", name)

	b = []byte("2\x00caf\xE9\x004\x00\x83v\x00\x00")
	table, err := titles.Parse(b, perfdump.Options{CodePage: 932})
	require.NoError(t, err)
	check(t, b, table)
	require.Equal(t, []string{"encoding@2"}, codes(table))
	require.Equal(t, map[uint32]string{2: "caf\uFFFD", 4: "プ"}, maps.Collect(table.All()))
}

func TestWhatIsNoTableIsRefused(t *testing.T) {
	for _, s := range []string{"x", "GIF89a", "abc\x00def\x00\x00", " 2 \x00"} {
		for _, m := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage} {
			table, err := titles.Parse([]byte(s), perfdump.Options{Mode: m})
			require.ErrorIs(t, err, perfdump.ErrSyntax, s)
			require.Nil(t, table)
		}
	}
}

// TestTooLongString: the error has the offset of the string, in both encodings.
func TestTooLongString(t *testing.T) {
	head, long := strings.Repeat("2\x00é\x00", 10_000)+"4\x00", "é"+strings.Repeat("x", 1<<20)+"\x00\x00"
	for off, b := range map[int][]byte{
		len(head):           []byte(head + long),
		len(wide(head)):     wide(head + long),
		2 + len(wide(head)): append([]byte{0xFF, 0xFE}, wide(head+long)...),
	} {
		_, err := titles.Parse(b, perfdump.Options{})
		require.ErrorIs(t, err, perfdump.ErrLimit)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe)
		require.EqualValues(t, off, fe.Off)
	}
}

func TestIndexesAreManyAndWithoutCase(t *testing.T) {
	table := parse(t, []byte("8\x00Über\x006\x00x\x004\x00\xDCBER\x002\x00\xFCber\x002\x00other\x001\x00x\x0010\x00\x00\x00"))
	require.Equal(t, []uint32{4}, table.Indexes("über")[:1])
	table = parse(t, []byte("8\x00a\x006\x00x\x004\x00A\x002\x00a\x002\x00other\x001\x00x\x0010\x00\x00\x00"))
	require.Equal(t, []uint32{4, 8}, table.Indexes("A"), "the replaced text of 2 is gone")
	require.Equal(t, []uint32{6}, table.Indexes("X"), "1 is no name")
	require.Empty(t, table.Indexes("y"))
	require.Empty(t, table.Indexes(""))
}

func TestTruncationAtEveryLength(t *testing.T) {
	for _, b := range [][]byte{wide(good), []byte(good), append([]byte{0xFF, 0xFE}, wide(good)...), []byte("2\x00caf\xE9\x004\x00b\x00\x00")} {
		padded := append(slices.Clone(b), "stale bytes 12\x00"...)
		for n := range len(b) + 1 {
			table, err := titles.Parse(padded[:n], perfdump.Options{})
			if err != nil {
				require.Nil(t, table)
				continue
			}
			check(t, b[:n], table)
			strict, err := titles.Parse(padded[:n], perfdump.Options{Mode: perfdump.Strict})
			require.Equal(t, err == nil, strict != nil && table.Anomalies().Len() == 0)
		}
	}
}

func TestNothingIsShared(t *testing.T) {
	for _, b := range [][]byte{wide(good), []byte(good), []byte("2\x00caf\xE9\x00\x00")} {
		was := slices.Clone(b)
		table := parse(t, b)
		name, _ := table.Lookup(2)
		want := strings.Clone(name)
		clear(b)
		require.Equal(t, want, name)
		got, _ := table.AppendBinary(nil)
		require.Equal(t, was, got)
		clear(got)
		check(t, was, table)
	}
}

func TestAnomaliesAreCapped(t *testing.T) {
	b := []byte("2\x00a\x00" + strings.Repeat("x\x00", 5000) + "\x00")
	table := parse(t, b)
	require.Len(t, table.Anomalies().Kept(), 1000)
	require.Equal(t, 5000, table.Anomalies().Len())
	table, err := titles.Parse(b, perfdump.Options{Limits: perfdump.Limits{Anomalies: 3}})
	require.NoError(t, err)
	require.Len(t, table.Anomalies().Kept(), 3)
}

func TestKind(t *testing.T) {
	require.Equal(t, titles.Help, parse(t, []byte("3\x00aa\x001847\x00b\x00\x00")).Kind())
	require.Equal(t, titles.Counter, parse(t, []byte("1\x0099\x002\x00b\x00\x00")).Kind())
	require.Equal(t, "help", titles.Help.String())
	require.Equal(t, "counter", titles.Counter.String())
}

func TestSpansSayWhatStandsWhere(t *testing.T) {
	b := append([]byte{0xFF, 0xFE}, wide("2\x00a\x00x\x004\x00b\x00\x00")...)
	b = append(b, 7)
	var got []string
	for s := range parse(t, b).Spans() {
		got = append(got, fmt.Sprintf("%d+%d %s%s", s.Off, s.Size, s.Path, s.Note))
	}
	require.Equal(t, []string{
		"0+2 BOM", "2+4 entry[0].Index", "6+4 entry[0].Text", "10+4 no index, skipped", "14+4 entry[1].Index", "18+4 entry[1].Text",
		"22+2 end of the table", "24+1 odd last byte",
	}, got)
	for s := range parse(t, b).Spans() {
		name := s.Path.FieldName()
		require.Equal(t, name == "Index" || name == "Text", s.Kind == perfdump.KindUTF16, s)
	}
	for s := range parse(t, []byte("2\x00\xE9\x00\x00")).Spans() {
		require.Equal(t, s.Path.FieldName() != "", s.Kind == perfdump.KindANSI, s)
		require.Equal(t, s.Kind == perfdump.KindANSI, s.CodePage == 1252)
	}
}

// TestSequencesStop breaks off each sequence of a table at every place.
func TestSequencesStop(t *testing.T) {
	for _, b := range [][]byte{
		wide(good), []byte(good),
		append(append([]byte{0xFF, 0xFE}, wide("2\x00a\x00x\x004\x00b\x002\x00c\x00\x00")...), 7),
	} {
		table := parse(t, b)
		formattest.Stops(t, table.Entries())
		formattest.Stops(t, table.Spans())
		formattest.Stops(t, formattest.Firsts(table.All()))
	}
}
