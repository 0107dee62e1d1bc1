package countertypes

import "math"

// rate cooks COUNTER/RATE: numbers a second, timers in percent of the clock,
// and timers summed over a count of things.
func rate(older, newer *Sample, o *Options) (float64, Status) {
	if older == nil {
		return 0, StatusNeedsSecondSample
	}
	// What growth does, without the call in the one case that is common.
	t := newer.Type
	x := float64(newer.First - older.First)
	if t&bitDelta == 0 || newer.First < older.First {
		var s Status
		if x, s = growth(older, newer, o); s != StatusOK {
			return 0, s
		}
	}
	if t&bitMulti == 0 && t&maskSuffix == suffixPercent {
		d, s := ticks(older, newer)
		if s != StatusOK {
			return 0, s
		}
		if t&bitInverse != 0 {
			return 100 * (1 - x/d), StatusOK
		}
		return x / d * 100, StatusOK
	}
	if t&bitMulti != 0 && !multiPerSecond(t, o) {
		d, s := ticks(older, newer)
		if s != StatusOK {
			return 0, s
		}
		return multi(x/d, newer, o)
	}
	if newer.TimeBase < 0 {
		return 0, StatusNegativeTimeBase
	}
	d, s := ticks(older, newer)
	if s != StatusOK {
		return 0, s
	}
	if newer.TimeBase == 0 {
		return 0, StatusZeroDenominator
	}
	x /= d / float64(newer.TimeBase)
	if t&bitMulti != 0 {
		return multi(x, newer, o)
	}
	if o.TruncateRates {
		x = truncate(x)
	}
	return x, StatusOK
}

// ticks is how far the clock ran.
func ticks(older, newer *Sample) (float64, Status) {
	if newer.Second <= older.Second {
		if newer.Second < older.Second {
			return 0, StatusNegativeDenominator
		}
		return 0, StatusZeroDenominator
	}
	return float64(newer.Second - older.Second), StatusOK
}

// multiPerSecond reports whether a MULTI timer's ticks are taken per second.
// The documents agree that a timer on another clock is not.
func multiPerSecond(t Type, o *Options) bool {
	if t.Clock() != ClockTick {
		return false
	}
	if t&bitInverse != 0 {
		return o.MultiInv == MultiInvDivided
	}
	return o.MultiTimer != MultiTimerTicks
}

// multi puts the quotient x in relation to the count of a MULTI type. The
// plain inverse subtracts from the count and so can do with a count of 0.
func multi(x float64, newer *Sample, o *Options) (float64, Status) {
	n := float64(newer.Multi)
	inverse := newer.Type&bitInverse != 0
	if inverse && o.MultiInv != MultiInvDivided {
		return 100 * (n - x), StatusOK
	}
	if n == 0 {
		return 0, StatusZeroDenominator
	}
	if inverse {
		return 100 * (n - x) / n, StatusOK
	}
	return x / n * 100, StatusOK
}

// truncate is what is left of x in a DWORD. C leaves open what becomes of a
// number that does not fit; the nearest that does is taken.
func truncate(x float64) float64 {
	return math.Trunc(min(max(x, 0), math.MaxUint32))
}
