package export

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestQuantiles compares with the sorted values: equal while they are few,
// within 1 percent later.
func TestQuantiles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for name, draw := range map[string]func() float64{
		"percent":  func() float64 { return rnd.Float64() * 100 },
		"normal":   func() float64 { return rnd.NormFloat64() * 10 },
		"wide":     func() float64 { return math.Exp(rnd.Float64() * 10) },
		"negative": func() float64 { return -1 - rnd.Float64() },
		"constant": func() float64 { return 42 },
		"zeros":    func() float64 { return float64(rnd.IntN(2)) },
	} {
		var q quantiles
		var all []float64
		for n := 1; n <= 20_000; n++ {
			v := draw()
			all = append(all, v)
			q.add(v)
			if n != 1 && n != 2 && n != exactValues && n != exactValues+1 && n != 20_000 {
				continue
			}
			sorted := slices.Sorted(slices.Values(all))
			for _, p := range []float64{0.5, 0.9, 0.95, 0.99} {
				want := sorted[max(int(math.Ceil(p*float64(n))), 1)-1]
				got := q.quantile(p)
				if n <= exactValues {
					require.Equal(t, want, got, name)
				} else {
					assert.InDelta(t, want, got, math.Abs(want)*0.0101, "%s: %v of %d", name, p, n)
				}
			}
		}
	}
}

// TestQuantilesOfAWideRange holds that high quantiles stay true, and memory
// bounded, where the values have more than the bins' range.
func TestQuantilesOfAWideRange(t *testing.T) {
	var q quantiles
	var all []float64
	for i := range 3000 {
		for _, v := range []float64{math.Pow(1.5, float64(i%1000)), math.MaxFloat64, 1e-8} {
			all = append(all, v)
			q.add(v)
		}
	}
	slices.Sort(all)
	assert.LessOrEqual(t, len(q.above.counts), maxBins)
	assert.InEpsilon(t, all[len(all)*99/100], q.quantile(0.99), 0.0101)
	total := 0
	for _, n := range q.above.counts {
		total += int(n)
	}
	assert.Equal(t, len(all), total)
}
