package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/unit"
)

func TestScale(t *testing.T) {
	for _, c := range []struct {
		unit      unit.Unit
		low, high float64
		want      string
	}{
		{unit.Percent, 0, 81, "0% 20% 40% 60% 80%"},
		{unit.Percent, -1.5, 81, "0% 20% 40% 60% 80%"},
		{unit.Percent, 92, 99, "0% 20% 40% 60% 80% 100%"},
		{unit.Percent, 0, 100.4, "0% 20% 40% 60% 80% 100%"},
		{unit.Percent, 0, 0, "0% 0.2% 0.4% 0.6% 0.8% 1.0%"},
		{unit.Number, 0, 7, "0 2 4 6 8"},
		{unit.Number, 3, 3, "0 1 2 3"},
		{unit.Number, -3, -3, "-3 -2 -1 0"},
		{unit.Number, -40, 60, "-40 -20 0 20 40 60"},
		{unit.Number, 8.10e9, 8.14e9, "8.10 G 8.11 G 8.12 G 8.13 G 8.14 G"},
		{unit.Number, 0, 1e-7, "0 0.00000002 0.00000004 0.00000006 0.00000008 0.00000010"},
		{unit.Bytes, 0, 1.3e6, "0 0.5 MB 1.0 MB 1.5 MB"},
		{unit.BytesRate, 0, 900, "0 200 B/s 400 B/s 600 B/s 800 B/s 1000 B/s"},
		{unit.PerSecond, 0, 42000, "0 10 k/s 20 k/s 30 k/s 40 k/s"},
		{unit.PerSecond, 0, 4, "0 1/s 2/s 3/s 4/s"},
		{unit.Seconds, 0, 0.047, "0 10 ms 20 ms 30 ms 40 ms 50 ms"},
		{unit.Seconds, 0, 4e-5, "0 10 µs 20 µs 30 µs 40 µs"},
		{unit.Seconds, 2000, 2600, "2000 s 2200 s 2400 s 2600 s"},
		{unit.Megabytes, 0, 54488, "0 20000 MB 40000 MB 60000 MB"},
		{unit.Number, 0, 1e300, "0 2e+299 4e+299 6e+299 8e+299 1e+300"},
	} {
		s := newScale(c.unit, c.low, c.high, 5)
		var got []string
		for _, tick := range s.ticks() {
			got = append(got, tick.text)
		}
		assert.Equal(t, c.want, strings.Join(got, " "), "%v to %v %s", c.low, c.high, c.unit)
		assert.LessOrEqual(t, s.low, c.low)
		assert.GreaterOrEqual(t, s.high, c.high)
	}
}

// TestScaleOfAnything holds that no values make axes endless or empty.
func TestScaleOfAnything(t *testing.T) {
	values := []float64{0, 1, -1, 1e300, -1e300, 5e-324, 1e-300, 1 + 1e-15, 9007199254740993, 1e15 + 0.125, 100, math.Pi}
	for _, a := range values {
		for _, b := range values {
			for _, n := range []int{1, 3, 8} {
				s := newScale(unit.Number, min(a, b), max(a, b), n)
				ticks := s.ticks()
				require.True(t, s.high > s.low, "%v %v: %v", a, b, s)
				assert.LessOrEqual(t, len(ticks), 30, "%v %v", a, b)
				for _, v := range []float64{a, b} {
					at := s.at(v)
					assert.True(t, at >= -1e-9 && at <= 1+1e-9, "%v in %v: %v", v, s, at)
				}
			}
		}
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		unit unit.Unit
		v    float64
		want string
	}{
		{unit.Percent, 55.36264, "55.36%"},
		{unit.Percent, 100, "100%"},
		{unit.Percent, 0, "0"},
		{unit.Percent, -1.5591, "-1.559%"},
		{unit.Bytes, 8123456789, "7.566 GB"},
		{unit.BytesRate, 1234.5, "1.234 kB/s"},
		{unit.PerSecond, 12.5, "12.5/s"},
		{unit.Seconds, 0.0005, "500 µs"},
		{unit.Seconds, 86400, "86400 s"},
		{unit.Number, 3382, "3.382 k"},
		{unit.Number, 0.00001, "1e-05"},
		{unit.Number, 1e300, "1e+300"},
	} {
		assert.Equal(t, c.want, c.unit.Format(c.v))
	}
}

