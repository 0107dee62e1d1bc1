package comparison

import (
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
)

// buckets is how many parts of the time a curve has at most, each with its lowest and
// its highest value.
const buckets = 1000

// point is a value of a curve, some time after its side begins.
type point struct {
	after time.Duration
	v     float64
}

// Alignment lays the curves of two sides over each other.
type Alignment struct {
	older, newer *Side
	traced       map[*Line]bool
	width        time.Duration // of a bucket
	back         time.Duration // what a clock of the newer side is put back by
}

// Align lays two sides over each other: by the time of day, or by their starts. Only
// the curves of these changes are kept.
func Align(older, newer *Side, byDay bool, changes []*Group) *Alignment {
	a := &Alignment{older: older, newer: newer, traced: map[*Line]bool{}}
	for _, c := range changes {
		a.traced[c.Older], a.traced[c.Newer] = true, true
	}
	a.width = max(older.To.Sub(older.From), newer.To.Sub(newer.From))/buckets + 1
	from, to := local(older.From, older.Offset), local(newer.From, newer.Offset)
	if byDay {
		from, to = midnight(from), midnight(to)
	}
	a.back = to.Sub(from)
	return a
}

func local(t time.Time, o capture.Offset) time.Time { return t.UTC().Add(o.East) }

func midnight(t time.Time) time.Time { return t.Truncate(24 * time.Hour) }

// Back returns what a clock of the newer side is put back by, to be that of the older.
func (a *Alignment) Back() time.Duration { return a.back }

// Add adds what one side says at one moment, after all its moments were added to the
// side.
func (a *Alignment) Add(s *Side, f *capture.Frame) {
	if f.Time.IsZero() {
		return
	}
	after := f.Time.Sub(s.From)
	s.each(f, func(l *Line, v float64, ok bool) {
		if ok && a.traced[l] {
			l.trace(after, int(after/a.width), v)
		}
	})
}

// trace adds a value to the curve: of those of a bucket the lowest and the highest.
func (l *Line) trace(after time.Duration, bucket int, v float64) {
	p := point{after, v}
	n := len(l.points)
	switch {
	case n == 0 || l.bucket != bucket:
		l.points, l.bucket, l.pair = append(l.points, p), bucket, false
	case !l.pair:
		if l.points, l.pair = append(l.points, p), true; v < l.points[n-1].v {
			l.points[n-1], l.points[n] = p, l.points[n-1]
		}
	case v < l.points[n-2].v:
		l.points[n-2] = p
	case v > l.points[n-1].v:
		l.points[n-1] = p
	}
}

// Frames yields the curves of a change as a recording of two series, which have the
// names of the sides and the clock of the older one.
func (a *Alignment) Frames(c *Change, older, newer string) capture.Frames {
	return func(yield func(*capture.Frame, error) bool) {
		metric := *c.Older.Series.Metric
		metric.Counter = c.Older.Counter
		object := c.Older.Object
		if in := c.Older.Instance(); in != "" {
			object += "(" + in + ")"
		}
		if strings.HasPrefix(c.Path, `\\`) {
			object = c.Older.Series.Host + " " + object
		}
		for i, side := range []struct {
			*Side
			line *Line
			name string
		}{{a.older, c.Older, older}, {a.newer, c.Newer, newer}} {
			start := local(side.From, side.Offset)
			if i == 1 {
				start = start.Add(-a.back)
			}
			start = start.Add(-a.older.Offset.East)
			series := &capture.Series{ID: i, Owner: &capture.Owner{Object: object, HasInstance: true, Instance: side.name}, Metric: &metric}
			for _, p := range side.line.points {
				f := &capture.Frame{Time: start.Add(p.after), Offset: a.older.Offset, Track: i, Cells: []capture.Cell{{Series: series, Value: p.v}}}
				if !yield(f, nil) {
					return
				}
			}
		}
	}
}
