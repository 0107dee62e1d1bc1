package blg

import (
	"math"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
)

// The valid times of a log, as FILETIMEs: from 1980-01-01, the first date of a PC's clock,
// to the end of 9999-12-30, so that RFC 3339 can represent them in any time zone.
const (
	firstTime = 119600064000000000
	lastTime  = 2650466880000000000 - 1
)

// validTime reports whether a log can have a time.
func validTime(ticks int64) bool { return ticks >= firstTime && ticks <= lastTime }

// noTime means no time: it is before all others.
const noTime = math.MinInt64

// checkPieceTime reports a part with an invalid time. Parts that are not samples are still
// useful: they get the time of the previous part in the buffer.
func (w *walker) checkPieceTime(p *piece) {
	if validTime(p.time) {
		w.time = p.time
		return
	}
	w.problems.report(codeTime, p.off-etl.PartHeaderSize-etl.EventHeaderSize+16, p.path().Field("Time"), "the time %d is outside the years 1980 to 9999", p.time)
	if p.typ != etl.EventSample {
		p.time = w.time
	}
}

// checkTime reports a time of the log header that cannot be written.
func (t *problems) checkTime(ticks, off int64, path perfdump.Path) {
	if ticks > lastTime {
		t.report(codeTime, off, path, "the time %d is after the year 9999", ticks)
	}
}
