package countertypes

// IsBase reports whether t is a base, the denominator of the definition before
// it. All of kind and subtype are compared: a test for the bits of BASE alone
// is true of PRECISION as well.
func (t Type) IsBase() bool {
	return t&(maskKind|maskSubtype) == Type(KindCounter)<<10|Type(CounterBase)<<16
}

// NeedsBase reports whether the definition after t must be its base. The count
// of a MULTI type is not a base and may stand in the block without a
// definition, so it does not count here.
func (t Type) NeedsBase() bool {
	c := t.class()
	return c == classFraction || c == classPrecision
}

// NeedsTwo reports whether one sample is too few for a value: rates, timers,
// queues, deltas, averages and the PRECISION types.
func (t Type) NeedsTwo() bool {
	switch t.class() {
	case classRate, classQueueLen, classPrecision:
		return true // their clock or base is differenced whatever the bits say
	case classFraction:
		return t.differences()
	case classNumber, classThousandth, classElapsed:
		return t.Delta()
	default:
		return false
	}
}

// differences is the "two" of the formula: subtract the older value. An
// average has no DELTA bit and is known by not being a percentage.
func (t Type) differences() bool {
	return t&bitDelta != 0 || t&(maskKind|maskSubtype) == fractionBits && t&maskSuffix != suffixPercent
}

const fractionBits = Type(KindCounter)<<10 | Type(CounterFraction)<<16

// Defined reports whether every bit field of t has a meaning. It is false for
// bits 12-15 (except in PERF_DOUBLE_RAW), 26-27, for bit 31 (except in the
// histogram type), and for values of the subtype, the clock and the suffix
// that no header lists. A type may be defined and still unsupported.
func (t Type) Defined() bool {
	if t == PERF_DOUBLE_RAW || t == PERF_COUNTER_HISTOGRAM_TYPE {
		return true
	}
	if t&maskUndefined != 0 || t.Clock() == ClockUndefined || t&maskSuffix > suffixNoShow {
		return false
	}
	switch t.Kind() {
	case KindNumber:
		return t.Subtype() <= NumberDec1000
	case KindCounter:
		return t.Subtype() <= CounterPrecision
	case KindText:
		return t.Subtype() <= TextASCII
	default:
		return t.Subtype() == 0
	}
}

// Suffix returns what is written behind a value: "", "/sec", "%" or "secs".
func (t Type) Suffix() string {
	switch t & maskSuffix {
	case 0x10000000:
		return "/sec"
	case suffixPercent:
		return "%"
	case suffixSecs:
		return "secs"
	default:
		return ""
	}
}

// Hidden reports whether lists leave t out by default: bases and labels without
// data. It is not the NOSHOW bit, which PERF_AVERAGE_BULK carries although
// the Performance Monitor shows it.
func (t Type) Hidden() bool {
	return t.IsBase() || t.Size() == SizeZero && t.Kind() != KindText
}

// ValueWidth returns the bytes of a value as the type has it: 4, 8, 0 for no
// value, -1 for a variable length. PERF_DOUBLE_RAW is 8 though its bits say
// DWORD, since only a double of 8 bytes has a reading. Decoders go by the
// definition's CounterSize and report where the two differ.
func (t Type) ValueWidth() int {
	if t == PERF_DOUBLE_RAW {
		return 8
	}
	switch t.Size() {
	case SizeDword:
		return 4
	case SizeLarge:
		return 8
	case SizeZero:
		return 0
	default:
		return -1
	}
}
