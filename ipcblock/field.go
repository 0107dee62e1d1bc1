package ipcblock

import (
	"fmt"
	"strings"
)

// Field is a member of the perf block, numbered in memory order. [FieldByName] finds one. A
// few have constants.
type Field uint8

// The fields that are needed to interpret tables.
const (
	PerfSize       Field = 0
	PerfAttributes Field = 1
	ProcessID      Field = 8
	// PromotedFinalizationGen1 is the field of CLR 1.x at the offset of ProcessID.
	PromotedFinalizationGen1 Field = 69

	NumFields = 70
)

// heaps are the generations 1 and 2 and the large objects.
var heaps = []Field{mustField("gc.gen1HeapSize"), mustField("gc.gen2HeapSize"), mustField("gc.largeObjectHeapSize")}

func mustField(name string) Field {
	section, name, _ := strings.Cut(name, ".")
	f, ok := FieldByName(section, name)
	if !ok {
		panic("ipcblock: no field " + name)
	}
	return f
}

// FieldByName finds a field by section and name as [Field.Section] and
// [Field.Name] give them.
func FieldByName(section, name string) (Field, bool) {
	for f := range fieldTable {
		if fieldTable[f].name == name && fieldTable[f].section == section {
			return Field(f), true
		}
	}
	return 0, false
}

// Section returns the section of the block that f belongs to, "head" for the first two
// words.
func (f Field) Section() string { return fieldTable[f].section }

// Name returns the name of f within its section: "gen0Collections".
func (f Field) Name() string { return fieldTable[f].name }

// String returns section and name: "gc.gen0Collections".
func (f Field) String() string {
	if int(f) >= NumFields {
		return fmt.Sprintf("Field(%d)", uint8(f))
	}
	return fieldTable[f].section + "." + fieldTable[f].name
}

// Offset returns the offset of f in the perf block.
func (f Field) Offset(a Arch) int {
	if a == X64 {
		return int(offsets64[f])
	}
	return int(offsets32[f])
}

var offsets32, offsets64 = fieldOffsets(X86), fieldOffsets(X64)

// fieldOffsets computes the offsets of the fields. On x86 all are packed. On x64 each is
// aligned to its size, and each section to the largest of its fields.
func fieldOffsets(a Arch) (offsets [NumFields]uint16) {
	align := map[string]int{}
	if a == X64 {
		for f := range PromotedFinalizationGen1 {
			align[f.Section()] = max(align[f.Section()], f.Size(a))
		}
	}
	at, section := 0, fieldTable[0].section
	for f := range PromotedFinalizationGen1 {
		if f.Section() != section {
			at = roundUp(roundUp(at, align[section]), align[f.Section()])
			section = f.Section()
		}
		if a == X64 {
			at = roundUp(at, f.Size(a))
		}
		offsets[f] = uint16(at)
		at += f.Size(a)
	}
	offsets[PromotedFinalizationGen1] = offsets[ProcessID]
	return offsets
}

func roundUp(n, align int) int {
	if align == 0 {
		return n
	}
	return (n + align - 1) / align * align
}

// Size returns the size of f in bytes.
func (f Field) Size(a Arch) int {
	switch fieldTable[f].class {
	case word:
		return 2
	case dword:
		return 4
	case pointer:
		return a.pointerSize()
	default:
		return 8
	}
}

// Signed reports whether f is signed, as the two 64-bit times are.
func (f Field) Signed() bool { return fieldTable[f].class == longlong }

// Counters returns the perfmon counters that show f, including bases, but not those that
// are computed from several fields. The slice is shared and must not be changed.
func (f Field) Counters() []*Counter { return countersByField()[f] }

// Category returns the perfmon category that shows f, or "".
func (f Field) Category() string {
	if len(fieldTable[f].counters) == 0 {
		return ""
	}
	return categories[fieldTable[f].section]
}

// CounterName returns the names of the counters that show f, separated by a bar, or "".
func (f Field) CounterName() string {
	names := make([]string, len(fieldTable[f].counters))
	for i, c := range fieldTable[f].counters {
		names[i] = c.name
	}
	return strings.Join(names, "|")
}
