package textlines

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// The functions below look for ASCII in bytes that are not decoded. That is
// right for every encoding here and the characters that the formats are made
// of, with one exception: the second byte of a character in code pages 932,
// 936, 949, 950 and 54936 may be a digit, a letter or one of @ [ \ ] ^ _ ` { | } ~.
// It is never a blank, a TAB, a line end, or one of ! " # $ % & ' ( ) * + , - . / : ; < = > ?

// Index returns the byte offset of the first c, an ASCII character, in raw, or
// -1. It does not allocate.
func (e Encoding) Index(raw []byte, c byte) int {
	if e.page != nil {
		return bytes.IndexByte(raw, c)
	}
	for i := 0; ; {
		n := bytes.IndexByte(raw[i:], c)
		if n < 0 {
			return -1
		}
		i += n
		if i%2 == 0 && i+1 < len(raw) && raw[i+1] == 0 {
			return i
		}
		i++
	}
}

// At reports whether c, an ASCII character, is at the byte offset i of raw,
// and false past its end.
func (e Encoding) At(raw []byte, i int, c byte) bool {
	if e.page != nil {
		return i < len(raw) && raw[i] == c
	}
	return i+1 < len(raw) && raw[i] == c && raw[i+1] == 0
}

// HasPrefix reports whether raw begins with s, which is ASCII, in any case if
// fold is set.
func (e Encoding) HasPrefix(raw []byte, s string, fold bool) bool {
	u := e.Unit()
	if len(raw) < u*len(s) {
		return false
	}
	for i := range len(s) {
		c, d := raw[u*i], s[i]
		if u == 2 && raw[u*i+1] != 0 {
			return false
		}
		if c != d && (!fold || lower(c) != lower(d)) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// Trim returns where raw begins and ends without the blanks and TABs around
// it, as byte offsets. Half a unit of UTF-16 is not blank.
func (e Encoding) Trim(raw []byte) (start, end int) {
	u := e.Unit()
	end = len(raw)
	for start+u <= end && e.blank(raw, start) {
		start += u
	}
	for end-u >= start && (end-start)%u == 0 && e.blank(raw, end-u) {
		end -= u
	}
	return start, end
}

func (e Encoding) blank(raw []byte, i int) bool { return e.At(raw, i, ' ') || e.At(raw, i, '\t') }

// OnlyCtrlZ reports whether raw is nothing but Ctrl-Z.
func (e Encoding) OnlyCtrlZ(raw []byte) bool {
	for i := 0; i < len(raw); i += e.Unit() {
		if !e.At(raw, i, CtrlZ) {
			return false
		}
	}
	return len(raw) > 0
}

// ASCII reports whether raw holds ASCII only, in whole units. It looks at eight
// bytes at a time and does not allocate.
func (e Encoding) ASCII(raw []byte) bool {
	if e.page != nil {
		return isASCII(raw)
	}
	for ; len(raw) >= 8; raw = raw[8:] {
		if binary.LittleEndian.Uint64(raw)&0xFF80FF80FF80FF80 != 0 {
			return false
		}
	}
	for ; len(raw) >= 2; raw = raw[2:] {
		if raw[0] >= utf8.RuneSelf || raw[1] != 0 {
			return false
		}
	}
	return len(raw) == 0
}

func isASCII(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// SameName reports whether two names are the same in any case, as by
// strings.ToLower. strings.EqualFold would take ſ for s.
func SameName(a, b string) bool {
	return strings.ToLower(a) == strings.ToLower(b) //nolint:staticcheck // see above
}
