package titles_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/titles"
)

const captures = "../../shared/captures"

func capture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(captures, name))
	if os.IsNotExist(err) {
		t.Skipf("no captures at hand: %v", err)
	}
	require.NoError(t, err)
	return b
}

func TestMalformedCaptures(t *testing.T) {
	var index []struct {
		File, What string
		Acceptable []string
		Titles     map[string]string
	}
	require.NoError(t, json.Unmarshal(capture(t, "malformed-titles/index.json"), &index))
	require.NotEmpty(t, index)
	for _, c := range index {
		b := capture(t, "malformed-titles/"+c.File)
		table, err := titles.Parse(b, perfdump.Options{})
		verdict := "accept"
		switch {
		case err != nil:
			verdict = "reject"
		case table.Anomalies().Len() > 0:
			verdict = "accept-with-warning"
		}
		require.Contains(t, c.Acceptable, verdict, c.What)
		if err != nil {
			require.Nil(t, table)
			continue
		}
		check(t, b, table)
		checkRepair(t, table)
		if c.Titles == nil {
			continue
		}
		got := map[string]string{}
		for e := range table.Entries() {
			got[e.IndexText] = e.Text
		}
		require.Equal(t, c.Titles, got, c.What)
	}
}

func TestWineCaptures(t *testing.T) {
	files, err := filepath.Glob(captures + "/wine/wine-*.bin")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no captures at hand: " + captures + "/wine")
	}
	for _, file := range files {
		name := "wine/" + filepath.Base(file)
		table := parse(t, capture(t, name))
		var want struct{ Strings []string }
		require.NoError(t, json.Unmarshal(capture(t, strings.TrimSuffix(name, ".bin")+".expected.json"), &want))
		var got []string
		for e := range table.Entries() {
			got = append(got, e.IndexText, e.Text)
		}
		require.Equal(t, want.Strings, got)
		require.Empty(t, codes(table))
		require.Empty(t, table.Statistics(table.Kind(), perfdump.Limits{}).Anomalies.Kept(), name)
		require.Equal(t, strings.Contains(name, "help"), table.Kind() == titles.Help)
	}
}

func TestBusyCaptures(t *testing.T) {
	for _, name := range []string{"busy/titles-009.bin", "busy/help-009.bin"} {
		b := capture(t, name)
		table := parse(t, b)
		require.Empty(t, codes(table), name)
		require.Greater(t, table.Len(), 1000)
		entries := slices.Collect(table.Entries())
		again, err := titles.New(table.Encoding(), entries...)
		require.NoError(t, err)
		out, err := again.AppendBinary(nil)
		require.NoError(t, err)
		require.Equal(t, b, out, "what the producer wrote is canonical")
		// They are in the order of their objects, and else as Windows writes them.
		for _, a := range table.Statistics(table.Kind(), perfdump.Limits{}).Anomalies.Kept() {
			require.Equal(t, titles.CodeOrder, a.Code)
		}
		fixed, _ := checkRepair(t, table)
		require.Equal(t, maps.Collect(table.All()), maps.Collect(fixed.All()))
	}
}

func hostile(size int) map[string][]byte {
	distinct := func(step int) []byte {
		var b []byte
		for i := 0; len(b) < size; i++ {
			b = strconv.AppendInt(b, int64(i*step%10_000_000), 10)
			b = append(b, 0, 0)
		}
		return b
	}
	fill := func(s string) []byte { return []byte(strings.Repeat(s, size/len(s))) }
	return map[string][]byte{
		"one index":     append(fill("1\x00\x00"), 'x'),
		"rising":        distinct(1),
		"shuffled":      distinct(7_919_017),
		"nothing":       append([]byte("2\x00"), append(fill("\x00"), 'x')...),
		"no index":      append(append([]byte("2\x00aa\x00"), fill("x\x00")...), 'x'),
		"euros":         append([]byte("20\x00"), fill(strings.Repeat("\x80", 1000)+"\x00")...),
		"euros, shorts": append([]byte("20\x00"), fill("3\x00\x80\x80\x00")...),
		"wide":          append([]byte("\xFF\xFE"), fill("1\x00\x00\x00\x00\x00")...),
		"wide CJK":      append([]byte("\xFF\xFE1\x00\x00\x00"), fill(strings.Repeat("\x10\x4E", 1000)+"\x00\x00")...),
		"wide broken":   append([]byte("\xFF\xFE1\x00\x00\x00"), fill("1\x00\x00\x00\x00\xD8\x00\x00")...),
	}
}

// TestHostileTablesStayWithinMemory: the sum of all allocations is above the
// peak, so a table that passes keeps the promise.
func TestHostileTablesStayWithinMemory(t *testing.T) {
	for name, b := range hostile(4 << 20) {
		var table *titles.Table
		var err error
		used := perftest.Allocated(func() { table, err = titles.Parse(b, perfdump.Options{}) })
		require.NoError(t, err, name)
		require.LessOrEqual(t, used, uint64(3<<20+24*len(b)), name)
		used = perftest.Allocated(func() {
			table.Repair(perfdump.Limits{})
			table.Statistics(titles.Counter, perfdump.Limits{})
		})
		require.LessOrEqual(t, used, uint64(3<<20+24*len(b)), "%s, repaired", name)
	}
}

func BenchmarkParse(b *testing.B) {
	data := capture(b, "busy/titles-009.bin")
	b.Run("titles", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := titles.Parse(data, perfdump.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	table, err := titles.Parse(data, perfdump.Options{})
	require.NoError(b, err)
	names := titles.NewNames(table)
	b.Run("name", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			names.Name(238)
		}
	})
}
