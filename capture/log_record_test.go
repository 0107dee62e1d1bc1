package capture_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/pdhpath"
)

type tuple struct {
	first, second uint64
	has           bool
}

// restless makes a log whose instances come, go and change places.
func restless(t testing.TB) string {
	t.Helper()
	const start, second = 132366960000000000, 10_000_000
	w := blg.NewWriter(blg.WriterOptions{})
	w.Items(start, blg.NewItem{
		Path: pdhpath.Path{Machine: "M", Object: "Process", Instance: "*", HasInstance: true, Counter: "Working Set"},
		Type: countertypes.PERF_COUNTER_LARGE_RAWCOUNT,
	})
	for i, names := range []string{"ab", "ab", "ba", "a", "", "aba", "aab", "abc", "cba"} {
		s := blg.NewSeries{Kind: blg.Instances, Local: start + int64(i)*second}
		for k, c := range names {
			s.Values = append(s.Values, blg.NewValue{Name: string(c), First: uint64(100*i + k)})
		}
		w.Sample(s.Local, s)
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "restless.blg")
	require.NoError(t, os.WriteFile(name, b, 0o600))
	return name
}

// TestRowsOfLogsAreWhatIsCooked holds the raw rows of logs against the tuples
// that their values are cooked of, which come another way.
func TestRowsOfLogsAreWhatIsCooked(t *testing.T) {
	for _, name := range []string{"../testdata/blg/small.blg", restless(t), logs + "Tx_BasicPerfCounters.blg", logs + "PAL_SampleLog.blg", logs + server2019} {
		if _, err := os.Stat(name); err != nil {
			t.Logf("%s is not here", name)
			continue
		}
		open := func() *detect.Input {
			in, err := detect.OpenAny(name, detect.Options{})
			require.NoError(t, err)
			t.Cleanup(func() { _ = in.Close() })
			return in
		}
		r := record(t, capture.Options{}, capture.CookOptions{Raw: true}, open())
		var want []map[string]tuple
		for f, err := range r.Frames() {
			require.NoError(t, err)
			of := map[string]tuple{}
			for i, c := range f.Cells {
				raw := f.Tuple(i)
				of[c.Series.Path()] = tuple{raw.First, raw.Second, raw.Known}
			}
			want = append(want, of)
		}
		require.NoError(t, r.Close())

		l, err := capture.OpenLog(open(), capture.Options{})
		require.NoError(t, err)
		n, rows := 0, 0
		for rec, err := range l.Records() {
			require.NoError(t, err)
			met := 0
			for row := range rec.Rows(func(err error) { require.NoError(t, err) }) {
				if row.Type.Hidden() {
					continue
				}
				s := capture.Series{
					Owner:  &capture.Owner{Host: row.Host, Object: row.Object, Parent: row.Parent, Instance: row.Instance, InstanceIndex: row.InstanceIndex, HasInstance: row.HasInstance},
					Metric: &capture.Metric{Counter: row.Counter},
				}
				w, ok := want[n][s.Path()]
				require.True(t, ok, "%s record %d has no %s", name, n, s.Path())
				require.Equal(t, w.has, !row.NoFirst && !row.NoSecond && !row.NoMulti, s.Path())
				if w.has {
					require.Equal(t, w.first, row.First, s.Path())
					require.Equal(t, w.second, row.Second, s.Path())
				}
				require.Equal(t, n, row.Record)
				met++
			}
			require.Len(t, want[n], met)
			n++
			rows += met
		}
		require.Len(t, want, n)
		t.Logf("%s: %d rows of %d records", name, rows, n)
	}
}

// TestFilterOfLogs holds that a filter lets the same through wherever a value
// stands in a log, and that a query leaves single values out.
func TestFilterOfLogs(t *testing.T) {
	count := func(o capture.Options) (objects map[string]int) {
		objects = map[string]int{}
		l, err := capture.OpenLog(smallLog(t, nil), o)
		require.NoError(t, err)
		for rec, err := range l.Records() {
			require.NoError(t, err)
			for row := range rec.Rows(func(err error) { require.NoError(t, err) }) {
				objects[row.Object]++
			}
		}
		return objects
	}
	require.Equal(t, map[string]int{"System": 4, "Processor": 12, "Memory": 8, "Process": 4}, count(capture.Options{}))
	filter, err := capture.NewFilter(`\\BETA\*(*)\*`, `\Processor(_Total)\*`, `\Memory\Available*`)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"Processor": 4, "Memory": 4, "Process": 4}, count(capture.Options{Filter: filter}))
}

// TestWindow holds that durations count from the first snapshot, and that every
// nth is counted for each machine.
func TestWindow(t *testing.T) {
	l, err := capture.OpenLog(smallLog(t, nil), capture.Options{})
	require.NoError(t, err)
	start := l.File.Start().Time()
	w := capture.NewWindow(capture.CookOptions{From: capture.Moment{After: 1e9, Set: true}, To: capture.Moment{At: start.Add(3e9), Set: true}, Every: 2})
	var taken []int
	for rec, err := range l.Records() {
		require.NoError(t, err)
		if w.Takes("a", "", rec.Time, rec.Offset) {
			taken = append(taken, rec.Record)
		}
		if rec.Record == 2 {
			require.True(t, w.Takes("b", "", rec.Time, rec.Offset), "the first of another machine")
		}
	}
	require.Equal(t, []int{1, 3}, taken)
}
