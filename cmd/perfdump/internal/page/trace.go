package page

import (
	"cmp"
	"math"
	"slices"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/tally"
)

// trace is what a page shows of a series.
type trace struct {
	series  *capture.Series
	stats   tally.Stats
	missing []missing // by their statuses
	axis    *axis
	curve   curve
}

// missing is how many cells have no value for a reason.
type missing struct {
	status countertypes.Status
	n      int
}

// curve are the points of a series: values of one snapshot each, NaN if there is none,
// or else ranges of several.
type curve struct {
	start  int // the point of the axis that is the first one here
	values []float64
	ranges []valueRange
	last   valueRange // as it is now, of the range at a position: the others are far apart in memory
	at     int
}

// valueRange is a point that stands for count values.
type valueRange struct {
	low, mean, high float64
	count           uint32
}

var noRange = valueRange{low: math.NaN(), mean: math.NaN(), high: math.NaN()}

func (t *trace) add(c *capture.Cell) {
	v, ok := c.Shown()
	t.stats.Add(v, ok)
	if !ok {
		status := c.EffectiveStatus()
		if status == countertypes.StatusOK { // infinite, or no number
			status = countertypes.StatusInvalidData
		}
		i, ok := slices.BinarySearchFunc(t.missing, status, func(m missing, s countertypes.Status) int { return cmp.Compare(m.status, s) })
		if !ok {
			t.missing = slices.Insert(t.missing, i, missing{status: status})
		}
		t.missing[i].n++
		return
	}
	t.curve.add(t.axis.point(), v, t.axis.per > 1)
}

func (c *curve) len() int { return len(c.values) + len(c.ranges) }

func (c *curve) add(point int, v float64, many bool) {
	if c.len() == 0 {
		c.start = point
	}
	i := point - c.start
	if many {
		if c.last.count == 0 || c.at != i {
			c.settle()
			for len(c.ranges) <= i {
				c.ranges = append(c.ranges, noRange)
			}
			c.last, c.at = c.ranges[i], i
		}
		c.last.merge(valueRange{v, v, v, 1})
		return
	}
	for len(c.values) <= i {
		c.values = append(c.values, math.NaN())
	}
	c.values[i] = v
}

// settle puts the last range in its place.
func (c *curve) settle() {
	if c.last.count > 0 {
		c.ranges[c.at], c.last.count = c.last, 0
	}
}

// point returns the range at a position.
func (c *curve) point(i int) valueRange {
	if len(c.values) == 0 {
		return c.ranges[i]
	}
	if v := c.values[i]; v == v {
		return valueRange{v, v, v, 1}
	}
	return noRange
}

// merge adds the values of a point to another one.
func (r *valueRange) merge(v valueRange) {
	if r.count == 0 {
		*r = v
	} else if v.count > 0 {
		r.low, r.high = min(r.low, v.low), max(r.high, v.high)
		r.count += v.count
		share := float64(v.count) / float64(r.count)
		r.mean += v.mean*share - r.mean*share
	}
}

// halve makes one point of two. Ranges stay in place: more will follow.
func (t *trace) halve() {
	c := &t.curve
	c.settle()
	half, start := c.ranges[:0], c.start/2
	if len(c.values) > 0 {
		half = make([]valueRange, 0, len(c.values))
	}
	for k := range c.len() {
		if i := (c.start+k)/2 - start; i == len(half) {
			half = append(half, c.point(k))
		} else {
			half[i].merge(c.point(k))
		}
	}
	c.start, c.values, c.ranges = start, nil, half
}
