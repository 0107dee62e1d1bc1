package wire

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// CodePage is a Windows code page: a way to write text in bytes. It is
// immutable and safe for concurrent use.
type CodePage struct {
	number uint32
	name   string
	codec  codec
}

// codec does what a page does. decode and encode append what they can; where
// they return false, what they appended is thrown away.
type codec interface {
	ascii() bool // bytes below 0x80 are ASCII where a character begins
	decode(dst, src []byte) ([]byte, bool)
	encode(dst []byte, s string) ([]byte, bool)
}

// Number returns the number that Windows gives the page.
func (p *CodePage) Number() uint32 { return p.number }

// Name returns the usual name of the page: "windows-1252".
func (p *CodePage) Name() string { return p.name }

// ASCII reports whether text in ASCII is the same bytes in the page, which
// holds for all but UTF-16, UTF-32, EBCDIC and the pages that shift by escapes.
func (p *CodePage) ASCII() bool { return p.codec.ascii() }

// Append appends src, text in the page, to dst in UTF-8. It returns dst as it
// was and false when src is not valid in the page; nothing is replaced. A byte
// of 0x80 to 0x9F that a page of one byte a character leaves undefined gives
// the C1 control of the same value, as MultiByteToWideChar does.
//
// src is not kept. ASCII costs eight bytes a step, and nothing is allocated
// if dst has room; pages of several bytes a character allocate a decoder for
// text that is not ASCII.
func (p *CodePage) Append(dst, src []byte) ([]byte, bool) {
	was := dst
	if p.codec.ascii() {
		n := asciiPrefix(src)
		dst = append(dst, src[:n]...)
		src = src[n:]
		if len(src) == 0 {
			return dst, true
		}
	}
	dst, ok := p.codec.decode(dst, src)
	if !ok {
		return was, false
	}
	return dst, true
}

// AppendLossy is [CodePage.Append] for text that need not be valid: if it is
// not, every byte of it above 0x7F becomes U+FFFD, and false is returned.
func (p *CodePage) AppendLossy(dst, src []byte) ([]byte, bool) {
	dst, ok := p.Append(dst, src)
	if ok {
		return dst, true
	}
	for _, c := range src {
		if c < utf8.RuneSelf {
			dst = append(dst, c)
		} else {
			dst = utf8.AppendRune(dst, utf8.RuneError)
		}
	}
	return dst, false
}

// Encode appends s to dst in the page, and returns dst as it was and false
// when s holds what the page has no bytes for, or is not valid UTF-8. It
// inverts [CodePage.Append] but for pages with several byte forms of one
// character (see docs of the page in x/text), where it writes the usual one.
func (p *CodePage) Encode(dst []byte, s string) ([]byte, bool) {
	was := dst
	if p.codec.ascii() {
		n := asciiPrefixString(s)
		dst = append(dst, s[:n]...)
		s = s[n:]
		if s == "" {
			return dst, true
		}
	}
	if !utf8.ValidString(s) {
		return was, false
	}
	dst, ok := p.codec.encode(dst, s)
	if !ok {
		return was, false
	}
	return dst, true
}

const byteTops = 0x8080808080808080

// asciiPrefix returns how many bytes at the start of b are ASCII.
func asciiPrefix(b []byte) int {
	i := 0
	for ; i+8 <= len(b) && binary.LittleEndian.Uint64(b[i:])&byteTops == 0; i += 8 {
	}
	for i < len(b) && b[i] < utf8.RuneSelf {
		i++
	}
	return i
}

func asciiPrefixString(s string) int {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// single is a page of one byte a character.
type single struct {
	table *charmap.Charmap
	super bool // ASCII is a part of it
}

func (c single) ascii() bool { return c.super }

func (c single) decode(dst, src []byte) ([]byte, bool) {
	for _, b := range src {
		r := c.table.DecodeByte(b)
		if r == utf8.RuneError {
			if !isC1(b) {
				return dst, false
			}
			r = rune(b)
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, true
}

func (c single) encode(dst []byte, s string) ([]byte, bool) {
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

// multi is a page of x/text whose characters take several bytes, and that has
// no bytes for U+FFFD, so that one in the decoder's output is an error.
type multi struct {
	enc     encoding.Encoding
	shifted bool // escapes switch the meaning of ASCII bytes
}

func (c multi) ascii() bool { return !c.shifted }

func (c multi) decode(dst, src []byte) ([]byte, bool) {
	start := len(dst)
	dst, ok := pump(dst, c.enc.NewDecoder().Transformer, src)
	return dst, ok && !bytes.ContainsRune(dst[start:], utf8.RuneError)
}

func (c multi) encode(dst []byte, s string) ([]byte, bool) {
	return pump(dst, c.enc.NewEncoder().Transformer, []byte(s))
}

// pump appends what t makes of src to dst, by way of a small buffer, so that
// the memory it takes is what dst grows by. It stops at t's first error.
func pump(dst []byte, t transform.Transformer, src []byte) ([]byte, bool) {
	var buf [512]byte
	for {
		n, m, err := t.Transform(buf[:], src, true)
		dst = append(dst, buf[:n]...)
		src = src[m:]
		switch {
		case err == nil:
			return dst, true
		case err != transform.ErrShortDst || n+m == 0: //nolint:errorlint // transformers return it bare
			return dst, false
		}
	}
}

// ascii7 is US-ASCII: Append and Encode have taken all that it knows.
type ascii7 struct{}

func (ascii7) ascii() bool                                { return true }
func (ascii7) decode(dst, _ []byte) ([]byte, bool)        { return dst, false }
func (ascii7) encode(dst []byte, _ string) ([]byte, bool) { return dst, false }

// utf8Page is UTF-8, where U+FFFD is a character like others.
type utf8Page struct{}

func (utf8Page) ascii() bool { return true }

func (utf8Page) decode(dst, src []byte) ([]byte, bool) {
	return append(dst, src...), utf8.Valid(src)
}

func (utf8Page) encode(dst []byte, s string) ([]byte, bool) { return append(dst, s...), true }

// utf16Page is UTF-16, little-endian unless big is set.
type utf16Page struct{ big bool }

func (utf16Page) ascii() bool { return false }

func (c utf16Page) decode(dst, src []byte) ([]byte, bool) {
	if len(src)%2 != 0 {
		return dst, false
	}
	if c.big {
		src = swapped(src)
	}
	return AppendUTF16(dst, src), ValidUTF16(src)
}

func (c utf16Page) encode(dst []byte, s string) ([]byte, bool) {
	start := len(dst)
	dst = EncodeUTF16(dst, s)
	if c.big {
		swap(dst[start:])
	}
	return dst, true
}

func swapped(src []byte) []byte {
	b := append([]byte(nil), src...)
	swap(b)
	return b
}

func swap(b []byte) {
	for i := 0; i+2 <= len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
}
