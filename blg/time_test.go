package blg_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

func ticks(t time.Time) int64 { return t.Unix()*second + 116444736000000000 }

// TestZone compares the rules of a zone with those of Go's own tables for
// every half hour of three years.
func TestZone(t *testing.T) {
	for _, c := range []struct {
		name string
		zone blg.TimeZone
	}{
		{"America/New_York", blg.TimeZone{
			Bias: 300, DaylightBias: -60,
			StandardDate: perfdata.SystemTime{0, 11, 0, 1, 2}, DaylightDate: perfdata.SystemTime{0, 3, 0, 2, 2},
		}},
		{"Europe/Berlin", blg.TimeZone{
			Bias: -60, DaylightBias: -60,
			StandardDate: perfdata.SystemTime{0, 10, 0, 5, 3}, DaylightDate: perfdata.SystemTime{0, 3, 0, 5, 2},
		}},
		{"Australia/Sydney", blg.TimeZone{
			Bias: -600, DaylightBias: -60,
			StandardDate: perfdata.SystemTime{0, 4, 0, 1, 3}, DaylightDate: perfdata.SystemTime{0, 10, 0, 1, 2},
		}},
		{"Asia/Kolkata", blg.TimeZone{Bias: -330, DaylightBias: -60}},
	} {
		loc, err := time.LoadLocation(c.name)
		if err != nil {
			t.Skip(err)
		}
		twices := 0
		for at := time.Date(2018, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2021; at = at.Add(30 * time.Minute) {
			_, east := at.In(loc).Zone()
			want := -time.Duration(east) * time.Second
			got, twice, ok := c.zone.Offset(ticks(at.Add(-want)))
			require.True(t, ok)
			if twice {
				twices++
				continue
			}
			require.Equal(t, want, got, "%s %s", c.name, at)
		}
		if c.zone.StandardDate[1] != 0 {
			assert.Equal(t, 3*4, twices, c.name)
		}
	}
	for _, bias := range []int32{-1 << 31, -121, 121, 1<<31 - 1} { // none that a zone has
		zone := blg.TimeZone{Bias: 60, StandardBias: bias}
		got, _, ok := zone.Offset(noon)
		require.True(t, ok)
		require.Equal(t, time.Hour, got, bias)
	}
	_, _, ok := (&blg.TimeZone{Bias: 100000}).Offset(noon)
	assert.False(t, ok)
	once := blg.TimeZone{Bias: 0, DaylightBias: -60, StandardDate: perfdata.SystemTime{2020, 10, 0, 1, 2}, DaylightDate: perfdata.SystemTime{2020, 3, 0, 1, 2}}
	got, _, _ := once.Offset(noon)
	assert.Equal(t, -time.Hour, got)
	got, _, _ = once.Offset(ticks(time.Date(2021, 6, 1, 0, 0, 0, 0, time.UTC)))
	assert.Zero(t, got)
}

// TestZoneWithoutDaylightTime: a zone of which one of the dates is none, as with
// month 0, keeps standard time all year.
func TestZoneWithoutDaylightTime(t *testing.T) {
	july := ticks(time.Date(2020, 7, 1, 0, 0, 0, 0, time.UTC))
	good := blg.TimeZone{
		Bias: 300, DaylightBias: -60,
		StandardDate: perfdata.SystemTime{0, 11, 0, 1, 2}, DaylightDate: perfdata.SystemTime{0, 3, 0, 2, 2},
	}
	got, _, ok := good.Offset(july)
	require.True(t, ok)
	require.Equal(t, 4*time.Hour, got)
	for _, none := range []perfdata.SystemTime{
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
		for _, zone := range []blg.TimeZone{
			{Bias: 300, DaylightBias: -60, StandardDate: none, DaylightDate: good.DaylightDate},
			{Bias: 300, DaylightBias: -60, StandardDate: good.StandardDate, DaylightDate: none},
			{Bias: 300, DaylightBias: -60, StandardDate: none, DaylightDate: none},
		} {
			for _, local := range []int64{july, july - 182*24*hour, july + 182*24*hour} {
				got, twice, ok := zone.Offset(local)
				require.True(t, ok)
				require.False(t, twice)
				require.Equal(t, 5*time.Hour, got, none)
			}
		}
	}
}

// TestOffsets follows the order of the sources.
func TestOffsets(t *testing.T) {
	raw := blg.NewItem{Path: pdhpath.Path{Object: "O", Counter: "raw"}, Type: countertypes.PERF_COUNTER_RAWCOUNT}
	timer := blg.NewItem{Path: pdhpath.Path{Object: "O", Counter: "timer"}, Type: countertypes.PERF_100NSEC_TIMER}
	precise := blg.NewItem{Path: pdhpath.Path{Object: "O", Counter: "precise"}, Type: countertypes.PERF_PRECISION_100NS_TIMER}
	object := blg.NewItem{Path: pdhpath.Path{Object: "Memory", Counter: "*"}, Type: 0x10}
	value := func(local, utc int64) blg.NewSeries {
		return blg.NewSeries{Kind: blg.Single, Local: local, Values: []blg.NewValue{{First: 1, Second: uint64(utc)}}}
	}
	user := 3 * time.Hour
	zone := blg.TimeZone{Bias: 60}
	type record []blg.NewSeries
	at := func(i int64) int64 { return noon + i*second }
	for name, c := range map[string]struct {
		items   []blg.NewItem
		records []record
		zone    blg.TimeZone
		want    []blg.Stamp
	}{
		"a block": {
			[]blg.NewItem{raw, object},
			[]record{{value(at(0), 5), {Kind: blg.Object, Body: block(t, at(0), -5*hour, 1)}}},
			zone,
			[]blg.Stamp{{Source: blg.OffsetBlock, Offset: -5 * time.Hour}},
		},
		"a sample, whose own time counts": {
			[]blg.NewItem{timer},
			[]record{{value(at(-90), at(-90)+2*hour+29*second)}},
			zone,
			[]blg.Stamp{{Source: blg.OffsetSample, Offset: 2 * time.Hour}},
		},
		"too far from a quarter, too much, a precision type": {
			[]blg.NewItem{timer, timer, precise},
			[]record{{value(at(0), at(0)+2*hour+31*second), value(at(0), at(0)+15*hour), value(at(0), at(0)+2*hour)}},
			zone,
			[]blg.Stamp{{Source: blg.OffsetZone, Offset: time.Hour}},
		},
		"blocks that are 14 hours off, no more": {
			[]blg.NewItem{object},
			[]record{
				{{Kind: blg.Object, Body: block(t, at(0), 14*hour, 1)}},
				{{Kind: blg.Object, Body: block(t, at(1), -14*hour, 1)}},
				{{Kind: blg.Object, Body: block(t, at(2), 14*hour+60*second, 1)}},
				{{Kind: blg.Object, Body: block(t, at(3), -14*hour-60*second, 1)}},
			},
			zone,
			[]blg.Stamp{
				{Source: blg.OffsetBlock, Offset: 14 * time.Hour},
				{Source: blg.OffsetBlock, Offset: -14 * time.Hour},
				{Source: blg.OffsetBlock, Offset: -14 * time.Hour},
				{Source: blg.OffsetBlock, Offset: -14 * time.Hour},
			},
		},
		"samples that are 14 hours off, no more": {
			[]blg.NewItem{timer},
			[]record{{value(at(0), at(0)+14*hour)}, {value(at(1), at(1)-14*hour)}, {value(at(2), at(2)+14*hour+900*second)}},
			zone,
			[]blg.Stamp{
				{Source: blg.OffsetSample, Offset: 14 * time.Hour}, {Source: blg.OffsetSample, Offset: -14 * time.Hour}, {Source: blg.OffsetSample, Offset: -14 * time.Hour},
			},
		},
		"the record before, and the one after": {
			[]blg.NewItem{timer},
			[]record{{value(at(0), 0)}, {value(at(1), 0)}, {value(at(2), at(2)+hour)}, {value(at(3), 0)}, {value(at(4), at(4)+2*hour)}, {value(at(5), 0)}},
			zone,
			[]blg.Stamp{
				{Source: blg.OffsetSample, Offset: time.Hour},
				{Source: blg.OffsetSample, Offset: time.Hour},
				{Source: blg.OffsetSample, Offset: time.Hour},
				{Source: blg.OffsetSample, Offset: time.Hour},
				{Source: blg.OffsetSample, Offset: 2 * time.Hour},
				{Source: blg.OffsetSample, Offset: 2 * time.Hour},
			},
		},
		"the zone": {[]blg.NewItem{raw}, []record{{value(at(0), 5)}}, zone, []blg.Stamp{{Source: blg.OffsetZone, Offset: time.Hour}}},
		"the user": {
			[]blg.NewItem{raw},
			[]record{{value(at(0), 5)}},
			blg.TimeZone{Bias: 9999},
			[]blg.Stamp{{Source: blg.OffsetUser, Offset: user}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := blg.NewWriter(blg.WriterOptions{Zone: c.zone})
			w.Items(noon-10, c.items...)
			for i, r := range c.records {
				w.Sample(at(int64(i)), r...)
				c.want[i].Local = at(int64(i))
			}
			b, err := w.Bytes()
			require.NoError(t, err)
			f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{Offset: &user})
			require.NoError(t, err)
			var got []blg.Stamp
			for rec, err := range f.Records() {
				require.NoError(t, err)
				got = append(got, rec.Stamp)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestRepeatedHour keeps the offset of the record before in the hour that the
// clock shows twice.
func TestRepeatedHour(t *testing.T) {
	zone := blg.TimeZone{
		Bias: 300, DaylightBias: -60,
		StandardDate: perfdata.SystemTime{0, 11, 0, 1, 2}, DaylightDate: perfdata.SystemTime{0, 3, 0, 2, 2},
	}
	change := ticks(time.Date(2020, 11, 1, 2, 0, 0, 0, time.UTC))
	w := blg.NewWriter(blg.WriterOptions{Zone: zone})
	w.Items(change-3*hour, blg.NewItem{Path: pdhpath.Path{Object: "O", Counter: "raw"}})
	for _, m := range []int64{-90, -30, 30} {
		w.Sample(change+m*60*second, blg.NewSeries{Kind: blg.Single, Values: []blg.NewValue{{}}})
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	var got []time.Duration
	for rec, err := range open(t, b).Records() {
		require.NoError(t, err)
		got = append(got, rec.Offset)
	}
	assert.Equal(t, []time.Duration{4 * time.Hour, 4 * time.Hour, 5 * time.Hour}, got)
}

// TestOffsetOfNoBlock: what is no whole header of a block says nothing of time.
func TestOffsetOfNoBlock(t *testing.T) {
	item := blg.NewItem{Path: pdhpath.Path{Object: "Memory", Counter: "*"}, Type: 0x10}
	whole := block(t, noon, 2*hour, 1)
	other := bytes.Clone(whole)
	other[0] = 'p'
	read := func(body []byte) blg.Stamp {
		var o blg.WriterOptions
		o.Zone.Bias = 60
		w := blg.NewWriter(o)
		w.Items(noon-10, item)
		w.Sample(noon, blg.NewSeries{Kind: blg.Object, Body: body})
		b, err := w.Bytes()
		require.NoError(t, err)
		var s blg.Stamp
		for rec, err := range open(t, b).Records() {
			require.NoError(t, err)
			s = rec.Stamp
		}
		return s
	}
	require.Equal(t, blg.Stamp{Local: noon, Offset: 2 * time.Hour, Source: blg.OffsetBlock}, read(whole))
	require.Equal(t, blg.OffsetZone, read(other).Source)
	for n := range 88 {
		require.Equal(t, blg.Stamp{Local: noon, Offset: time.Hour, Source: blg.OffsetZone}, read(whole[:n]), n)
	}
}

// TestLookAhead: a stream looks for an offset in the next 64 records, and no
// further.
func TestLookAhead(t *testing.T) {
	item := blg.NewItem{Path: pdhpath.Path{Object: "O", Counter: "timer"}, Type: countertypes.PERF_100NSEC_TIMER}
	for first, want := range map[int64]blg.OffsetSource{1: blg.OffsetSample, 64: blg.OffsetSample, 65: blg.OffsetZone, 100: blg.OffsetZone} {
		var o blg.WriterOptions
		o.Zone.Bias = 60
		w := blg.NewWriter(o)
		w.Items(noon-10, item)
		for i := range first + 1 {
			local, utc := noon+i*second, int64(0)
			if i == first {
				utc = local + 2*hour
			}
			w.Sample(local, blg.NewSeries{Kind: blg.Single, Local: local, Values: []blg.NewValue{{First: 1, Second: uint64(utc)}}})
		}
		b, err := w.Bytes()
		require.NoError(t, err)
		r, err := blg.NewReader(bytes.NewReader(b), blg.Options{})
		require.NoError(t, err)
		rec, err := next(r)
		require.NoError(t, err)
		require.Equal(t, want, rec.Source, first)
	}
}
