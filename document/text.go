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
	rest, ok := spell(s, raw, page, name)
	return ok && (len(rest) == 0 || len(rest) == unit(page) && allZero(rest))
}

// value reports whether raw is text in the code page, filled up with zeros.
func (s *speller) value(raw []byte, page uint32, text string) bool {
	rest, ok := spell(s, raw, page, text)
	return ok && allZero(rest)
}

// whole reports whether raw is text in the code page and nothing else.
func (s *speller) whole(raw []byte, page uint32, text string) bool {
	rest, ok := spell(s, raw, page, text)
	return ok && len(rest) == 0
}

// spell returns what stands in raw behind text, false where raw does not begin
// with it.
func spell[S string | []byte](s *speller, raw []byte, page uint32, text S) (rest []byte, ok bool) {
	inParts := page == 0
	if p, known := wire.LookupCodePage(page); known && !inParts {
		inParts = p.ASCII() // others may shift
	}
	for rest = raw; ; {
		n := len(text)
		if inParts {
			n = part(text)
		}
		if s.buf, ok = encodeText(s.buf[:0], page, text[:n]); !ok {
			return nil, false
		}
		if rest, ok = bytes.CutPrefix(rest, s.buf); !ok {
			return nil, false
		}
		if text = text[n:]; len(text) == 0 {
			return rest, true
		}
	}
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
