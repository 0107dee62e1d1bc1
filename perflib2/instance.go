package perflib2

import (
	"iter"

	"github.com/perfdump/perfdump/internal/wire"
)

// Instance is an instance of a result with its values. It is a view into the
// block. Instances are distinguished by name and id together; two may have both
// in common.
type Instance struct {
	ID      uint32
	Named   bool   // false for the values of a result without instances
	RawName []byte // in UTF-16, without its NUL; the input's own bytes
	Off     int    // of its header in the block; of its values where it has none

	raw      []byte
	values   int // offset of the first value
	counters int
}

// Name returns the name of the instance, "" where it has none.
func (in Instance) Name() string { return wire.UTF16(in.RawName) }

// AppendName appends the name of the instance to dst in UTF-8. It does not
// allocate where dst has room.
func (in Instance) AppendName(dst []byte) []byte { return wire.AppendUTF16(dst, in.RawName) }

// Values yields the values in the order of the result's counters.
func (in Instance) Values() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		off := in.values
		for j := range in.counters {
			v, next := in.value(off)
			if !yield(j, v) {
				return
			}
			off = next
		}
	}
}

// AppendValues appends the values in the order of the result's counters to
// dst. It is the way to reach them in any order: a value may have any length,
// so there is no other way to the last one than past all others.
func (in Instance) AppendValues(dst []Value) []Value {
	off := in.values
	for range in.counters {
		var v Value
		v, off = in.value(off)
		dst = append(dst, v)
	}
	return dst
}

// value returns the value at off, which has been checked, and where the next
// one is.
func (in Instance) value(off int) (Value, int) {
	data, size := pair(in.raw[off:])
	from := off + pairSize
	return Value{in.raw[from : from+int(data)], from}, off + int(align8(size))
}

// Value is the raw value of a counter in an instance: the bytes, which are the
// input's own, and where they begin in the block.
type Value struct {
	Raw []byte
	Off int
}

// Uint64 returns a value of 4 or 8 bytes, and false for any other.
func (v Value) Uint64() (uint64, bool) {
	switch len(v.Raw) {
	case 8:
		return wire.U64(v.Raw, 0), true
	case 4:
		return uint64(wire.U32(v.Raw, 0)), true
	default:
		return 0, false
	}
}

// Text returns the value as UTF-16 up to its first NUL. Only the registration
// says whether it is a text.
func (v Value) Text() string { return wire.UTF16(cutNUL(v.Raw)) }

// cutNUL returns b up to its first NUL in UTF-16.
func cutNUL(b []byte) []byte {
	if i := wire.IndexNUL16(b); i >= 0 {
		return b[:i]
	}
	return b
}

// align8 rounds up to a multiple of 8.
func align8(n uint32) uint64 { return (uint64(n) + 7) &^ 7 }
