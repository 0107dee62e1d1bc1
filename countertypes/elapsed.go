package countertypes

// unixEpoch is 1970 in 100 ns units since 1601, the era of a start time.
const unixEpoch = 116_444_736_000_000_000

// elapsed cooks COUNTER/ELAPSED, which needs one sample: the value is when
// something started, in ticks of the clock beside it. With the DELTA bit,
// which no named type of this kind has, a second sample is requested.
func elapsed(older, newer *Sample, o *Options) (float64, Status) {
	if older == nil && newer.Type&bitDelta != 0 {
		return 0, StatusNeedsSecondSample
	}
	switch o.Elapsed {
	case ElapsedNET:
		return elapsedNET(older, newer)
	case ElapsedStartTime:
		return startTime(newer)
	default:
		return sinceStart(newer, o)
	}
}

// sinceStart is the formula: now less start, which no start after now has.
func sinceStart(newer *Sample, o *Options) (float64, Status) {
	x := float64(newer.Second - newer.First)
	if newer.First > newer.Second {
		switch o.Negative {
		case NegativeZero:
			return 0, shownZero
		case NegativeSigned:
			x = -float64(newer.First - newer.Second)
		default:
			return 0, StatusNegativeDelta
		}
	}
	return seconds(x, newer.TimeBase)
}

func seconds(x float64, timeBase int64) (float64, Status) {
	switch {
	case timeBase < 0:
		return 0, StatusNegativeTimeBase
	case timeBase == 0:
		return 0, StatusZeroDenominator
	default:
		return x / float64(timeBase), StatusOK
	}
}

// elapsedNET is the way of .NET's CounterSampleCalculator: start and
// frequency of the older sample, 32-bit floats, and 0 for any anomaly.
func elapsedNET(older, newer *Sample) (float64, Status) {
	if older == nil || older.First == 0 || newer.First == 0 || older.First >= newer.Second || older.TimeBase == 0 {
		return 0, StatusOK
	}
	if older.TimeBase < 0 {
		return 0, StatusNegativeTimeBase
	}
	return float64(float32(newer.Second-older.First) / float32(older.TimeBase)), StatusOK
}

// startTime is when it started in seconds since 1970, which makes sense for
// starts in 100 ns units only.
func startTime(newer *Sample) (float64, Status) {
	if newer.First < unixEpoch {
		return seconds(-float64(unixEpoch-newer.First), newer.TimeBase)
	}
	return seconds(float64(newer.First-unixEpoch), newer.TimeBase)
}
