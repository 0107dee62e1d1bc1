package main

import (
	"encoding/binary"
	"fmt"
	"math"
)

// encode returns the input from which go-118-fuzz-build takes these arguments.
// Its ways, in its testing/f.go and in consumer.go of go-fuzz-headers:
//
//   - Bytes have their length before them, 32 bits, the high byte first. A length
//     that is not that of all that is left is taken modulo that; 0 is 30.
//   - A string too, but its length counts as it is.
//   - uint32 has its high byte first. All other numbers of more than a byte have
//     a byte after them, which is even where the low byte is first.
//   - A bool is true where its byte is even.
//   - Where nothing is left for an argument, the target does not run.
func encode(args []any) []byte {
	var b []byte
	for i := len(args) - 1; i >= 0; i-- { // what bytes begin with depends on what follows
		b = append(one(args[i], len(b)), b...)
	}
	return b
}

// one encodes an argument that rest bytes follow.
func one(arg any, rest int) []byte {
	const lowFirst = 0
	le := binary.LittleEndian
	switch v := arg.(type) {
	case []byte:
		return append(length(len(v), rest), v...)
	case string:
		b := binary.BigEndian.AppendUint32(nil, uint32(len(v)))
		if len(v)+rest == 0 {
			return append(b, 0) // for a byte to be left
		}
		return append(b, v...)
	case bool:
		if v {
			return []byte{0}
		}
		return []byte{1}
	case byte:
		return []byte{v}
	case int8:
		return []byte{byte(v)}
	case uint16:
		return append(le.AppendUint16(nil, v), lowFirst)
	case uint32:
		return binary.BigEndian.AppendUint32(nil, v)
	case uint64:
		return append(le.AppendUint64(nil, v), lowFirst)
	case int:
		return append(le.AppendUint64(nil, uint64(v)), lowFirst)
	case int64:
		return append(le.AppendUint64(nil, uint64(v)), lowFirst)
	case float64:
		return append(le.AppendUint64(nil, math.Float64bits(v)), lowFirst)
	default:
		panic(fmt.Sprintf("parse gave a %T", arg))
	}
}

// length returns the length of n bytes that rest bytes follow.
func length(n, rest int) []byte {
	switch {
	case n > 0:
		return binary.BigEndian.AppendUint32(nil, uint32(n))
	case rest > 0:
		return binary.BigEndian.AppendUint32(nil, uint32(2*rest)) // 0 modulo the rest
	default:
		return []byte{0, 0, 0, 2, 0} // 0 modulo the byte that is left
	}
}
