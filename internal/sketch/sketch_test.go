package sketch

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
		var q Sketch
		var all []float64
		for n := 1; n <= 20_000; n++ {
			v := draw()
			all = append(all, v)
			q.Add(v)
			if n != 1 && n != 2 && n != exact && n != exact+1 && n != 20_000 {
				continue
			}
			sorted := slices.Sorted(slices.Values(all))
			for _, p := range []float64{0.5, 0.9, 0.95, 0.99} {
				want := sorted[max(int(math.Ceil(p*float64(n))), 1)-1]
				got := q.Quantile(p)
				if n <= exact {
					require.Equal(t, want, got, name)
				} else {
					assert.InDelta(t, want, got, math.Abs(want)*0.0101, "%s: %v of %d", name, p, n)
				}
			}
		}
	}
}

// TestQuantilesOfAWideRange holds that high Sketch stay true, and memory
// bounded, where the values have more than the bins' range.
func TestQuantilesOfAWideRange(t *testing.T) {
	var q Sketch
	var all []float64
	for i := range 3000 {
		for _, v := range []float64{math.Pow(1.5, float64(i%1000)), math.MaxFloat64, 1e-8} {
			all = append(all, v)
			q.Add(v)
		}
	}
	slices.Sort(all)
	assert.LessOrEqual(t, len(q.above.counts), maxBins)
	assert.InEpsilon(t, all[len(all)*99/100], q.Quantile(0.99), 0.0101)
	total := 0
	for _, n := range q.above.counts {
		total += int(n)
	}
	assert.Equal(t, len(all), total)
}

// TestSpread compares with the sorted distances, and with what is known.
func TestSpread(t *testing.T) {
	for name, test := range map[string]struct {
		values []float64
		want   float64
	}{
		"one":          {[]float64{5}, 0},
		"the same":     {[]float64{5, 5, 5}, 0},
		"MAD":          {[]float64{1, 1, 2, 2, 4, 6, 9}, 1},
		"mostly equal": {[]float64{0, 0, 0, 0, 10}, 2},
		"negative":     {[]float64{-3, -1, 1, 3}, 2},
	} {
		var q Sketch
		for _, v := range test.values {
			q.Add(v)
		}
		assert.InDelta(t, test.want, q.Spread(), 1e-12, name)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	var q Sketch
	for range 50_000 {
		q.Add(rnd.NormFloat64() * 10)
	}
	assert.False(t, q.Exact())
	assert.InDelta(t, 6.745, q.Spread(), 0.2) // of a normal distribution
}

// TestIndex compares with the logarithm, of any values and of those next to the bounds
// of bins.
func TestIndex(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	check := func(v float64) {
		if v > tiny {
			require.Equal(t, int(math.Ceil(math.Log(v)/logGrowth)), index(v), v)
		}
	}
	for range 200_000 {
		check(math.Exp(rnd.Float64()*730 - 20))
		check(rnd.Float64() * 100)
		check(float64(rnd.IntN(1e6)))
		bound := math.Exp(float64(rnd.IntN(35_000)-1000) * logGrowth)
		check(bound)
		check(math.Nextafter(bound, 0))
		check(math.Nextafter(bound, math.Inf(1)))
		check(bound * (1 + (rnd.Float64()-0.5)*1e-7))
	}
	check(math.MaxFloat64)
	check(math.Inf(1))
}
