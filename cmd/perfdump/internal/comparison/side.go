// Package comparison holds two recordings against each other: what each counter
// did in both, how far it moved, and which moved most. Memory grows with the number
// of counters, not with that of the samples.
package comparison

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/paged"
	"github.com/perfdump/perfdump/internal/sketch"
	"github.com/perfdump/perfdump/internal/tally"
)

// Kept is how many bytes are kept of each series: see [capture.CookOptions].
const Kept = 600

// Side is what is known of one of two recordings.
type Side struct {
	Frames, Cells int
	From, To      time.Time // zero if no frame has a time
	Offset        capture.Offset
	Hosts         []string // in order of appearance

	// Drop says which series are left out; nil for none.
	Drop func(*capture.Series) bool

	byPID bool
	lines []*Line
	of    map[key]*Line
	at    paged.Slice[*Line] // by the IDs of the series
	open  []*Line            // with a sum of this frame
}

// NewSide returns a side without values. byPID says that series follow processes.
func NewSide(byPID bool) *Side { return &Side{byPID: byPID, of: map[key]*Line{}} }

// key says which counter a line is of, in lower case.
type key struct{ host, object, instance, counter string }

// Line is a counter of an instance on one side. Processes of one name are one line,
// with their sum, unless series follow processes: svchost#3 is another one each day.
type Line struct {
	tally.Stats

	Series  *capture.Series // the first of them
	Object  string          // in English if that is known
	Counter string

	key     key
	sums    bool
	sum     float64
	summed  bool // in this frame
	sketch  *sketch.Sketch
	center  float64
	around  *sketch.Sketch // of the distances from the center
	squares float64        // the sum of the squares of the distances from the average
	points  []point
	bucket  int
	pair    bool // the last two points are of one bucket
}

// dropped marks a series that is left out.
var dropped = &Line{}

// Add adds what the recording says at one moment.
func (s *Side) Add(f *capture.Frame) {
	s.Frames++
	s.Cells += len(f.Cells)
	if !f.Time.IsZero() {
		if s.From.IsZero() {
			s.From, s.Offset = f.Time, f.Offset
		}
		s.To = f.Time
	}
	s.each(f, (*Line).add)
}

// each calls use with the values of a frame.
func (s *Side) each(f *capture.Frame, use func(l *Line, v float64, ok bool)) {
	for i := range f.Cells {
		c := &f.Cells[i]
		at := s.at.At(c.Series.ID)
		if *at == nil {
			*at = s.line(c.Series)
		}
		l := *at
		v, ok := c.Number()
		switch {
		case l == dropped:
		case !ok || !l.sums:
			use(l, v, ok)
		case !l.summed:
			l.sum, l.summed = v, true
			s.open = append(s.open, l)
		default:
			l.sum += v
		}
	}
	for _, l := range s.open {
		l.summed = false
		use(l, l.sum, l.sum-l.sum == 0)
	}
	s.open = s.open[:0]
}

// line returns the line of a series.
func (s *Side) line(of *capture.Series) *Line {
	if s.Drop != nil && s.Drop(of) {
		return dropped
	}
	l := &Line{Series: of}
	l.Object, l.Counter = of.English()
	in := of.DisplayName()
	l.key = key{host: strings.ToLower(of.Host), object: strings.ToLower(l.Object), counter: strings.ToLower(l.Counter)}
	if l.sums = !s.byPID && (l.key.object == "process" || l.key.object == "process v2"); l.sums {
		in = processName(of.Instance)
	}
	l.key.instance = strings.ToLower(in)
	if known := s.of[l.key]; known != nil {
		return known
	}
	s.of[l.key] = l
	s.lines = append(s.lines, l)
	if of.Host != "" && !slices.ContainsFunc(s.Hosts, func(h string) bool { return strings.EqualFold(h, of.Host) }) {
		s.Hosts = append(s.Hosts, of.Host)
	}
	return l
}

// processName returns the name of an instance without its process ID, which those of
// Process V2 have.
func processName(instance string) string {
	if at := strings.LastIndexByte(instance, ':'); at > 0 {
		if _, err := strconv.ParseUint(instance[at+1:], 10, 64); err == nil {
			return instance[:at]
		}
	}
	return instance
}

// Instance returns the name of the instance.
func (l *Line) Instance() string {
	if l.sums {
		return processName(l.Series.Instance)
	}
	return l.Series.DisplayName()
}

// add adds a value. There is no sketch as long as the stats have every value: many
// counters never change.
func (l *Line) add(v float64, ok bool) {
	if ok && l.sketch == nil && l.Count > 0 && math.Float64bits(v) != math.Float64bits(l.Min) {
		l.sketch = &sketch.Sketch{}
		for range l.Count {
			l.sketch.Add(l.Min)
		}
	}
	if ok && l.sketch != nil {
		l.sketch.Add(v)
	}
	before := l.Mean
	if l.Stats.Add(v, ok); ok {
		l.squares += (v - before) * (v - l.Mean)
	}
}

const p95 = 0.95

// P95 returns the value that 95 percent of the values do not exceed.
func (l *Line) P95() float64 { return l.quantile(p95) }

func (l *Line) quantile(p float64) float64 {
	if l.sketch == nil {
		return l.Max
	}
	return max(l.Min, min(l.Max, l.sketch.Quantile(p)))
}

// variance returns that of the values.
func (l *Line) variance() float64 { return l.squares / max(float64(l.Count-1), 1) }

// Inexact reports whether spreads need a second reading with [Side.Distances], which
// it prepares.
func (s *Side) Inexact() bool {
	again := false
	for _, l := range s.lines {
		if l.sketch != nil && !l.sketch.Exact() {
			l.center, l.around = l.sketch.Quantile(0.5), &sketch.Sketch{}
			if math.Abs(l.Mean-l.center) <= 0.01*math.Abs(l.center) { // which is no nearer to the median
				l.center = l.Mean
			}
			again = true
		}
	}
	return again
}

// Distances adds the values of a moment again, for the spreads.
func (s *Side) Distances(f *capture.Frame) {
	s.each(f, func(l *Line, v float64, ok bool) {
		if ok && l.around != nil {
			l.around.Add(v - l.center)
		}
	})
}

// Spread returns the median absolute deviation of the values, see [sketch.Sketch].
func (l *Line) Spread() float64 {
	switch {
	case l.sketch == nil:
		return 0
	case l.around != nil:
		return l.around.Spread()
	default:
		return l.sketch.Spread()
	}
}
