package wire

import (
	"encoding/binary"
	"iter"
	"unicode/utf8"
)

// CodePage is a Windows code page: a way to write text in bytes. It is
// immutable and safe for concurrent use.
type CodePage struct {
	number uint32
	name   string
	codec  codec
}

// Number returns the number that Windows gives the page.
func (p *CodePage) Number() uint32 { return p.number }

// Name returns the usual name of the page: "windows-1252".
func (p *CodePage) Name() string { return p.name }

// ASCII reports whether text in ASCII is the same bytes in the page, which
// is so for all but UTF-16, UTF-32, EBCDIC and the pages that shift by escapes.
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
	}
	if len(src) == 0 {
		return dst, true
	}
	d := p.codec.decoder()
	for len(src) > 0 {
		text, n, ok := d.decode(dst, src)
		if !ok {
			return was, false
		}
		dst, src = text, src[n:]
	}
	return dst, true
}

// Parts yields what [CodePage.Append] makes of src, some KiB at a time and no
// half of a character. A part is valid until the next. It ends where src is not
// valid; [CodePage.Valid] says whether it is.
func (p *CodePage) Parts(src []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var buf []byte
		d := p.codec.decoder()
		for src := src; len(src) > 0; {
			text, n, ok := d.decode(buf[:0], src)
			if !ok || !yield(text) {
				return
			}
			buf, src = text, src[n:]
		}
	}
}

// Valid reports whether src is text in the page. It keeps none of it.
func (p *CodePage) Valid(src []byte) bool {
	if p.codec.ascii() {
		src = src[asciiPrefix(src):]
	}
	var buf []byte
	d := p.codec.decoder()
	for len(src) > 0 {
		text, n, ok := d.decode(buf[:0], src)
		if !ok {
			return false
		}
		buf, src = text, src[n:]
	}
	return true
}

// AppendLossy is [CodePage.Append] for text that need not be valid: if it is
// not, every byte of it above 0x7F becomes U+FFFD, and false is returned.
func (p *CodePage) AppendLossy(dst, src []byte) ([]byte, bool) {
	dst, ok := p.Append(dst, src)
	if !ok {
		dst = AppendASCII(dst, src)
	}
	return dst, ok
}

// AppendASCII appends src with U+FFFD for every byte above 0x7F: of text that
// is in no known page its ASCII can be trusted.
func AppendASCII(dst, src []byte) []byte {
	for _, c := range src {
		if c < utf8.RuneSelf {
			dst = append(dst, c)
		} else {
			dst = utf8.AppendRune(dst, utf8.RuneError)
		}
	}
	return dst
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
	if dst, ok := p.codec.encode(dst, s); ok {
		return dst, true
	}
	return was, false
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
