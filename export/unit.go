package export

import "github.com/perfdump/perfdump/countertypes"

// unitOf says what a raw value of a type counts, "" where it is a plain
// number. A raw value is not yet the rate or percentage that the type names:
// it is a total since some start.
func unitOf(t countertypes.Type) string {
	if t.Kind() != countertypes.KindCounter || !t.Defined() {
		return ""
	}
	switch t.Subtype() {
	case countertypes.CounterValue:
		if t.Delta() {
			return "total"
		}
		return ""
	case countertypes.CounterRate:
		if t.Suffix() == "%" {
			return clockOf(t)
		}
		return "total"
	case countertypes.CounterFraction:
		switch {
		case t.Suffix() == "secs":
			return "ticks"
		case t.NeedsTwo():
			return "total"
		}
		return ""
	case countertypes.CounterElapsed:
		return "start time"
	case countertypes.CounterQueueLen, countertypes.CounterPrecision:
		return clockOf(t)
	case countertypes.CounterBase:
		return "base"
	default:
		return ""
	}
}

func clockOf(t countertypes.Type) string {
	switch t.Clock() {
	case countertypes.Clock100ns:
		return "100 ns"
	case countertypes.ClockObject:
		return "object ticks"
	default:
		return "ticks"
	}
}
