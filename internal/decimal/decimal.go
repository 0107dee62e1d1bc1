// Package decimal writes numbers with 17 digits, the form that identifies each
// float64 whoever reads it, several times as fast as strconv does.
package decimal

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// minSize and maxSize are between which whole numbers are enough: see appendDigits.
const (
	minSize = 1e-4
	maxSize = 1 << 53 // up to here a float64 may have a fraction
)

// Append appends a number with 17 digits, as strconv does with the format g. It
// allocates nothing if dst has room.
func Append(dst []byte, v float64) []byte {
	size := math.Abs(v)
	switch {
	case !(size < maxSize):
	case size == math.Trunc(size):
		if v != 0 || !math.Signbit(v) {
			return AppendInt(dst, int64(v))
		}
	case size >= minSize:
		if v < 0 {
			dst = append(dst, '-')
		}
		return appendDigits(dst, size)
	}
	return strconv.AppendFloat(dst, v, 'g', digits, 64)
}

// A float64 is a whole number of 53 bits by a power of two. Times a power of ten
// with up to fiveDigits factors it fits 128 bits with all its bits, so that 17
// digits of it are cut off and rounded by whole numbers alone.
const (
	digits     = 17
	fractional = 52 // bits of a float64
	bias       = 1023 + fractional
)

// pow5 are the powers of five, by which a value in [minSize, maxSize) comes to have
// 17 digits before the point.
var pow5 = func() (pow [digits + 5]uint64) {
	for i := range pow {
		pow[i] = 1
		for range i {
			pow[i] *= 5
		}
	}
	return pow
}()

// tenTo16 and tenTo17 bound a number of 17 digits.
const (
	tenTo8  = 1e8
	tenTo16 = 1e16
	tenTo17 = 1e17
)

// appendDigits appends a value of [minSize, maxSize) that is no whole number as
// strconv does with 17 digits: rounded to even, without zeros at its end.
func appendDigits(dst []byte, v float64) []byte {
	b := math.Float64bits(v)
	exp := int(b>>fractional) - bias // v is mantissa * 2^exp, and exp < 0
	mantissa := b&(1<<fractional-1) | 1<<fractional
	// The place of the first digit: floor(log10 v), or one less.
	first := (exp + fractional) * 78913 >> 18
	n, rest, one := scale(mantissa, exp, digits-1-first)
	if n >= tenTo17 {
		first++
		n, rest, one = scale(mantissa, exp, digits-1-first)
	}
	if rest *= 2; rest > one || rest == one && n&1 == 1 {
		n++
	}
	if n == tenTo17 {
		n = tenTo16
		first++
	}
	const room = 1 + digits + 7 // behind a sign: zeros, point, and the digits that are moved
	at := len(dst)
	dst = append(dst, "0.000000000000000000000000"[:room]...)
	text := dst[at:]
	if first < 0 {
		text = text[1-first:] // behind the zeros
		putDigits(text, n)
		return trim(dst[:at+1-first+digits])
	}
	putDigits(text[1:], n)
	for i := range first + 1 {
		text[i] = text[i+1]
	}
	text[first+1] = '.'
	return trim(dst[:at+1+digits])
}

// scale returns the whole part of mantissa * 2^exp * 10^tens, which has at most
// 18 digits, and what is left, as so many parts of one.
func scale(mantissa uint64, exp, tens int) (n, rest, one uint64) {
	hi, lo := bits.Mul64(mantissa, pow5[tens])
	shift := uint(-exp-tens) & 63
	one = 1 << shift
	return hi<<(64-shift) | lo>>shift, lo & (one - 1), one
}

// putDigits writes the 17 digits of n to the start of dst.
func putDigits(dst []byte, n uint64) {
	high, low := n/tenTo8, n%tenTo8
	dst[0] = '0' + byte(high/tenTo8)
	put8(dst[1:], high%tenTo8)
	put8(dst[9:], low)
}

// put8 writes the 8 digits of n to the start of dst.
func put8(dst []byte, n uint64) { binary.LittleEndian.PutUint64(dst, eight(n)|zeros) }

const zeros = 0x3030303030303030 // as digits

// eight returns the 8 digits of n, the first in the lowest byte: of halves, then of
// quarters, then of eighths, which are side by side in a word.
func eight(n uint64) uint64 {
	n = n/10000 | n%10000<<32
	n = n*10486>>20&0x7F_0000007F | (n-n*10486>>20&0x7F_0000007F*100)<<16
	tens := n * 103 >> 10 & 0x000F_000F_000F_000F
	return tens | (n-tens*10)<<8
}

// AppendInt appends a whole number as strconv does.
func AppendInt(dst []byte, n int64) []byte {
	u := uint64(n)
	if n < 0 {
		dst, u = append(dst, '-'), -u
	}
	return AppendUint(dst, u)
}

// AppendUint appends a whole number.
func AppendUint(dst []byte, n uint64) []byte {
	var text [16]byte
	switch {
	case n < 10:
		return append(dst, '0'+byte(n))
	case n < 10_000: // a word takes longer
		if n >= 100 {
			dst, n = AppendUint(dst, n/100), n%100
		}
		return append(dst, '0'+byte(n/10), '0'+byte(n%10))
	case n < tenTo8:
		w := eight(n)
		none := bits.TrailingZeros64(w) &^ 7 // of the digits before the first
		binary.LittleEndian.PutUint64(text[:], (w|zeros)>>none)
		return append(dst, text[:8-none/8]...)
	case n < tenTo16:
		put8(text[:], n%tenTo8)
		return append(AppendUint(dst, n/tenTo8), text[:8]...)
	default:
		put8(text[:], n%tenTo16/tenTo8)
		put8(text[8:], n%tenTo8)
		return append(AppendUint(dst, n/tenTo16), text[:]...)
	}
}

// Digits returns how many digits AppendUint appends.
func Digits(n uint64) int {
	n |= 1
	d := bits.Len64(n) * 1233 >> 12 // of the power of two below, at most one too few
	if n >= tens[d] {
		d++
	}
	return d
}

// tens are the powers of ten.
var tens = func() (all [20]uint64) {
	all[0] = 1
	for i := range all[1:] {
		all[i+1] = 10 * all[i]
	}
	return all
}()

// trim cuts off zeros.
func trim(text []byte) []byte {
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	return text
}
