package wire

import (
	"encoding/binary"
	"unicode/utf8"
)

// utf32Page is UTF-32 in an order of bytes.
type utf32Page struct{ order binary.ByteOrder }

func (utf32Page) ascii() bool { return false }

func (c utf32Page) decode(dst, src []byte) ([]byte, bool) {
	if len(src)%4 != 0 {
		return dst, false
	}
	for ; len(src) > 0; src = src[4:] {
		u := c.order.Uint32(src)
		if u > utf8.MaxRune || !utf8.ValidRune(rune(u)) {
			return dst, false
		}
		dst = utf8.AppendRune(dst, rune(u))
	}
	return dst, true
}

func (c utf32Page) encode(dst []byte, s string) ([]byte, bool) {
	for _, r := range s {
		var b [4]byte
		c.order.PutUint32(b[:], uint32(r))
		dst = append(dst, b[:]...)
	}
	return dst, true
}
