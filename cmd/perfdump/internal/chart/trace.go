package chart

import (
	"time"

	"github.com/perfdump/perfdump/capture"
)

// trace makes the path of a series. Of the samples of one column of pixels it
// keeps the first, min, max and last, which look the same.
type trace struct {
	x, y, width, height float64 // of the panel
	clock               clock
	scale               scale
	gap                 time.Duration // what is longer between samples is a gap; 0 none
	dotted              bool          // a dot for each sample

	factor     float64 // of the values
	path, dots path
	from       origin
	last       time.Time // of the last value
	broken     bool      // there was a sample without a value since then
	missed     time.Time // of the first frame since then that does not have the series
	column     int
	n          int // samples of the column
	at         float64
	first, min float64
	max, end   float64
	points     int // of the part of the path that goes on
	px, py     float64
}

// origin is what frames that follow one another have in common: the part of the
// recording, and in it the machine.
type origin struct {
	track int
	host  string
}

func originOf(f *capture.Frame) origin { return origin{f.Track, f.Host} }

// absent takes a frame without the series. Another one of the same time may
// have it: agents give their sections one by one.
func (t *trace) absent(when time.Time) {
	if t.missed.IsZero() && when.After(t.last) {
		t.missed = when
	}
}

// add takes a value.
func (t *trace) add(when time.Time, v float64) {
	t.broken = t.broken || !t.missed.IsZero() && t.missed.Before(when)
	t.missed = time.Time{}
	at := t.clock.at(when) * t.width
	column := int(at)
	if t.n > 0 && column == t.column {
		t.n++
		t.min, t.max, t.end = min(t.min, v), max(t.max, v), v
		t.last, t.broken = when, false // a gap within a pixel cannot be seen
		return
	}
	t.flush()
	if t.points > 0 && (t.broken || t.gap > 0 && when.Sub(t.last) > t.gap) {
		t.lift()
	}
	t.column, t.n, t.at, t.first, t.min, t.max, t.end = column, 1, at, v, v, v, v
	t.last, t.broken = when, false
}

// flush writes the column.
func (t *trace) flush() {
	if t.n == 1 {
		t.point(t.at, t.first)
	} else if t.n > 1 {
		for _, v := range [...]float64{t.first, t.min, t.max, t.end} {
			t.point(float64(t.column)+0.5, v)
		}
	}
	t.n = 0
}

func (t *trace) point(at, v float64) {
	x, y := t.x+at, t.y+t.height*(1-t.scale.at(v))
	op := byte('M')
	if t.points > 0 {
		op = 'L'
	}
	t.path = append(t.path, step{op, x, y})
	t.px, t.py = x, y
	t.points++
	if t.dotted {
		t.dot()
	}
}

// lift ends a part of the path. One of a single point would not be seen.
func (t *trace) lift() {
	if t.points == 1 && !t.dotted {
		t.dot()
	}
	t.points = 0
}

// dot draws a line of no length, which its round caps make a dot.
func (t *trace) dot() {
	t.dots = append(t.dots, step{'M', t.px, t.py}, step{op: 'h'})
}
