package capture_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
)

// cellsByFrame are the values of the frames, in the order of their cells.
func cellsByFrame(t testing.TB, inputs ...*capture.Input) (all [][]string) {
	t.Helper()
	for f := range frames(t, capture.CookOptions{}, inputs...) {
		var of []string
		for i := range f.Cells {
			of = append(of, said(&f.Cells[i]))
		}
		all = append(all, of)
	}
	return all
}

const unpaired = "needs-second-sample"

// TestItemsOfOnePath checks that each item is a series with a history of its own,
// though its path may occur in the list before. Item k counts k+1 a second.
func TestItemsOfOnePath(t *testing.T) {
	for _, c := range [][]string{
		{"", "R/sec", "R/sec"}, {"", "R/sec", "r/SEC"}, {"x", "R/sec", "other", "R/sec", "R/sec"}, {"*", "R/sec", "R/sec"}, {"", "*", "*"},
	} {
		instance, counters := c[0], c[1:]
		var items []blgwriter.Item
		for _, name := range counters {
			items = append(items, item("O", instance, name, countertypes.PERF_COUNTER_COUNTER))
		}
		w := blgwriter.New(blgwriter.Options{})
		list(w, 0, items...)
		for i := range 3 {
			var all []blgwriter.Series
			for k, name := range counters {
				n, ticks := uint64((k+1)*i), uint64(1000*(i+1))
				switch {
				case name == "*":
					all = append(all, object(4, int64(ticks), n))
				case instance == "*":
					all = append(all, several(blgwriter.Value{Name: "x", First: n, Second: ticks}))
				default:
					all = append(all, single(n, ticks))
				}
			}
			sample(w, int64(i), all...)
		}
		var none, rates []string
		for k := range counters {
			none, rates = append(none, unpaired), append(rates, fmt.Sprint(k+1))
		}
		require.Equal(t, [][]string{none, rates, rates}, cellsByFrame(t, written(t, "a", w)))
		require.Equal(t, [][]string{none, rates, rates}, cellsByFrame(t, written(t, "a", w), written(t, "b", w))[:3], "duplicates count once")
		columns, err := record(t, capture.Options{}, capture.CookOptions{}, written(t, "a", w)).Columns()
		require.NoError(t, err)
		require.Len(t, columns, len(counters))
	}
}

// TestLaterLists checks that an item of a later list goes on where that of its
// path, counted among equal ones, has been: what was read of it last.
func TestLaterLists(t *testing.T) {
	rate := func(counter string) blgwriter.Item {
		return item("O", "", counter, countertypes.PERF_COUNTER_COUNTER)
	}
	w := blgwriter.New(blgwriter.Options{})
	list(w, 1, rate("A/sec"), rate("B/sec"), rate("B/sec"))
	sample(w, 1, single(10, 1000), single(20, 1000), single(30, 1000))
	list(w, 2, rate("b/sec"), rate("A/sec"), rate("B/sec"))
	sample(w, 2, single(40, 2000), single(20, 2000), single(60, 2000))
	require.Equal(t, [][]string{{unpaired, unpaired, unpaired}, {"20", "10", "30"}}, cellsByFrame(t, written(t, "again", w)))

	titles := map[string]uint32{"a": 2, "b": 4, "c": 6}
	w = blgwriter.New(blgwriter.Options{})
	for i, names := range [][]string{{"a", "b"}, {"b", "c"}, {"c", "a"}} {
		var items []blgwriter.Item
		var series []blgwriter.Series
		for _, name := range names {
			items = append(items, item(name, "", "*", 0x10))
			series = append(series, object(titles[name], int64(1000*(i+1)), uint64(6*i*i)))
		}
		list(w, int64(i), items...)
		sample(w, int64(i), series...)
	}
	// a's earlier one is two seconds old
	require.Equal(t, [][]string{{unpaired, unpaired}, {"6", unpaired}, {"18", "12"}}, cellsByFrame(t, written(t, "lists", w)))
}

// TestObjectsWithoutAList checks that whole objects of a log without a list of
// items each have a history of their own, wherever they stand in the record.
func TestObjectsWithoutAList(t *testing.T) {
	w := blgwriter.New(blgwriter.Options{})
	sample(w, 0, object(4, 1000, 0), object(230, 1000, 100))
	sample(w, 1, object(230, 2000, 107), object(4, 2000, 5))
	sample(w, 2, object(4, 3000, 9))
	require.Equal(t, [][]string{{unpaired, unpaired}, {"7", "5"}, {"4"}}, cellsByFrame(t, written(t, "unlisted", w)))
}

