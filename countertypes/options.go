package countertypes

// Options choose between answers that Windows' documents, Microsoft's code
// and the programs in use give to the same question. The zero value holds
// the defaults. docs/countertypes.md says who answers what.
type Options struct {
	MultiTimer    MultiTimer
	MultiInv      MultiInv
	ObjClock      ObjClock
	RateClock     RateClock
	Elapsed       Elapsed
	TruncateRates bool // per-second rates lose their fraction, as in a DWORD
	Negative      Negative
	Scale         int8 // a power of ten for every value, or ScaleDefault
	Cap           Cap
}

// MultiTimer says how PERF_COUNTER_MULTI_TIMER treats its ticks.
type MultiTimer uint8

// MultiTimerF counts per second, MultiTimerTicks per tick.
const (
	MultiTimerF MultiTimer = iota
	MultiTimerTicks
)

// MultiInv says whether inverse MULTI timers are divided by their count.
type MultiInv uint8

// MultiInvPlain goes up to 100 times the count, MultiInvDivided up to 100 and
// counts ticks per second.
const (
	MultiInvPlain MultiInv = iota
	MultiInvDivided
)

// ObjClock says which clock timers and queues on the object clock run on.
type ObjClock uint8

// ObjClockObject is the object's own clock, ObjClockSystem the block's.
const (
	ObjClockObject ObjClock = iota
	ObjClockSystem
)

// RateClock says which clock per-second rates run on.
type RateClock uint8

// RateClockPerf is the performance clock, RateClock100ns the system time.
const (
	RateClockPerf RateClock = iota
	RateClock100ns
)

// Elapsed says what PERF_ELAPSED_TIME shows.
type Elapsed uint8

// ElapsedFormula is now less start, ElapsedNET the same as .NET computes it
// (32-bit floats, old start and frequency, 0 for any anomaly),
// ElapsedStartTime the start in seconds since 1970.
const (
	ElapsedFormula Elapsed = iota
	ElapsedNET
	ElapsedStartTime
)

// Negative says what becomes of a value that went back.
type Negative uint8

// NegativeNone gives no value, NegativeZero shows 0, NegativeSigned computes
// with the negative difference, NegativeWrap32 adds 2^32 to a 4-byte value
// when the result stays below 2^31.
const (
	NegativeNone Negative = iota
	NegativeZero
	NegativeSigned
	NegativeWrap32
)

// ScaleDefault as [Options.Scale] takes each sample's DefaultScale.
const ScaleDefault int8 = 127

// Cap says how percentages are limited.
type Cap uint8

// CapNone leaves them, Cap100 shows at most 100, Cap0100 also at least 0.
const (
	CapNone Cap = iota
	Cap100
	Cap0100
)
