package countertypes

// fraction cooks COUNTER/FRACTION: a raw fraction from one sample, the sample
// fraction and the averages from two.
func fraction(older, newer *Sample, o *Options) (float64, Status) {
	suffix := newer.Type & maskSuffix
	if !newer.Type.differences() {
		if newer.Second == 0 {
			return 0, StatusZeroDenominator
		}
		return float64(newer.First) / float64(newer.Second) * 100, StatusOK
	}
	x, s := growth(older, newer, o)
	if s != StatusOK {
		return 0, s
	}
	if suffix == suffixSecs && newer.TimeBase < 0 {
		return 0, StatusNegativeTimeBase
	}
	if newer.Second < older.Second {
		return 0, StatusNegativeDenominator
	}
	if suffix == suffixSecs {
		if newer.TimeBase == 0 {
			return 0, StatusZeroDenominator
		}
		x /= float64(newer.TimeBase)
	}
	if newer.Second == older.Second {
		if x == 0 {
			return 0, StatusOK // nothing happened, and it took no time
		}
		return 0, StatusZeroDenominator
	}
	x /= float64(newer.Second - older.Second)
	if suffix == suffixPercent {
		x *= 100
	}
	return x, StatusOK
}