// TestManyItemsAreRead expects a log of 50,000 items with names as Windows has them
// to be read, any number of times.
func TestManyItemsAreRead(t *testing.T) {
	const n = 50_000
	w := blgwriter.New(blgwriter.Options{})
	var items []blgwriter.Item
	var series []blgwriter.Series
	for i := range n {
		items = append(items, item("Process", fmt.Sprintf("process%d", i/25), fmt.Sprintf("IO Data Bytes %d/sec", i%25), countertypes.PERF_COUNTER_BULK_COUNT))
		series = append(series, single(uint64(i), 1000))
	}
	list(w, 0, items...)
	sample(w, 0, series...)
	r := record(t, capture.Options{}, capture.CookOptions{Kept: 64}, written(t, "many", w))
	for range 2 {
		columns, err := r.Columns()
		require.NoError(t, err)
		require.Len(t, columns, n)
	}
	for f := range framesOf(t, r) {
		require.Len(t, f.Cells, n)
	}
}

// restarted makes a log of two machines, of which M restarts before record 2. Its
// instance y is not there then.
func restarted(t testing.TB) *capture.Input {
	const rate = countertypes.PERF_COUNTER_COUNTER
	items := []blgwriter.Item{
		item("CPU", "", "Time", countertypes.PERF_100NSEC_TIMER), item("Net", "*", "Bytes/sec", countertypes.PERF_COUNTER_BULK_COUNT),
		item("Memory", "", "*", 0), item("Process", "", "*", 0),
		item("Disk", "", "Free", countertypes.PERF_COUNTER_LARGE_RAWCOUNT), item("Disk", "", "Reads/sec", rate), item("Disk", "", "Reads/sec", rate),
	}
	items[4].Path.Machine, items[6].Path.Machine = "m", "B"
	busy := func(title uint32, up, i uint64) blgwriter.Series { // a pair of them has a value whatever the clock
		return wholeObject(title, countertypes.PERF_100NSEC_TIMER, int64(up), int64(noonTicks+i*second), 100*i)
	}
	w := blgwriter.New(blgwriter.Options{})
	list(w, 0, items...)
	for i := range uint64(5) {
		up := 1_000_000 + 1000*i
		if i >= 2 {
			up = 1000 * i
		}
		n := 100 * i
		net := []blgwriter.Value{{Name: "x", First: n, Second: up}, {Name: "y", First: n, Second: up}}
		if i == 2 {
			net = net[:1]
		}
		sample(w, int64(i), single(n, noonTicks+i*second), several(net...), busy(4, up, i), busy(230, up, i),
			single(n, 0), single(n, up), single(n, 1000*i+5))
	}
	return written(t, "restarted", w)
}

// TestRestartInALog checks that a restart is one for all items of the machine, is
// reported once, and lasts until a series comes again.
func TestRestartInALog(t *testing.T) {
	var remarks []capture.Remark
	got := map[string]string{}
	for f := range frames(t, capture.CookOptions{Remark: func(m capture.Remark) { remarks = append(remarks, m) }}, restarted(t)) {
		for _, c := range f.Cells {
			path := c.Series.Path()
			for len(got[path]) < f.Record {
				got[path] += " "
			}
			switch c.Status {
			case countertypes.StatusOK:
				got[path] += "v"
			case countertypes.StatusNegativeDenominator:
				got[path] += "d"
			default:
				got[path] += "-"
			}
		}
	}
	require.Equal(t, map[string]string{
		`\\M\CPU\Time`:                "-v-vv",
		`\\M\Net(x)\Bytes/sec`:        "-vdvv",
		`\\M\Net(y)\Bytes/sec`:        "-v dv",
		`\\M\Memory\Available Bytes`:  "-v-vv",
		`\\M\Process\Available Bytes`: "-v-vv",
		`\\m\Disk\Free`:               "vvvvv",
		`\\M\Disk\Reads/sec`:          "-vdvv",
		`\\B\Disk\Reads/sec`:          "-vvvv",
	}, got)
	require.Len(t, remarks, 1)
	require.EqualValues(t, "restart", remarks[0].Code)
	require.Equal(t, 2, remarks[0].Record)
}

