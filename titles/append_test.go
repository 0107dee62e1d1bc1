package titles_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles"
)

func TestNewIsCanonical(t *testing.T) {
	entries := []titles.Entry{{Index: 1, Text: "1847"}, {Index: 2, Text: "System"}, {Index: 4, Text: "Memory"}, {Index: 6, Text: "% Processor Time"}}
	for want, enc := range map[string]titles.Encoding{
		string(wide(good)):              {},
		"\xFF\xFE" + string(wide(good)): {BOM: true},
		good:                            {CodePage: 1252},
	} {
		table, err := titles.New(enc, entries...)
		require.NoError(t, err)
		b, err := table.AppendBinary(nil)
		require.NoError(t, err)
		require.Equal(t, want, string(b))
	}
}

// A page's table of one-character strings must not be taken for UTF-16.
func TestAmbiguousTablesAreToldApart(t *testing.T) {
	entries := []titles.Entry{{Index: 2, Text: "A"}, {Index: 10, Text: "B"}}
	table, err := titles.New(titles.Encoding{CodePage: 1252}, entries...)
	require.NoError(t, err)
	require.False(t, table.Encoding().UTF16())
	b, _ := table.AppendBinary([]byte("1"))
	require.Equal(t, "12\x00A\x0010\x00B\x00\x00\x00", string(b))
}

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		enc     titles.Encoding
		entries []titles.Entry
	}{
		"NUL":           {titles.Encoding{}, []titles.Entry{{Index: 2, Text: "a\x00b"}}},
		"bad UTF-8":     {titles.Encoding{}, []titles.Entry{{Index: 2, Text: "\xFF"}}},
		"not in page":   {titles.Encoding{CodePage: 1252}, []titles.Entry{{Index: 2, Text: "日"}}},
		"repeated":      {titles.Encoding{}, []titles.Entry{{Index: 2, Text: "a"}, {Index: 2, Text: "b"}}},
		"empty":         {titles.Encoding{}, []titles.Entry{{Index: 2}}},
		"digits":        {titles.Encoding{}, []titles.Entry{{Index: 2, Text: "4"}}},
		"spelled wrong": {titles.Encoding{}, []titles.Entry{{Index: 2, IndexText: "3", Text: "a"}}},
		"no index":      {titles.Encoding{}, []titles.Entry{{Index: 2, IndexText: "x", Text: "a"}}},
		"unknown page":  {titles.Encoding{CodePage: 4711}, []titles.Entry{{Index: 2, Text: "a"}}},
		"page and BOM":  {titles.Encoding{CodePage: 1252, BOM: true}, []titles.Entry{{Index: 2, Text: "a"}}},
	} {
		table, err := titles.New(c.enc, c.entries...)
		require.Error(t, err, name)
		require.Nil(t, table)
	}
	dst, err := titles.Append([]byte("> "), titles.Encoding{}, slices.Values([]titles.Entry{{Index: 2, Text: "a"}, {Index: 4, Text: "\x00"}}))
	require.ErrorIs(t, err, perfdump.ErrSyntax)
	require.ErrorContains(t, err, "entry[1]: ")
	require.Equal(t, "> ", string(dst))
}

func TestAppendWritesOddTablesToo(t *testing.T) {
	b, err := titles.Append(nil, titles.Encoding{CodePage: 1252}, slices.Values([]titles.Entry{{Index: 7, IndexText: "007", Text: "x"}, {IndexText: "abc", Text: "4"}, {Index: 2}}))
	require.NoError(t, err)
	require.Equal(t, "007\x00x\x00abc\x004\x002\x00\x00\x00", string(b))
}

func TestTableThroughItsEntries(t *testing.T) {
	b := wide("1\x001847\x00007\x00x\x004\x00\x004\x00y\x00\x00")
	got, err := titles.Append(nil, titles.Encoding{}, parse(t, b).Entries())
	require.NoError(t, err)
	require.Equal(t, b, got)
}
