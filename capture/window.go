package capture

import (
	"strings"
	"time"
)

type window struct {
	from, to Moment
	zone     *time.Location // of moments without a zone; nil for the recorder's
	first    time.Time      // where durations count from
	starts   *machineStarts
	spans    map[string]*span // by machine, in lower case
}

// side is where a moment is, relative to the requested span of time.
type side int

const (
	before side = iota - 1
	inside
	behind
)

// side returns where a moment of a machine is. Durations count from the first one
// that it is asked about, unless the window knows better.
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
		return behind
	default:
		return inside
	}
}

type span struct{ from, to bound }

type bound struct {
	at    time.Time // the instant, the zero Time while it is not known
	shown time.Time // what the requested clock shows then
}

// compare compares t with the bound. What is asked by the recorder's clock becomes
// an instant where that clock comes to it first: it may be set back later, as at
// the end of daylight time.
func (b *bound) compare(t time.Time, o Offset) int {
	if b.at.IsZero() {
		if t.Add(o.East).Before(b.shown) {
			return -1
		}
		b.at = b.shown.Add(-o.East)
	}
	return t.Compare(b.at)
}

// span returns what the window is for a machine, which has a snapshot at t.
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

// bound returns an end of the span of a recording that begins at start. A time of
// day is the first at or after what a clock shows.
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
	return bound{at, o.shown(at, zone)} // another time where the clock jumps over it
}

// firstShown returns when the clock of a zone first shows a time, at or after start
// if it does so then. It shows the hour twice in which it is set back, of which
// time.Date takes either.
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

// choice chooses snapshots as CookOptions do: those from From to To, and of each
// machine every nth of them.
type choice struct {
	window

	every int
	met   map[string]int // of each machine
}

// takes reports whether the next snapshot of a machine is chosen. The first one
// that it is asked about is where durations count from. Snapshots of one machine
// are identified by part, where each part has moments of its own.
func (w *choice) takes(host, part string, t time.Time, o Offset) bool {
	if w.side(host, t, o) != inside {
		return false
	}
	return count(w.met, host+"\x00"+part)%w.every == 0
}
