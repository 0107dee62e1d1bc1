package vitals

import (
	"math"

	"github.com/perfdump/perfdump/internal/tally"
)

// points is how many points a curve has at most.
const points = 128

// Spark is a curve of a few points, whatever the number of values. The zero Spark
// has none.
type Spark struct {
	per   int // moments of each point
	curve []tally.Stats
}

// Add adds the value of a moment, the nth from 0.
func (s *Spark) Add(n int, v float64) {
	s.per = max(s.per, 1)
	s.until(n + 1)
	s.curve[n/s.per].Add(v, true)
}

// until makes the curve long enough for n moments.
func (s *Spark) until(n int) {
	for n > s.per*points {
		s.halve()
	}
	for len(s.curve)*s.per < n {
		s.curve = append(s.curve, tally.Stats{})
	}
}

// halve merges each two points.
func (s *Spark) halve() {
	for i := range s.curve {
		if i%2 == 0 {
			s.curve[i/2] = s.curve[i]
		} else {
			s.curve[i/2] = merge(s.curve[i/2], s.curve[i])
		}
	}
	s.curve = s.curve[:(len(s.curve)+1)/2]
	s.per *= 2
}

func merge(a, b tally.Stats) tally.Stats {
	switch {
	case b.Count == 0:
		return a
	case a.Count == 0:
		return b
	}
	n := float64(a.Count + b.Count)
	return tally.Stats{
		Count: a.Count + b.Count, Min: min(a.Min, b.Min), Max: max(a.Max, b.Max),
		Mean: a.Mean*(float64(a.Count)/n) + b.Mean*(float64(b.Count)/n), Last: b.Last,
	}
}

var blocks = []rune("▁▂▃▄▅▆▇█")

// Text returns the curve of n moments in a width, from 0 to the highest average of
// a point. A moment without a value is a blank.
func (s *Spark) Text(n, width int) string {
	s.per = max(s.per, 1)
	s.until(n)
	width = min(width, len(s.curve))
	if width <= 0 {
		return ""
	}
	columns := make([]tally.Stats, width)
	for i, p := range s.curve {
		k := i * width / len(s.curve)
		columns[k] = merge(columns[k], p)
	}
	top := 0.0
	for _, c := range columns {
		top = max(top, c.Mean)
	}
	line := make([]rune, width)
	for i, c := range columns {
		switch {
		case c.Count == 0:
			line[i] = ' '
		case top <= 0:
			line[i] = blocks[0]
		default:
			k := int(math.Round(max(c.Mean, 0) / top * float64(len(blocks)-1)))
			line[i] = blocks[min(k, len(blocks)-1)]
		}
	}
	return string(line)
}
