package countertypes

// Plan is [Cook] with the default options prepared for one counter of many
// instances: what depends on its type and its clocks alone is computed once.
// It gives the same bits as Cook.
type Plan struct {
	div    float64 // what a difference is divided by first, 1 where by nothing
	scale  float64 // what the answer is multiplied by at last, the same
	step   step
	status Status // the same for all values, with stepStatus
}

// step is what is left to do for each instance.
type step uint8

const (
	stepNone      step = iota
	stepStatus         // no value
	stepSecond         // no value without an older sample
	stepRaw            // N1
	stepQuotient       // X/div*scale
	stepInverse        // 100*(1-X/div)
	stepFraction       // N1/B1*100
	stepRatio          // X/div/(B1-B0)*scale
	stepPrecision      // the same, without an answer for 0/0
)

// NewPlan prepares samples like the two given, which must have a status of
// StatusOK; only their values, and those of their bases, may differ from
// instance to instance. A nil older is for instances without an older sample.
// It is false where there is nothing to prepare, or where the answer depends on
// more than that: then Cook is to be called.
func NewPlan(older, newer *Sample) (Plan, bool) {
	t := newer.Type
	if older == nil {
		older = newer
		if t.NeedsTwo() && t.class() != classElapsed {
			return Plan{step: stepSecond, status: StatusNeedsSecondSample}, newer.Status == StatusOK
		}
	}
	if older.Type != t || older.Status != StatusOK || newer.Status != StatusOK {
		return Plan{}, false
	}
	switch c := t.class(); {
	case noValue[c] != StatusOK:
		return Plan{step: stepStatus, status: noValue[c]}, true
	case c == classNumber && !t.Delta():
		return Plan{step: stepRaw}, true
	case c == classNumber:
		return Plan{step: stepQuotient, div: 1, scale: 1}, true
	case c == classFraction && !t.differences():
		return Plan{step: stepFraction}, true
	case !t.Delta() && c != classFraction || t.Multi():
		return Plan{}, false
	case c == classFraction:
		return planRatio(t, newer.TimeBase)
	case c == classPrecision:
		return Plan{step: stepPrecision, div: 1, scale: 100}, true
	case newer.Second <= older.Second:
		return Plan{}, false
	case c == classQueueLen:
		return Plan{step: stepQuotient, div: float64(newer.Second - older.Second), scale: 1}, true
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
		return Plan{step: stepRatio, div: 1, scale: 100}, true
	case suffixSecs:
		return Plan{step: stepRatio, div: float64(timeBase), scale: 1}, timeBase > 0
	default:
		return Plan{step: stepRatio, div: 1, scale: 1}, true
	}
}

func planRate(t Type, ticks float64, timeBase int64) (Plan, bool) {
	switch {
	case t&maskSuffix != suffixPercent:
		return Plan{step: stepQuotient, div: ticks / float64(timeBase), scale: 1}, timeBase > 0
	case t.Inverse():
		return Plan{step: stepInverse, div: ticks, scale: 100}, true
	default:
		return Plan{step: stepQuotient, div: ticks, scale: 100}, true
	}
}

// NeedsValues reports whether Cook reads anything.
func (p Plan) NeedsValues() bool { return p.step > stepSecond }

// NeedsBase reports whether Cook reads the bases.
func (p Plan) NeedsBase() bool { return p.step >= stepFraction }

// Cook cooks a column of n values: of each of the slices it reads or writes
// every stride-th element from the first on. The raw values may be nil where
// [Plan.NeedsValues] is false, the bases where [Plan.NeedsBase] is.
func (p Plan) Cook(values []float64, statuses []Status, older, newer, oldBase, newBase []uint64, n, stride int) {
	if n <= 0 {
		return
	}
	// With one length for all slices the loops check no index.
	size, by := (n-1)*stride+1, uint(stride)
	values = values[:size:len(values)]
	switch p.step {
	case stepNone, stepStatus, stepSecond:
		p.fixed(values, statuses[:size], by)
	case stepRaw:
		raws(values, statuses[:size], newer[:size], by)
	case stepQuotient, stepInverse:
		p.quotients(values, statuses[:size], older[:size], newer[:size], by)
	case stepFraction:
		fractions(values, statuses[:size], newer[:size], newBase[:size], by)
	case stepRatio, stepPrecision:
		p.ratios(values, statuses[:size], older[:size], newer[:size], oldBase[:size], newBase[:size], by)
	}
}

func (p Plan) fixed(values []float64, statuses []Status, stride uint) {
	statuses = statuses[:len(values)]
	for i := uint(0); i < uint(len(values)); i += stride {
		values[i], statuses[i] = 0, p.status
	}
}

func raws(values []float64, statuses []Status, newer []uint64, stride uint) {
	statuses, newer = statuses[:len(values)], newer[:len(values)]
	for i := uint(0); i < uint(len(values)); i += stride {
		values[i], statuses[i] = float64(newer[i]), StatusOK
	}
}

func (p Plan) quotients(values []float64, statuses []Status, older, newer []uint64, stride uint) {
	statuses, older, newer = statuses[:len(values)], older[:len(values)], newer[:len(values)]
	for i := uint(0); i < uint(len(values)); i += stride {
		was, is := older[i], newer[i]
		if is < was {
			values[i], statuses[i] = 0, StatusNegativeDelta
			continue
		}
		x := float64(is-was) / p.div
		if p.step == stepInverse {
			x = 1 - x
		}
		values[i], statuses[i] = x*p.scale, StatusOK
	}
}

func fractions(values []float64, statuses []Status, newer, newBase []uint64, stride uint) {
	statuses, newer, newBase = statuses[:len(values)], newer[:len(values)], newBase[:len(values)]
	for i := uint(0); i < uint(len(values)); i += stride {
		if newBase[i] == 0 {
			values[i], statuses[i] = 0, StatusZeroDenominator
			continue
		}
		values[i], statuses[i] = float64(newer[i])/float64(newBase[i])*100, StatusOK
	}
}

func (p Plan) ratios(values []float64, statuses []Status, older, newer, oldBase, newBase []uint64, stride uint) {
	statuses, older, newer = statuses[:len(values)], older[:len(values)], newer[:len(values)]
	oldBase, newBase = oldBase[:len(values)], newBase[:len(values)]
	for i := uint(0); i < uint(len(values)); i += stride {
		was, is, baseWas, base := older[i], newer[i], oldBase[i], newBase[i]
		x, status := 0.0, StatusOK
		switch {
		case is < was:
			status = StatusNegativeDelta
		case base < baseWas:
			status = StatusNegativeDenominator
		case base > baseWas:
			x = float64(is-was) / p.div / float64(base-baseWas) * p.scale
		case is > was || p.step == stepPrecision:
			status = StatusZeroDenominator
		}
		values[i], statuses[i] = x, status
	}
}
