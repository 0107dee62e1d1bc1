package countertypes

// RawUnit says what a raw value of the type counts, "" where it is a plain
// number. A raw value is not yet the rate or percentage that the type names:
// it is a total since some start.
func (t Type) RawUnit() string {
	if t.Kind() != KindCounter || !t.Defined() {
		return ""
	}
	switch t.Subtype() {
	case CounterValue:
		if t.Delta() {
			return "total"
		}
		return ""
	case CounterRate:
		if t.Suffix() == "%" {
			return t.clockUnit()
		}
		return "total"
	case CounterFraction:
		switch {
		case t.Suffix() == "secs":
			return "ticks"
		case t.NeedsTwo():
			return "total"
		}
		return ""
	case CounterElapsed:
		return "start time"
	case CounterQueueLen, CounterPrecision:
		return t.clockUnit()
	case CounterBase:
		return "base"
	default:
		return ""
	}
}

func (t Type) clockUnit() string {
	switch t.Clock() {
	case Clock100ns:
		return "100 ns"
	case ClockObject:
		return "object ticks"
	default:
		return "ticks"
	}
}
