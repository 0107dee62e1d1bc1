package titles_test

import (
	"encoding"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/titles"
)

var _ encoding.BinaryAppender = (*titles.Table)(nil)

// wide writes a string with NULs as UTF-16LE.
func wide(s string) []byte { return wire.EncodeUTF16(nil, s) }

const good = "1\x001847\x002\x00System\x004\x00Memory\x006\x00% Processor Time\x00\x00"

func parse(t testing.TB, b []byte) *titles.Table {
	t.Helper()
	table, err := titles.Parse(b, titles.Options{})
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
		_, err := titles.Parse(b, titles.Options{Mode: perfdump.Strict})
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
		table, _ := titles.Parse([]byte(c.b), titles.Options{})
		require.Equal(t, c.wide, table != nil && table.Encoding().UTF16(), "%q", c.b)
	}
	for n := 9; n < len(wide(good)); n += 2 {
		table := parse(t, wide(good)[:n])
		require.True(t, table.Encoding().UTF16(), "cut to %d bytes", n)
		require.Contains(t, codes(table), fmt.Sprintf("odd-length@%d", n-1))
	}
	table, err := titles.Parse([]byte("2\x00A\x00\x00"), titles.Options{CodePage: 1200})
	require.ErrorIs(t, err, perfdump.ErrSyntax, "1200 forces it: %v", table)

	for _, b := range []string{"\xFE\xFF\x001", "\x001\x00\x00", "\x002\x003\x00\x00", "\x002\x003\x00\x00\x00"} {
		_, err := titles.Parse([]byte(b), titles.Options{})
		require.ErrorIs(t, err, perfdump.ErrBigEndian)
	}
}

func TestCodePages(t *testing.T) {
	table := parse(t, []byte("2\x00caf\xE9 \x80\x00\x00"))
	name, _ := table.Lookup(2)
	require.Equal(t, "café €", name)
	require.Empty(t, codes(table))

	b := []byte("2\x00\x83v\x83\x8D\x00\x00")
	table, err := titles.Parse(b, titles.Options{CodePage: 932})
	require.NoError(t, err)
	check(t, b, table)
	name, _ = table.Lookup(2)
	require.Equal(t, "プロ", name)
	require.Equal(t, "shift_jis", table.Encoding().String())

	_, err = titles.Parse([]byte("2\x00a\x00\x00"), titles.Options{CodePage: 4711})
	require.ErrorContains(t, err, "4711")
	_, err = titles.Parse([]byte("2\x00a\x00\x00"), titles.Options{CodePage: 37})
	require.ErrorContains(t, err, "ASCII")
	require.Equal(t, "code page 4711", titles.Encoding{CodePage: 4711}.String())
}

