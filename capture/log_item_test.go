package capture_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/pdhpath"
)

// listed makes a log in which each item has its own pace: item k counts k+1 a
// second.
func listed(t testing.TB, instance string, counters ...string) *detect.Input {
	const start, second = 132366960000000000, 10_000_000
	w := blg.NewWriter(blg.WriterOptions{})
	var items []blg.NewItem
	for _, c := range counters {
		items = append(items, blg.NewItem{
			Path: pdhpath.Path{Machine: "M", Object: "O", Instance: instance, HasInstance: instance != "", Counter: c},
			Type: countertypes.PERF_COUNTER_COUNTER, TimeBase: 1000,
		})
	}
	w.Items(start-10, items...)
	for i := range 4 {
		local := start + int64(i)*second
		var all []blg.NewSeries
		for k, c := range counters {
			s := blg.NewSeries{Kind: blg.Single, Local: local, Values: []blg.NewValue{{Name: "x", Multi: 1, First: uint64((k + 1) * i), Second: uint64(1000 * i)}}}
			if c == "*" {
				b := perftest.Block{PerfTime: int64(1000 * (i + 1)), PerfFreq: 1000, PerfTime100nSec: local, Objects: []perftest.Object{{
					Title: 4, Single: true, Counters: []perftest.Counter{{Title: 24, Type: uint32(countertypes.PERF_COUNTER_COUNTER)}},
					Instances: []perftest.Instance{{Values: []uint64{uint64((k + 1) * i)}}},
				}}}
				s = blg.NewSeries{Kind: blg.Object, Body: b.Bytes()}
			} else if instance == "*" {
				s.Kind = blg.Instances
			}
			all = append(all, s)
		}
		w.Sample(local, all...)
	}
	return written(t, "listed.blg", w)
}

// TestItemsOfOnePath holds that each item is a series of its own with a history
// of its own, though its path stands in the list before.
func TestItemsOfOnePath(t *testing.T) {
	for _, test := range []struct {
		instance string
		counters []string
	}{
		{"", []string{"R/sec", "R/sec"}},
		{"", []string{"R/sec", "r/SEC"}},
		{"x", []string{"R/sec", "other", "R/sec", "R/sec"}},
		{"*", []string{"R/sec", "R/sec"}},
		{"", []string{"*", "*"}},
	} {
		for _, tracks := range []int{1, 2} { // the second is read by another way
			var inputs []*detect.Input
			for range tracks {
				inputs = append(inputs, listed(t, test.instance, test.counters...))
			}
			r := record(t, capture.Options{}, capture.CookOptions{}, inputs...)
			columns, err := r.Columns()
			require.NoError(t, err)
			require.Len(t, columns, len(test.counters))
			got := map[*capture.Series][]float64{}
			for f, err := range r.Frames() {
				require.NoError(t, err)
				require.Len(t, f.Cells, len(columns))
				for _, c := range f.Cells {
					if f.Record > 0 {
						require.Equal(t, countertypes.StatusOK, c.Status)
						got[c.Series] = append(got[c.Series], c.Value)
					}
				}
			}
			for k, s := range columns {
				v := float64(k + 1)
				require.Equal(t, []float64{v, v, v}, got[s], "what is there twice counts once")
			}
			require.NoError(t, r.Close())
		}
	}
}

// TestListThatComesAgain holds that an item of a later list goes on where that
// of its path, counted among those alike, has been.
func TestListThatComesAgain(t *testing.T) {
	const start, second = 132366960000000000, 10_000_000
	item := func(counter string) blg.NewItem {
		return blg.NewItem{Path: pdhpath.Path{Machine: "M", Object: "O", Counter: counter}, Type: countertypes.PERF_COUNTER_COUNTER, TimeBase: 1000}
	}
	w := blg.NewWriter(blg.WriterOptions{})
	sample := func(i int, paces ...int) {
		var all []blg.NewSeries
		for _, pace := range paces {
			all = append(all, blg.NewSeries{Kind: blg.Single, Values: []blg.NewValue{{Multi: 1, First: uint64(pace * i), Second: uint64(1000 * i)}}})
		}
		w.Sample(start+int64(i)*second, all...)
	}
	w.Items(start-10, item("A/sec"), item("B/sec"), item("B/sec"))
	sample(1, 10, 20, 30)
	w.Items(start+second+10, item("b/sec"), item("A/sec"), item("B/sec"))
	sample(2, 20, 10, 30)
	r := record(t, capture.Options{}, capture.CookOptions{}, written(t, "again.blg", w))
	var got []float64
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, c := range f.Cells {
			got = append(got, c.Value)
		}
	}
	require.NoError(t, r.Close())
	require.Equal(t, []float64{0, 0, 0, 20, 10, 30}, got)
}

