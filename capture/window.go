package capture

import (
	"strings"
	"time"
)

type window struct {
	from, to Moment
	zone     *time.Location // of moments without a zone; nil for the recorder's
	first    time.Time      // start of durations
	starts   *machineStarts
	spans    map[string]*span // by machine, in lower case
}

// side is the position of a moment relative to the requested span of time.
type side int

const (
	before side = iota - 1
	inside
	after
)

// side returns the position of a moment of a machine. If the window has no start, durations
// count from the first moment passed.
func (w *window) side(host string, t time.Time, o Offset) side {
	if w.first.IsZero() {
		w.first = t
	}
	if !w.from.Set && !w.to.Set {
		return inside
	}
	key := strings.ToLower(host)
	s := w.spans[key]
	if s == nil {
		s = w.span(host, t, o)
		if w.spans == nil {
			w.spans = map[string]*span{}
		}
		w.spans[key] = s
	}
	switch {
	case w.from.Set && s.from.compare(t, o) < 0:
		return before
	case w.to.Set && s.to.compare(t, o) > 0:
		return after
	default:
		return inside
	}
}

type span struct{ from, to bound }

type bound struct {
	at    time.Time // the instant, zero while it is not known
	shown time.Time // the same as local time
}

// compare compares t with the bound. A bound in the recorder's local time becomes an
// instant when that time is first reached: the clock may be set back later, as at the end
// of daylight saving time.
func (b *bound) compare(t time.Time, o Offset) int {
	if b.at.IsZero() {
		if t.Add(o.East).Before(b.shown) {
			return -1
		}
		b.at = b.shown.Add(-o.East)
	}
	return t.Compare(b.at)
}

// span returns the requested span for a machine, which has a snapshot at t.
func (w *window) span(host string, t time.Time, o Offset) *span {
	start := w.starts.at(strings.ToLower(host), t)
	s := &span{from: w.bound(w.from, start, o.shown(start, w.zone), o)}
	after := o.shown(start, w.zone)
	if w.from.Set && s.from.shown.After(after) { // --from 23:50 --to 00:10
		after = s.from.shown
	}
	s.to = w.bound(w.to, start, after, o)
	return s
}

// bound returns an end of the span of a recording that begins at start. A time of day is
// the first at or after the local time after.
func (w *window) bound(m Moment, start, after time.Time, o Offset) bound {
	switch {
	case !m.Set:
		return bound{}
	case m.At.IsZero():
		at := w.first.Add(m.After)
		return bound{at, o.shown(at, w.zone)}
	case !m.Wall:
		return bound{m.At, o.shown(m.At, w.zone)}
	}
	shown := m.At
	if shown.Year() == 0 {
		midnight := time.Date(after.Year(), after.Month(), after.Day(), 0, 0, 0, 0, time.UTC)
		shown = midnight.Add(shown.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)))
		if shown.Before(after) {
			shown = shown.AddDate(0, 0, 1)
		}
	}
	zone := o.zone(w.zone)
	if zone == nil {
		return bound{shown: shown}
	}
	at := firstShown(shown, start, zone)
	return bound{at, o.shown(at, zone)} // differs if the clock skips the local time
}

// firstShown returns the instant of a local time, at or after start if possible. When the
// clock is set back, an hour occurs twice; time.Date may return either.
func firstShown(shown, start time.Time, zone *time.Location) time.Time {
	east := func(t time.Time) time.Duration {
		_, seconds := t.In(zone).Zone()
		return time.Duration(seconds) * time.Second
	}
	day, next := east(shown.AddDate(0, 0, -1)), east(shown.AddDate(0, 0, 1))
	first, second := shown.Add(-day), shown.Add(-next)
	if east(second) == next && (east(first) != day || first.Before(start)) {
		return second
	}
	return first
}

// choice selects snapshots as CookOptions say: those between From and To, and of each
// machine every nth.
type choice struct {
	window

	every int
	seen  map[string]int // number of snapshots of each machine
}

// takes reports whether the next snapshot of a machine is selected. Durations count from
// the first one passed. If the snapshots of a machine consist of parts with separate
// moments, part identifies them.
func (w *choice) takes(host, part string, t time.Time, o Offset) bool {
	if w.side(host, t, o) != inside {
		return false
	}
	return count(w.seen, host+"\x00"+part)%w.every == 0
}
