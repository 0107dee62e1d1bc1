package blg_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
)

var newYork = etl.TimeZone{
	Bias: 300, DaylightBias: -60,
	StandardDate: [8]uint16{0, 11, 0, 1, 2}, DaylightDate: [8]uint16{0, 3, 0, 2, 2},
}

// TestZone compares the rules of a zone with those of Go's own tables for
// every half hour of three years.
func TestZone(t *testing.T) {
	for name, zone := range map[string]etl.TimeZone{
		"America/New_York": newYork,
		"Europe/Berlin":    {Bias: -60, DaylightBias: -60, StandardDate: [8]uint16{0, 10, 0, 5, 3}, DaylightDate: [8]uint16{0, 3, 0, 5, 2}},
		"Australia/Sydney": {Bias: -600, DaylightBias: -60, StandardDate: [8]uint16{0, 4, 0, 1, 3}, DaylightDate: [8]uint16{0, 10, 0, 1, 2}},
		"Asia/Kolkata":     {Bias: -330, DaylightBias: -60},
	} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Skip(err)
		}
		twices := 0
		for at := time.Date(2018, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2021; at = at.Add(30 * time.Minute) {
			_, east := at.In(loc).Zone()
			want := -time.Duration(east) * time.Second
			got, twice, ok := blg.ZoneOffset(&zone, ticks(at.Add(-want)))
			require.True(t, ok)
			if twice {
				twices++
				continue
			}
			require.Equal(t, want, got, "%s %s", name, at)
		}
		if zone.StandardDate[1] != 0 {
			require.Equal(t, 3*4, twices, name)
		}
	}
	for _, bias := range []int32{-1 << 31, -121, 121, 1<<31 - 1} { // none that a zone has
		got, _, ok := blg.ZoneOffset(&etl.TimeZone{Bias: 60, StandardBias: bias}, noon)
		require.True(t, ok)
		require.Equal(t, time.Hour, got, bias)
	}
	_, _, ok := blg.ZoneOffset(&etl.TimeZone{Bias: 100000}, noon)
	require.False(t, ok)
	once := etl.TimeZone{Bias: 0, DaylightBias: -60, StandardDate: [8]uint16{2020, 10, 0, 1, 2}, DaylightDate: [8]uint16{2020, 3, 0, 1, 2}}
	for year, want := range map[int]time.Duration{2020: -time.Hour, 2021: 0} {
		got, _, _ := blg.ZoneOffset(&once, ticks(time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)))
		require.Equal(t, want, got)
	}

	// Where one of the dates is none, it is standard time all year.
	july := ticks(time.Date(2020, 7, 1, 0, 0, 0, 0, time.UTC))
	got, _, _ := blg.ZoneOffset(&newYork, july)
	require.Equal(t, 4*time.Hour, got)
	for _, none := range [][8]uint16{
		{},
		{0, 0, 0, 1, 2},
		{0, 13, 0, 1, 2},
		{0, 3, 7, 1, 2},
		{0, 3, 0, 0, 2},
		{0, 3, 0, 6, 2},
		{0, 3, 0, 1, 24},
		{0, 3, 0, 1, 2, 60},
		{0, 3, 0, 1, 2, 0, 60},
		{0, 3, 0, 1, 2, 0, 0, 1000},
		{2020, 2, 0, 30, 2},
		{2019, 3, 0, 1, 2},
	} {
		for which := 1; which < 4; which++ {
			zone := newYork
			if which&1 != 0 {
				zone.StandardDate = none
			}
			if which&2 != 0 {
				zone.DaylightDate = none
			}
			for _, local := range []int64{july, july - 182*24*hour, july + 182*24*hour} {
				got, twice, ok := blg.ZoneOffset(&zone, local)
				require.True(t, ok && !twice)
				require.Equal(t, 5*time.Hour, got, none)
			}
		}
	}
}

