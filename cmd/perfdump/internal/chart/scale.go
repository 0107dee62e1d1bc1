package chart

import (
	"math"
	"strconv"

	"github.com/perfdump/perfdump/internal/unit"
)

// scale is an axis of values: from low to high, which are ticks, or a little
// past one.
type scale struct {
	low, high, step float64
	unit            unit.Unit
}

// newScale returns the axis for values from low to high with about n steps of
// 1, 2 or 5 times a power of ten. It begins at 0 unless that would squeeze the
// values into less than half of it.
func newScale(u unit.Unit, low, high float64, n int) scale {
	low, high = flush(low), flush(high)
	if low > 0 && (u == unit.Percent || low <= high/2) {
		low = 0
	}
	if high < 0 && high >= low/2 {
		high = 0
	}
	if low == high {
		switch {
		case low == 0:
			high = 1
		case low > 0:
			low = 0
		default:
			high = 0
		}
	}
	step := steps(u, low, high, n)
	if tiny := max(math.Abs(low), math.Abs(high)) * 1e-12; step < tiny {
		step = niceStep(tiny) // below that, values cannot be distinguished
	}
	return scale{low: -ceilTick(-low, step), high: ceilTick(high, step), step: step, unit: u}
}

// steps returns the step of an axis of n: round in the prefix that its labels have.
func steps(u unit.Unit, low, high float64, n int) float64 {
	scale := u.PrefixOf(max(math.Abs(low), math.Abs(high))).Scale
	if u != unit.Bytes {
		scale = 1
	}
	return niceStep((high-low)/float64(max(n, 1))/scale) * scale
}

// ceilTick returns the tick above v, or v itself where it is a little past one:
// 100.4% is no reason for an axis up to 150%.
func ceilTick(v, step float64) float64 {
	k := v / step
	if below := math.Floor(k); k-below < 0.25 && below >= 0 {
		return max(v, below*step)
	}
	return math.Ceil(k) * step
}

// flush makes 0 of what is too small to be divided.
func flush(v float64) float64 {
	if math.Abs(v) < 1e-290 {
		return 0
	}
	return v
}

// niceStep returns the smallest of 1, 2, 5, 10, 20 ... that is not below x by
// more than rounding.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= x*0.95 {
			return f * power
		}
	}
	return 10 * power
}

// tick is a position on an axis and its label.
type tick struct {
	at   float64
	text string
}

// ticks returns those from low to high.
func (s scale) ticks() []tick {
	p := s.unit.PrefixOf(max(math.Abs(s.low), math.Abs(s.high)) * (1 - 1e-9))
	places := max(0, -int(math.Floor(math.Log10(s.step/p.Scale)+1e-9)))
	first, last := math.Ceil(s.low/s.step-1e-9), math.Floor(s.high/s.step+1e-9)
	var all []tick
	for k := first; k <= last; k++ {
		v := k * s.step
		digits := strconv.FormatFloat(v/p.Scale, 'f', places, 64)
		if places > 9 || math.Abs(v/p.Scale) >= 1e7 {
			digits = strconv.FormatFloat(v/p.Scale, 'g', 3, 64)
		}
		text := s.unit.Write(digits, p)
		if k == 0 {
			text = "0"
			if s.unit == unit.Percent {
				text = "0%"
			}
		}
		all = append(all, tick{v, text})
		if len(all) > 100 { // the steps are below the precision of the values
			break
		}
	}
	return all
}

// at returns where a value is, from 0 at low to 1 at high.
func (s scale) at(v float64) float64 { return (v - s.low) / (s.high - s.low) }
