package blg

import (
	"time"

	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/perfdata"
)

// ticksPerMinute is a minute of FILETIMEs.
const (
	ticksPerSecond = 10_000_000
	ticksPerMinute = 60 * ticksPerSecond
)

// zoneOffset returns UTC minus local time at a local time, given as a FILETIME, by the
// rules of a zone. In the hour that is repeated when the clock is set back both offsets are
// valid: twice is true then, and the offset is that of standard time. ok is false if the
// zone is invalid.
func zoneOffset(z *etl.TimeZone, local int64) (offset time.Duration, twice, ok bool) {
	if z.Bias < -14*60 || z.Bias > 14*60 {
		return 0, false, false
	}
	standard, daylight := z.Bias+clampBias(z.StandardBias), z.Bias+clampBias(z.DaylightBias)
	minutes := func(n int32) time.Duration { return time.Duration(n) * time.Minute }
	t := perfdata.Filetime(local)
	toDaylight, ok1 := changeAt(z.DaylightDate, t.Year())
	toStandard, ok2 := changeAt(z.StandardDate, t.Year())
	if !ok1 || !ok2 || standard == daylight {
		return minutes(standard), false, true
	}
	// Both dates are local times just before the change. The clock jumps forward at the
	// first: the skipped hour is daylight time.
	var in bool
	if toDaylight.Before(toStandard) {
		in = !t.Before(toDaylight) && t.Before(toStandard)
	} else {
		in = !t.Before(toDaylight) || t.Before(toStandard)
	}
	// After the second change an hour is repeated.
	if back := minutes(standard - daylight); back > 0 && t.Before(toStandard) && !t.Before(toStandard.Add(-back)) {
		return minutes(standard), true, true
	}
	if in {
		return minutes(daylight), false, true
	}
	return minutes(standard), false, true
}

// clampBias replaces an invalid bias with 0.
func clampBias(n int32) int32 {
	if n < -120 || n > 120 {
		return 0
	}
	return n
}

// changeAt returns the moment in a year that a date of a zone describes: with year 0 the
// n-th weekday of its month, the fifth being the last; otherwise that date, in that year
// only.
func changeAt(s perfdata.SystemTime, year int) (time.Time, bool) {
	month, weekday, day := time.Month(s[1]), int(s[2]), int(s[3])
	if month < 1 || month > 12 || s[4] > 23 || s[5] > 59 || s[6] > 59 || s[7] > 999 {
		return time.Time{}, false
	}
	if s[0] != 0 {
		t, ok := s.Time()
		return t, ok && t.Year() == year
	}
	if weekday > 6 || day < 1 || day > 5 {
		return time.Time{}, false
	}
	first := time.Date(year, month, 1, int(s[4]), int(s[5]), int(s[6]), int(s[7])*1e6, time.UTC)
	t := first.AddDate(0, 0, (weekday-int(first.Weekday())+7)%7+7*(day-1))
	for t.Month() != month {
		t = t.AddDate(0, 0, -7)
	}
	return t, true
}