// TestOffsets follows the order of the sources.
func TestOffsets(t *testing.T) {
	item := func(counter string, typ countertypes.Type) blgwriter.Item {
		return blgwriter.Item{Path: pdhpath.Path{Object: "O", Counter: counter}, Type: typ}
	}
	raw, object := item("raw", countertypes.PERF_COUNTER_RAWCOUNT), item("*", 0x10)
	timer, precise := item("timer", countertypes.PERF_100NSEC_TIMER), item("precise", countertypes.PERF_PRECISION_100NS_TIMER)
	value := func(local, utc int64) blgwriter.Series { return single(local, 1, uint64(utc)) }
	at := func(i int64) int64 { return noon + i*second }
	body := func(i, offset int64) blgwriter.Series {
		return blgwriter.Series{Kind: blg.Object, Body: block(t, at(i), offset, 1)}
	}
	type record []blgwriter.Series
	user := 3 * time.Hour
	zone := etl.TimeZone{Bias: 60}
	whole := body(0, 2*hour)
	unsigned := bytes.Clone(whole.Body)
	unsigned[0] = 'p'
	for name, c := range map[string]struct {
		items   []blgwriter.Item
		records []record
		zone    etl.TimeZone
		want    string
	}{
		"a block":                         {[]blgwriter.Item{raw, object}, []record{{value(at(0), 5), body(0, -5*hour)}}, zone, "[block -5h0m0s]"},
		"a sample, whose own time counts": {[]blgwriter.Item{timer}, []record{{value(at(-90), at(-90)+2*hour+29*second)}}, zone, "[sample 2h0m0s]"},
		"too far from a quarter, too much, a precision type": {
			[]blgwriter.Item{timer, timer, precise},
			[]record{{value(at(0), at(0)+2*hour+31*second), value(at(0), at(0)+15*hour), value(at(0), at(0)+2*hour)}},
			zone, "[zone 1h0m0s]",
		},
		"blocks that are 14 hours off, no more": {
			[]blgwriter.Item{object},
			[]record{{body(0, 14*hour)}, {body(1, -14*hour)}, {body(2, 14*hour+60*second)}, {body(3, -14*hour-60*second)}},
			zone, "[block 14h0m0s block -14h0m0s block -14h0m0s block -14h0m0s]",
		},
		"samples that are 14 hours off, no more": {
			[]blgwriter.Item{timer},
			[]record{{value(at(0), at(0)+14*hour)}, {value(at(1), at(1)-14*hour)}, {value(at(2), at(2)+14*hour+900*second)}},
			zone, "[sample 14h0m0s sample -14h0m0s sample -14h0m0s]",
		},
		"the record before, and the one after": {
			[]blgwriter.Item{timer},
			[]record{{value(at(0), 0)}, {value(at(1), 0)}, {value(at(2), at(2)+hour)}, {value(at(3), 0)}, {value(at(4), at(4)+2*hour)}, {value(at(5), 0)}},
			zone, "[sample 1h0m0s sample 1h0m0s sample 1h0m0s sample 1h0m0s sample 2h0m0s sample 2h0m0s]",
		},
		"the zone":           {[]blgwriter.Item{raw}, []record{{value(at(0), 5)}}, zone, "[zone 1h0m0s]"},
		"the user":           {[]blgwriter.Item{raw}, []record{{value(at(0), 5)}}, etl.TimeZone{Bias: 9999}, "[user 3h0m0s]"},
		"no block":           {[]blgwriter.Item{object}, []record{{{Kind: blg.Object, Body: unsigned}}}, zone, "[zone 1h0m0s]"},
		"half of a header":   {[]blgwriter.Item{object}, []record{{{Kind: blg.Object, Body: whole.Body[:87]}}}, zone, "[zone 1h0m0s]"},
		"a header":           {[]blgwriter.Item{object}, []record{{{Kind: blg.Object, Body: whole.Body[:88]}}}, zone, "[block 2h0m0s]"},
		"nothing of a block": {[]blgwriter.Item{object}, []record{{{Kind: blg.Object, Body: whole.Body[:4]}}}, zone, "[zone 1h0m0s]"},
		"the hour that the clock shows twice": {
			[]blgwriter.Item{raw},
			[]record{{}, {}, {}},
			newYork, "[zone 4h0m0s zone 4h0m0s zone 5h0m0s]",
		},
	} {
		times := []int64{at(0), at(1), at(2), at(3), at(4), at(5)}
		if c.zone == newYork {
			change := ticks(time.Date(2020, 11, 1, 2, 0, 0, 0, time.UTC))
			times = []int64{change - hour*3/2, change - hour/2, change + hour/2}
		}
		b := written(t, blgwriter.Options{Zone: c.zone}, func(w *blgwriter.Writer) {
			w.Items(noon-10, c.items...)
			for i, r := range c.records {
				w.Sample(times[i], r...)
			}
		})
		var got []any
		for _, s := range stamps(t, openWith(t, b, blg.Options{Offset: &user}).Records()) {
			got = append(got, s.Source.String(), s.Offset)
		}
		require.Equal(t, c.want, fmt.Sprint(got), name)
	}
}

