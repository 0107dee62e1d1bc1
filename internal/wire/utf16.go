package wire

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Four UTF-16 units are looked at as one 64-bit word, a lane of 16 bits each.
const (
	laneOnes  = 0x0001000100010001
	laneTops  = 0x8000800080008000
	laneWide  = 0xFF80FF80FF80FF80 // set in a unit that is not ASCII
	laneTop5  = 0xF800F800F800F800 // the bits that mark a surrogate
	laneSurr  = 0xD800D800D800D800 // and what they are in one
	laneHalf  = 0x0000FFFF0000FFFF
	runeWide  = 0x10000
	surrHigh  = 0xD800
	surrLow   = 0xDC00
	surrEnd   = 0xE000
	runeError = utf8.RuneError

	longText = 32 << 10 // units, from which on they are counted before memory is reserved
)

// AppendUTF16 appends src, UTF-16LE text, to dst in UTF-8 and returns the
// extended slice. An unpaired surrogate becomes U+FFFD, an odd last byte is
// ignored, a NUL is a character like any other. src is not kept.
//
// It costs one pass, eight units at a time where they are ASCII, and does not
// allocate if dst has room for the result.
func AppendUTF16(dst, src []byte) []byte {
	src = src[: len(src)&^1 : len(src)]
	// A unit gives at least one byte (a pair, two units, gives four), so this
	// never asks for more than the result takes.
	n := len(src) / 2
	if n > longText {
		n = utf16Len(src)
	}
	dst = slices.Grow(dst, n)
	for {
		for len(src) >= 16 {
			a, b := U64(src, 0), U64(src, 8)
			if (a|b)&laneWide != 0 {
				break
			}
			dst = binary.LittleEndian.AppendUint64(dst, pack(a)|pack(b)<<32)
			src = src[16:]
		}
		if len(src) >= 8 {
			if w := U64(src, 0); w&laneWide == 0 {
				dst = binary.LittleEndian.AppendUint32(dst, uint32(pack(w)))
				src = src[8:]
			}
		}
		if len(src) < 2 {
			return dst
		}
		// Stay in the slow loop for a stretch: text that is not ASCII seldom
		// is so for one character only.
		for n := 8; n > 0 && len(src) >= 2; n-- {
			r, size := decodeUnit(src)
			dst = utf8.AppendRune(dst, r)
			src = src[size:]
		}
	}
}

// pack moves the low bytes of four lanes together.
func pack(w uint64) uint64 {
	w = (w | w>>8) & laneHalf
	return (w | w>>16) & 0xFFFFFFFF
}

// decodeUnit returns the first character of src, which has two bytes at least,
// and how many bytes it takes.
func decodeUnit(src []byte) (r rune, size int) {
	u := rune(U16(src, 0))
	switch {
	case u < surrHigh || u >= surrEnd:
		return u, 2
	case u < surrLow && len(src) >= 4:
		if low := rune(U16(src, 2)); low >= surrLow && low < surrEnd {
			return (u-surrHigh)<<10 + (low - surrLow) + runeWide, 4
		}
	}
	return runeError, 2
}

// UTF16 returns src, UTF-16LE text, as a string; see [AppendUTF16]. It
// allocates the string and nothing else for texts of up to 128 bytes of UTF-8.
func UTF16(src []byte) string {
	var buf [128]byte
	return string(AppendUTF16(buf[:0], src))
}

// part16 returns how much of src to take at a time: no half of a pair.
func part16(src []byte) int {
	if len(src) <= partSize {
		return len(src)
	}
	if src[partSize-1]&0xfc == 0xd8 {
		return partSize - 2
	}
	return partSize
}

// utf16Len returns how many bytes [AppendUTF16] appends for src.
func utf16Len(src []byte) int {
	n := 0
	for {
		for len(src) >= 8 && U64(src, 0)&laneWide == 0 {
			n += 4
			src = src[8:]
		}
		if len(src) < 2 {
			return n
		}
		r, size := decodeUnit(src)
		n += utf8.RuneLen(r)
		src = src[size:]
	}
}

// ValidUTF16 reports whether every surrogate of src, UTF-16LE text, stands in
// a pair. An odd last byte is ignored. It looks at four units at a time where
// there are no surrogates and does not allocate.
func ValidUTF16(src []byte) bool {
	for {
		for len(src) >= 8 && !hasZeroLane(U64(src, 0)&laneTop5^laneSurr) {
			src = src[8:]
		}
		if len(src) < 2 {
			return true
		}
		u := U16(src, 0)
		r, size := decodeUnit(src)
		if r == runeError && u != runeError {
			return false
		}
		src = src[size:]
	}
}

// hasZeroLane reports whether a lane of w is zero.
func hasZeroLane(w uint64) bool { return zeroLanes(w) != 0 }

// zeroLanes sets the top bit of each lane of w that is zero. Lanes above the
// lowest such lane may be marked without being zero.
func zeroLanes(w uint64) uint64 { return (w - laneOnes) &^ w & laneTops }

// EncodeUTF16 appends s to dst in UTF-16LE and returns the extended slice.
// Bytes of s that are not valid UTF-8 become U+FFFD, one each. It does not
// allocate if dst has room for two bytes a byte of s.
func EncodeUTF16(dst []byte, s string) []byte {
	dst = slices.Grow(dst, 2*len(s)) // a byte of UTF-8 never gives more than one unit
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			dst = append(dst, c, 0)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if r >= runeWide {
			r -= runeWide
			dst = appendUnit(dst, surrHigh+r>>10)
			r = surrLow + r&0x3FF
		}
		dst = appendUnit(dst, r)
	}
	return dst
}

func appendUnit(dst []byte, r rune) []byte {
	return append(dst, byte(r), byte(r>>8))
}

// IndexNUL16 returns the byte offset of the first 16-bit NUL of src, counted
// in whole units from its start, or -1. An odd last byte is ignored. It does
// not allocate.
func IndexNUL16(src []byte) int {
	i := 0
	for ; i+8 <= len(src); i += 8 {
		if z := zeroLanes(U64(src, i)); z != 0 {
			return i + bits.TrailingZeros64(z)/16*2
		}
	}
	for ; i+2 <= len(src); i += 2 {
		if src[i]|src[i+1] == 0 {
			return i
		}
	}
	return -1
}
