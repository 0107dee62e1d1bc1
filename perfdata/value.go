package perfdata

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// ValueKind is the kind of a [Value].
type ValueKind uint8

// The kinds of values.
const (
	Absent ValueKind = iota // no bytes, or none inside the counter block
	Uint32                  // 4 bytes
	Uint64                  // 8 bytes
	Text                    // bytes of a text, see [Value.Text]
	Bytes                   // bytes of another size
)

// Value is the raw value of a counter in an instance.
type Value struct {
	Kind ValueKind
	Uint uint64 // of Uint32 and Uint64
	Raw  []byte // the bytes, which alias the input; nil if absent

	page uint32 // of an ANSI text
}

// Text returns the text of a Text value, up to its first NUL. Bytes that are invalid in the
// code page become U+FFFD.
func (v Value) Text() string {
	if v.page == 0 {
		return wire.UTF16(cutNUL16(v.Raw))
	}
	raw := cutNUL(v.Raw)
	if p, ok := wire.LookupCodePage(v.page); ok {
		text, _ := p.AppendLossy(nil, raw)
		return string(text)
	}
	return string(wire.AppendASCII(nil, raw))
}

// multi reports what is unusual in the count of a multi-counter: the MULTI_BASE that
// follows the counter, otherwise the DWORD after its 8 bytes.
func (d *Decoder) multi(o *Object, j int, path perfdump.Path) {
	c := o.Counter(j)
	inline := uint64(c.CounterOffset)+12 <= uint64(o.minBlock) && c.CounterOffset >= valuesSize
	if c.base < 0 {
		if !inline {
			d.anomaly(codeNoBase, c.offset(o)+28, path.Field("CounterType"), "no MULTI_BASE follows this counter, and no count follows its value")
		}
		return
	}
	if !inline || o.overlaps(int(c.CounterOffset)+8, j) {
		return
	}
	for _, in := range o.Instances() {
		base, ok := in.Uint64(int(c.base))
		count := wire.U32(in.BlockBytes(), int(c.CounterOffset)+8)
		if ok && base != uint64(count) {
			d.anomaly(codeMultiCount, in.blockOffset()+int(c.CounterOffset)+8, path, "MULTI_BASE is %d, the DWORD after the value %d; MULTI_BASE is used", int64(base), int64(count))
			return
		}
	}
}

// overlaps reports whether the byte at off belongs to another counter than j, so that it is
// not part of j's count.
func (o *Object) overlaps(off, j int) bool {
	for k := max(0, j-1); k < min(j+3, len(o.Counters())); k++ {
		c := o.Counter(k)
		if k != j && uint64(c.CounterOffset) <= uint64(off) && uint64(off) < uint64(c.CounterOffset)+uint64(c.CounterSize) {
			return true
		}
	}
	return false
}

// texts rejects an object whose counters share bytes so that its texts exceed its size:
// each of them is read and copied as often as it occurs.
func (d *Decoder) texts(o *Object, path perfdump.Path) *fault {
	limit, total := d.Limits.MaxValues(int(o.TotalByteLength)), 0
	for i, in := range o.Instances() {
		n := len(in.BlockBytes())
		for j := range o.Counters() {
			c := o.Counter(j)
			if !c.text() {
				continue
			}
			if total += c.extent(n); total > limit {
				return d.fail(perfdump.CodeLimit, c.offset(o)+32, path.At(levelCounter, j).Field("CounterSize"),
					"the texts of %d instances that share bytes exceed the limit of %d", int64(i+1), int64(limit))
			}
		}
	}
	return nil
}

// Multi returns the count of a multi-counter in the instance.
func (in Instance) Multi(counter int) (uint32, bool) {
	c := in.object.Counter(counter)
	if c.base >= 0 {
		n, ok := in.Uint64(int(c.base))
		return uint32(n), ok
	}
	return c.countBehind(in.BlockBytes())
}

// Base returns what the value of the counter at a position is divided by: the value of its
// base, or the count of a multi-counter. It is false for a counter that has none.
func (in Instance) Base(counter int) (uint64, bool) {
	if base := in.object.Counter(counter).base; base >= 0 {
		return in.Uint64(int(base))
	}
	n, ok := in.inlineCount(counter)
	return uint64(n), ok
}

