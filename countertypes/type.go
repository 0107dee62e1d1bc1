package countertypes

import "fmt"

// Type is a CounterType DWORD: a set of bit fields, of which some
// combinations have a name. The methods read the fields whole; masking single
// bits of an enumeration is how PRECISION came to be taken for BASE elsewhere.
type Type uint32

// The bit fields. Bits 0-7 have no meaning, they only keep names apart.
const (
	maskSize    Type = 0x00000300
	maskKind    Type = 0x00000C00
	maskSubtype Type = 0x000F0000
	maskClock   Type = 0x00300000
	bitDelta    Type = 0x00400000
	bitDeltaB   Type = 0x00800000
	bitInverse  Type = 0x01000000
	bitMulti    Type = 0x02000000
	maskSuffix  Type = 0x70000000
	bitZeroSize Type = 0x00000200 // set in both sizes that hold no number

	// No header defines these; bit 31 stands in the histogram type alone.
	maskUndefined Type = 0x8C00F000

	suffixPercent Type = 0x20000000
	suffixSecs    Type = 0x30000000
	suffixNoShow  Type = 0x40000000
)

// Size is what bits 8-9 say about the width of a value. The width on the wire
// is the definition's CounterSize: Windows' own disk objects hold 8 bytes in
// a type that says DWORD.
type Size uint8

// The sizes, in the order of their bits.
const (
	SizeDword Size = iota
	SizeLarge
	SizeZero
	SizeVariable
)

// Kind is what bits 10-11 say about what a value is.
type Kind uint8

// The kinds, in the order of their bits. KindZero displays a zero.
const (
	KindNumber Kind = iota
	KindCounter
	KindText
	KindZero
)

// Clock is what bits 20-21 say about the clock that a counter runs on.
type Clock uint8

// The clocks, in the order of their bits.
const (
	ClockTick Clock = iota
	Clock100ns
	ClockObject
	ClockUndefined
)

// The subtypes; which of the three groups is meant depends on the kind.
const (
	NumberHex     uint8 = 0
	NumberDecimal uint8 = 1
	NumberDec1000 uint8 = 2 // shown divided by 1000; no type with a name has it

	CounterValue     uint8 = 0
	CounterRate      uint8 = 1
	CounterFraction  uint8 = 2
	CounterBase      uint8 = 3
	CounterElapsed   uint8 = 4
	CounterQueueLen  uint8 = 5
	CounterHistogram uint8 = 6
	CounterPrecision uint8 = 7

	TextUnicode uint8 = 0
	TextASCII   uint8 = 1 // in the object's code page
)

// Size returns bits 8-9.
func (t Type) Size() Size { return Size(t >> 8 & 3) }

// Kind returns bits 10-11.
func (t Type) Kind() Kind { return Kind(t >> 10 & 3) }

// Subtype returns bits 16-19, whose meaning depends on the kind.
func (t Type) Subtype() uint8 { return uint8(t >> 16 & 15) }

// Clock returns bits 20-21.
func (t Type) Clock() Clock { return Clock(t >> 20 & 3) }

// Delta reports whether the older value is subtracted first. The averages are
// differenced without it: ask [Type.NeedsTwo].
func (t Type) Delta() bool { return t&bitDelta != 0 }

// DeltaBase reports whether the type says that bases are subtracted too. The
// averages and the PRECISION types difference their bases without it.
func (t Type) DeltaBase() bool { return t&bitDeltaB != 0 }

// Inverse reports whether 1 - x is shown for x.
func (t Type) Inverse() bool { return t&bitInverse != 0 }

// Multi reports whether a count of the things summed accompanies the value.
func (t Type) Multi() bool { return t&bitMulti != 0 }

// String returns the name, or the number in hex where there is none.
func (t Type) String() string {
	if name, ok := t.Name(); ok {
		return name
	}
	return fmt.Sprintf("0x%08X", uint32(t))
}
