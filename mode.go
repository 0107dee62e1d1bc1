package perfdump

import "fmt"

// Mode is how a decoder handles errors in its input.
type Mode uint8

// The zero Mode is Tolerant.
const (
	Tolerant Mode = iota // anomalies are reported, errors are errors
	Strict               // an anomaly is an error too
	Salvage              // whatever whole parts can be had are given, errors are kept aside
)

var modeNames = [...]string{Tolerant: "tolerant", Strict: "strict", Salvage: "salvage"}

// String returns the name of m on the command line.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// ParseMode is the inverse of [Mode.String]. The error for another string lists the modes.
func ParseMode(s string) (Mode, error) {
	for m, name := range modeNames {
		if s == name {
			return Mode(m), nil
		}
	}
	return 0, fmt.Errorf("unknown mode %q: want tolerant, strict or salvage", s)
}
