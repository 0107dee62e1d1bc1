package document

import "iter"

// spelled is the bytes of a text. Those of a long one are made part by part
// each time they are wanted: it may be nearly all of a document, and its bytes
// four times as long.
type spelled struct {
	s     *speller
	raw   []byte // all of them, of a short text
	long  []byte // the text, of a long one
	page  uint32
	n     int64
	zeros int // of them, behind a long text
}

// asIs is bytes that are no text.
func asIs(raw []byte) spelled { return spelled{raw: raw, n: int64(len(raw))} }

// spelled returns the bytes of a text, which are valid until the speller is used
// anew. It is false where the page cannot spell it.
func (s *speller) spelled(page uint32, text []byte) (x spelled, ok bool) {
	if isShort(text) {
		s.buf, ok = encodeText(s.buf[:0], page, text)
		return spelled{s: s, raw: s.buf, n: int64(len(s.buf))}, ok
	}
	n, ok := s.encodedLen(page, text)
	return spelled{s: s, long: text, page: page, n: n}, ok
}

// encodedLen returns how many bytes a text takes.
func (s *speller) encodedLen(page uint32, text []byte) (n int64, ok bool) {
	ok = s.encodeParts(page, inParts(text), func(b []byte) bool { n += int64(len(b)); return true })
	return n, ok
}

// fill adds zeros to a text.
func (x *spelled) fill(n int) {
	if x.n += int64(n); x.long != nil {
		x.zeros += n
		return
	}
	x.raw = append(x.raw, zeroPage[:n]...)
	x.s.buf = x.raw
}

// parts yields the bytes. A part is valid until the next.
func (x spelled) parts() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if x.long == nil {
			yield(x.raw)
			return
		}
		if x.s.encodeParts(x.page, inParts(x.long), yield) && x.zeros > 0 {
			yield(zeroPage[:x.zeros])
		}
	}
}

// putSpelled is put for the bytes of a text.
func (s *store) putSpelled(off int64, x *spelled) *clash {
	if x.long == nil {
		return s.put(off, x.raw)
	}
	return s.putParts(off, x.parts())
}

// putParts is put for bytes in parts.
func (s *store) putParts(off int64, parts iter.Seq[[]byte]) *clash {
	var at mark
	last := int64(noRun)
	for b := range parts {
		if c := s.put(off, b); c != nil {
			return c
		}
		if off += int64(len(b)); last == noRun {
			at, last = s.at, s.last
		}
	}
	s.at, s.last = at, last // what is put next may begin inside
	return nil
}
