package countertypes

// Sample is one raw reading of a counter, in the shape that PDH, binary logs
// and the SQL schema of logs share. What a type has no use for is 0.
type Sample struct {
	First, Second uint64 // the value; the clock, or the value of the base
	TimeBase      int64  // ticks a second of the clock
	Type          Type
	Multi         uint32 // the count of a MULTI type
	Size          uint32 // CounterSize: bytes of the value on the wire, 0 unknown
	Status        Status // what was found where it was read, StatusOK if nothing
	DefaultScale  int8   // a power of ten, see ClampScale; used with scale=default
}

// Clocks are the clocks of a performance block and one of its objects at the
// time of a sample.
type Clocks struct {
	PerfTime, Time100ns, ObjectTime uint64
	PerfFreq, ObjectFreq            int64
}

// freq100ns is the frequency of the 100 ns clock.
const freq100ns = 10_000_000

// Tuple returns what belongs into Second and TimeBase of a [Sample] of type
// t. With fromBase the value of the base belongs into Second instead. The
// count of a MULTI type goes into Multi, its clock is second as usual. The
// switches rate-clock and obj-clock of o apply; o may be nil.
func (t Type) Tuple(c *Clocks, o *Options) (second uint64, timeBase int64, fromBase bool) {
	clock := t.Clock()
	switch t.class() {
	case classFraction:
		if t&maskSuffix == suffixSecs {
			_, timeBase = c.read(clock)
		}
		return 0, timeBase, true
	case classPrecision:
		return 0, 0, true
	case classElapsed:
		second, timeBase = c.read(clock)
		return second, timeBase, false
	case classRate, classQueueLen:
		if o != nil {
			clock = o.clock(t)
		}
		second, timeBase = c.read(clock)
		return second, timeBase, false
	default:
		return 0, 0, false
	}
}

func (c *Clocks) read(clock Clock) (uint64, int64) {
	switch clock {
	case ClockTick:
		return c.PerfTime, c.PerfFreq
	case Clock100ns:
		return c.Time100ns, freq100ns
	default:
		return c.ObjectTime, c.ObjectFreq
	}
}

// clock applies the switches. A timer or a queue accumulates in units of its
// clock, so only what is shown per second may run on another one; and who
// puts object timers on the system clock leaves ELAPSED_TIME where it is.
func (o *Options) clock(t Type) Clock {
	switch clock := t.Clock(); {
	case clock == ClockObject && o.ObjClock == ObjClockSystem:
		return ClockTick
	case clock == ClockTick && o.RateClock == RateClock100ns && t.perSecond():
		return Clock100ns
	default:
		return clock
	}
}

// perSecond reports whether t is a rate that is shown as a number a second.
func (t Type) perSecond() bool {
	return t.class() == classRate && t&bitMulti == 0 && t&maskSuffix != suffixPercent
}
