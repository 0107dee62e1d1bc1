package countertypes

// maxScale is the largest power of ten that a manifest may ask for; winperf.h
// stops at 7.
const maxScale = 10

var powers = [maxScale + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}

// Scale returns v times ten to the power of n. An n outside -10..10 is not a
// scale and leaves v as it is.
func Scale(v float64, n int) float64 {
	switch {
	case n > 0 && n <= maxScale:
		return v * powers[n]
	case n < 0 && n >= -maxScale:
		return v / powers[-n] // a tenth has no exact float64, ten has
	default:
		return v
	}
}

// ClampScale makes a DefaultScale as it stands in a definition fit for
// [Sample]: one outside -10..10 is not a scale and becomes 0.
func ClampScale(n int32) int8 {
	if n < -maxScale || n > maxScale {
		return 0
	}
	return int8(n)
}

// scale is the power of ten that o asks for.
func (o *Options) scale(s *Sample) int {
	if o.Scale == ScaleDefault {
		return int(s.DefaultScale)
	}
	return int(o.Scale)
}

func (c Cap) limit(v float64) float64 {
	if v > 100 {
		return 100
	}
	if v < 0 && c == Cap0100 {
		return 0
	}
	return v
}
