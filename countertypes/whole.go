package countertypes

// Inexact is the least value from which on a float64 does not hold every whole
// number.
const Inexact = 1 << 53

// Whole reports whether what is shown of t is the raw value or how much it grew,
// which is a whole number.
func (t Type) Whole() bool { return t.class() == classNumber }

// Rest returns what the exact value has more than v, which is what [Cook] made
// of the same samples: less than 1,025 either way. It is 0 below [Inexact], and
// where the exact value cannot be computed from its samples.
func Rest(older, newer *Sample, v float64) int16 {
	if v < Inexact || newer == nil || !newer.Type.Whole() {
		return 0
	}
	n := newer.First
	if newer.Type.Delta() {
		if older == nil || older.First > n {
			return 0
		}
		n -= older.First
	}
	if float64(n) != v { // scaled
		return 0
	}
	return int16(n - whole(v))
}

// Exact returns the whole number that is v and a rest of [Rest]; v is [Inexact]
// or more. With it raw values and differences keep all their digits where they are
// written as integers: Cook gives a float64, which holds 53 of 64 bits.
func Exact(v float64, rest int16) uint64 { return whole(v) + uint64(int64(rest)) }

// whole turns v into a number of 64 bits; 2^64, which 2^64-1 is rounded to, into
// 0.
func whole(v float64) uint64 {
	if v >= 1<<64 {
		return 0
	}
	return uint64(v)
}
