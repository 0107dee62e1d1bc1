package blg_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// pacific is the zone of logs whose clock was set back on 2013-11-03 at 02:00,
// which was 09:00 UTC.
var pacific = blg.TimeZone{
	Bias: 480, DaylightBias: -60,
	StandardDate: perfdata.SystemTime{0, 11, 0, 1, 2}, DaylightDate: perfdata.SystemTime{0, 3, 0, 2, 2},
}

var setBack = time.Date(2013, 11, 3, 9, 0, 0, 0, time.UTC)

// pacificLog has a record at each of the times, which are UTC; with the clock
// that its values run on, or with the zone of the header alone.
func pacificLog(t *testing.T, clock bool, times ...time.Time) []byte {
	t.Helper()
	w := blg.NewWriter(blg.WriterOptions{Zone: pacific, Header: blg.LogHeader{EndTime: noon}})
	item := blg.NewItem{Path: pdhpath.Path{Object: "O", Counter: "C"}, Type: countertypes.PERF_COUNTER_RAWCOUNT}
	if clock {
		item.Type = countertypes.PERF_100NSEC_TIMER
	}
	for i, at := range times {
		local := ticks(at.Add(-8 * time.Hour))
		if at.Before(setBack) {
			local += hour
		}
		if i == 0 {
			w.Items(local-10, item)
		}
		w.Sample(local, blg.NewSeries{Kind: blg.Single, Local: local, Values: []blg.NewValue{{First: uint64(i), Second: uint64(ticks(at))}}})
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	return b
}

// every returns the times from two hours before the change to two behind it.
func every(step time.Duration) (times []time.Time) {
	for at := setBack.Add(-2 * time.Hour); at.Before(setBack.Add(2 * time.Hour)); at = at.Add(step) {
		times = append(times, at)
	}
	return times
}

func timesOf(t *testing.T, b []byte) (f *blg.File, times []time.Time) {
	t.Helper()
	f = open(t, b)
	for rec, err := range f.Records() {
		require.NoError(t, err)
		times = append(times, rec.Time())
	}
	return f, times
}

// TestClockSetBack: in the hour that local time shows twice, records keep the
// order of the file, which is that of UTC; nothing is odd about it.
func TestClockSetBack(t *testing.T) {
	for _, clock := range []bool{true, false} {
		for _, step := range []time.Duration{time.Second, time.Minute, 10 * time.Minute, 30 * time.Minute} {
			want := every(step)
			b := pacificLog(t, clock, want...)
			f, got := timesOf(t, b)
			require.Equal(t, want, got, "%v %v", clock, step)
			require.True(t, f.InOrder())
			require.Zero(t, f.Anomalies().Len())
			r, err := blg.NewReader(bytes.NewReader(b), blg.Options{Mode: perfdump.Strict})
			require.NoError(t, err)
			require.Equal(t, dump(t, f.Records()), dump(t, r.Records()))
			require.Zero(t, r.Anomalies().Len())
		}
	}
	// The log's own clock tells it of any step.
	want := every(50 * time.Minute)
	_, got := timesOf(t, pacificLog(t, true, want...))
	require.Equal(t, want, got)
}

// TestDisorderIsNoClockSetBack: what goes back in UTC too, or by less than half
// of what the zone says, is disorder and sorted.
func TestDisorderIsNoClockSetBack(t *testing.T) {
	for _, clock := range []bool{true, false} {
		for _, from := range []time.Duration{-3 * time.Hour, -70 * time.Minute, 90 * time.Minute} {
			at := func(m int) time.Time { return setBack.Add(from + time.Duration(m)*time.Minute) }
			f, got := timesOf(t, pacificLog(t, clock, at(0), at(40), at(20), at(41), at(42)))
			require.False(t, f.InOrder(), "%v %v", clock, from)
			require.Equal(t, []time.Time{at(0), at(20), at(40), at(41), at(42)}, got, "%v %v", clock, from)
		}
	}
}
