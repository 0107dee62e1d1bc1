package export_test

import (
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
)

// rowsOf yields a row for each counter of some instances.
func rowsOf(instances, counters int, yield func(*capture.Row) bool) {
	names := make([]string, counters)
	for k := range names {
		names[k] = fmt.Sprint("c", k)
	}
	row := capture.Row{Object: "O", HasInstance: true, Type: countertypes.PERF_COUNTER_RAWCOUNT}
	for i := range instances {
		row.Instance = fmt.Sprint("i", i)
		for k := range counters {
			row.Counter, row.First = names[k], uint64(k)
			if !yield(&row) {
				return
			}
		}
	}
}

// TestRawRoom wants more series than there is room for to be refused.
func TestRawRoom(t *testing.T) {
	scratch, err := os.Create(filepath.Join(t.TempDir(), "scratch"))
	require.NoError(t, err)
	defer scratch.Close()
	for _, format := range export.RawFormats() {
		w, err := export.NewRaw(io.Discard, format, export.CookedOptions{Metrics: export.MetricsOptions{Scratch: scratch}})
		require.NoError(t, err)
		err = w.WriteRows(func(yield func(*capture.Row) bool) { rowsOf(200_000, 11, yield) })
		require.ErrorIs(t, err, perfdump.ErrLimit)
		require.ErrorContains(t, err, "choose some")
	}
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
		var out strings.Builder
		w, err := export.NewRaw(&out, format, export.CookedOptions{})
		require.NoError(t, err)
		require.NoError(t, w.WriteRows(func(yield func(*capture.Row) bool) { rowsOf(instances, counters, yield) }))
		require.NoError(t, w.Close())
		for part, n := range want {
			require.Equal(t, n, strings.Count(out.String(), part), "%s: %q", format, part)
		}
	}
}

// TestRawColumnsOnRequest wants the columns that cooked rows have, too: the code of
// PDH, and the recorder's clock.
func TestRawColumnsOnRequest(t *testing.T) {
	rows := []capture.Row{
		{Time: time.Date(2020, 3, 18, 19, 5, 41, 0, time.UTC), Offset: capture.Offset{East: -8 * time.Hour, Known: true}, First: 1},
		{Time: time.Date(2020, 3, 18, 19, 5, 41, 0, time.UTC), NoFirst: true, PDH: 0x800007D5},
		{NoFirst: true},
	}
	for format, want := range map[string]string{
		"csv": "pdh_status,time_local,utc_offset_min\n0,2020-03-18T11:05:41.000,480\n2147485653,2020-03-18T19:05:41.000,\n,,\n",
		"jsonl": `"pdh_status":0,"time_local":"2020-03-18T11:05:41.000","utc_offset_min":480}` + "\n" +
			`"pdh_status":2147485653,"time_local":"2020-03-18T19:05:41.000","utc_offset_min":null}` + "\n" +
			`"pdh_status":null,"time_local":null,"utc_offset_min":null}` + "\n",
	} {
		var out strings.Builder
		w, err := export.NewRows(&out, format, "pdh_status", "utc_offset_min", "time_local")
		require.NoError(t, err)
		require.NoError(t, w.(interface {
			WriteRows(rows iter.Seq[*capture.Row]) error
		}).WriteRows(func(yield func(*capture.Row) bool) {
			for i := range rows {
				if !yield(&rows[i]) {
					return
				}
			}
		}))
		require.NoError(t, w.Flush())
		var tails string
		for line := range strings.Lines(out.String()) {
			from := strings.Index(line, `"pdh_status"`)
			if format == "csv" {
				fields := strings.SplitAfter(line, ",")
				from = len(line) - len(strings.Join(fields[len(fields)-3:], ""))
			}
			tails += line[from:]
		}
		require.Equal(t, want, tails)
	}
}

// TestRawSQLTellsOfTheLog wants raw values to stand in the same tables as cooked
// ones, with the scales of the counters and the recorder's time zone.
func TestRawSQLTellsOfTheLog(t *testing.T) {
	for _, name := range []string{"../testdata/blg/small.blg", "../../shared/corpus/blg/Tx_BasicPerfCounters.blg", "../../shared/corpus/blg/PAL_SampleLog.blg"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			if _, err := os.Stat(name); err != nil {
				t.Skipf("the corpus of logs is not here: %v", err)
			}
			open := func() *detect.Input {
				in, err := detect.OpenAny(name, detect.Options{})
				require.NoError(t, err)
				t.Cleanup(func() { _ = in.Close() })
				return in
			}
			var raw, cooked strings.Builder
			r, err := export.NewRaw(&raw, "sql", export.CookedOptions{})
			require.NoError(t, err)
			l, err := capture.OpenLog(open(), capture.Options{})
			require.NoError(t, err)
			for rec, err := range l.Records() {
				require.NoError(t, err)
				require.NoError(t, r.WriteRows(rec.Rows(func(err error) { t.Error(err) })))
			}
			require.NoError(t, r.Close())

			c, err := export.NewCooked(&cooked, "sql", export.CookedOptions{})
			require.NoError(t, err)
			recording := capture.NewRecording(capture.Options{}, capture.CookOptions{Raw: true})
			require.NoError(t, recording.Add(open()))
			defer recording.Close()
			for f, err := range recording.Frames() {
				require.NoError(t, err)
				require.NoError(t, c.WriteFrame(f))
			}
			require.NoError(t, c.Close())
			// Each is a log of its own, of the same times and zone.
			require.Equal(t, displayed(cooked.String()), displayed(raw.String()))
			require.Contains(t, displayed(raw.String()), "'20")
			// Raw values have bases, too, so the numbers of series are others.
			known := map[string]bool{}
			for _, row := range statements(raw.String(), "perfdump_counter") {
				_, rest, _ := strings.Cut(row, ",")
				known[rest] = true
			}
			details := statements(cooked.String(), "perfdump_counter")
			require.NotEmpty(t, details)
			for _, row := range details {
				_, rest, _ := strings.Cut(row, ",")
				require.True(t, known[rest], row)
			}
		})
	}
}

// displayed returns what is told of the log that the statements end with.
func displayed(sql string) string {
	row, _, _ := strings.Cut(sql[strings.LastIndex(sql, " END,"):], "\n")
	return row
}

// statements returns the rows that are put into a table.
func statements(sql, table string) (rows []string) {
	on := false
	for line := range strings.Lines(sql) {
		if strings.HasPrefix(line, "INSERT INTO ") {
			on = strings.Contains(line, table)
		} else if on {
			rows = append(rows, strings.TrimRight(line, ",;\n"))
		}
	}
	return rows
}
