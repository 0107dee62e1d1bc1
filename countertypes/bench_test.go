package countertypes

import "testing"

var (
	sinkValue  float64
	sinkStatus Status
)

// BenchmarkCook is one value of each class; a capture cooks one for every
// counter, instance and sample.
func BenchmarkCook(b *testing.B) {
	signed := &Options{Negative: NegativeSigned, Cap: Cap100, Scale: 2}
	cases := []struct {
		name string
		o    *Options
		pair
	}{
		{"rate", nil, pair{"", PERF_COUNTER_COUNTER, 1000, 1_000_000_000, 1500, 1_020_000_000, 10_000_000, 0, 0, 0}},
		{"timer", nil, pair{"", PERF_100NSEC_TIMER, 0, t0, s1 / 4, t0 + s1, s1, 0, 0, 0}},
		{"inverse", nil, pair{"", PERF_100NSEC_TIMER_INV, 0, t0, s1 / 4, t0 + s1, s1, 0, 0, 0}},
		{"multi", nil, pair{"", PERF_100NSEC_MULTI_TIMER, 0, t0, s1 / 4, t0 + s1, s1, 4, 0, 0}},
		{"average", nil, pair{"", PERF_AVERAGE_TIMER, 1_000_000, 10, 4_000_000, 13, s1, 0, 0, 0}},
		{"switches", signed, pair{"", PERF_COUNTER_COUNTER, 9, 0, 5, 10, 10, 0, 0, 0}},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			older, newer := c.samples()
			b.ReportAllocs()
			for b.Loop() {
				sinkValue, sinkStatus = Cook(older, newer, c.o)
			}
		})
	}
}
