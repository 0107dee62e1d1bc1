package sketch

import "math"

// A logarithm is the most of what it costs to add a value. It is needed to the next
// whole number of bins only, so a few bits of the value and a polynomial of the
// others say it, except next to a bound.
const (
	stepBits = 8
	fraction = 52 // bits of a float64
	nextTo   = 1e-6
)

// step is a number that a mantissa is near to: its inverse and its logarithm in bins.
type step struct{ inverse, log float64 }

var steps = func() (all [1 << stepBits]step) {
	for i := range all {
		near := 1 + (float64(i)+0.5)/float64(len(all))
		all[i] = step{1 / near, math.Log(near) / logGrowth}
	}
	return all
}()

// index returns the bin of a value above tiny: the whole number that is not below its
// logarithm in bins.
func index(v float64) int {
	if v <= math.MaxFloat64 {
		b := math.Float64bits(v)
		s := &steps[b>>(fraction-stepBits)&(1<<stepBits-1)]
		r := math.Float64frombits(b&(1<<fraction-1)|1023<<fraction)*s.inverse - 1
		log := float64(int(b>>fraction)-1023)*(math.Ln2/logGrowth) + s.log + r*(1-r*(1.0/2-r*(1.0/3)))/logGrowth
		i := math.Ceil(log)
		if above := i - log; above > nextTo && above < 1-nextTo {
			return int(i)
		}
	}
	return int(math.Ceil(math.Log(v) / logGrowth))
}
