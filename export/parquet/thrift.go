package parquet

import "encoding/binary"

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