// restless makes a log whose instances come, go and change places.
func restless(t testing.TB) *capture.Input {
	w := blgwriter.New(blgwriter.Options{})
	list(w, 0, item("Process", "*", "Working Set", countertypes.PERF_COUNTER_LARGE_RAWCOUNT))
	for i, names := range []string{"ab", "ab", "ba", "a", "", "aba", "aab", "abc", "cba"} {
		s := blgwriter.Series{Kind: blg.Instances}
		for k, c := range names {
			s.Values = append(s.Values, blgwriter.Value{Name: string(c), First: uint64(100*i + k)})
		}
		sample(w, int64(i), s)
	}
	return written(t, "restless", w)
}

// TestRowsOfLogsAreWhatIsCooked compares the raw rows of logs with the tuples
// that their values are cooked from, which are read another way.
func TestRowsOfLogsAreWhatIsCooked(t *testing.T) {
	type raw struct {
		first, second uint64
		known         bool
	}
	for name, input := range map[string]func() *capture.Input{
		"small": func() *capture.Input { return smallLog(t) }, "restless": func() *capture.Input { return restless(t) },
		"restarted": func() *capture.Input { return restarted(t) },
		"Tx":        func() *capture.Input { return open(t, logs+"Tx_BasicPerfCounters.blg") }, "PAL": func() *capture.Input { return open(t, logs+"PAL_SampleLog.blg") },
		"2019": func() *capture.Input { return open(t, logs+server2019) },
	} {
		t.Run(name, func(t *testing.T) {
			var want, got []map[string]raw
			for f := range frames(t, capture.CookOptions{Raw: true}, input()) {
				of := map[string]raw{}
				for i, c := range f.Cells {
					if tuple := f.Tuple(i); tuple.Known {
						of[c.Series.Path()] = raw{tuple.First, tuple.Second, true}
					} else {
						of[c.Series.Path()] = raw{}
					}
				}
				want = append(want, of)
			}
			for s := range snapshots(t, input(), capture.Options{}) {
				require.Equal(t, len(got), s.Record)
				of := map[string]raw{}
				for row := range s.Rows() {
					if row.Type.Hidden() {
						continue
					}
					series := capture.Series{
						Owner:  &capture.Owner{Host: row.Host, Object: row.Object, Parent: row.Parent, Instance: row.Instance, InstanceIndex: row.InstanceIndex, HasInstance: row.HasInstance},
						Metric: &capture.Metric{Counter: row.Counter},
					}
					of[series.Path()] = raw{}
					if !row.NoFirst && !row.NoSecond && !row.NoMulti {
						of[series.Path()] = raw{row.First, row.Second, true}
					}
				}
				got = append(got, of)
			}
			require.NotEmpty(t, want)
			require.Equal(t, want, got)
		})
	}
}

// TestFilterOfLogs checks that a filter lets the same through wherever a value
// stands in a log.
func TestFilterOfLogs(t *testing.T) {
	count := func(o capture.Options) map[string]int {
		objects := map[string]int{}
		for s := range snapshots(t, smallLog(t), o) {
			for row := range s.Rows() {
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

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt

	n int
}

func (c *counted) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, off)
	c.n += n
	return n, err
}

// TestColumnsOfSingleValues wants the columns of a log of single values to be read of
// its start, and those of any other log of all of it.
func TestColumnsOfSingleValues(t *testing.T) {
	const records = 10_000
	for name, x := range map[string]struct {
		last    []blgwriter.Series
		columns int
		all     bool
	}{
		"single":    {[]blgwriter.Series{single(1, 1), single(2, 2)}, 2, false},
		"instances": {[]blgwriter.Series{single(1, 1), several(blgwriter.Value{Name: "x"}, blgwriter.Value{Name: "y"})}, 4, true},
	} {
		w := blgwriter.New(blgwriter.Options{})
		list(w, 0, item("O", "", "A", countertypes.PERF_COUNTER_COUNTER), item("O", "", "B", countertypes.PERF_COUNTER_COUNTER))
		for i := range records - 1 {
			sample(w, int64(i), single(uint64(i), 1), single(uint64(i), 1))
		}
		sample(w, records, x.last...)
		in := written(t, "a", w)
		size := len(in.Data)
		at := &counted{ReaderAt: bytes.NewReader(in.Data)}
		in.At, in.Size, in.Data = at, int64(size), nil
		r := record(t, capture.Options{}, capture.CookOptions{}, in)
		at.n = 0
		columns, err := r.Columns()
		require.NoError(t, err)
		require.Len(t, columns, x.columns, name)
		require.Equal(t, x.all, at.n >= size, name)
	}
}
