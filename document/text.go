package document

import (
	"bytes"
	"iter"
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
	return ok && endsName(rest, page)
}

// nameParts is name for one in parts.
func (s *speller) nameParts(raw []byte, page uint32, name iter.Seq[[]byte]) bool {
	rest, ok := s.spellParts(raw, page, name)
	return ok && endsName(rest, page)
}

func endsName(rest []byte, page uint32) bool {
	return len(rest) == 0 || len(rest) == unit(page) && wire.AllZero(rest)
}

// value reports whether raw is text in the code page, filled up with zeros.
func (s *speller) value(raw []byte, page uint32, text string) bool {
	rest, ok := spell(s, raw, page, text)
	return ok && wire.AllZero(rest)
}

// valueParts is value for a text in parts.
func (s *speller) valueParts(raw []byte, page uint32, text iter.Seq[[]byte]) bool {
	rest, ok := s.spellParts(raw, page, text)
	return ok && wire.AllZero(rest)
}

// whole reports whether raw is text in the code page and nothing else.
func (s *speller) whole(raw []byte, page uint32, text string) bool {
	rest, ok := spell(s, raw, page, text)
	return ok && len(rest) == 0
}

// spell returns what stands in raw behind text, false where raw does not begin
// with it.
func spell[S string | []byte](s *speller, raw []byte, page uint32, text S) (rest []byte, ok bool) {
	if !isShort(text) {
		return s.spellParts(raw, page, inParts(text))
	}
	if s.buf, ok = encodeText(s.buf[:0], page, text); !ok {
		return nil, false
	}
	return bytes.CutPrefix(raw, s.buf)
}

// spellParts is spell for a text in parts.
func (s *speller) spellParts(raw []byte, page uint32, parts iter.Seq[[]byte]) (rest []byte, ok bool) {
	rest = raw
	spelled := s.encodeParts(page, parts, func(b []byte) bool {
		rest, ok = bytes.CutPrefix(rest, b)
		return ok
	})
	return rest, spelled
}

// encode gives the bytes of a text in a code page to put, which tells whether
// to go on; page 0 is UTF-16. What is put is valid until the next. It is false
// where put was, or where the page cannot spell the text or is unknown.
func (s *speller) encode(page uint32, text []byte, put func([]byte) bool) (ok bool) {
	if !isShort(text) {
		return s.encodeParts(page, inParts(text), put)
	}
	s.buf, ok = encodeText(s.buf[:0], page, text)
	return ok && put(s.buf)
}

// encodeParts is encode for a text in parts.
func (s *speller) encodeParts(page uint32, parts iter.Seq[[]byte], put func([]byte) bool) (ok bool) {
	if page == 0 {
		page = pageUTF16
	}
	p, known := wire.LookupCodePage(page)
	if !known {
		return false
	}
	encode := p.Encoder()
	for part := range parts {
		if s.buf, ok = encode(s.buf[:0], string(part), false); !ok || !put(s.buf) {
			return false
		}
	}
	s.buf, ok = encode(s.buf[:0], "", true)
	return ok && (len(s.buf) == 0 || put(s.buf))
}

// isShort reports whether a text is of one part.
func isShort[S string | []byte](text S) bool { return wire.Part(text) == len(text) }

const pageUTF16 = 1200

// inParts yields the parts of a text.
func inParts[S string | []byte](text S) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest := text; len(rest) > 0; {
			n := wire.Part(rest)
			if !yield([]byte(rest[:n])) {
				return
			}
			rest = rest[n:]
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