// TestObjectsWithoutAList holds that whole objects of a log without a list of
// items each have a history of their own, wherever they stand in the record.
func TestObjectsWithoutAList(t *testing.T) {
	const start, second = 132366960000000000, 10_000_000
	object := func(title uint32, n, i int) blg.NewSeries {
		b := perftest.Block{DefaultObject: int32(title), PerfTime: int64(1000 * (i + 1)), PerfFreq: 1000, PerfTime100nSec: start + int64(i)*second, Objects: []perftest.Object{{
			Title: title, Single: true, Counters: []perftest.Counter{{Title: 24, Type: uint32(countertypes.PERF_COUNTER_COUNTER)}},
			Instances: []perftest.Instance{{Values: []uint64{uint64(n)}}},
		}}}
		return blg.NewSeries{Kind: blg.Object, Body: b.Bytes()}
	}
	w := blg.NewWriter(blg.WriterOptions{})
	w.Sample(start, object(4, 0, 0), object(230, 100, 0))
	w.Sample(start+second, object(230, 107, 1), object(4, 5, 1))
	w.Sample(start+2*second, object(4, 9, 2))
	r := record(t, capture.Options{}, capture.CookOptions{}, written(t, "unlisted.blg", w))
	got := map[string][]float64{}
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, c := range f.Cells {
			got[c.Series.Object] = append(got[c.Series.Object], c.Value)
		}
	}
	require.NoError(t, r.Close())
	require.Equal(t, map[string][]float64{"Memory": {0, 5, 4}, "Process": {0, 7}}, got)
}

// TestManyItemsAreRead wants a log of 50,000 items with names as Windows has them
// to be read, as often as it is asked for.
func TestManyItemsAreRead(t *testing.T) {
	const n, start, second = 50_000, 132366960000000000, 10_000_000
	w := blg.NewWriter(blg.WriterOptions{})
	var items []blg.NewItem
	var series []blg.NewSeries
	for i := range n {
		items = append(items, blg.NewItem{
			Path: pdhpath.Path{Machine: "SERVER01", Object: "Process", Instance: fmt.Sprintf("process%d", i/25), HasInstance: true, Counter: fmt.Sprintf("IO Data Bytes %d/sec", i%25)},
			Type: countertypes.PERF_COUNTER_BULK_COUNT, TimeBase: 1000,
		})
		series = append(series, blg.NewSeries{Kind: blg.Single, Local: start, Values: []blg.NewValue{{Multi: 1, First: uint64(i), Second: 1000}}})
	}
	w.Items(start-10, items...)
	w.Sample(start, series...)
	w.Sample(start+second, series...)
	r := record(t, capture.Options{}, capture.CookOptions{Kept: 64}, written(t, "many.blg", w))
	for range 3 {
		columns, err := r.Columns()
		require.NoError(t, err)
		require.Len(t, columns, n)
	}
	for f, err := range r.Frames() {
		require.NoError(t, err)
		require.Len(t, f.Cells, n)
	}
	require.NoError(t, r.Close())
}

// TestItemsOfLaterLists wants whole objects of another list, and of one behind
// that, to have the history of the same path: what was read of it last.
func TestItemsOfLaterLists(t *testing.T) {
	const start, second = 132366960000000000, 10_000_000
	titles := map[string]uint32{"a": 2, "b": 4, "c": 6}
	w := blg.NewWriter(blg.WriterOptions{})
	for i, list := range [][]string{{"a", "b"}, {"b", "c"}, {"c", "a"}} {
		at := start + int64(i)*second
		var items []blg.NewItem
		var series []blg.NewSeries
		for _, name := range list {
			b := perftest.Block{PerfTime: int64(1000 * (i + 1)), PerfFreq: 1000, PerfTime100nSec: at, Objects: []perftest.Object{{
				Title: titles[name], Single: true, Counters: []perftest.Counter{{Title: 24, Type: uint32(countertypes.PERF_COUNTER_COUNTER)}},
				Instances: []perftest.Instance{{Values: []uint64{uint64(6 * i * i)}}},
			}}}
			items = append(items, blg.NewItem{Path: pdhpath.Path{Machine: "M", Object: name, Counter: "*"}, Type: 0x10})
			series = append(series, blg.NewSeries{Kind: blg.Object, Body: b.Bytes()})
		}
		w.Items(at-10, items...)
		w.Sample(at, series...)
	}
	r := record(t, capture.Options{}, capture.CookOptions{}, written(t, "lists.blg", w))
	var got [][]value
	for f, err := range r.Frames() {
		require.NoError(t, err)
		var of []value
		for _, c := range f.Cells {
			of = append(of, value{c.Value, c.Status})
		}
		got = append(got, of)
	}
	none := value{0, countertypes.StatusNeedsSecondSample}
	require.Equal(t, [][]value{
		{none, none},
		{{6, 0}, none},
		{{18, 0}, {12, 0}}, // a's earlier one is two seconds old
	}, got)
	require.NoError(t, r.Close())
}
