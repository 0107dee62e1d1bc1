package wire

import (
	"bytes"
	"errors"
	"io"
	"unicode"

	"github.com/perfdump/perfdump"
)

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

// ReadFull fills p from off on. The error is of code "io"; a reader that ends
// before the size it was opened with is one whose file has shrunk.
func ReadFull(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &perfdump.FormatError{Code: perfdump.CodeIO, Off: off + int64(n), Err: err}
}

// Fold returns one rune for all that differ in case only, as strings.EqualFold
// does: the lowest of them. What is no rune is returned as it is.
func Fold(r rune) rune {
	low := r
	if r <= unicode.MaxRune {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			low = min(low, f)
		}
	}
	return low
}
