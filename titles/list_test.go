package titles_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles"
)

func TestList(t *testing.T) {
	want := map[uint32]string{2: "System", 6: "% Processor Time", 8: " é: x "}
	text := "index\tname\r\n1\t1847\n2 : System\r\n\n  6:% Processor Time\n8\t é: x "
	be := []byte{0xFE, 0xFF}
	for i, w := 0, wide(text); i < len(w); i += 2 {
		be = append(be, w[i+1], w[i])
	}
	for name, b := range map[string][]byte{
		"utf-8":    []byte(text),
		"BOM":      []byte("\xEF\xBB\xBF" + text),
		"utf-16":   append([]byte{0xFF, 0xFE}, wide(text)...),
		"utf-16be": be,
		"1252":     []byte("index\tname\r\n1\t1847\n2 : System\r\n\n  6:% Processor Time\n8\t \xE9: x "),
	} {
		table, err := titles.ParseText(b, titles.Options{Mode: perfdump.Strict})
		require.NoError(t, err, name)
		require.Equal(t, want, maps.Collect(table.All()), name)
		base, _ := table.BaseIndex()
		require.EqualValues(t, 1847, base)
		for e := range table.Entries() {
			require.EqualValues(t, -1, e.Off)
		}
		for range table.Spans() {
			t.Fatal("a list has no spans")
		}

		b, err := table.AppendBinary(nil)
		require.NoError(t, err)
		require.Equal(t, want, maps.Collect(parse(t, b).All()))
		list, err := table.AppendText(nil)
		require.NoError(t, err)
		require.Equal(t, "1\t1847\n2\tSystem\n6\t% Processor Time\n8\t é: x \n", string(list))
	}
}

func TestListAnomalies(t *testing.T) {
	for _, c := range []struct {
		text  string
		codes []string
	}{
		{"", []string{"empty@0"}},
		{"2 : a\n; note\n4 : b\n", []string{"index-text@6"}},
		{"2 : a\nindex\tname\n", []string{"index-text@6"}},
		{"2 : a\n2 b\n99999999999 : c\n4294967296\tc\n-1 : d\n4 : e\x00", []string{"index-text@6", "index-text@10", "index-text@26", "index-text@39"}},
		{"2\t\n4\ta", []string{"empty-name@0"}},
		{"2\t", []string{"empty-name@0"}},
		{"1 : 99\n2 : 99\n", []string{"digits-text@7"}},
		{"01 : 99\n2 : a\n", nil},
		{"2 : a\n4 : b\n2 : c\n", []string{"duplicate-index@-1"}},
		{"2 : \x81\n4 : \xE9\n", nil},
	} {
		table, err := titles.ParseText([]byte(c.text), titles.Options{})
		require.NoError(t, err, c.text)
		if c.text[max(0, len(c.text)-1):] == "\x00" {
			c.codes = append(c.codes, "index-text@46")
		}
		require.Equal(t, c.codes, codes(table), "%q", c.text)
		_, err = titles.ParseText([]byte(c.text), titles.Options{Mode: perfdump.Strict})
		require.Equal(t, len(c.codes) > 0, err != nil)
	}
	table, err := titles.ParseText([]byte("2 : a\n4 : \x83v\n6 : \xFF\n"), titles.Options{CodePage: 932})
	require.NoError(t, err)
	require.Equal(t, []string{"encoding@13"}, codes(table))
	name, _ := table.Lookup(4)
	require.Equal(t, "プ", name)

	for _, tail := range []string{"\x00\x00", "\x1A"} { // as sniffing lets them pass
		table, err = titles.ParseText([]byte("2 : a"+tail), titles.Options{})
		require.NoError(t, err)
		require.Equal(t, []string{"index-text@0"}, codes(table))
		name, _ = table.Lookup(2)
		require.Equal(t, "a", name)
	}

	for _, s := range []string{"x", "no list\nat all\n", "2"} {
		_, err := titles.ParseText([]byte(s), titles.Options{})
		require.ErrorIs(t, err, perfdump.ErrSyntax, s)
	}
	_, err = titles.ParseText([]byte("\xFF"), titles.Options{CodePage: 4711})
	require.ErrorContains(t, err, "4711")
}

func TestListCannotHoldLineEnds(t *testing.T) {
	b, err := parse(t, []byte("2\x00a\nb\x00\x00")).AppendText([]byte("> "))
	require.ErrorContains(t, err, "index 2")
	require.Equal(t, "> ", string(b))
}

func TestBase(t *testing.T) {
	base := titles.Base()
	require.Same(t, base, titles.Base())
	require.Equal(t, 676, base.Len())
	require.Empty(t, codes(base))
	for index, name := range map[uint32]string{2: "System", 6: "% Processor Time", 238: "Processor", 546: "IPv4", 638: "TCPv4", 658: "UDPv4"} {
		got, ok := base.Lookup(index)
		require.True(t, ok)
		require.Equal(t, name, got)
	}
	for index := range base.All() {
		require.LessOrEqual(t, index, uint32(1847))
	}
	require.Equal(t, titles.Counter, base.Kind())
	require.Equal(t, 676, len(slices.Collect(base.Entries())))
}

func TestNames(t *testing.T) {
	own := parse(t, []byte("1\x001847\x00238\x00Prozessor\x006\x00\x002000\x00Mine\x00\x00"))
	other := parse(t, []byte("238\x00Processeur\x002000\x00Theirs\x002002\x00More\x00\x00"))
	names := titles.NewNames(own, nil, other)
	for index, want := range map[uint32]string{238: "Prozessor", 6: "% Processor Time", 2000: "Mine", 2002: "More", 4: "Memory", 1: "1", 0: "0", 99999: "99999"} {
		require.Equal(t, want, names.Name(index))
		require.Equal(t, "> "+want, string(names.Append([]byte("> "), index)))
		got, ok := names.Lookup(index)
		require.Equal(t, ok, got == want)
	}
	var zero titles.Names
	require.Equal(t, "Processor", zero.Name(238))
	require.Equal(t, "Processor", (*titles.Names)(nil).Name(238))
	empty := parse(t, nil)
	require.Equal(t, "Processor", titles.NewNames(empty).Name(238), "an empty table is no reason to fail")
	require.Zero(t, testing.AllocsPerRun(100, func() { names.Name(238); names.Name(4); names.Lookup(77777) }))
}
