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

var archNames = map[Arch]string{X86: "x86", X64: "x64", ARM64: "arm64", ARM: "arm", IA64: "ia64", UnknownArch: "unknown"}

// String returns the usual name of a: x86, x64, arm64, arm, ia64, unknown, or
// arch-N for another number.
func (a Arch) String() string {
	if name, ok := archNames[a]; ok {
		return name
	}
	return fmt.Sprintf("arch-%d", uint16(a))
}

// is32 reports whether addresses have 32 bits. A 32-bit process that a 64-bit debugger has
// dumped is x64 here, as in its dump.
func (a Arch) is32() bool { return a == X86 || a == ARM }

// known reports whether dumps of a can be read.
func (a Arch) known() bool { return a == X86 || a == X64 || a == ARM64 || a == ARM || a == IA64 }

// mask returns the valid bits of addresses.
func (a Arch) mask() uint64 {
	if a.is32() {
		return 0xFFFFFFFF
	}
	return ^uint64(0)
}
