package parquet

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/perfdump/perfdump/export/internal/column"
)

// The physical types of columns.
const (
	int32Type  = 1
	int64Type  = 2
	doubleType = 5
	binaryType = 6
)

// kind is how a type of columns is written.
type kind struct {
	physical  int
	size      int // of a number
	dict      bool
	text      bool
	unsigned  bool
	converted int // the older name of what it means, -1 for none
	logical   func(t *thrift)
}

// times are those of rows series by series. They have no dictionary: its indexes are not
// whole bytes, so that those of the next series would be other ones.
const times = column.Local + 1

var kinds = [...]kind{
	column.Text:    {physical: binaryType, text: true, converted: 0, logical: func(t *thrift) { t.empty(1) }},
	column.Dict:    {physical: binaryType, text: true, dict: true, converted: 0, logical: func(t *thrift) { t.empty(1) }},
	column.Int32:   {physical: int32Type, size: 4, dict: true, converted: 17, logical: integer(32, true)},
	column.Int64:   {physical: int64Type, size: 8, converted: 18, logical: integer(64, true)},
	column.Uint32:  {physical: int32Type, size: 4, dict: true, unsigned: true, converted: 13, logical: integer(32, false)},
	column.Uint64:  {physical: int64Type, size: 8, unsigned: true, converted: 14, logical: integer(64, false)},
	column.Float64: {physical: doubleType, size: 8, converted: -1},
	column.Time:    {physical: int64Type, size: 8, dict: true, converted: 10, logical: micros(true)},
	column.Local:   {physical: int64Type, size: 8, dict: true, converted: -1, logical: micros(false)},
	times:          {physical: int64Type, size: 8, converted: 10, logical: micros(true)},
}

func integer(bits int8, signed bool) func(*thrift) {
	return func(t *thrift) {
		t.structure(10)
		t.i8(1, bits)
		t.bool(2, signed)
		t.close()
	}
}

func micros(utc bool) func(*thrift) {
	return func(t *thrift) {
		t.structure(8)
		t.bool(1, utc)
		t.structure(2)
		t.empty(2)
		t.close()
		t.close()
	}
}

// valid is a text as files have it, in UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// edges are the least and the greatest value of a chunk.
type edges struct {
	min, max   uint64 // of numbers
	low, high  string // of texts
	some, none bool   // there is a value; there are no edges
}

// text takes a text in.
func (e *edges) text(s string) {
	if !e.some || s < e.low {
		e.low = s
	}
	if !e.some || s > e.high {
		e.high = s
	}
	e.some = true
}

// number takes the bits of a number in. There are no edges with one that is none.
func (e *edges) number(k *kind, bits uint64) {
	if !e.some {
		e.min, e.max, e.some = bits, bits, true
	}
	switch {
	case k.physical == doubleType:
		v := math.Float64frombits(bits)
		e.none = e.none || v != v
		if v < math.Float64frombits(e.min) {
			e.min = bits
		}
		if v > math.Float64frombits(e.max) {
			e.max = bits
		}
	case k.unsigned:
		e.min, e.max = min(e.min, bits), max(e.max, bits)
	case k.size == 4:
		e.min, e.max = uint64(min(int32(e.min), int32(bits))), uint64(max(int32(e.max), int32(bits)))
	default:
		e.min, e.max = uint64(min(int64(e.min), int64(bits))), uint64(max(int64(e.max), int64(bits)))
	}
}

// maxEdge is how long a text is at most that is an edge.
const maxEdge = 128

// texts returns the edges as a footer has them, where there are some.
func (e *edges) texts(k *kind) (low, high string, ok bool) {
	switch {
	case !e.some || e.none || len(e.low) > maxEdge || len(e.high) > maxEdge:
		return "", "", false
	case k.text:
		return e.low, e.high, true
	}
	var a, b [8]byte
	first, last := e.min, e.max
	if k.physical == doubleType { // zeros of both signs are equal
		if first == 0 {
			first = 1 << 63
		}
		if last == 1<<63 {
			last = 0
		}
	}
	binary.LittleEndian.PutUint64(a[:], first)
	binary.LittleEndian.PutUint64(b[:], last)
	return string(a[:k.size]), string(b[:k.size]), true
}
