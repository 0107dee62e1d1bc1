package perfdata

import (
	"bytes"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
)

// Counter is the definition of a counter of an object.
type Counter struct {
	CounterDefinition

	off    uint32 // of the definition, from the first one
	base   int32  // position of the base definition, or -1
	traits traits
	width  int8 // of the type
}

// Base returns the position of the definition that holds the counter's base (or its count,
// for a multi-counter), or -1. A base directly follows its counter; title indexes do not
// identify it.
func (c *Counter) Base() int { return int(c.base) }

// text reports whether the counter's value is a text.
func (c *Counter) text() bool { return c.traits&isText != 0 }

// isInteger reports whether the value is an unsigned integer of 4 or 8 bytes.
func (c *Counter) isInteger() bool {
	return (c.CounterSize == 4 || c.CounterSize == 8) && !c.text()
}

// extent returns how many bytes the value takes in a counter block of n bytes, 0 if it is
// absent. CounterSize determines it; if that exceeds the block but the width of the type
// does not, that width does.
func (c *Counter) extent(n int) int {
	off, size := uint64(c.CounterOffset), uint64(c.CounterSize)
	if size == 0 || off < valuesSize || off > maxLength {
		return 0
	}
	if off+size <= uint64(n) {
		return int(size)
	}
	if w := int(c.width); w > 0 && off+uint64(w) <= uint64(n) {
		return w
	}
	return 0
}

// traits are the properties of a type that a decoder needs repeatedly.
type traits uint8

const (
	isText traits = 1 << iota
	isBase
	isMulti
	needsBase
	undefined
	objectClock // runs on its object's clock
)

type traitsOfType struct {
	is     countertypes.Type
	known  bool
	width  int8
	traits traits
}

// typesKept is how many types a decoder caches the traits of. The multiplier gives each
// type of winperf.h a separate slot.
const (
	typesKept    = 256
	typesScatter = 0x1153_17a1
)

// lookUp sets the fields derived from c's type.
func (d *Decoder) lookUp(c *Counter) {
	t := c.CounterType
	e := &d.traits[uint32(t)*typesScatter>>24]
	if e.is != t || !e.known {
		*e = newTraits(t)
	}
	c.width, c.traits = e.width, e.traits
}

func newTraits(t countertypes.Type) traitsOfType {
	e := traitsOfType{is: t, known: true, width: int8(t.ValueWidth())}
	for i, has := range [...]bool{ // in the order of the constants
		t.Kind() == countertypes.KindText, t.IsBase(), t.Multi(), t.NeedsBase(), !t.Defined(), onObjectClock(t),
	} {
		if has {
			e.traits |= 1 << i
		}
	}
	return e
}

// onObjectClock reports whether the clock bits select the object's clock and the formula
// uses it: a PRECISION timer uses its base instead.
func onObjectClock(t countertypes.Type) bool {
	if t.Clock() != countertypes.ClockObject || t.Kind() != countertypes.KindCounter {
		return false
	}
	sub := t.Subtype()
	return sub == countertypes.CounterRate || sub == countertypes.CounterQueueLen || sub == countertypes.CounterElapsed
}

// definitions reads the counter definitions of o and pairs them with their bases, or copies
// those of an object with the same definitions.
func (d *Decoder) definitions(o *Object, k *knownObject, path *perfdump.Path) *fault {
	blk := d.block
	b := d.b[o.off+int(o.HeaderLength) : o.off+int(o.DefinitionLength)]
	if k.plain && uint32(k.counters.to-k.counters.from) == o.NumCounters && bytes.Equal(d.knownBytes[k.bytes.from:k.bytes.to], b) {
		o.counters = k.counters
	} else {
		from, to := len(blk.counters), len(blk.counters)+int(o.NumCounters)
		o.counters = span{int32(from), int32(from)}
		blk.counters = reserve(blk.counters, to-from)[:to]
		told := blk.anomalies.Len()
		all, err := d.loadDefinitions(o, blk.counters[from:], path)
		*k = knownObject{title: k.title, traits: all}
		if err != nil {
			return err
		}
		o.counters.to = int32(to)
		if blk.anomalies.Len() == told && !d.once {
			d.learn(k, o.counters, b)
		}
	}
	if k.traits&objectClock != 0 && o.PerfFreq <= 0 {
		d.anomaly(codeFreq, o.off+56, path.Field("PerfFreq"), "frequency %d, but counters run on this object's clock", o.PerfFreq)
	}
	return nil
}