func TestAnomalies(t *testing.T) {
	for _, c := range []struct {
		name  string
		text  string
		codes []string // offsets in characters
		names map[uint32]string
	}{
		{"empty", "", []string{"empty@0"}, map[uint32]string{}},
		{"only terminators", "\x00\x00", nil, map[uint32]string{}},
		{"not a number", "abc\x002\x00b\x00\x00", []string{"index-text@0"}, map[uint32]string{2: "b"}},
		{"bad index costs one string only", "2\x00a\x00x\x004\x00b\x00\x00", []string{"index-text@4"}, map[uint32]string{2: "a", 4: "b"}},
		{"empty index", "2\x00a\x00\x004\x00b\x00\x00", []string{"index-text@4"}, map[uint32]string{2: "a", 4: "b"}},
		{"blanks", " 2\x00a\x004\x00b\x00\x00", []string{"index-text@0", "index-text@3"}, map[uint32]string{4: "b"}},
		{"eleven digits", "12345678901\x002\x00b\x00\x00", []string{"index-text@0"}, map[uint32]string{2: "b"}},
		{"eleven digits, zeros", "00000000007\x002\x00b\x00\x00", []string{"index-text@0"}, map[uint32]string{2: "b"}},
		{"above 32 bits", "4294967296\x002\x00b\x00\x00", []string{"index-text@0"}, map[uint32]string{2: "b"}},
		{"largest", "4294967295\x00b\x00\x00", nil, map[uint32]string{1<<32 - 1: "b"}},
		{"ten digits, zeros", "0000000007\x00b\x00\x00", nil, map[uint32]string{7: "b"}},
		{"signs", "+2\x00-2\x004\x00b\x00\x00", []string{"index-text@0", "index-text@3"}, map[uint32]string{4: "b"}},
		{"empty name keeps step", "2\x00\x004\x00b\x00\x00", []string{"empty-name@2"}, map[uint32]string{2: "", 4: "b"}},
		{"empty name at the end", "2\x00a\x004\x00\x00\x00", []string{"empty-name@6"}, map[uint32]string{2: "a", 4: ""}},
		{"odd count", "2\x00a\x004\x00\x00", []string{"odd-count@4"}, map[uint32]string{2: "a"}},
		{"odd count, no end", "2\x00a\x004\x00", []string{"odd-count@4", "no-terminator@6"}, map[uint32]string{2: "a"}},
		{"odd count, no NUL", "2\x00a\x0044", []string{"odd-count@4", "no-terminator@6"}, map[uint32]string{2: "a"}},
		{"no final NUL", "2\x00a\x00", []string{"no-terminator@4"}, map[uint32]string{2: "a"}},
		{"no NUL at all", "2\x00ab", []string{"no-terminator@4"}, map[uint32]string{2: "ab"}},
		{"more NULs", "2\x00a\x00\x00\x00\x00\x00", nil, map[uint32]string{2: "a"}},
		{"digits", "2\x0044\x00\x00", []string{"digits-text@2"}, map[uint32]string{2: "44"}},
		{"digits of index 1", "1\x0044\x00\x00", nil, map[uint32]string{}},
		{"index 1 elsewhere", "2\x00a\x001\x009\x00\x00", nil, map[uint32]string{2: "a"}},
		{"twice", "2\x00a\x004\x00b\x002\x00c\x00\x00", []string{"duplicate-index@0"}, map[uint32]string{2: "c", 4: "b"}},
		{"descending", "4\x00a\x002\x00b\x00\x00", nil, map[uint32]string{2: "b", 4: "a"}},
		{"help", "3\x00a\x005\x00b\x00\x00", nil, map[uint32]string{3: "a", 5: "b"}},
	} {
		for _, unit := range []int{1, 2} {
			b := []byte(c.text)
			if unit == 1 && len(b) >= 4 && len(b)%2 == 0 && b[1]|b[3] == 0 {
				continue // by the rule this is UTF-16
			}
			if unit == 2 {
				b = append([]byte{0xFF, 0xFE}, wide(c.text)...)
			}
			table := parse(t, b)
			var want []string
			for _, code := range c.codes {
				var off int
				word, place, _ := strings.Cut(code, "@")
				_, _ = fmt.Sscan(place, &off)
				if unit == 2 {
					off = 2 + 2*off
				}
				want = append(want, fmt.Sprintf("%s@%d", word, off))
			}
			require.Equal(t, want, codes(table), c.name)
			require.Equal(t, c.names, maps.Collect(table.All()), c.name)

			_, err := titles.Parse(b, titles.Options{Mode: perfdump.Strict})
			if len(c.codes) == 0 {
				require.NoError(t, err, c.name)
				continue
			}
			var fe *perfdump.FormatError
			require.ErrorAs(t, err, &fe, c.name)
			require.Equal(t, table.Anomalies().Kept()[0].Code, fe.Code)
			if fe.Code != titles.CodeEmpty {
				require.ErrorIs(t, err, perfdump.ErrAnomaly)
			} else {
				require.ErrorIs(t, err, perfdump.ErrEmpty)
			}
		}
	}
}

