package countertypes

import (
	"fmt"
	"strings"
)

// Field is a bit field of a type and what it says.
type Field struct {
	Bits    string // "8-9"
	Mask    uint32
	Value   uint32 // the masked bits, in place
	Name    string // "size"
	Meaning string
}

var (
	sizeWords   = [...]string{"DWORD, 4 bytes", "LARGE, 8 bytes", "zero length", "variable length"}
	kindWords   = [...]string{"NUMBER", "COUNTER", "TEXT", "ZERO, displays a zero"}
	clockWords  = [...]string{"timer ticks of the block", "100 ns", "object's clock", "undefined"}
	suffixWords = [...]string{"none", "/sec", "%", "secs", "not shown", "undefined", "undefined", "undefined"}

	subtypeWords = [...][]string{
		KindNumber:  {"HEX", "DECIMAL", "DEC_1000, shown divided by 1000"},
		KindCounter: {"VALUE", "RATE", "FRACTION", "BASE", "ELAPSED", "QUEUELEN", "HISTOGRAM", "PRECISION"},
		KindText:    {"UNICODE", "ASCII"},
		KindZero:    {"none"},
	}
)

// Fields takes t apart, lowest bits first. Flags that are not set and bits
// without a meaning that are clear are left out.
func (t Type) Fields() []Field {
	var fields []Field
	add := func(bits string, mask Type, name, meaning string) {
		fields = append(fields, Field{bits, uint32(mask), uint32(t & mask), name, meaning})
	}
	ifSet := func(bits string, mask Type, name, meaning string) {
		if t&mask != 0 {
			add(bits, mask, name, meaning)
		}
	}
	subtype := "undefined"
	if words := subtypeWords[t.Kind()]; int(t.Subtype()) < len(words) {
		subtype = words[t.Subtype()]
	}
	odd := "undefined"
	if t == PERF_DOUBLE_RAW {
		odd = "a double, in PERF_DOUBLE_RAW alone"
	}
	top := "undefined"
	if t == PERF_COUNTER_HISTOGRAM_TYPE {
		top = "a histogram, obsolete"
	}
	ifSet("0-7", 0xFF, "tag", "no meaning, keeps names apart")
	add("8-9", maskSize, "size", sizeWords[t.Size()])
	add("10-11", maskKind, "kind", kindWords[t.Kind()])
	ifSet("12-15", 0xF000, "reserved", odd)
	add("16-19", maskSubtype, "subtype", subtype)
	add("20-21", maskClock, "clock", clockWords[t.Clock()])
	ifSet("22", bitDelta, "delta", "the older value is subtracted")
	ifSet("23", bitDeltaB, "delta base", "the older base is subtracted")
	ifSet("24", bitInverse, "inverse", "1 - x is shown")
	ifSet("25", bitMulti, "multi", "a count accompanies the value")
	ifSet("26-27", 0x0C000000, "reserved", "undefined")
	add("28-30", maskSuffix, "suffix", suffixWords[t>>28&7])
	ifSet("31", 1<<31, "top bit", top)
	return fields
}

// Explain says in a few lines what t is: its number, its name and formula
// where it has them, and its bit fields.
func Explain(t Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "0x%08X", uint32(t))
	info, named := Lookup(t)
	switch {
	case named:
		b.WriteString("  " + info.Name + "\n")
		for _, line := range []string{info.Doc, info.Formula, info.Base} {
			if line != "" {
				b.WriteString("  " + line + "\n")
			}
		}
	case !t.Defined():
		b.WriteString("  undefined bits, unsupported\n")
	case t.class() == classUnsupported:
		b.WriteString("  no name, unsupported\n")
	default:
		b.WriteString("  no name, cooked by its bits\n")
	}
	for _, f := range t.Fields() {
		fmt.Fprintf(&b, "  %-6s 0x%08X  %-10s  %s\n", f.Bits, f.Value, f.Name, f.Meaning)
	}
	return b.String()
}
