package wire

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

const gbFFFD = "\x84\x31\xA4\x37" // U+FFFD in GB 18030

// gbReplaced reports whether src, which came out with a U+FFFD in it, is no
// text in page 54936. That writes all of Unicode, U+FFFD too, so src is taken
// apart into characters, which their first two bytes give the length of, and
// each that may be the one is looked at.
func gbReplaced(src []byte) bool {
	dec := simplifiedchinese.GB18030.NewDecoder().Transformer
	var buf [8]byte
	for len(src) > 0 {
		size := gbSize(src)
		if size > len(src) {
			return true
		}
		if size > 1 && string(src[:size]) != gbFFFD {
			n, _, err := dec.Transform(buf[:], src[:size], true)
			if err != nil || hasRuneError(buf[:n]) {
				return true
			}
		}
		if size == 1 && src[0] == 0xFF {
			return true
		}
		src = src[size:]
	}
	return false
}

func hasRuneError(text []byte) bool { return bytes.ContainsRune(text, utf8.RuneError) }

// gbSize returns the length of the character at the start of src as its
// first bytes say it.
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
