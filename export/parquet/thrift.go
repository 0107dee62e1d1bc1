package parquet

import (
	"encoding/binary"
	"math/bits"

	"github.com/perfdump/perfdump"
)

// The kinds of the compact protocol of Thrift, in which footers and headers of
// pages are written.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI32    = 5
	thriftI64    = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

// thrift writes a struct. Fields come in the order of their numbers.
type thrift struct {
	b    []byte
	last []int16 // the number of the last field of each struct that is open
}

func (t *thrift) field(id int16, kind byte) {
	last := &t.last[len(t.last)-1]
	if d := id - *last; d > 0 && d < 16 {
		t.b = append(t.b, byte(d)<<4|kind)
	} else {
		t.b = binary.AppendVarint(append(t.b, kind), int64(id))
	}
	*last = id
}

// open begins a struct that is no field, close ends any.
func (t *thrift) open()  { t.last = append(t.last, 0) }
func (t *thrift) close() { t.b, t.last = append(t.b, 0), t.last[:len(t.last)-1] }

func (t *thrift) structure(id int16) {
	t.field(id, thriftStruct)
	t.open()
}

// empty writes a struct without fields, which is what a union of names has.
func (t *thrift) empty(id int16) {
	t.structure(id)
	t.close()
}

func (t *thrift) i8(id int16, v int8) {
	t.field(id, thriftByte)
	t.b = append(t.b, byte(v))
}

func (t *thrift) i32(id int16, v int) {
	t.field(id, thriftI32)
	t.b = binary.AppendVarint(t.b, int64(v))
}

func (t *thrift) i64(id int16, v int64) {
	t.field(id, thriftI64)
	t.b = binary.AppendVarint(t.b, v)
}

func (t *thrift) bool(id int16, v bool) {
	if v {
		t.field(id, thriftTrue)
	} else {
		t.field(id, thriftFalse)
	}
}

func (t *thrift) text(id int16, s string) {
	t.field(id, thriftBinary)
	t.element(s)
}

// list begins a list of n elements.
func (t *thrift) list(id int16, kind byte, n int) {
	t.field(id, thriftList)
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|kind)
	} else {
		t.b = binary.AppendUvarint(append(t.b, 15<<4|kind), uint64(n))
	}
}

// element writes a text of a list.
func (t *thrift) element(s string) {
	t.b = append(binary.AppendUvarint(t.b, uint64(len(s))), s...)
}

// thriftReader reads what thrift writes. After an error there is nothing left.
type thriftReader struct {
	b    []byte
	end  int64 // of b in the file
	path perfdump.Path
	err  error

	// leaf takes a number or a text. Its place is the numbers of the fields that lead
	// there, a byte each.
	leaf func(place uint64, n int64, text []byte)
}

func (t *thriftReader) fail(code perfdump.Code, format string, args ...any) {
	if t.err == nil {
		t.err = perfdump.NewError(code, t.end-int64(len(t.b)), t.path, format, args...)
	}
	t.b = nil
}

// take returns the next n bytes.
func (t *thriftReader) take(n uint64) []byte {
	if n > uint64(len(t.b)) {
		t.fail(perfdump.CodeLength, "a value of %d bytes where there are %d", n, len(t.b))
		return nil
	}
	b := t.b[:n]
	t.b = t.b[n:]
	return b
}

// head returns a number and a kind that have a byte together.
func (t *thriftReader) head() (n, kind byte) {
	for _, b := range t.take(1) {
		n, kind = b>>4, b&15
	}
	return n, kind
}

func (t *thriftReader) uvarint() uint64 {
	v, n := binary.Uvarint(t.b)
	if n <= 0 {
		t.fail(perfdump.CodeSyntax, "a number without an end")
	}
	t.take(uint64(max(n, 0)))
	return v
}

// fields reads the fields of a struct that come after one.
func (t *thriftReader) fields(place uint64, id byte) {
	for {
		n, kind := t.head()
		if kind == 0 {
			return
		}
		if id += n; n == 0 {
			t.fail(perfdump.CodeSyntax, "a field after field %d without a number", id)
		}
		t.value(place<<8|uint64(id), kind)
	}
}

func (t *thriftReader) value(place uint64, kind byte) {
	switch {
	case kind == thriftTrue || kind == thriftFalse:
	case kind == thriftByte:
		t.take(1)
	case kind == thriftI32 || kind == thriftI64:
		v := t.uvarint()
		t.leaf(place, int64(v>>1)^-int64(v&1), nil)
	case kind == thriftBinary:
		t.leaf(place, 0, t.take(t.uvarint()))
	case kind == thriftList:
		n, of := t.head()
		count := uint64(n)
		if n == 15 {
			count = t.uvarint()
		}
		if of < thriftByte || of == thriftList {
			t.fail(perfdump.CodeSyntax, "a list of values of kind %d", of)
		}
		for ; count > 0 && t.err == nil; count-- {
			t.value(place, of)
		}
	case kind == thriftStruct && place < 1<<48:
		t.fields(place, 0)
	default:
		t.fail(perfdump.CodeSyntax, "a value of kind %d, %d bits deep", kind, bits.Len64(place))
	}
}
