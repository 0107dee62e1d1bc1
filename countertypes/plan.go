package countertypes

// Plan is [Cook] with the default options prepared for one counter of many
// instances: what depends on its type and its clocks alone is computed once.
// It gives the same bits as Cook.
type Plan struct {
	div    float64 // what a difference is divided by first
	step   step
	status Status // the same for all values, with stepStatus
}

// step is what is left to do for each instance.
type step uint8

const (
	stepNone      step = iota
	stepStatus         // no value
	stepRaw            // N1
	stepDelta          // N1-N0
	stepQuotient       // X/div
	stepPercent        // X/div*100
	stepInverse        // 100*(1-X/div)
	stepFraction       // N1/B1*100
	stepRatio          // X/(B1-B0)
	stepRatioPct       // X/(B1-B0)*100
	stepPrecision      // the same, without an answer for 0/0
	stepAverage        // X/div/(B1-B0)
)

// NewPlan prepares samples like the two given, which must have a status of
// StatusOK; only their values, and those of their bases, may differ from
// instance to instance. It is false where there is nothing to prepare, or
// where the answer depends on more than that: then Cook is to be called.
func NewPlan(older, newer *Sample) (Plan, bool) {
	t := newer.Type
	if older.Type != t || older.Status != StatusOK || newer.Status != StatusOK {
		return Plan{}, false
	}
	switch c := t.class(); {
	case noValue[c] != StatusOK:
		return Plan{step: stepStatus, status: noValue[c]}, true
	case c == classNumber && !t.Delta():
		return Plan{step: stepRaw}, true
	case c == classNumber:
		return Plan{step: stepDelta}, true
	case c == classFraction && !t.differences():
		return Plan{step: stepFraction}, true
	case !t.Delta() && c != classFraction || t.Multi():
		return Plan{}, false
	case c == classFraction:
		return planRatio(t, newer.TimeBase)
	case c == classPrecision:
		return Plan{step: stepPrecision}, true
	case newer.Second <= older.Second:
		return Plan{}, false
	case c == classQueueLen:
		return Plan{step: stepQuotient, div: float64(newer.Second - older.Second)}, true
	case c == classRate:
		return planRate(t, float64(newer.Second-older.Second), newer.TimeBase)
	default:
		return Plan{}, false
	}
}

// noValue has the status of what never has a value.
var noValue = [...]Status{
	classUnsupported: StatusUnsupported,
	classText:        StatusText,
	classNoValue:     StatusNoValue,
	classBase:        StatusBaseOnly,
	classZero:        StatusOK,
}

func planRatio(t Type, timeBase int64) (Plan, bool) {
	switch t & maskSuffix {
	case suffixPercent:
		return Plan{step: stepRatioPct}, true
	case suffixSecs:
		return Plan{step: stepAverage, div: float64(timeBase)}, timeBase > 0
	default:
		return Plan{step: stepRatio}, true
	}
}

func planRate(t Type, ticks float64, timeBase int64) (Plan, bool) {
	switch {
	case t&maskSuffix != suffixPercent:
		return Plan{step: stepQuotient, div: ticks / float64(timeBase)}, timeBase > 0
	case t.Inverse():
		return Plan{step: stepInverse, div: ticks}, true
	default:
		return Plan{step: stepPercent, div: ticks}, true
	}
}

// NeedsValues reports whether Cook reads anything.
func (p Plan) NeedsValues() bool { return p.step > stepStatus }

// NeedsBase reports whether Cook reads the bases.
func (p Plan) NeedsBase() bool { return p.step >= stepFraction }

// Cook cooks a column of n values: of each of the slices it reads or writes
// every stride-th element from the first on. The raw values may be nil where
// [Plan.NeedsValues] is false, the bases where [Plan.NeedsBase] is.
func (p Plan) Cook(values []float64, statuses []Status, older, newer, oldBase, newBase []uint64, n, stride int) {
	switch p.step {
	case stepNone, stepStatus:
		for i := 0; n > 0; n-- {
			values[i], statuses[i] = 0, p.status
			i += stride
		}
	case stepRaw:
		for i := 0; n > 0; n-- {
			values[i], statuses[i] = float64(newer[i]), StatusOK
			i += stride
		}
	case stepDelta, stepQuotient, stepPercent, stepInverse:
		p.differences(values, statuses, older, newer, n, stride)
	case stepFraction, stepRatio, stepRatioPct, stepPrecision, stepAverage:
		for i := 0; n > 0; n-- {
			values[i], statuses[i] = p.ratio(older[i], newer[i], oldBase[i], newBase[i])
			i += stride
		}
	}
}

func (p Plan) differences(values []float64, statuses []Status, older, newer []uint64, n, stride int) {
	step, div := p.step, p.div
	for i := 0; n > 0; n-- {
		was, is := older[i], newer[i]
		if is < was {
			values[i], statuses[i] = 0, StatusNegativeDelta
			i += stride
			continue
		}
		x := float64(is - was)
		switch step {
		case stepQuotient:
			x /= div
		case stepPercent:
			x = x / div * 100
		case stepInverse:
			x = 100 * (1 - x/div)
		default: // the difference itself
		}
		values[i], statuses[i] = x, StatusOK
		i += stride
	}
}

func (p Plan) ratio(was, is, baseWas, base uint64) (float64, Status) {
	if p.step == stepFraction {
		if base == 0 {
			return 0, StatusZeroDenominator
		}
		return float64(is) / float64(base) * 100, StatusOK
	}
	if is < was {
		return 0, StatusNegativeDelta
	}
	x := float64(is - was)
	if p.step == stepAverage {
		x /= p.div
	}
	switch d := base - baseWas; {
	case base < baseWas:
		return 0, StatusNegativeDenominator
	case d != 0:
		x /= float64(d)
	case x == 0 && p.step != stepPrecision:
		return 0, StatusOK
	default:
		return 0, StatusZeroDenominator
	}
	if p.step == stepRatioPct || p.step == stepPrecision {
		x *= 100
	}
	return x, StatusOK
}
