package wire

import (
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// codec does what a page does.
type codec interface {
	ascii() bool // bytes below 0x80 are ASCII where a character begins
	decoder() decoder
	// encode appends a text that is valid UTF-8, false where it has what the page
	// has no bytes for.
	encode(dst []byte, s string) ([]byte, bool)
}

// decoder appends the begin of src to dst in UTF-8, no more than a part of it,
// and returns how many bytes it took. It is called again with what is behind
// them. ok is false where src is not valid; what was appended is thrown away.
type decoder interface {
	decode(dst, src []byte) (text []byte, n int, ok bool)
}

// Pages that keep nothing between parts are their own decoders.
type decoderFunc func(dst, src []byte) ([]byte, int, bool)

func (f decoderFunc) decode(dst, src []byte) ([]byte, int, bool) { return f(dst, src) }

// partSize is how much of a text is decoded at a time.
const partSize = 16 << 10

// Part returns how much of s to take at a time: no half of a character, and
// some 16 KiB.
func Part[S string | []byte](s S) int {
	if len(s) <= partSize {
		return len(s)
	}
	for n := partSize; n > partSize-utf8.UTFMax; n-- {
		if utf8.RuneStart(s[n]) {
			return n
		}
	}
	return partSize // which is no UTF-8
}

// single is a page of one byte a character.
type single struct {
	table *charmap.Charmap
	super bool // ASCII is a part of it
}

func (c *single) ascii() bool { return c.super }

func (c *single) decoder() decoder { return c } // and allocates nothing

func (c *single) decode(dst, src []byte) ([]byte, int, bool) {
	src = src[:min(len(src), partSize)]
	for _, b := range src {
		r := c.table.DecodeByte(b)
		if r == utf8.RuneError {
			if !isC1(b) {
				return dst, 0, false
			}
			r = rune(b)
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, len(src), true
}

func (c *single) encode(dst []byte, s string) ([]byte, bool) {
	for _, r := range s {
		// The tables hold U+FFFD for what is undefined, so it is asked first.
		b, ok := c.table.EncodeRune(r)
		switch {
		case r == utf8.RuneError:
			return dst, false
		case ok:
		case r <= 0x9F && isC1(byte(r)) && c.table.DecodeByte(byte(r)) == utf8.RuneError:
			b = byte(r)
		default:
			return dst, false
		}
		dst = append(dst, b)
	}
	return dst, true
}

func isC1(b byte) bool { return b >= 0x80 && b <= 0x9F }

// multi is a page of x/text whose characters take several bytes.
type multi struct {
	enc     encoding.Encoding
	shifted bool // escapes switch the meaning of ASCII bytes
	// replaced reports whether what was decoded to text with U+FFFD in it was
	// no text; nil for pages that have no bytes for U+FFFD.
	replaced func(src []byte) bool
}

func (c multi) ascii() bool { return !c.shifted }

func (c multi) decoder() decoder {
	t := c.enc.NewDecoder().Transformer
	var buf [512]byte
	return decoderFunc(func(dst, src []byte) ([]byte, int, bool) {
		n, m, err := t.Transform(buf[:], src, true)
		if err != nil && (err != transform.ErrShortDst || n+m == 0) { //nolint:errorlint // transformers return it bare
			return dst, 0, false
		}
		if text := buf[:n]; hasRuneError(text) && (c.replaced == nil || c.replaced(src[:m])) {
			return dst, 0, false
		}
		return append(dst, buf[:n]...), m, true
	})
}

func (c multi) encode(dst []byte, s string) ([]byte, bool) {
	b, err := c.enc.NewEncoder().Bytes([]byte(s))
	return append(dst, b...), err == nil
}

// ascii7 is US-ASCII: Append and Encode have taken all that it knows.
type ascii7 struct{}

func (ascii7) ascii() bool { return true }

func (c ascii7) decoder() decoder { return c }

func (c ascii7) decode(dst, src []byte) ([]byte, int, bool) {
	src = src[:min(len(src), partSize)]
	return append(dst, src...), len(src), asciiPrefix(src) == len(src)
}

func (c ascii7) encode(dst []byte, s string) ([]byte, bool) {
	return append(dst, s...), asciiPrefixString(s) == len(s)
}

// utf8Page is UTF-8, where U+FFFD is a character like others.
type utf8Page struct{}

func (utf8Page) ascii() bool { return true }

func (c utf8Page) decoder() decoder { return c }

func (c utf8Page) decode(dst, src []byte) ([]byte, int, bool) {
	n := Part(src)
	return append(dst, src[:n]...), n, utf8.Valid(src[:n])
}

func (c utf8Page) encode(dst []byte, s string) ([]byte, bool) {
	return append(dst, s...), true
}

// utf16Page is UTF-16, little-endian unless big is set.
type utf16Page struct{ big bool }

func (utf16Page) ascii() bool { return false }

func (c utf16Page) decoder() decoder {
	var swapped []byte
	return decoderFunc(func(dst, src []byte) ([]byte, int, bool) {
		if len(src)%2 != 0 {
			return dst, 0, false
		}
		part := src
		if c.big {
			swapped = append(swapped[:0], src[:min(len(src), partSize+2)]...)
			swap(swapped)
			part = swapped
		}
		part = part[:part16(part)]
		return AppendUTF16(dst, part), len(part), ValidUTF16(part)
	})
}

func (c utf16Page) encode(dst []byte, s string) ([]byte, bool) {
	start := len(dst)
	dst = EncodeUTF16(dst, s)
	if c.big {
		swap(dst[start:])
	}
	return dst, true
}

func swap(b []byte) {
	for i := 0; i+2 <= len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
}

// utf32Page is UTF-32 in an order of bytes.
type utf32Page struct{ order binary.ByteOrder }

func (*utf32Page) ascii() bool { return false }

func (c *utf32Page) decoder() decoder { return c }

func (c *utf32Page) decode(dst, src []byte) ([]byte, int, bool) {
	if len(src)%4 != 0 {
		return dst, 0, false
	}
	src = src[:min(len(src), partSize)]
	for i := 0; i < len(src); i += 4 {
		u := c.order.Uint32(src[i:])
		if u > utf8.MaxRune || !utf8.ValidRune(rune(u)) {
			return dst, 0, false
		}
		dst = utf8.AppendRune(dst, rune(u))
	}
	return dst, len(src), true
}

func (c *utf32Page) encode(dst []byte, s string) ([]byte, bool) {
	for _, r := range s {
		var b [4]byte
		c.order.PutUint32(b[:], uint32(r))
		dst = append(dst, b[:]...)
	}
	return dst, true
}
