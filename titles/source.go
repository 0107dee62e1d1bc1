package titles

import (
	"bytes"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

const (
	chunkSize = 64 << 10
	// maxString bounds the memory that decoding takes beside its result. The
	// longest text that a registry value could hold in practice is far below.
	maxString = 1 << 20
	maxInput  = 1 << 30 // so that offsets in the decoded text fit 32 bits
)

// source decodes bytes in pieces of whole strings.
type source struct {
	page *wire.CodePage // nil for UTF-16
	big  bool           // UTF-16 is big-endian
}

func (s source) unit() int {
	if s.page == nil {
		return 2
	}
	return 1
}

// verbatim reports whether b decodes to itself.
func (s source) verbatim(b []byte) bool {
	if s.page == nil {
		return false
	}
	if s.page.Number() == 65001 {
		return utf8.Valid(b)
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// valid reports whether b, one string, decodes without a replacement. It
// decodes to buf, which it returns for the next call.
func (s source) valid(buf, b []byte) ([]byte, bool) {
	if s.page == nil {
		return buf, wire.ValidUTF16(b)
	}
	return s.page.Append(buf[:0], b)
}

// decode appends b to dst in UTF-8 with U+FFFD for what is not valid, and
// reports whether all was.
func (s source) decode(dst, b []byte) ([]byte, bool) {
	if s.page == nil {
		return wire.AppendUTF16(dst, b), wire.ValidUTF16(b)
	}
	return s.page.AppendLossy(dst, b)
}

// each decodes b and calls f with pieces that end behind a separator, but for
// the last. It reports whether something was not valid. off is where b stands
// in the file, for the error that a string is too long.
func (s source) each(b []byte, sep byte, off int64, f func([]byte)) (lossy bool, err error) {
	var buf []byte
	for len(b) > 0 {
		n := s.cut(b, sep)
		if n > maxString {
			return lossy, perfdump.NewError(perfdump.CodeLimit, off, perfdump.Path{}, "a string of %d bytes; the limit is %d", n, maxString)
		}
		piece := b[:n]
		if s.big {
			piece = swapped(piece)
		}
		var ok bool
		buf, ok = s.decode(buf[:0], piece)
		if !ok {
			// String by string, so that one bad text does not spoil the rest.
			lossy = true
			buf = s.decodeEach(buf[:0], piece, sep)
		}
		f(buf)
		b = b[n:]
		off += int64(n)
	}
	return lossy, nil
}

func (s source) decodeEach(dst, b []byte, sep byte) []byte {
	for len(b) > 0 {
		n := s.index(b, sep)
		if n < 0 {
			n = len(b)
		} else {
			n += s.unit()
		}
		dst, _ = s.decode(dst, b[:n])
		b = b[n:]
	}
	return dst
}

// cut returns the length of the next piece of b.
func (s source) cut(b []byte, sep byte) int {
	if len(b) <= chunkSize {
		return len(b)
	}
	if i := s.lastIndex(b[:chunkSize], sep); i >= 0 {
		return i + s.unit()
	}
	if i := s.index(b, sep); i >= 0 {
		return i + s.unit()
	}
	return len(b)
}

func (s source) index(b []byte, sep byte) int {
	if s.page != nil {
		return indexByte(b, sep)
	}
	if sep == 0 {
		return wire.IndexNUL16(b)
	}
	for i := 0; i+2 <= len(b); i += 2 {
		if s.is(b[i:], sep) {
			return i
		}
	}
	return -1
}

func (s source) lastIndex(b []byte, sep byte) int {
	if s.page != nil {
		return bytes.LastIndexByte(b, sep)
	}
	for i := len(b)&^1 - 2; i >= 0; i -= 2 {
		if s.is(b[i:], sep) {
			return i
		}
	}
	return -1
}

// is reports whether the unit at the start of b is sep.
func (s source) is(b []byte, sep byte) bool {
	if s.big {
		return b[0] == 0 && b[1] == sep
	}
	return b[0] == sep && b[1] == 0
}

func swapped(b []byte) []byte {
	c := make([]byte, len(b))
	for i := 0; i+2 <= len(b); i += 2 {
		c[i], c[i+1] = b[i+1], b[i]
	}
	return c
}

func indexByte(b []byte, c byte) int { return bytes.IndexByte(b, c) }
