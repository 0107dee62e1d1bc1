package document

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/perfdump/perfdump/internal/wire"
)

// How texts stand in bytes. The rules here hold in both directions: a document
// has a string only where the encoder makes the same bytes of it.

// encodeText appends s in a code page to dst; page 0 is UTF-16. It is false
// where the page cannot spell s or is unknown.
func encodeText[S string | []byte](dst []byte, page uint32, s S) ([]byte, bool) {
	if page == 0 {
		return wire.EncodeUTF16(dst, string(s)), utf8.ValidString(string(s))
	}
	p, ok := wire.LookupCodePage(page)
	if !ok {
		return dst, false
	}
	return p.Encode(dst, string(s))
}

// unit returns how many bytes the NUL behind a name takes.
func unit(page uint32) int {
	if page == 0 {
		return 2
	}
	return 1
}

// speller finds out whether texts encode back to their bytes.
type speller struct{ buf []byte }

// name reports whether raw is name in the code page, with one NUL behind it or
// without: the length tells which.
func (s *speller) name(raw []byte, page uint32, name []byte) bool {
	if page == 0 && len(raw) == 2*len(name)+2 && isASCII16(raw, name) {
		return true
	}
	ok := false
	s.buf, ok = encodeText(s.buf[:0], page, string(name))
	if !ok {
		return false
	}
	rest, ok := bytes.CutPrefix(raw, s.buf)
	return ok && (len(rest) == 0 || len(rest) == unit(page) && allZero(rest))
}

// value reports whether raw is text in the code page, filled up with zeros.
func (s *speller) value(raw []byte, page uint32, text string) bool {
	ok := false
	s.buf, ok = encodeText(s.buf[:0], page, text)
	if !ok {
		return false
	}
	rest, ok := bytes.CutPrefix(raw, s.buf)
	return ok && allZero(rest)
}

// isASCII16 reports whether raw, which is long enough, is name in UTF-16 with
// a NUL, and all of it ASCII.
func isASCII16(raw, name []byte) bool {
	for i, c := range name {
		if c >= utf8.RuneSelf || raw[2*i] != c || raw[2*i+1] != 0 {
			return false
		}
	}
	return raw[2*len(name)]|raw[2*len(name)+1] == 0
}

func allZero(b []byte) bool {
	for len(b) >= 8 {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
