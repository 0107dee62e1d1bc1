package countertypes

// class is what Cook does with a type: the kind and the subtype in one, with
// what the other fields rule out taken away.
type class uint8

const (
	classUnsupported class = iota
	classNumber            // the value or its difference, COUNTER/VALUE too
	classThousandth
	classDouble
	classRate
	classFraction
	classElapsed
	classQueueLen
	classPrecision
	classBase
	classText
	classNoValue
	classZero
)

// classes is indexed by kind and subtype; what is not listed is unsupported,
// COUNTER/HISTOGRAM among it.
var classes = [64]class{
	uint8(KindNumber)<<4 | NumberHex:         classNumber,
	uint8(KindNumber)<<4 | NumberDecimal:     classNumber,
	uint8(KindNumber)<<4 | NumberDec1000:     classThousandth,
	uint8(KindCounter)<<4 | CounterValue:     classNumber,
	uint8(KindCounter)<<4 | CounterRate:      classRate,
	uint8(KindCounter)<<4 | CounterFraction:  classFraction,
	uint8(KindCounter)<<4 | CounterBase:      classBase,
	uint8(KindCounter)<<4 | CounterElapsed:   classElapsed,
	uint8(KindCounter)<<4 | CounterQueueLen:  classQueueLen,
	uint8(KindCounter)<<4 | CounterPrecision: classPrecision,
	uint8(KindText)<<4 | TextUnicode:         classText,
	uint8(KindText)<<4 | TextASCII:           classText,
	uint8(KindZero) << 4:                     classZero,
}

func (t Type) class() class {
	c := classes[t>>6&0x30|t>>16&0xF]
	if t.odd() {
		c = t.oddClass(c)
	}
	return c
}

// odd reports whether a field other than kind and subtype needs a second look.
// It and the table are apart from class so that Cook has both inlined.
func (t Type) odd() bool {
	return t&(maskUndefined|bitZeroSize) != 0 || t&maskClock == maskClock || t&maskSuffix > suffixNoShow
}

func (t Type) oddClass(c class) class {
	if t == PERF_DOUBLE_RAW {
		return classDouble
	}
	switch {
	case !t.Defined() || c == classUnsupported || t&maskUndefined != 0:
		return classUnsupported
	case c == classText:
		return classText
	case t.Size() == SizeZero:
		return classNoValue
	case t.Size() == SizeVariable:
		return classUnsupported
	default:
		return c
	}
}
