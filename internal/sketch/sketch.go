// Package sketch computes quantiles, and how far values are apart, of a stream in
// constant memory.
package sketch

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// Sketch holds the values of a stream. Up to 128 values it is exact. Beyond, it
// counts them in bins whose bounds grow by 2 percent, so that the error is at most 1
// percent. The 512 bins hold a range of 1 to 28,000; for a wider one the bins of the
// smallest values are merged, which makes low quantiles coarse. The same values give
// the same result. The zero Sketch is empty.
type Sketch struct {
	n      int
	values []float64 // while they are few
	zeros  int
	above  *bins
	below  *bins // of the values less than 0, by their size
}

const (
	exact   = 128
	maxBins = 512
	growth  = 1.01 / 0.99
	tiny    = 1e-9 // what is less is 0
)

var logGrowth = math.Log(growth)

// bins counts values of one sign: counts[i] those with log(v) in
// (low+i-1, low+i] times logGrowth.
type bins struct {
	low    int
	counts []uint32
}

// Add adds a value.
func (q *Sketch) Add(v float64) {
	q.n++
	if q.above == nil {
		if len(q.values) < exact {
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

func (q *Sketch) count(v float64) {
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
	i := index(v)
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

// Exact reports whether the sketch has every value.
func (q *Sketch) Exact() bool { return q.above == nil }

// Quantile returns the smallest value that at least the share p does not exceed.
func (q *Sketch) Quantile(p float64) float64 {
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

// all yields the values with their numbers.
func (q *Sketch) all() iter.Seq2[float64, int] {
	return func(yield func(float64, int) bool) {
		for _, v := range q.values {
			if !yield(v, 1) {
				return
			}
		}
		if q.Exact() {
			return
		}
		if q.zeros > 0 && !yield(0, q.zeros) {
			return
		}
		for i, n := range q.above.counts {
			if n > 0 && !yield(q.above.at(i), int(n)) {
				return
			}
		}
		for i, n := range q.below.counts {
			if n > 0 && !yield(-q.below.at(i), int(n)) {
				return
			}
		}
	}
}

// Spread returns the median of the distances of the values from their median, and if
// that is 0 the average of these distances: it is 0 only where all values are the
// same. There must be a value. It is within 1 percent of the values, so those far from
// 0 that are near each other are better added as distances from a point near them.
func (q *Sketch) Spread() float64 {
	type distance struct {
		v float64
		n int
	}
	median := q.Quantile(0.5)
	var all []distance
	mean := 0.0
	for v, n := range q.all() {
		d := math.Abs(v - median)
		all = append(all, distance{d, n})
		mean += d * (float64(n) / float64(q.n))
	}
	slices.SortFunc(all, func(a, b distance) int { return cmp.Compare(a.v, b.v) })
	rank := (q.n + 1) / 2
	for _, d := range all {
		if rank -= d.n; rank <= 0 {
			if d.v > 0 {
				return d.v
			}
			break
		}
	}
	return mean
}
