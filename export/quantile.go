package export

import (
	"math"
	"slices"
)

// quantiles computes quantiles of a stream of values in constant memory. Up to
// exactValues values it is exact. Beyond, it counts them in bins whose bounds grow
// by 2 percent, so that the error is at most 1 percent. The maxBins bins hold a
// range of 1 to 28,000; for a wider one the bins of the smallest values are merged,
// which makes low quantiles coarse. The same values give the same result.
type quantiles struct {
	n      int
	values []float64 // while they are few
	zeros  int
	above  *bins
	below  *bins // of the values less than 0, by their size
}

const (
	exactValues = 128
	maxBins     = 512
	growth      = 1.01 / 0.99
	tiny        = 1e-9 // what is less is 0
)

var logGrowth = math.Log(growth)

// bins counts values of one sign: counts[i] those with log(v) in
// (low+i-1, low+i] times logGrowth.
type bins struct {
	low    int
	counts []uint32
}

func (q *quantiles) add(v float64) {
	q.n++
	if q.above == nil {
		if len(q.values) < exactValues {
			q.values = append(q.values, v)
			return
		}
		q.above, q.below = &bins{}, &bins{}
		for _, old := range q.values {
			q.count(old)
		}
		q.values = nil
	}
	q.count(v)
}

func (q *quantiles) count(v float64) {
	switch {
	case v > tiny:
		q.above.add(v)
	case v < -tiny:
		q.below.add(-v)
	default:
		q.zeros++
	}
}

func (b *bins) add(v float64) {
	i := int(math.Ceil(math.Log(v) / logGrowth))
	if len(b.counts) == 0 {
		b.low, b.counts = i, append(b.counts, 0)
	}
	if i < b.low {
		more := min(b.low-i, maxBins-len(b.counts))
		b.counts = slices.Insert(b.counts, 0, make([]uint32, more)...)
		b.low -= more
		i = max(i, b.low)
	}
	if top := i - b.low; top >= len(b.counts) {
		if top >= maxBins { // the lowest ones become one
			drop := top - maxBins + 1
			sum := uint32(0)
			for _, n := range b.counts[:min(drop+1, len(b.counts))] {
				sum += n
			}
			b.counts = append(b.counts[:0], b.counts[min(drop, len(b.counts)):]...)
			b.low += drop
			if len(b.counts) == 0 {
				b.counts = append(b.counts, 0)
			}
			b.counts[0] = sum
		}
		b.counts = append(b.counts, make([]uint32, i-b.low+1-len(b.counts))...)
	}
	b.counts[i-b.low]++
}

func (b *bins) at(i int) float64 {
	return min(2/(growth+1)*math.Exp(float64(b.low+i)*logGrowth), math.MaxFloat64)
}

// quantile returns the smallest value that at least the share p does not exceed.
func (q *quantiles) quantile(p float64) float64 {
	rank := max(int(math.Ceil(p*float64(q.n))), 1)
	if q.above == nil {
		sorted := slices.Sorted(slices.Values(q.values))
		return sorted[rank-1]
	}
	for i := len(q.below.counts) - 1; i >= 0; i-- {
		if rank -= int(q.below.counts[i]); rank <= 0 {
			return -q.below.at(i)
		}
	}
	if rank -= q.zeros; rank <= 0 {
		return 0
	}
	for i, n := range q.above.counts {
		if rank -= int(n); rank <= 0 {
			return q.above.at(i)
		}
	}
	return q.above.at(len(q.above.counts) - 1)
}
