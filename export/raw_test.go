package export_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
)

// rowsOf yields a row for each counter of some instances.
func rowsOf(instances, counters int) func(yield func(*capture.Row) bool) {
	return func(yield func(*capture.Row) bool) {
		row := capture.Row{Object: "O", HasInstance: true, Type: countertypes.PERF_COUNTER_RAWCOUNT}
		for i := range instances {
			row.Instance = fmt.Sprint("i", i)
			for k := range counters {
				row.Counter, row.First = fmt.Sprint("c", k), uint64(k)
				if !yield(&row) {
					return
				}
			}
		}
	}
}

// TestRawRoom wants more series than there is room for to be refused.
func TestRawRoom(t *testing.T) {
	err := rawTo(t, io.Discard, "influx", export.Options{}).WriteRows(rowsOf(200_000, 11))
	require.ErrorIs(t, err, perfdump.ErrLimit)
	require.ErrorContains(t, err, "choose some")
}

// TestRawPartsAreWhole wants a record that is written part by part to be what
// it would be in one: a line for each instance, one record, all values.
func TestRawPartsAreWhole(t *testing.T) {
	const instances, counters = 300, 100
	for format, want := range map[string]map[string]int{
		"influx":      {"\n": instances, "_Raw=": instances * counters},
		"openmetrics": {"# TYPE ": counters, "{instance=": instances * counters},
		"sql":         {",1,NULL,0,": instances * counters},
	} {
		text := rawRows(t, format, export.Options{}, rowsOf(instances, counters))
		for part, n := range want {
			require.Equal(t, n, strings.Count(text, part), "%s: %q", format, part)
		}
	}
}

// TestRawSeries tells the counters of one name apart that a snapshot holds, and
// knows them again in the next.
func TestRawSeries(t *testing.T) {
	rows := []capture.Row{{Counter: "B", First: 1}, {Counter: "B", First: 2}, {Counter: "C", First: 3}, {Counter: "D", NoFirst: true}, {Counter: "B", First: 4, Record: 1}}
	for i := range rows {
		rows[i].Object, rows[i].Time = "A", time.Unix(int64(1+rows[i].Record), 0)
	}
	require.Equal(t, `# TYPE windows_performancecounter_a_b unknown
windows_performancecounter_a_b 1 1.000
windows_performancecounter_a_b 4 2.000
windows_performancecounter_a_b{duplicate="1"} 2 1.000
# TYPE windows_performancecounter_a_c unknown
windows_performancecounter_a_c 3 1.000
# EOF
`, rawRows(t, "openmetrics", export.Options{}, each(rows)))
}

// TestRawSQLHasTheLog wants raw values to be in the same tables as cooked ones,
// with the scales of the counters and the recorder's time zone.
func TestRawSQLHasTheLog(t *testing.T) {
	in, err := capture.Open("../testdata/blg/small.blg")
	require.NoError(t, err)
	defer in.Close()
	var raw, cooked strings.Builder
	r := rawTo(t, &raw, "sql", export.Options{})
	for s, err := range capture.Read(in, capture.Options{}) {
		require.NoError(t, err)
		require.NoError(t, r.Write(s))
	}
	require.NoError(t, r.Close())
	c := cookedTo(t, &cooked, "sql", export.Options{})
	recording := capture.NewRecording(capture.Options{}, capture.CookOptions{Raw: true})
	require.NoError(t, recording.Add(in))
	defer recording.Close()
	for f, err := range recording.Frames() {
		require.NoError(t, err)
		require.NoError(t, c.WriteFrame(f))
	}
	require.NoError(t, c.Close())
	// Each is a log of its own, of the same times and zone.
	display := func(sql string) string {
		row, _, _ := strings.Cut(sql[strings.LastIndex(sql, " END,"):], "\n")
		return row
	}
	require.Equal(t, display(cooked.String()), display(raw.String()))
	require.Contains(t, display(raw.String()), "'20")
	// Raw values have bases, too, so the numbers of series are others.
	n := 0
	for line := range strings.Lines(cooked.String()) {
		if _, rest, ok := strings.Cut(line, ",NULL,'\\\\"); ok && strings.HasPrefix(line, "(") {
			n++
			require.Contains(t, raw.String(), rest[:strings.LastIndexByte(rest, ')')])
		}
	}
	require.Positive(t, n)
}
