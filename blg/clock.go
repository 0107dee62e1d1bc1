package blg

import (
	"math"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
)

// The times that a log can have, as FILETIMEs: from 1980-01-01, where the
// clock of a PC begins, up to the end of 9999-12-30. So no time zone makes a
// time of them that RFC 3339 cannot write.
const (
	firstTime = 119600064000000000
	lastTime  = 2650466880000000000 - 1
)

// possible reports whether a log can have a time.
func possible(ticks int64) bool { return ticks >= firstTime && ticks <= lastTime }

// noTime is the time of what has none: it is before all others.
const noTime = math.MinInt64

// date reports a part whose time no log can have. What is no sample is
// of use without: it takes the time of what is before it in the buffer.
func (w *walker) date(p *piece) {
	if possible(p.time) {
		w.time = p.time
		return
	}
	w.found.report(codeTime, p.off-etl.PartHeaderSize-etl.EventHeaderSize+16, p.path().Field("Time"), "a time of %d, outside of the years 1980 to 9999", p.time)
	if p.typ != etl.EventSample {
		p.time = w.time
	}
}

// checkTime reports a time of the log header that cannot be written.
func (t *found) checkTime(ticks, off int64, path perfdump.Path) {
	if ticks > lastTime {
		t.report(codeTime, off, path, "a time of %d, after the year 9999", ticks)
	}
}
