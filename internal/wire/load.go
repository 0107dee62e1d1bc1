package wire

import "bytes"

// Unsigned little-endian loads at an offset. They panic like an index
// expression where b is too short, so the caller checks a length once and then
// loads at constant offsets, which costs no further check.

// U16 returns the 16-bit word at off.
func U16(b []byte, off int) uint16 {
	b = b[off : off+2 : len(b)]
	return uint16(b[0]) | uint16(b[1])<<8
}

// U32 returns the 32-bit word at off.
func U32(b []byte, off int) uint32 {
	b = b[off : off+4 : len(b)]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// U64 returns the 64-bit word at off.
func U64(b []byte, off int) uint64 {
	b = b[off : off+8 : len(b)]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// AllZero reports whether all bytes of b are 0.
func AllZero(b []byte) bool {
	for len(b) > len(zeros) {
		if !bytes.Equal(b[:len(zeros)], zeros[:]) {
			return false
		}
		b = b[len(zeros):]
	}
	return bytes.Equal(b, zeros[:len(b)])
}

var zeros [4096]byte

// Filetime1970 is the FILETIME of 1970-01-01: 100 ns ticks since 1601.
const Filetime1970 = 116_444_736_000_000_000
