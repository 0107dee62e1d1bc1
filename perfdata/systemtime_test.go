package perfdata_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/perfdata"
)

// TestSystemTime goes to the ends of what a SYSTEMTIME may hold, and past them.
func TestSystemTime(t *testing.T) {
	for s, want := range map[perfdata.SystemTime]string{
		{1601, 1, 0, 1, 0, 0, 0, 0}:         "1601-01-01 00:00:00",
		{30827, 12, 6, 31, 23, 59, 59, 999}: "30827-12-31 23:59:59.999",
		{2024, 2, 4, 29, 12, 0, 0, 0}:       "2024-02-29 12:00:00",
		{1600, 12, 6, 31, 23, 59, 59, 999}:  "",
		{30828, 1, 6, 1, 0, 0, 0, 0}:        "",
		{2024, 0, 4, 29, 12, 0, 0, 0}:       "",
		{2024, 13, 4, 29, 12, 0, 0, 0}:      "",
		{2024, 2, 7, 29, 12, 0, 0, 0}:       "",
		{2024, 2, 4, 0, 12, 0, 0, 0}:        "",
		{2024, 2, 4, 30, 12, 0, 0, 0}:       "",
		{2023, 2, 4, 29, 12, 0, 0, 0}:       "",
		{2024, 2, 4, 29, 24, 0, 0, 0}:       "",
		{2024, 2, 4, 29, 12, 60, 0, 0}:      "",
		{2024, 2, 4, 29, 12, 0, 60, 0}:      "",
		{2024, 2, 4, 29, 12, 0, 0, 1000}:    "",
	} {
		got, ok := s.Time()
		require.Equal(t, want != "", ok, s)
		if ok {
			require.Equal(t, want, got.Format("2006-01-02 15:04:05.999"), s)
			require.Equal(t, time.UTC, got.Location())
		}
	}
}

// TestFiletime counts 100 ns from the start of 1601, UTC.
func TestFiletime(t *testing.T) {
	epoch := time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC)
	for ticks, want := range map[int64]time.Time{
		0:                  epoch,
		-1:                 epoch.Add(-100),
		116444736000000001: time.Unix(0, 100).UTC(),
		128315940386590000: time.Date(2007, 8, 14, 19, 40, 38, 659e6, time.UTC),
	} {
		require.Equal(t, want, perfdata.Filetime(ticks), ticks)
	}
}

// TestTimeOfBlock: no block is of a time after the year 9999, which RFC 3339
// cannot write; PerfTime100nSec is used where SystemTime is no time.
func TestTimeOfBlock(t *testing.T) {
	const clock, last = 132366960000000000, 2650467743990000000 // 2020-06-15 12:00, the last second of 9999
	for _, c := range []struct {
		year  uint16
		ticks int64
		want  string
	}{
		{9999, clock, "9999-06-15 11:00"},
		{10000, clock, "2020-06-15 12:00"},
		{30827, last, "9999-12-31 23:59"},
		{30827, last + 1e7, ""},
		{30827, math.MaxInt64, ""},
		{30827, 0, ""},
		{30827, -1, ""},
	} {
		var b perfdata.Block
		b.SystemTime = perfdata.SystemTime{c.year, 6, 1, 15, 11}
		b.PerfTime100nSec = c.ticks
		got, ok := b.Time()
		require.Equal(t, c.want != "", ok, c)
		require.Equal(t, ok, !got.IsZero(), c)
		if ok {
			require.Equal(t, c.want, got.Format("2006-01-02 15:04"), c)
		}
	}
}
