package titles_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/titles"
)

// checkRepair holds for every table.
func checkRepair(t testing.TB, table *titles.Table) (*titles.Table, []string) {
	t.Helper()
	fixed, done := table.Repair(perfdump.Limits{})
	var told []string
	for _, a := range done.Kept() {
		told = append(told, string(a.Code))
	}
	if done.Len() == 0 {
		if fixed != table || table.Anomalies().Len() > 0 && !slices.Equal(codes(table), []string{"empty@0"}) {
			t.Fatalf("nothing done, but there are anomalies: %v", codes(table))
		}
		return fixed, nil
	}
	b, err := fixed.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	page := fixed.Encoding().CodePage
	again, err := titles.Parse(b, perfdump.Options{CodePage: page, Mode: perfdump.Strict})
	if err != nil {
		t.Fatalf("%q is not sound: %v", b, err)
	}
	if !maps.Equal(maps.Collect(again.All()), maps.Collect(fixed.All())) {
		t.Fatalf("%v is written as %v", maps.Collect(fixed.All()), maps.Collect(again.All()))
	}
	if same, done := again.Repair(perfdump.Limits{}); same != again {
		t.Fatalf("%q is repaired a second time: %v", b, done.Kept())
	}
	return fixed, told
}

// TestRepair repairs tables: testdata has what was done, and the result.
func TestRepair(t *testing.T) {
	long := strings.Repeat("x", 1023)
	golden.Cases(t, "testdata/repair.txt", func(in string) string {
		table, err := titles.Parse(wide(strings.ReplaceAll(in, "LONG", long)), perfdump.Options{CodePage: 1200})
		require.NoError(t, err)
		fixed, told := checkRepair(t, table)
		b, err := fixed.AppendBinary(nil)
		require.NoError(t, err)
		return fmt.Sprintf("%v\n%q\n", told, strings.ReplaceAll(wire.UTF16(b), long, "LONG"))
	})
}

func TestRepairOfWhatIsNoText(t *testing.T) {
	table, err := titles.Parse([]byte("2\x00caf\xE9\x00\x00"), perfdump.Options{CodePage: 932})
	require.NoError(t, err)
	fixed, told := checkRepair(t, table)
	require.Equal(t, []string{"encoding"}, told)
	b, _ := fixed.AppendBinary(nil)
	require.Equal(t, "2\x00caf?\x00\x00", string(b))

	table, err = titles.Parse(append(append(wide("2\x00a"), 0x00, 0xD8), wide("\x00\x00x")[:5]...), perfdump.Options{CodePage: 1200})
	require.NoError(t, err)
	fixed, told = checkRepair(t, table)
	require.Equal(t, []string{"encoding", "odd-length"}, told)
	b, _ = fixed.AppendBinary(nil)
	require.Equal(t, wide("2\x00a\uFFFD\x00\x00"), b)
}

func TestRepairOfAList(t *testing.T) {
	list, err := titles.ParseText([]byte("4 : b\nnonsense\n2 : a\n"), perfdump.Options{})
	require.NoError(t, err)
	fixed, told := checkRepair(t, list)
	require.Equal(t, []string{"order", "index-text"}, told)
	text, err := fixed.AppendText(nil)
	require.NoError(t, err)
	require.Equal(t, "2\ta\n4\tb\n", string(text))
}

func TestStatistics(t *testing.T) {
	table := parse(t, wide("1\x001847\x002\x00System\x006\x00\x008\x00System\x001850\x00𝄞♪\x001846\x00x\x003\x00odd\x00\x00"))
	s := table.Statistics(titles.Counter, perfdump.Limits{})
	require.Equal(t, 7, s.Entries)
	require.Equal(t, 6, s.Names)
	require.Equal(t, 5, s.Distinct)
	require.Equal(t, 1, s.Empty)
	require.EqualValues(t, 2, s.Lowest)
	require.EqualValues(t, 1850, s.Highest)
	require.Equal(t, 1, s.OutOfBase)
	require.Equal(t, 6, s.Longest)
	require.EqualValues(t, 2, s.LongestIndex)
	var told []string
	for _, a := range s.Anomalies.Kept() {
		told = append(told, a.String())
	}
	require.Equal(t, []string{
		`entry[5].Index: index 1846 comes after 1850 (offset 0x4a)`,
		`entry[6].Index: index 3 is odd; those of names are even (offset 0x58)`,
		`entry[6].Index: index 3 comes after 1846 (offset 0x58)`,
	}, told)
	for damage, want := range map[string]string{
		"1\x0099\x00\x00":             "base-index",
		"2\x00a\x001\x001847\x00\x00": "base-index",
		"3\x00a\x00\x00":              "parity",
		"2\x00" + strings.Repeat("x", 1024) + "\x00y\x00\x00": "split-text",
	} {
		table, err := titles.Parse(wide(damage), perfdump.Options{CodePage: 1200})
		require.NoError(t, err)
		found := table.Statistics(titles.Counter, perfdump.Limits{}).Anomalies.Kept()
		require.NotEmpty(t, found, want)
		require.Equal(t, want, string(found[0].Code))
	}
}
