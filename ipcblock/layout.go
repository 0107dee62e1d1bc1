package ipcblock

import (
	"fmt"
	"slices"
	"strings"
)

// Layout is the kind of a shared memory section.
type Layout uint8

// The layouts. Auto detects the layout from the bytes.
const (
	Auto          Layout = iota
	SxS                  // the table of CLR 4
	LegacyPublic         // counters of CLR 2.0
	LegacyPrivate        // for debuggers, of all versions
	Bare                 // only a perf block: CLR 1.x, one per machine
)

var layoutNames = [...]string{Auto: "auto", SxS: "sxs", LegacyPublic: "legacy_public", LegacyPrivate: "legacy_private", Bare: "perf"}

// String returns the name of l in the JSON form: "sxs", "legacy_public".
func (l Layout) String() string {
	return nameOf(layoutNames[:], l, "Layout")
}

// ParseLayout is the inverse of [Layout.String]; another name is an error.
func ParseLayout(s string) (Layout, error) {
	return parseWord[Layout](layoutNames[:], s, "layout")
}

// State is the state of a chunk.
type State uint8

// The states. A legacy or bare block is Live, Unpublished or Bad.
const (
	Untouched   State = iota // never used by a runtime
	Locked                   // locked by a writer: the header may be half written
	Free                     // its runtime has ended, the counters are stale
	Unpublished              // a runtime is starting: the counters are not valid yet
	Live                     // the counters of a running runtime
	Bad                      // it fails validation: see [Chunk.Fault]
)

var stateNames = [...]string{
	Untouched: "untouched", Locked: "locked", Free: "free", Unpublished: "unpublished", Live: "live", Bad: "bad",
}

// String returns the name of s.
func (s State) String() string {
	return nameOf(stateNames[:], s, "State")
}

// ParseState is the inverse of [State.String]; another name is an error.
func ParseState(s string) (State, error) {
	return parseWord[State](stateNames[:], s, "state")
}

// Arch is the width of a block, which is that of the process that wrote it.
type Arch uint8

// The architectures. IA64 is like X64, 32-bit ARM like X86 apart from the flag.
const (
	NoArch Arch = iota
	X86
	X64
)

// String returns "x86" or "x64", and "" for NoArch.
func (a Arch) String() string { return archNames[min(a, X64)] }

var archNames = [...]string{"", "x86", "x64"}

// ParseArch is the inverse of [Arch.String]; another name is an error.
func ParseArch(s string) (Arch, error) {
	return parseWord[Arch](archNames[:], s, "architecture")
}

// pointerSize returns 4 or 8, and 0 for NoArch.
func (a Arch) pointerSize() int { return [...]int{0, 4, 8}[min(a, X64)] }

// PerfSize returns the size of a perf block: 280 or 384, and 0 for NoArch.
func (a Arch) PerfSize() int { return [...]int{0, perfSize32, perfSize64}[min(a, X64)] }

// archOfSize is the inverse of PerfSize.
func archOfSize(n uint32) Arch {
	switch n {
	case perfSize32:
		return X86
	case perfSize64:
		return X64
	default:
		return NoArch
	}
}

func nameOf[T ~uint8](names []string, v T, typ string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", typ, uint8(v))
}

func parseWord[T ~uint8](names []string, s, what string) (T, error) {
	if i := slices.Index(names, s); i >= 0 {
		return T(i), nil
	}
	return 0, fmt.Errorf("unknown %s %q; expected one of %s", what, s, strings.Trim(strings.Join(names, ", "), ", "))
}