func TestBadTextIsReplacedAndTold(t *testing.T) {
	b := append(append(wide("2\x00a"), 0x00, 0xD8), wide("\x004\x00b\x00\x00")...)
	table := parse(t, b)
	require.Equal(t, []string{"encoding@4"}, codes(table))
	name, _ := table.Lookup(2)
	require.Equal(t, "a\uFFFD", name)

	b = []byte("2\x00caf\xE9\x004\x00\x83v\x00\x00")
	table, err := titles.Parse(b, titles.Options{CodePage: 932})
	require.NoError(t, err)
	check(t, b, table)
	require.Equal(t, []string{"encoding@2"}, codes(table))
	require.Equal(t, map[uint32]string{2: "caf\uFFFD", 4: "プ"}, maps.Collect(table.All()))
}

func TestWhatIsNoTableIsRefused(t *testing.T) {
	for _, s := range []string{"x", "GIF89a", "abc\x00def\x00\x00", " 2 \x00"} {
		for _, m := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage} {
			table, err := titles.Parse([]byte(s), titles.Options{Mode: m})
			require.ErrorIs(t, err, perfdump.ErrSyntax, s)
			require.Nil(t, table)
		}
	}
	_, err := titles.Parse([]byte("2\x00é"+strings.Repeat("x", 1<<20)+"\x00\x00"), titles.Options{})
	require.ErrorIs(t, err, perfdump.ErrLimit)
}

// TestTooLongStringIsTold: the error stands where the string does, whatever
// comes before it, in both encodings.
func TestTooLongStringIsTold(t *testing.T) {
	long := "é" + strings.Repeat("x", 1<<20)
	for _, before := range []int{1, 10_000, 100_000} {
		head := strings.Repeat("2\x00é\x00", before) + "4\x00"
		for _, c := range []struct {
			b   []byte
			off int
		}{
			{[]byte(head + long + "\x00\x00"), len(head)},
			{wide(head + long + "\x00\x00"), len(wide(head))},
			{append([]byte{0xFF, 0xFE}, wide(head+long+"\x00\x00")...), 2 + len(wide(head))},
		} {
			_, err := titles.Parse(c.b, titles.Options{})
			require.ErrorIs(t, err, perfdump.ErrLimit)
			var fe *perfdump.FormatError
			require.ErrorAs(t, err, &fe)
			require.EqualValues(t, c.off, fe.Off)
		}
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
			table, err := titles.Parse(padded[:n], titles.Options{})
			if err != nil {
				require.Nil(t, table)
				continue
			}
			check(t, b[:n], table)
			strict, err := titles.Parse(padded[:n], titles.Options{Mode: perfdump.Strict})
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
	table, err := titles.Parse(b, titles.Options{Limits: perfdump.Limits{Anomalies: 3}})
	require.NoError(t, err)
	require.Len(t, table.Anomalies().Kept(), 3)
}

// Enough repeats that they are weeded out on the way.
func TestRepeatsDoNotCrowdOutOthers(t *testing.T) {
	b := []byte("200000\x00first\x00" + strings.Repeat("4\x00b\x00", 800_000) + "4\x00last\x00\x00")
	table, err := titles.Parse(b, titles.Options{})
	require.NoError(t, err)
	require.Equal(t, map[uint32]string{200000: "first", 4: "last"}, maps.Collect(table.All()))
	require.Equal(t, 800_000, table.Anomalies().Len())
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
	for range parse(t, b).Spans() {
		break
	}
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

// TestLongTextsEndAnywhere: text is decoded bit by bit; a name longer than a bit is
// cut nowhere, with what is not one unit at its end or at the end of a bit.
func TestLongTextsEndAnywhere(t *testing.T) {
	for n := 32<<10 - 8; n < 32<<10+4; n++ {
		for _, extra := range []int{0, 32 << 10} {
			want := strings.Repeat("n", n+extra) + "\U0001F600"
			text := "1\x001846\x002\x00System\x00" + "4\x00" + want + "\x006\x00a\U0001F600\x00\x00"
			table := parse(t, wide(text))
			got, _ := table.Lookup(4)
			require.True(t, want == got, "%d: another name, of %d bytes", n+extra, len(got))
			require.Empty(t, codes(table))
		}
	}
}
