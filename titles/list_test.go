package titles_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
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
		table, err := titles.ParseText(b, perfdump.Options{Mode: perfdump.Strict})
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

// TestListAnomalies reads lists: testdata has their names and anomalies.
func TestListAnomalies(t *testing.T) {
	golden.Cases(t, "testdata/lists.txt", func(in string) string {
		table, err := titles.ParseText([]byte(in), perfdump.Options{})
		require.NoError(t, err, in)
		var out strings.Builder
		for index, name := range table.All() {
			fmt.Fprintf(&out, "%d %q\n", index, name)
		}
		for _, a := range table.Anomalies().Kept() {
			fmt.Fprintf(&out, "%s: %v\n", a.Code, a)
		}
		_, err = titles.ParseText([]byte(in), perfdump.Options{Mode: perfdump.Strict})
		require.Equal(t, table.Anomalies().Len() > 0, err != nil)
		return out.String()
	})
	table, err := titles.ParseText([]byte("2 : a\n4 : \x83v\n6 : \xFF\n"), perfdump.Options{CodePage: 932})
	require.NoError(t, err)
	require.Equal(t, []string{"encoding@13"}, codes(table))
	name, _ := table.Lookup(4)
	require.Equal(t, "プ", name)

	for _, s := range []string{"x", "no list\nat all\n", "2"} {
		_, err := titles.ParseText([]byte(s), perfdump.Options{})
		require.ErrorIs(t, err, perfdump.ErrSyntax, s)
	}
	_, err = titles.ParseText([]byte("\xFF"), perfdump.Options{CodePage: 4711})
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

func TestOnlyTables(t *testing.T) {
	table, err := titles.ParseText([]byte("2000 : My Object\n"), perfdump.Options{})
	require.NoError(t, err)
	names := titles.NewNames(table)
	names.OnlyTables = true
	for index, want := range map[uint32]string{2000: "My Object", 6: "6", 238: "238"} {
		assert.Equal(t, want, names.Name(index))
	}
	_, ok := names.Lookup(6)
	assert.False(t, ok)
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

func TestParseAnyTakesLists(t *testing.T) {
	for _, list := range []string{"6 : % Processor Time\r\n238 : Processor\n", "\ufeff6\t% Processor Time\n", "index\tname\n6\t% Processor Time\n", "6\x00% Processor Time\x00\x00"} {
		table, err := titles.ParseAny([]byte(list), perfdump.Options{})
		require.NoError(t, err)
		name, _ := table.Lookup(6)
		require.Equal(t, "% Processor Time", name, list)
	}
}

func TestDatNames(t *testing.T) {
	for name, want := range map[string]string{
		"perfc009.dat": "009 counter", `C:\Windows\System32\PERFH00C.DAT`: "00c help", "x/perfd0404.dat": "0404 counter", "perfi00a.dat": "00a help",
		"perfc009.bin": "", "perfc.dat": "", "xperfc009.dat": "", "perfc00g.dat": "",
	} {
		language, kind, ok := titles.ParseDatName(name)
		require.Equal(t, want != "", ok, name)
		if ok {
			require.Equal(t, want, language+" "+kind.String(), name)
		}
	}
	require.Equal(t, "perfc009.dat", titles.DatName("009", titles.Counter))
	require.Equal(t, "perfh00C.dat", titles.DatName("00C", titles.Help))
}
