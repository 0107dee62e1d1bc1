package blg_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
)

// TestOrderAroundEmptyBuffers: a buffer without events has no time and turns
// nothing; the parts of an event around it stay in the order of the file.
func TestOrderAroundEmptyBuffers(t *testing.T) {
	for empty := range 3 {
		f := open(t, written(t, blgwriter.Options{}, func(w *blgwriter.Writer) {
			w.Items(noon-10, sampleItems()...)
			w.NextBuffer()
			sample(t, w, 200, noon+2*second)
			w.NextBuffer()
			sample(t, w, 200, noon) // before the buffer in front of it
			w.NextBuffer()
			b := blgwriter.AppendSample(nil, sampleSeries(t, noon+3*second, 200)...)
			w.Part(0x22, noon+3*second, 1, 2, b[:8000])
			for range empty + 1 {
				w.NextBuffer()
			}
			w.Part(0x22, noon+3*second, 2, 2, b[8000:])
		}))
		require.False(t, f.InOrder())
		require.Equal(t, []int64{0, 2, 3}, locals(t, f), "%d empty buffers: %v", empty, f.Anomalies().Kept())
	}
}

// TestOrder reads logs whose buffers lie in any order: as a circular log has
// them, the other way round, and as two processors that flush in turn.
func TestOrder(t *testing.T) {
	for _, instances := range []int{2, 700} {
		b := shape{size: 0x4000, records: 60, instances: instances}.bytes(t)
		want := dump(t, open(t, b).Records())
		n := len(b)/0x4000 - 1
		for at := 0; at < n; at += 1 + n/24 {
			f := open(t, permuted(b, 0x4000, func(i, n int) int { return (i + at) % n }))
			require.Equal(t, at == 0, f.InOrder())
			require.Equal(t, want, dump(t, f.Records()), "turned by %d", at)
			require.Empty(t, f.Anomalies().Kept())
		}
		if instances > 2 {
			continue // the parts of an event would be out of turn
		}
		for _, order := range []func(i, n int) int{func(i, n int) int { return n - 1 - i }, func(i, n int) int { return min(i^1, n-1) }} {
			require.Equal(t, want, dump(t, open(t, permuted(b, 0x4000, order)).Records()))
		}
	}
}

// countedReads counts the reads of a log.
type countedReads struct {
	*bytes.Reader
	n int
}

func (c *countedReads) ReadAt(p []byte, off int64) (int, error) {
	c.n++
	return c.Reader.ReadAt(p, off)
}

// TestInterleaved reads a log of two processors, each of which fills buffers of
// its own with every other record. A record is given once nothing earlier can
// come, so that no more than what is near is kept.
func TestInterleaved(t *testing.T) {
	turns := func(order ...int64) []byte {
		return written(t, blgwriter.Options{BufferSize: 0x1000}, func(w *blgwriter.Writer) {
			w.Items(noon-10, sampleItems()...)
			for k := range int64(40) {
				for _, i := range order {
					sample(t, w, 1, noon+(8*k+i)*second)
				}
			}
		})
	}
	want := dump(t, open(t, turns(0, 1, 2, 3, 4, 5, 6, 7)).Records())
	b := turns(0, 2, 4, 6, 1, 3, 5, 7)
	src := &countedReads{Reader: bytes.NewReader(b)}
	f, err := blg.Open(src, int64(len(b)), blg.Options{})
	require.NoError(t, err)
	require.False(t, f.InOrder())
	require.Equal(t, want, dump(t, f.Records()))
	src.n = 0
	_, err = next(f.Reader())
	require.NoError(t, err)
	first := src.n
	stamps(t, f.Records())
	require.Less(t, first, (src.n-first)/2)

	// A stream has no other order than the file's, and says so.
	r := streamed(t, b)
	require.Len(t, dump(t, r.Records()), len(want))
	assert.Contains(t, codes(r.Anomalies()), perfdump.Code("time-backwards"))
}

// late makes a log whose titles and item lists are behind the samples, where
// Windows Server 2019 writes them.
func late(t testing.TB, items ...[]blgwriter.Item) []byte {
	t.Helper()
	return written(t, closed(), func(w *blgwriter.Writer) {
		sample(t, w, 2, noon, noon+second, noon+2*second)
		w.Titles(noon+2*second+20, `\\ONE`, "1", "1847", "4", "Memory")
		for _, list := range items {
			w.Items(noon+2*second+20, list...)
		}
	})
}