// inlineCount returns the count of a multi-counter that has no MULTI_BASE.
func (in Instance) inlineCount(counter int) (uint32, bool) {
	c := in.object.Counter(counter)
	if c.traits&(isMulti|isBase) != isMulti || c.base >= 0 {
		return 0, false
	}
	return c.countBehind(in.BlockBytes())
}

func (c *Counter) countBehind(block []byte) (uint32, bool) {
	off := uint64(c.CounterOffset) + 8
	if c.CounterOffset < valuesSize || off+4 > uint64(len(block)) {
		return 0, false
	}
	return wire.U32(block, int(off)), true
}

// valueBytes returns the bytes of c's value in a counter block, nil if absent.
func (c *Counter) valueBytes(block []byte) []byte {
	n := c.extent(len(block))
	if n == 0 {
		return nil
	}
	from := int(c.CounterOffset)
	return block[from : from+n : from+n]
}

// Uint64 returns the value of the counter at a position as an unsigned integer, and false
// if it is absent or not an integer.
func (in Instance) Uint64(counter int) (uint64, bool) {
	o := in.object
	c := o.Counter(counter)
	size, off := uint64(c.CounterSize), uint64(c.CounterOffset)
	if (size-4)&^4 != 0 || c.traits&isText != 0 || off < valuesSize || off+size > uint64(o.minBlock) {
		return c.uint64(in.BlockBytes()) // is rare
	}
	b := o.block.raw[uint64(in.values)+off:]
	if size == 8 {
		return wire.U64(b, 0), true
	}
	return uint64(wire.U32(b, 0)), true
}

func (c *Counter) uint64(block []byte) (uint64, bool) {
	if c.text() {
		return 0, false
	}
	switch b := c.valueBytes(block); len(b) {
	case 4:
		return uint64(wire.U32(b, 0)), true
	case 8:
		return wire.U64(b, 0), true
	default:
		return 0, false
	}
}

// Value returns the value of the counter at a position.
func (in Instance) Value(counter int) Value {
	return in.object.value(in.object.Counter(counter), in.BlockBytes())
}

func (o *Object) value(c *Counter, block []byte) Value {
	b := c.valueBytes(block)
	switch {
	case b == nil:
		return Value{}
	case c.text():
		return Value{Kind: Text, Raw: b, page: o.textPage(c)}
	case len(b) == 4:
		return Value{Kind: Uint32, Uint: uint64(wire.U32(b, 0)), Raw: b}
	case len(b) == 8:
		return Value{Kind: Uint64, Uint: wire.U64(b, 0), Raw: b}
	default:
		return Value{Kind: Bytes, Raw: b}
	}
}

// defaultPage is the code page of ANSI texts without one.
const defaultPage = 1252

// textPage returns the code page of a text counter, 0 for UTF-16.
func (o *Object) textPage(c *Counter) uint32 {
	if c.CounterType.Subtype() == countertypes.TextUnicode {
		return 0
	}
	if _, known := wire.LookupCodePage(o.CodePage); known && o.CodePage != 0 {
		return o.CodePage
	}
	if o.block.options.CodePage != 0 {
		return o.block.options.CodePage
	}
	return defaultPage
}

// Values yields the values of all counters in their order.
func (in Instance) Values() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		block := in.BlockBytes()
		counters := in.object.Counters()
		for j := range counters {
			c := &counters[j]
			from, left := uint(c.CounterOffset), uint(len(block))-uint(c.CounterOffset)
			var more bool
			switch {
			case from < valuesSize || from > uint(len(block)) || c.traits&isText != 0 || uint(c.CounterSize) > left:
				more = yield(j, in.object.value(c, block))
			case c.CounterSize == 8:
				raw := block[from : from+8 : from+8]
				more = yield(j, Value{Kind: Uint64, Uint: wire.U64(raw, 0), Raw: raw})
			case c.CounterSize == 4:
				raw := block[from : from+4 : from+4]
				more = yield(j, Value{Kind: Uint32, Uint: uint64(wire.U32(raw, 0)), Raw: raw})
			default:
				more = yield(j, in.object.value(c, block))
			}
			if !more {
				return
			}
		}
	}
}
