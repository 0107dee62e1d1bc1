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

// curve are the points of a series, NaN if there is no value. Where each
// is one snapshot, all is in low.
type curve struct {
	start           int // the point of the axis that is the first one here
	low, mean, high []float64
	counts          []uint32
}

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
	if many {
		c.merge(i, v, v, v, 1)
	} else {
		c.low[i] = v
	}
}

// merge adds n values to a point.
func (c *curve) merge(i int, low, mean, high float64, n uint32) {
	if c.counts[i] == 0 {
		c.low[i], c.mean[i], c.high[i], c.counts[i] = low, mean, high, n
		return
	}
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
	none := []float64{math.NaN()}
	c := curve{
		start: old.start / 2,
		low:   slices.Repeat(none, n), mean: slices.Repeat(none, n), high: slices.Repeat(none, n), counts: make([]uint32, n),
	}
	for k, n := range old.counts {
		if n > 0 {
			c.merge((old.start+k)/2-c.start, old.low[k], old.mean[k], old.high[k], n)
		}
	}
	t.curve = c
}
