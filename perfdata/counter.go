package perfdata

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
)

// Counter is the definition of a counter of an object.
type Counter struct {
	CounterDefinition

	off  uint32 // of the definition in the block's bytes
	base int32  // position of the base definition, -1 none
}

// Base returns the position of the definition that holds the counter's base
// (or its count, for a multi-counter), -1 where it has none. It is found by
// its place right behind the counter: title indexes do not tell.
func (c *Counter) Base() int { return int(c.base) }

// IsText reports whether the counter's value is a text.
func (c *Counter) IsText() bool { return c.CounterType.Kind() == countertypes.KindText }

// IsInteger reports whether the value is an unsigned integer of 4 or 8 bytes.
func (c *Counter) IsInteger() bool {
	return (c.CounterSize == 4 || c.CounterSize == 8) && !c.IsText()
}

// extent returns how many bytes the value takes in a counter block of n
// bytes, 0 where it is absent. CounterSize decides; where it runs over the
// block but the width of the type does not, that width does.
func (c *Counter) extent(n int) int {
	off, size := uint64(c.CounterOffset), uint64(c.CounterSize)
	if size == 0 || off < valuesSize || off > maxLength {
		return 0
	}
	if off+size <= uint64(n) {
		return int(size)
	}
	if w := c.CounterType.ValueWidth(); w > 0 && off+uint64(w) <= uint64(n) {
		return w
	}
	return 0
}

// definitions walks the counter definitions of o and pairs them with their
// bases.
func (d *Decoder) definitions(o *Object, path perfdump.Path) *perfdump.FormatError {
	blk := &d.block
	first := len(blk.counters)
	o.counters = span{int32(first), int32(first)}
	p, end := o.off+int(o.HeaderLength), o.off+int(o.DefinitionLength)
	for j := range int(o.NumCounters) {
		if end-p < counterSize {
			return d.fail(perfdump.CodeLength, p, path.At(levelCounter, j), "%d bytes left for the %d of a definition", end-p, counterSize)
		}
		blk.counters = append(blk.counters, Counter{off: uint32(p), base: -1})
		c := &blk.counters[first+j]
		c.load(d.b[p:])
		if c.ByteLength < counterSize || uint64(c.ByteLength) > uint64(end-p) {
			return d.fail(perfdump.CodeLength, p, path.At(levelCounter, j).Field("ByteLength"),
				"definition of 0x%x bytes where 0x%x are left", c.ByteLength, end-p)
		}
		p += int(c.ByteLength)
	}
	o.counters.to = int32(len(blk.counters))
	d.pairBases(o, path)
	for j := range o.Counters() {
		d.definition(o.Counter(j), path.At(levelCounter, j))
	}
	if n := end - p; n >= gapSize {
		d.anomaly(Gap, p, path, "%d bytes after the counter definitions", int64(n))
	}
	return nil
}

// definition tells what is odd in one definition. What depends on the counter
// blocks is told in values.
func (d *Decoder) definition(c *Counter, path perfdump.Path) {
	off := int(c.off)
	if c.CounterNameTitle != 0 || c.CounterHelpTitle != 0 {
		d.anomaly(TitlePointer, off+8, path.Field("CounterNameTitle"), "pointers 0x%x, 0x%x where 0 belongs", int64(c.CounterNameTitle), int64(c.CounterHelpTitle))
	}
	if c.DefaultScale < -7 || c.DefaultScale > 7 {
		d.anomaly(Scale, off+20, path.Field("DefaultScale"), "scale %d is not in -7..7", int64(c.DefaultScale))
	}
	if c.DetailLevel < 100 || c.DetailLevel > 400 {
		d.anomaly(Detail, off+24, path.Field("DetailLevel"), "level %d is not in 100..400", int64(c.DetailLevel))
	}
	if !c.CounterType.Defined() {
		d.anomaly(UnknownType, off+28, path.Field("CounterType"), "type 0x%08x has undefined bits", int64(c.CounterType))
	}
	if c.sizeMismatch() {
		d.anomaly(SizeMismatch, off+32, path.Field("CounterSize"), "CounterSize %d, but the type says %d; CounterSize is read",
			int64(c.CounterSize), int64(c.CounterType.ValueWidth()))
	}
}

// sizeMismatch compares CounterSize with the size bits of the type.
func (c *Counter) sizeMismatch() bool {
	w := c.CounterType.ValueWidth()
	if w < 0 || c.IsText() {
		return c.CounterSize > maxLength
	}
	return c.CounterSize != uint32(w) && !windowsDiskTimer(c)
}

// pairBases links each numerator with the base right behind it.
func (d *Decoder) pairBases(o *Object, path perfdump.Path) {
	counters := o.Counters()
	for j := range counters {
		c := &counters[j]
		switch {
		case c.CounterType.IsBase():
			if j == 0 || counters[j-1].base != int32(j) {
				d.anomaly(StrayBase, int(c.off)+28, path.At(levelCounter, j).Field("CounterType"), "a base that does not follow a counter that needs one")
			}
		case c.CounterType.Multi():
			if j+1 < len(counters) && counters[j+1].CounterType.IsBase() && counters[j+1].CounterType.Multi() {
				c.base = int32(j + 1)
			}
		case c.CounterType.NeedsBase():
			if j+1 < len(counters) && counters[j+1].CounterType.IsBase() {
				c.base = int32(j + 1)
			} else {
				d.anomaly(NoBase, int(c.off)+28, path.At(levelCounter, j).Field("CounterType"), "no base follows this counter")
			}
		}
	}
}