// TestItemListBehindTheSamples: it is that of the samples before it: every
// reader of the file has it from the first record on, and nothing is amiss.
func TestItemListBehindTheSamples(t *testing.T) {
	b := late(t, sampleItems())
	f := openWith(t, b, strictly)
	assert.False(t, f.Lost().Any())
	assert.Len(t, f.Items(), 4)
	assert.Len(t, f.Titles(), 1)
	assert.False(t, f.InOrder(), "a stream does not give the same")
	want := dump(t, open(t, shape{size: 0x1000, records: 3, instances: 2}.bytes(t)).Records())
	for range 2 {
		assert.Equal(t, want, dump(t, f.Records()), "the records are those of a log that begins with its list")
	}

	// A second list behind all samples is in force for none of them.
	two := open(t, late(t, sampleItems(), sampleItems()[:1]))
	assert.Equal(t, want, dump(t, two.Records()))
	assert.Equal(t, []perfdump.Code{"item-list-again"}, codes(two.Anomalies()))

	// A stream has the list when the samples are gone: whole objects alone are given.
	r := streamed(t, b)
	n := 0
	for rec, err := range r.Records() {
		require.NoError(t, err)
		n++
		require.Empty(t, rec.Items)
		require.Equal(t, 1, rec.Len())
		require.Nil(t, rec.Series(0).Item)
		require.Equal(t, blg.OffsetBlock, rec.Source)
	}
	assert.Equal(t, 3, n)
	assert.EqualValues(t, 9, lostOf(r.Lost(), "series"))
}

// TestReadersShareTheList: all readers of a File have one list of items, and
// each reports what is wrong with it.
func TestReadersShareTheList(t *testing.T) {
	odd := append([]byte{0xFF, 6, 0, 0, 8, 0, 2, 0, 60, 0, 0, 0}, make([]byte, 48)...)
	texts := slices.Clone(odd) // an item whose texts are missing
	texts[8] = 52
	other := sampleItems()
	slices.Reverse(other)
	for name, list := range map[string]func(w *blgwriter.Writer){
		"plain": func(w *blgwriter.Writer) { w.Items(noon-10, sampleItems()...) },
		"odd":   func(w *blgwriter.Writer) { w.Items(noon-10, sampleItems()...); w.Event(0x20, noon-10, odd) },
		"two":   func(w *blgwriter.Writer) { w.Items(noon-10, sampleItems()...); w.Items(noon-10, other...) },
		"bad":   func(w *blgwriter.Writer) { w.Event(0x20, noon-10, odd) },
		"texts": func(w *blgwriter.Writer) { w.Event(0x20, noon-10, texts) },
	} {
		b := written(t, blgwriter.Options{}, func(w *blgwriter.Writer) { list(w); sample(t, w, 1, noon) })
		alone, f := streamed(t, b), open(t, b)
		want := dump(t, alone.Records())
		for range 2 {
			r := f.Reader()
			require.Equal(t, want, dump(t, r.Records()))
			require.Equal(t, alone.Anomalies(), r.Anomalies())
			require.Equal(t, alone.Lost(), r.Lost())
			require.Equal(t, alone.Items(), r.Items())
			switch name { // of two lists the second is each reader's own
			case "plain", "texts":
				require.Same(t, &f.Items()[0], &r.Items()[0])
			case "two":
				require.Equal(t, "Handle Count", r.Items()[0].Path.Counter)
			}
		}
	}
}

