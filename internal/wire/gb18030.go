package wire

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// gb18030 is page 54936. It writes all of Unicode, U+FFFD too, so its
// decoder's U+FFFD is an error only where other bytes than those stand.
type gb18030 struct{}

const gbFFFD = "\x84\x31\xA4\x37" // U+FFFD in GB 18030

func (gb18030) ascii() bool { return true }

func (gb18030) encode(dst []byte, s string) ([]byte, bool) {
	return pump(dst, simplifiedchinese.GB18030.NewEncoder().Transformer, []byte(s))
}

func (gb18030) decode(dst, src []byte) ([]byte, bool) {
	start := len(dst)
	dec := simplifiedchinese.GB18030.NewDecoder().Transformer
	dst, ok := pump(dst, dec, src)
	if !ok || !bytes.ContainsRune(dst[start:], utf8.RuneError) {
		return dst, ok
	}
	// Rare: take the text apart into characters, which their first two bytes
	// give the length of, and look at each that may be the one.
	var buf [8]byte
	for len(src) > 0 {
		size := gbSize(src)
		if size > len(src) {
			return dst, false
		}
		if size > 1 && string(src[:size]) != gbFFFD {
			n, _, err := dec.Transform(buf[:], src[:size], true)
			if err != nil || bytes.ContainsRune(buf[:n], utf8.RuneError) {
				return dst, false
			}
		}
		if size == 1 && src[0] == 0xFF {
			return dst, false
		}
		src = src[size:]
	}
	return dst, true
}

// gbSize returns the length of the character at the start of src as its
// first bytes tell it.
func gbSize(src []byte) int {
	switch {
	case src[0] <= 0x80 || src[0] == 0xFF:
		return 1
	case len(src) > 1 && src[1] >= '0' && src[1] <= '9':
		return 4
	default:
		return 2
	}
}
