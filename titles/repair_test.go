package titles_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
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
	again, err := titles.Parse(b, titles.Options{CodePage: page, Mode: perfdump.Strict})
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

func TestRepair(t *testing.T) {
	long := strings.Repeat("x", 1023)
	for _, c := range []struct {
		name, damaged, want string
		told                []string
	}{
		{"sound", good, good, nil},
		{"more NULs are no damage", "2\x00a\x00\x00\x00", "2\x00a\x00\x00\x00", nil},
		{"nothing", "", "\x00", []string{"no-terminator"}},
		{"no end", "2\x00a", "2\x00a\x00\x00", []string{"no-terminator"}},
		{"stray", "2\x00a\x00x\x004\x00b\x00\x00", "2\x00a\x004\x00b\x00\x00", []string{"index-text"}},
		{"stray first", "x\x002\x00a\x00\x00", "2\x00a\x00\x00", []string{"index-text"}},
		{"empty name", "2\x00\x004\x00b\x00\x00", "4\x00b\x00\x00", []string{"empty-name"}},
		{"odd count", "2\x00a\x004\x00\x00", "2\x00a\x00\x00", []string{"odd-count"}},
		{"a text is missing", "2\x004\x00Memory\x006\x00c\x00\x00", "4\x00Memory\x006\x00c\x00\x00", []string{"digits-text"}},
		{"two texts are missing", "2\x004\x006\x00c\x00\x00", "6\x00c\x00\x00", []string{"digits-text"}},
		{"twice", "2\x00a\x004\x00b\x002\x00c\x00\x00", "2\x00c\x004\x00b\x00\x00", []string{"order", "duplicate-index"}},
		{"order", "4\x00b\x001\x001847\x002\x00a\x00\x00", "1\x001847\x002\x00a\x004\x00b\x00\x00", []string{"order", "order"}},
		{"base", "1\x00x\x002\x00a\x00\x00", "1\x001847\x002\x00a\x00\x00", []string{"base-index"}},
		{"split", "2\x00" + long + "\x00yz\x004\x00b\x00\x00", "2\x00" + long + "yz\x004\x00b\x00\x00", []string{"split-text"}},
	} {
		table, err := titles.Parse(wide(c.damaged), titles.Options{CodePage: 1200})
		require.NoError(t, err)
		fixed, told := checkRepair(t, table)
		require.Equal(t, c.told, told, c.name)
		b, err := fixed.AppendBinary(nil)
		require.NoError(t, err)
		require.Equal(t, string(wide(c.want)), string(b), c.name)
	}
}

func TestRepairOfWhatIsNoText(t *testing.T) {
	table, err := titles.Parse([]byte("2\x00caf\xE9\x00\x00"), titles.Options{CodePage: 932})
	require.NoError(t, err)
	fixed, told := checkRepair(t, table)
	require.Equal(t, []string{"encoding"}, told)
	b, _ := fixed.AppendBinary(nil)
	require.Equal(t, "2\x00caf?\x00\x00", string(b))

	table, err = titles.Parse(append(append(wide("2\x00a"), 0x00, 0xD8), wide("\x00\x00x")[:5]...), titles.Options{CodePage: 1200})
	require.NoError(t, err)
	fixed, told = checkRepair(t, table)
	require.Equal(t, []string{"encoding", "odd-length"}, told)
	b, _ = fixed.AppendBinary(nil)
	require.Equal(t, wide("2\x00a\uFFFD\x00\x00"), b)
}

func TestRepairOfAList(t *testing.T) {
	list, err := titles.ParseText([]byte("4 : b\nnonsense\n2 : a\n"), titles.Options{})
	require.NoError(t, err)
	fixed, told := checkRepair(t, list)
	require.Equal(t, []string{"order", "index-text"}, told)
	text, err := fixed.AppendText(nil)
	require.NoError(t, err)
	require.Equal(t, "2\ta\n4\tb\n", string(text))
}

func TestCapturesAreRepaired(t *testing.T) {
	files, err := filepath.Glob(captures + "/malformed-titles/*.bin")
	require.NoError(t, err)
	for _, file := range files {
		table, err := titles.Parse(capture(t, "malformed-titles/"+filepath.Base(file)), titles.Options{})
		if err == nil {
			checkRepair(t, table)
		}
	}
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
	for _, a := range s.Doubts.Kept() {
		told = append(told, a.String())
	}
	require.Equal(t, []string{
		`entry[5].Index: index 1846 stands behind 1850 (offset 0x4a)`,
		`entry[6].Index: index 3 is odd; those of names are even (offset 0x58)`,
		`entry[6].Index: index 3 stands behind 1846 (offset 0x58)`,
	}, told)
	for damage, want := range map[string]string{
		"1\x0099\x00\x00":             "base-index",
		"2\x00a\x001\x001847\x00\x00": "base-index",
		"3\x00a\x00\x00":              "parity",
		"2\x00" + strings.Repeat("x", 1024) + "\x00y\x00\x00": "split-text",
	} {
		table, err := titles.Parse(wide(damage), titles.Options{CodePage: 1200})
		require.NoError(t, err)
		found := table.Statistics(titles.Counter, perfdump.Limits{}).Doubts.Kept()
		require.NotEmpty(t, found, want)
		require.Equal(t, want, string(found[0].Code))
	}
}

// What Wine writes is in no doubt.
func TestCapturesAreInNoDoubt(t *testing.T) {
	for _, name := range []string{"wine/wine-counter009-x86_64-1.bin", "wine/wine-help009-x86_64-1.bin", "malformed-titles/01-ok.bin"} {
		table := parse(t, capture(t, name))
		require.Empty(t, table.Statistics(table.Kind(), perfdump.Limits{}).Doubts.Kept(), name)
		fixed, _ := table.Repair(perfdump.Limits{})
		require.Same(t, table, fixed)
	}
}

// The generated tables are in the order of their objects, and else as they
// should be.
func TestGeneratedTablesAreInNoOtherDoubt(t *testing.T) {
	for _, name := range []string{"busy/titles-009.bin", "busy/help-009.bin"} {
		table := parse(t, capture(t, name))
		for _, a := range table.Statistics(table.Kind(), perfdump.Limits{}).Doubts.Kept() {
			require.Equal(t, titles.CodeOrder, a.Code)
		}
		fixed, _ := checkRepair(t, table)
		require.Equal(t, maps.Collect(table.All()), maps.Collect(fixed.All()))
	}
}

// Beside the table that is repaired there are two more at most.
func TestRepairStaysWithinMemory(t *testing.T) {
	const size = 4 << 20
	for name, b := range hostile(size) {
		table, err := titles.Parse(b, titles.Options{})
		require.NoError(t, err, name)
		used := perftest.Allocated(func() {
			table.Repair(perfdump.Limits{})
			table.Statistics(titles.Counter, perfdump.Limits{})
		})
		t.Logf("%s: %.1f bytes a byte", name, float64(used)/float64(len(b)))
		require.LessOrEqual(t, used, uint64(3<<20+6*len(b)), name)
	}
}

func BenchmarkRepair(b *testing.B) {
	table, err := titles.Parse(capture(b, "busy/titles-009.bin"), titles.Options{})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		table.Repair(perfdump.Limits{})
	}
}

// BenchmarkParseMillion is a database of a million entries.
func BenchmarkParseMillion(b *testing.B) {
	var text []byte
	for i := range 1_000_000 {
		text = fmt.Appendf(text, "%d\x00%% Processor Time of %d\x00", 2*i, i)
	}
	data := append(wide(string(text)), 0, 0)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := titles.Parse(data, titles.Options{})
		require.NoError(b, err)
	}
}
