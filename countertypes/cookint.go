package countertypes

import "math/bits"

// CookInt is [Cook] for values that are whole unsigned numbers by nature:
// raw values and their differences, where a float64 keeps 53 bits of 64. It
// is false where Cook has no value or one that is no such number.
func CookInt(older, newer *Sample, o *Options) (uint64, bool) {
	if newer == nil {
		return 0, false
	}
	if o == nil {
		o = &defaults
	}
	c := newer.Type.class()
	if c != classNumber && c != classZero {
		return 0, false
	}
	// Every test of Cook's counts here, so it is asked first.
	if _, s := Cook(older, newer, o); s != StatusOK {
		return 0, false
	}
	v := uint64(0)
	if c == classNumber {
		v = newer.First
	}
	if c == classNumber && newer.Type&bitDelta != 0 {
		switch {
		case v >= older.First:
			v -= older.First
		case o.Negative == NegativeWrap32:
			v, _ = wrap32(older.First, v, newer.Size)
		case o.Negative == NegativeZero:
			return 0, true
		default:
			return 0, false
		}
	}
	if o.Cap != CapNone && newer.Type&maskSuffix == suffixPercent {
		v = min(v, 100)
	}
	return scaleInt(v, o.scale(newer))
}

// scaleInt is Scale where the result is exact.
func scaleInt(v uint64, n int) (uint64, bool) {
	if n < -maxScale || n > maxScale {
		return v, true
	}
	for ; n > 0; n-- {
		hi, lo := bits.Mul64(v, 10)
		if hi != 0 {
			return 0, false
		}
		v = lo
	}
	for ; n < 0; n++ {
		if v%10 != 0 {
			return 0, false
		}
		v /= 10
	}
	return v, true
}