// TestLookAhead: a stream looks for an offset in the next 64 records, and no
// further.
func TestLookAhead(t *testing.T) {
	for first, want := range map[int64]blg.OffsetSource{1: blg.OffsetSample, 64: blg.OffsetSample, 65: blg.OffsetZone, 100: blg.OffsetZone} {
		b := written(t, blgwriter.Options{Zone: etl.TimeZone{Bias: 60}}, func(w *blgwriter.Writer) {
			w.Items(noon-10, blgwriter.Item{Path: pdhpath.Path{Object: "O", Counter: "timer"}, Type: countertypes.PERF_100NSEC_TIMER})
			for i := range first {
				w.Sample(noon+i*second, single(noon+i*second, 1, 0))
			}
			local := noon + first*second
			w.Sample(local, single(local, 1, uint64(local+2*hour)))
		})
		rec, err := next(streamed(t, b))
		require.NoError(t, err)
		require.Equal(t, want, rec.Source, first)
	}
}

// firstTime and lastTime are the limits of docs/blg.md.
var (
	firstTime = ticks(time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC))
	lastTime  = ticks(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)) - 1
)

// TestImpossibleTimes: a record at a time that no log can have is reported with
// its place and left out, and turns nothing: the others keep their order. Its
// parts may be one or many. What is no sample keeps its place in the file.
func TestImpossibleTimes(t *testing.T) {
	o := blgwriter.Options{Header: etl.LogHeader{EndTime: noon}}
	for _, local := range []int64{0, -1, math.MinInt64, firstTime - 1, lastTime + 1, math.MaxInt64, firstTime, lastTime} {
		for _, instances := range []int{1, 500} {
			b := written(t, o, func(w *blgwriter.Writer) {
				w.Items(noon-10, sampleItems()...)
				sample(t, w, 1, noon)
				w.Sample(local, sampleSeries(t, noon, instances)...)
				sample(t, w, 1, noon+second)
			})
			f := open(t, b)
			if local == firstTime || local == lastTime {
				require.EqualValues(t, 3, f.NumRecords(), local)
				require.Zero(t, lostOf(f.Lost(), "events"), local)
				continue
			}
			require.True(t, f.InOrder(), local)
			require.Equal(t, []int64{0, 1}, locals(t, f), local)
			require.EqualValues(t, 1, lostOf(f.Lost(), "events"), local)
			a := f.Anomalies().Kept()[0]
			require.Equal(t, perfdump.Code("time"), a.Code)
			require.EqualValues(t, extents(b)[2].from+16, a.Off)
			require.Equal(t, "buffer[1].record[2].Time", a.Path.String())
		}
		f := open(t, written(t, o, func(w *blgwriter.Writer) {
			w.Titles(noon-20, `\\ONE`, "4", "Memory")
			w.Items(local, sampleItems()...)
			sample(t, w, 1, noon+second, noon) // so that they are sorted
		}))
		require.False(t, f.InOrder())
		if local == lastTime {
			continue // the list is then behind the samples
		}
		require.Equal(t, []int64{0, 1}, locals(t, f))
		require.False(t, f.Lost().Any())
		if local != firstTime {
			require.Equal(t, 1, f.Anomalies().Len())
			require.Equal(t, "buffer[1].record[1].Time", f.Anomalies().Kept()[0].Path.String())
		}
	}
}

// TestTimesOfTheHeader: one behind the year 9999 is reported, and not taken for
// a time.
func TestTimesOfTheHeader(t *testing.T) {
	for i, c := range []struct{ end, start, off int64 }{{lastTime, lastTime, 0}, {lastTime + 1, noon, 0x78}, {noon, lastTime + 1, 0x48 + 0x20 + 0x38 + 2*8 + 172 + 4 + 16}} {
		f := open(t, written(t, blgwriter.Options{Header: etl.LogHeader{EndTime: c.end}, Tail: etl.LogTail{StartTime: c.start}}, func(w *blgwriter.Writer) {
			w.Items(noon-10, sampleItems()...)
			sample(t, w, 1, noon)
		}))
		_, ended := f.Header().End()
		_, started := f.Header().Start()
		require.Equal(t, [2]bool{i != 1, i != 2}, [2]bool{ended, started})
		for _, a := range f.Anomalies().Kept() {
			require.Equal(t, perfdump.Code("time"), a.Code)
			require.Equal(t, c.off, a.Off)
		}
		require.Equal(t, min(i, 1), f.Anomalies().Len())
	}
}
