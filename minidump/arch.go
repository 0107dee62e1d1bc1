package minidump

import "fmt"

// Arch is the architecture of the process, as PROCESSOR_ARCHITECTURE_* has it.
type Arch uint16

// The architectures that are known.
const (
	X86         Arch = 0
	ARM         Arch = 5
	IA64        Arch = 6
	X64         Arch = 9
	ARM64       Arch = 12
	UnknownArch Arch = 0xFFFF
)

// String returns the usual name of a: x86, x64, arm64, arm, ia64, unknown, or
// arch-N for another number.
func (a Arch) String() string {
	switch a {
	case X86:
		return "x86"
	case ARM:
		return "arm"
	case IA64:
		return "ia64"
	case X64:
		return "x64"
	case ARM64:
		return "arm64"
	case UnknownArch:
		return "unknown"
	default:
		return fmt.Sprintf("arch-%d", uint16(a))
	}
}

// Is32 reports whether addresses have 32 bits. A process of 32 bits that a
// debugger of 64 bits has dumped is x64 here, as its dump says.
func (a Arch) Is32() bool { return a == X86 || a == ARM }

// known reports whether a is one that dumps are read of.
func (a Arch) known() bool { return a == X86 || a == X64 || a == ARM64 || a == ARM || a == IA64 }

// mask returns the bits that addresses have.
func (a Arch) mask() uint64 {
	if a.Is32() {
		return 0xFFFFFFFF
	}
	return ^uint64(0)
}