func TestTimeTicks(t *testing.T) {
	from := time.Date(2026, 3, 17, 23, 58, 30, 0, time.UTC)
	for _, c := range []struct {
		span time.Duration
		want string
	}{
		{0, "23:58:29.600/2026-03-17 23:58:29.800 23:58:30.000 23:58:30.200 23:58:30.400"},
		{4 * time.Second, "23:58:30/2026-03-17 23:58:31 23:58:32 23:58:33 23:58:34"},
		{5 * time.Minute, "23:59/2026-03-17 00:00/2026-03-18 00:01 00:02 00:03"},
		{26 * time.Hour, "00:00/2026-03-18 06:00 12:00 18:00 00:00/2026-03-19"},
		{8 * 24 * time.Hour, "2026-03-18 2026-03-20 2026-03-22 2026-03-24"},
		{20 * 24 * time.Hour, "2026-03-23 2026-03-30 2026-04-06"},
		{100 * 24 * time.Hour, "2026-04 2026-05 2026-06"},
		{3000 * 24 * time.Hour, "2028 2030 2032 2034"},
	} {
		var got []string
		for _, tick := range newClock(from, from.Add(c.span), 0).ticks(5) {
			text := tick.text
			if tick.date != "" {
				text += "/" + tick.date
			}
			got = append(got, text)
			assert.True(t, tick.at >= 0 && tick.at <= 1)
		}
		assert.Equal(t, c.want, strings.Join(got, " "), "%v", c.span)
	}
	far := newClock(time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), 0)
	assert.Less(t, len(far.ticks(9)), 12)
}

func TestUnit(t *testing.T) {
	typ := func(name string, typ countertypes.Type) *capture.Series {
		return &capture.Series{Owner: &capture.Owner{}, Metric: &capture.Metric{Counter: name, Type: typ, HasType: true}}
	}
	bare := func(name string) *capture.Series {
		return &capture.Series{Owner: &capture.Owner{}, Metric: &capture.Metric{Counter: name}}
	}
	for want, all := range map[unit.Unit][]*capture.Series{
		unit.Percent:   {typ("% Processor Time", countertypes.PERF_100NSEC_TIMER_INV), bare("% Idle Time")},
		unit.PerSecond: {typ("Interrupts/sec", countertypes.PERF_COUNTER_COUNTER), typ("Hits", countertypes.PERF_COUNTER_COUNTER), bare("Interrupts/sec")},
		unit.BytesRate: {typ("Disk Bytes/sec", countertypes.PERF_COUNTER_BULK_COUNT), bare("Disk Bytes/sec")},
		unit.Bytes:     {typ("Available Bytes", countertypes.PERF_COUNTER_LARGE_RAWCOUNT), typ("Avg. Disk Bytes/Read", countertypes.PERF_AVERAGE_BULK), bare("Bytes per transfer")},
		unit.Megabytes: {typ("Available MBytes", countertypes.PERF_COUNTER_LARGE_RAWCOUNT), bare("Free Megabytes")},
		unit.Seconds:   {typ("Avg. Disk sec/Read", countertypes.PERF_AVERAGE_TIMER), bare("Avg. Disk sec/Read"), typ("System Up Time", countertypes.PERF_ELAPSED_TIME)},
		unit.Number:    {typ("Threads", countertypes.PERF_COUNTER_RAWCOUNT), bare("Receive batch size")},
	} {
		for _, s := range all {
			assert.Equal(t, want, unitOf(s), s.Counter)
		}
	}
}

// The label at the right end lies within the picture.
func TestLastLabelFits(t *testing.T) {
	from := time.Date(2026, 3, 17, 23, 59, 56, 0, time.UTC)
	var out strings.Builder
	p := picture{survey: &survey{}, clock: newClock(from, from.Add(4*time.Second), 0), plotX: 58, plotWidth: 912, panels: []*panel{{}}, canvas: newSVG(&out)}
	p.axes()
	require.NoError(t, p.close())
	x := func(text string) float64 {
		before, _, ok := strings.Cut(out.String(), ">"+text+"<")
		require.True(t, ok, text)
		n, err := strconv.ParseFloat(regexp.MustCompile(`x="([0-9.]+)"[^<]*$`).FindStringSubmatch(before)[1], 64)
		require.NoError(t, err)
		return n
	}
	assert.LessOrEqual(t, x("00:00:00.000")+width("00:00:00.000", textSize)/2, float64(chartWidth))
	assert.Less(t, x("2026-03-18")+width("2026-03-18", textSize)/2, x("UTC")-width("UTC", textSize), "beside the name of the zone")
}
