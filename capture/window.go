package capture

import "time"

// window is the span of time that is asked for.
type window struct {
	from, to Moment
	first    time.Time
}

// has reports whether the time of a snapshot is in the window. The first one
// that it is asked about is where durations count from.
func (w *window) has(t time.Time) bool {
	if w.first.IsZero() {
		w.first = t
	}
	return !(w.from.Set && t.Before(w.resolve(w.from))) && !(w.to.Set && t.After(w.resolve(w.to)))
}

func (w *window) resolve(m Moment) time.Time {
	if m.At.IsZero() {
		return w.first.Add(m.After)
	}
	return m.At
}

// Window chooses snapshots as CookOptions do: those from From to To, and of
// each machine every nth of them.
type Window struct {
	window

	every int
	met   map[string]int // of each machine
}

// NewWindow returns a Window of the From, To and Every of o.
func NewWindow(o CookOptions) *Window {
	return &Window{window: window{from: o.From, to: o.To}, every: max(1, o.Every), met: map[string]int{}}
}

// Takes reports whether the next snapshot of a machine is chosen. The first one
// that it is asked about is where durations count from.
func (w *Window) Takes(host string, t time.Time) bool {
	if !w.has(t) {
		return false
	}
	n := w.met[host]
	w.met[host]++
	return n%w.every == 0
}