// loadDefinitions fills the counters of o and returns all their traits.
func (d *Decoder) loadDefinitions(o *Object, counters []Counter, path *perfdump.Path) (all traits, err *fault) {
	first, end := o.off+int(o.HeaderLength), o.off+int(o.DefinitionLength)
	p := first
	for j := range counters {
		c := &counters[j]
		if end-p < counterSize {
			return 0, d.fail(perfdump.CodeLength, p, path.At(levelCounter, j), "%d bytes remain for the %d of a definition", int64(end-p), counterSize)
		}
		c.load(d.b[p:])
		c.off, c.base = uint32(p-first), -1
		if c.ByteLength < counterSize || uint64(c.ByteLength) > uint64(end-p) {
			return 0, d.fail(perfdump.CodeLength, p, path.At(levelCounter, j).Field("ByteLength"),
				"definition of 0x%x bytes, but 0x%x remain", int64(c.ByteLength), int64(end-p))
		}
		d.lookUp(c)
		all |= c.traits
		p += int(c.ByteLength)
	}
	for j := range counters {
		c := &counters[j]
		if c.unusual() {
			d.definition(o, c, path.At(levelCounter, j))
		}
		if c.traits&(isBase|isMulti|needsBase) != 0 {
			d.pairBase(o, counters, j, path)
		}
	}
	if n := end - p; n >= gapSize {
		d.anomaly(CodeGap, p, *path, "%d bytes after the counter definitions", int64(n))
	}
	return all, nil
}

// offset returns the offset of a definition of o in the block's bytes.
func (c *Counter) offset(o *Object) int { return o.off + int(o.HeaderLength) + int(c.off) }

// unusual reports whether definition has anything to report.
func (c *Counter) unusual() bool {
	return c.CounterNameTitle|c.CounterHelpTitle != 0 || c.DefaultScale < -7 || c.DefaultScale > 7 ||
		c.DetailLevel < 100 || c.DetailLevel > 400 || c.traits&undefined != 0 || c.sizeMismatch()
}

// definition reports what is unusual in one definition. Whatever depends on the counter
// blocks is reported in values.
func (d *Decoder) definition(o *Object, c *Counter, path perfdump.Path) {
	off := c.offset(o)
	if c.CounterNameTitle != 0 || c.CounterHelpTitle != 0 {
		d.anomaly(codeTitlePointer, off+8, path.Field("CounterNameTitle"), "pointers 0x%x and 0x%x instead of 0", int64(c.CounterNameTitle), int64(c.CounterHelpTitle))
	}
	if c.DefaultScale < -7 || c.DefaultScale > 7 {
		d.anomaly(codeScale, off+20, path.Field("DefaultScale"), "scale %d is not in -7..7", int64(c.DefaultScale))
	}
	if c.DetailLevel < 100 || c.DetailLevel > 400 {
		d.anomaly(codeDetail, off+24, path.Field("DetailLevel"), "level %d is not in 100..400", int64(c.DetailLevel))
	}
	if c.traits&undefined != 0 {
		d.anomaly(codeUnknownType, off+28, path.Field("CounterType"), "type 0x%08x has undefined bits", int64(c.CounterType))
	}
	if c.sizeMismatch() {
		d.anomaly(codeSizeMismatch, off+32, path.Field("CounterSize"), "CounterSize is %d, but the size of the type is %d",
			int64(c.CounterSize), int64(c.width))
	}
}

// sizeMismatch compares CounterSize with the size bits of the type.
func (c *Counter) sizeMismatch() bool {
	if c.width < 0 || c.traits&isText != 0 {
		return c.CounterSize > maxLength
	}
	return c.CounterSize != uint32(c.width) && !windowsDiskTimer(c)
}

// pairBase links a numerator with the base that follows it.
func (d *Decoder) pairBase(o *Object, counters []Counter, j int, path *perfdump.Path) {
	c := &counters[j]
	var next traits
	if j+1 < len(counters) {
		next = counters[j+1].traits
	}
	switch {
	case c.traits&isBase != 0:
		if j == 0 || counters[j-1].base != int32(j) {
			d.anomaly(codeStrayBase, c.offset(o)+28, path.At(levelCounter, j).Field("CounterType"), "the base does not follow a counter that needs one")
		}
	case c.traits&isMulti != 0:
		if next&(isBase|isMulti) == isBase|isMulti {
			c.base = int32(j + 1)
		}
	case next&isBase != 0:
		c.base = int32(j + 1)
	default:
		d.anomaly(codeNoBase, c.offset(o)+28, path.At(levelCounter, j).Field("CounterType"), "no base follows this counter")
	}
}
