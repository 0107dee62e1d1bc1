package chart

import (
	"math"
	"time"
)

// clock is what the time axis needs of a span: seconds of Unix time, as a clock
// shows them that is east of UTC.
type clock struct{ from, to, east float64 }

func instant(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// newClock returns the axis of a span; that of one moment has half a second on
// both sides.
func newClock(from, to time.Time, east time.Duration) clock {
	c := clock{instant(from.Add(east)), instant(to.Add(east)), east.Seconds()}
	if c.from == c.to {
		c.from, c.to = c.from-0.5, c.to+0.5
	}
	return c
}

func (c clock) at(t time.Time) float64 { return (instant(t) + c.east - c.from) / (c.to - c.from) }

// The steps below a month, in seconds.
var timeSteps = []float64{
	1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5,
	1, 2, 5, 10, 15, 30, 60, 2 * 60, 5 * 60, 10 * 60, 15 * 60, 30 * 60,
	hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day,
}

const (
	hour = 3600.0
	day  = 24 * hour
	// monday is the first one of Unix time, where weeks are counted from.
	monday = 4 * day
)

// timeTick is a tick with the date below it, where that is not the one of the
// tick before.
type timeTick struct {
	tick
	date string
}

// ticks returns at most n of them, at full seconds, minutes, hours, days,
// months or years.
func (c clock) ticks(n int) []timeTick {
	for _, step := range timeSteps {
		if (c.to-c.from)/step <= float64(n) {
			return c.even(step)
		}
	}
	for _, months := range []int{1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000, 24000} {
		if (c.to-c.from)/(30*day*float64(months)) <= float64(n) {
			return c.months(months)
		}
	}
	return nil
}

// even returns ticks that are step apart.
func (c clock) even(step float64) []timeTick {
	origin := 0.0
	if step == 7*day {
		origin = monday
	}
	layout := "15:04"
	switch {
	case step >= day:
		layout = time.DateOnly
	case step < 1e-3:
		layout = "15:04:05.000000"
	case step < 1:
		layout = "15:04:05.000"
	case step < 60:
		layout = "15:04:05"
	}
	var all []timeTick
	date := ""
	for k := math.Ceil((c.from - origin) / step); ; k++ {
		at := origin + k*step
		if at > c.to || len(all) > 100 {
			return all
		}
		t := time.UnixMicro(int64(at*1e6 + 0.5)).UTC()
		next := timeTick{tick: tick{(at - c.from) / (c.to - c.from), t.Format(layout)}}
		if d := t.Format(time.DateOnly); d != date && step < day {
			next.date, date = d, d
		}
		all = append(all, next)
	}
}

// months returns ticks at the beginnings of months.
func (c clock) months(n int) []timeTick {
	from := time.Unix(int64(c.from), 0).UTC()
	month := from.Year()*12 + int(from.Month()) - 1
	layout := "2006-01"
	if n >= 12 {
		layout = "2006"
	}
	var all []timeTick
	for month = (month + n - 1) / n * n; ; month += n {
		t := time.Date(month/12, time.Month(month%12+1), 1, 0, 0, 0, 0, time.UTC)
		if float64(t.Unix()) > c.to || len(all) > 100 {
			return all
		}
		if float64(t.Unix()) >= c.from {
			all = append(all, timeTick{tick: tick{(float64(t.Unix()) - c.from) / (c.to - c.from), t.Format(layout)}})
		}
	}
}
