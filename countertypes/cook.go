package countertypes

import "math"

// Cook computes the displayed value of newer, and of what happened since
// older where the type wants a difference. older is nil when there is none; a
// type that needs one sample ignores it, but for the types having to agree.
// A nil o means the defaults. The value is 0 unless the status is StatusOK.
//
// Differences are formed in 64-bit unsigned integers after a comparison, then
// everything is computed in float64 in the order that gives the same bits as
// Windows. Cook allocates nothing and keeps no reference.
func Cook(older, newer *Sample, o *Options) (float64, Status) {
	if newer == nil {
		return 0, StatusInvalidData
	}
	if newer.Status != StatusOK || older != nil && older.Status != StatusOK {
		return cookFound(older, newer, o)
	}
	t := newer.Type
	if older != nil && older.Type != t {
		return 0, StatusTypeMismatch
	}
	if o == nil {
		o = &defaults
	}
	var v float64
	var s Status
	c := classes[t>>6&0x30|t>>16&0xF]
	if t.odd() {
		c = t.oddClass(c)
	}
	switch c {
	case classRate:
		v, s = rate(older, newer, o)
	case classFraction:
		v, s = fraction(older, newer, o)
	case classNumber:
		v, s = number(older, newer, o)
	case classThousandth:
		v, s = number(older, newer, o)
		v /= 1000
	case classQueueLen:
		v, s = quotient(older, newer, o)
	case classPrecision:
		v, s = quotient(older, newer, o)
		v *= 100
	case classElapsed:
		v, s = elapsed(older, newer, o)
	case classDouble:
		if newer.Size != 8 && newer.Size != 0 {
			return 0, StatusUnsupported
		}
		v = math.Float64frombits(newer.First)
	case classZero:
		v = 0
	case classText:
		return 0, StatusText
	case classNoValue:
		return 0, StatusNoValue
	case classBase:
		return 0, StatusBaseOnly
	default:
		return 0, StatusUnsupported
	}
	switch {
	case s == shownZero:
		return 0, StatusOK
	case s != StatusOK:
		return 0, s
	case o.Cap != CapNone && t&maskSuffix == suffixPercent:
		v = o.Cap.limit(v)
	}
	if o.Scale != 0 {
		v = Scale(v, o.scale(newer))
	}
	return v, StatusOK
}

var defaults Options

// shownZero is what an inner step returns to end with a value of 0.
const shownZero Status = 255

// cookFound is Cook for samples in which something was found when they were
// read. That is ranked with what would be computed: the status that is tested
// first is reported.
func cookFound(older, newer *Sample, o *Options) (float64, Status) {
	found := newer.Status
	if older != nil && newer.usesOlder(o) {
		// The count of a MULTI type is the newer sample's.
		if older.Status != StatusNoBase || !newer.Type.Multi() || newer.Type.class() != classRate {
			found = first(found, older.Status)
		}
	}
	cleanNewer := *newer
	cleanNewer.Status = StatusOK
	if older != nil {
		cleanOlder := *older
		cleanOlder.Status = StatusOK
		older = &cleanOlder
	}
	v, s := Cook(older, &cleanNewer, o)
	if s = first(s, found); s != StatusOK {
		return 0, s
	}
	return v, s
}

func (s *Sample) usesOlder(o *Options) bool {
	if s.Type.class() == classElapsed {
		return o != nil && o.Elapsed == ElapsedNET
	}
	return s.Type.NeedsTwo()
}

// first returns the one of two statuses that is tested first.
func first(a, b Status) Status {
	if a == StatusOK || b != StatusOK && b < a {
		return b
	}
	return a
}

// number is the value itself, or how much it grew.
func number(older, newer *Sample, o *Options) (float64, Status) {
	if newer.Type&bitDelta == 0 {
		return float64(newer.First), StatusOK
	}
	if older == nil {
		return 0, StatusNeedsSecondSample
	}
	return delta(older, newer, o)
}

// growth is the numerator of what needs two samples: how much the value grew,
// or the value itself where the type does not say that it is differenced.
func growth(older, newer *Sample, o *Options) (float64, Status) {
	if older == nil {
		return 0, StatusNeedsSecondSample
	}
	if !newer.Type.differences() {
		return float64(newer.First), StatusOK
	}
	return delta(older, newer, o)
}

func delta(older, newer *Sample, o *Options) (float64, Status) {
	if newer.First >= older.First {
		return float64(newer.First - older.First), StatusOK
	}
	return wentBack(older.First, newer.First, newer.Size, o)
}

// wentBack is the difference of a value that became smaller. A wrap of a
// 4-byte value looks like a counter that was reset or changed hands; only a
// small step over the edge is taken for one, and only on request.
func wentBack(older, newer uint64, size uint32, o *Options) (float64, Status) {
	switch o.Negative {
	case NegativeZero:
		return 0, shownZero
	case NegativeSigned:
		return -float64(older - newer), StatusOK
	case NegativeWrap32:
		if x, ok := wrap32(older, newer, size); ok {
			return float64(x), StatusOK
		}
		return 0, StatusNegativeDelta
	default:
		return 0, StatusNegativeDelta
	}
}

func wrap32(older, newer uint64, size uint32) (uint64, bool) {
	if size != 4 || older > math.MaxUint32 {
		return 0, false
	}
	x := newer + 1<<32 - older
	return x, x < 1<<31
}

// quotient is growth by growth of the clock or the base, for queue lengths
// and PRECISION timers.
func quotient(older, newer *Sample, o *Options) (float64, Status) {
	x, s := growth(older, newer, o)
	if s != StatusOK {
		return 0, s
	}
	switch d := newer.Second - older.Second; {
	case newer.Second < older.Second:
		return 0, StatusNegativeDenominator
	case d == 0:
		return 0, StatusZeroDenominator
	default:
		return x / float64(d), StatusOK
	}
}
