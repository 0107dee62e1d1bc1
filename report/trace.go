package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// trace is what a page tells of a series.
type trace struct {
	series  *capture.Series
	stats   capture.Stats
	missing []missing // by their statuses
	axis    *axis
	curve   curve
}

// missing is how many cells have no value for a reason.
type missing struct {
	status countertypes.Status
	n      int
}

// curve are the points of a series, NaN where there is no value. Where each
// is one snapshot, all is in low.
type curve struct {
	start           int // the point of the axis that is the first one here
	low, mean, high []float64
	counts          []uint32
}

func (t *trace) add(c *capture.Cell) {
	t.stats.Add(c)
	v, ok := c.Number()
	if !ok {
		status := c.Verdict()
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

func (c *curve) add(point int, v float64, many bool) {
	if len(c.low) == 0 {
		c.start = point
	}
	i := point - c.start
	for len(c.low) <= i {
		c.low = append(c.low, math.NaN())
		if many {
			c.mean, c.high, c.counts = append(c.mean, math.NaN()), append(c.high, math.NaN()), append(c.counts, 0)
		}
	}
	switch {
	case !many:
		c.low[i] = v
	case c.counts[i] == 0:
		c.low[i], c.mean[i], c.high[i], c.counts[i] = v, v, v, 1
	default:
		c.merge(i, v, v, v, 1)
	}
}

// merge adds values to a point that has some.
func (c *curve) merge(i int, low, mean, high float64, n uint32) {
	c.low[i], c.high[i] = min(c.low[i], low), max(c.high[i], high)
	c.counts[i] += n
	share := float64(n) / float64(c.counts[i])
	c.mean[i] += mean*share - c.mean[i]*share
}

// halve makes one point of two.
func (t *trace) halve() {
	old := t.curve
	if len(old.low) == 0 {
		return
	}
	if old.mean == nil {
		old.mean, old.high, old.counts = old.low, old.low, make([]uint32, len(old.low))
		for i, v := range old.low {
			if v == v {
				old.counts[i] = 1
			}
		}
	}
	n := (old.start+len(old.low)-1)/2 - old.start/2 + 1
	c := curve{
		start: old.start / 2,
		low:   make([]float64, n), mean: make([]float64, n), high: make([]float64, n), counts: make([]uint32, n),
	}
	for i := range n {
		c.low[i], c.mean[i], c.high[i] = math.NaN(), math.NaN(), math.NaN()
	}
	for k := range old.low {
		if old.counts[k] == 0 {
			continue
		}
		if i := (old.start+k)/2 - c.start; c.counts[i] == 0 {
			c.low[i], c.mean[i], c.high[i], c.counts[i] = old.low[k], old.mean[k], old.high[k], old.counts[k]
		} else {
			c.merge(i, old.low[k], old.mean[k], old.high[k], old.counts[k])
		}
	}
	t.curve = c
}