// TestListOfOtherParts: the items of a log in disorder are of the parts that
// belong together in the order of their times, not in that of the file.
func TestListOfOtherParts(t *testing.T) {
	item := func(counter string) []byte {
		b := written(t, blgwriter.Options{}, func(w *blgwriter.Writer) {
			w.Items(noon, blgwriter.Item{Path: pdhpath.Path{Machine: "ONE", Object: "O", Counter: counter}, Type: 0x10000})
		})
		at := bytes.Index(b, []byte{0xFF, 6, 0, 0, 8, 0, 2, 0})
		return b[at : at+8+int(binary.LittleEndian.Uint32(b[at+8:]))]
	}
	for _, other := range []string{"other", "one of another length"} {
		b, o := item("right"), item(other)
		const half = 40
		f := open(t, written(t, blgwriter.Options{}, func(w *blgwriter.Writer) {
			w.Event(0x55, noon-30, nil)
			w.Part(0x20, noon, 1, 2, b[:half])
			w.NextBuffer()
			w.Part(0x20, noon, 2, 2, o[half:]) // the next one in the file
			w.Sample(noon+1, single(noon+1, 1, 0))
			w.NextBuffer()
			w.Event(0x55, noon-20, nil)
			w.Part(0x20, noon, 2, 2, b[half:]) // the next one in time
		}))
		require.False(t, f.InOrder())
		for range 2 {
			r := f.Reader()
			stamps(t, r.Records())
			require.Len(t, r.Items(), 1)
			require.Equal(t, "right", r.Items()[0].Path.Counter)
			require.Same(t, &f.Items()[0], &r.Items()[0])
		}
	}
}

// setBack is when the clocks of pacific were set back in 2013: at 02:00.
var setBack = time.Date(2013, 11, 3, 9, 0, 0, 0, time.UTC)

// pacificLog has a record at each of the times, which are UTC; with the clock
// that its values run on, or with the zone of the header alone.
func pacificLog(t *testing.T, clock bool, times ...time.Time) []byte {
	t.Helper()
	item := blgwriter.Item{Path: pdhpath.Path{Object: "O", Counter: "C"}, Type: countertypes.PERF_COUNTER_RAWCOUNT}
	if clock {
		item.Type = countertypes.PERF_100NSEC_TIMER
	}
	zone := etl.TimeZone{Bias: 480, DaylightBias: -60, StandardDate: newYork.StandardDate, DaylightDate: newYork.DaylightDate}
	return written(t, blgwriter.Options{Zone: zone, Header: etl.LogHeader{EndTime: noon}}, func(w *blgwriter.Writer) {
		for i, at := range times {
			local := ticks(at.Add(-8 * time.Hour))
			if at.Before(setBack) {
				local += hour
			}
			if i == 0 {
				w.Items(local-10, item)
			}
			w.Sample(local, single(local, uint64(i), uint64(ticks(at))))
		}
	})
}

func timesOf(t *testing.T, f *blg.File) (times []time.Time) {
	t.Helper()
	for _, s := range stamps(t, f.Records()) {
		times = append(times, s.Time())
	}
	return times
}

// TestClockSetBack: in the hour that local time shows twice, records keep the
// order of the file, which is that of UTC, and there is no anomaly.
func TestClockSetBack(t *testing.T) {
	for _, step := range []time.Duration{10 * time.Second, time.Minute, 30 * time.Minute, 50 * time.Minute} {
		var want []time.Time
		for at := setBack.Add(-2 * time.Hour); at.Before(setBack.Add(2 * time.Hour)); at = at.Add(step) {
			want = append(want, at)
		}
		for _, clock := range []bool{true, false} {
			if !clock && step > 30*time.Minute {
				continue // only the log's own clock knows then
			}
			b := pacificLog(t, clock, want...)
			f := openWith(t, b, strictly)
			require.Equal(t, want, timesOf(t, f), "%v %v", clock, step)
			require.True(t, f.InOrder())
			r := streamed(t, b)
			require.Equal(t, dump(t, f.Records()), dump(t, r.Records()))
			require.Zero(t, r.Anomalies().Len())
		}
	}
}

// TestDisorderIsNoClockSetBack: what goes back in UTC too, or by less than half
// of what the zone says, is disorder and sorted.
func TestDisorderIsNoClockSetBack(t *testing.T) {
	for _, clock := range []bool{true, false} {
		for _, from := range []time.Duration{-3 * time.Hour, -70 * time.Minute, 90 * time.Minute} {
			at := func(m int) time.Time { return setBack.Add(from + time.Duration(m)*time.Minute) }
			f := open(t, pacificLog(t, clock, at(0), at(40), at(20), at(41), at(42)))
			require.False(t, f.InOrder(), "%v %v", clock, from)
			require.Equal(t, []time.Time{at(0), at(20), at(40), at(41), at(42)}, timesOf(t, f), "%v %v", clock, from)
		}
	}
}
