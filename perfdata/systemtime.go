package perfdata

import (
	"time"

	"github.com/perfdump/perfdump/internal/wire"
)

// SystemTime is a SYSTEMTIME: year, month, day of week, day, hour, minute,
// second, millisecond. In a block it is UTC.
type SystemTime [8]uint16

// NewSystemTime returns t in UTC, truncated to the millisecond.
func NewSystemTime(t time.Time) SystemTime {
	t = t.UTC()
	return SystemTime{
		uint16(t.Year()), uint16(t.Month()), uint16(t.Weekday()), uint16(t.Day()),
		uint16(t.Hour()), uint16(t.Minute()), uint16(t.Second()), uint16(t.Nanosecond() / 1e6),
	}
}

// Time returns the moment in UTC, and false if s is not valid. The day of the week must be
// in range, but is not compared with the date.
func (s SystemTime) Time() (time.Time, bool) {
	year, month, weekday, day := int(s[0]), time.Month(s[1]), s[2], int(s[3])
	hour, minute, second, ms := int(s[4]), int(s[5]), int(s[6]), int(s[7])
	if year < 1601 || year > 30827 || month < 1 || month > 12 || weekday > 6 ||
		day < 1 || hour > 23 || minute > 59 || second > 59 || ms > 999 {
		return time.Time{}, false
	}
	t := time.Date(year, month, day, hour, minute, second, ms*1e6, time.UTC)
	return t, t.Day() == day
}

// lastYear is the last year of times that are shown.
const lastYear = 9999

// Filetime converts 100 ns ticks since 1601 to a time in UTC.
func Filetime(ticks int64) time.Time {
	const perSecond = 10_000_000
	ticks -= wire.Filetime1970
	return time.Unix(ticks/perSecond, ticks%perSecond*100).UTC()
}
