// Package spark draws curves of a few characters: ▂▃▅█▃.
package spark

import "math"

// points is how many points a curve has at most.
const points = 64

// Curve is a curve of a few points, whatever the number of values. The zero Curve
// has none.
type Curve struct {
	per   int // moments of each point
	curve []point
}

// point is an average.
type point struct {
	n    uint32
	mean float32
}

func (p point) and(q point) point {
	n := p.n + q.n
	if n == 0 {
		return p
	}
	return point{n, p.mean*(float32(p.n)/float32(n)) + q.mean*(float32(q.n)/float32(n))}
}

// Add adds the value of a moment, the nth from 0.
func (s *Curve) Add(n int, v float64) {
	s.per = max(s.per, 1)
	s.until(n + 1)
	at := &s.curve[n/s.per]
	*at = at.and(point{1, float32(max(-math.MaxFloat32, min(math.MaxFloat32, v)))})
}

// until makes the curve long enough for n moments.
func (s *Curve) until(n int) {
	for n > s.per*points {
		s.halve()
	}
	for len(s.curve)*s.per < n {
		s.curve = append(s.curve, point{})
	}
}

// halve merges each two points.
func (s *Curve) halve() {
	for i, p := range s.curve {
		if i%2 == 0 {
			s.curve[i/2] = p
		} else {
			s.curve[i/2] = s.curve[i/2].and(p)
		}
	}
	s.curve = s.curve[:(len(s.curve)+1)/2]
	s.per *= 2
}

var blocks = []rune("▁▂▃▄▅▆▇█")

// Text returns the curve of n moments in a width, from 0 to the highest average of
// a point. A moment without a value is a blank.
func (s *Curve) Text(n, width int) string {
	s.per = max(s.per, 1)
	s.until(n)
	width = min(width, len(s.curve))
	if width <= 0 {
		return ""
	}
	columns := make([]point, width)
	for i, p := range s.curve {
		k := i * width / len(s.curve)
		columns[k] = columns[k].and(p)
	}
	top := float32(0)
	for _, c := range columns {
		top = max(top, c.mean)
	}
	line := make([]rune, width)
	for i, c := range columns {
		switch {
		case c.n == 0:
			line[i] = ' '
		case top <= 0:
			line[i] = blocks[0]
		default:
			line[i] = blocks[int(math.Round(float64(max(c.mean, 0)/top)*float64(len(blocks)-1)))]
		}
	}
	return string(line)
}
