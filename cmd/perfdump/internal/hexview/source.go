package hexview

import (
	"io"

	"github.com/perfdump/perfdump/internal/wire"
)

// window is how much of an input is in memory at once.
const window = 256 << 10

// source gives the bytes of a document: all of them are there, or a window that
// moves over them.
type source struct {
	b    []byte // the bytes from off on
	off  int64
	size int64
	r    io.ReaderAt // nil if b is all
	err  error       // the first of r
}

func newSource(d *Document) source { return source{b: d.Bytes, r: d.At, size: d.Size} }

// bytes returns the bytes of a range, which are valid until the next call. Those
// that cannot be read are zero.
func (s *source) bytes(from, to int64) []byte {
	if from >= s.off && to-s.off <= int64(len(s.b)) {
		return s.b[from-s.off : to-s.off]
	}
	return s.move(from, to)
}

func (s *source) move(from, to int64) []byte {
	n := min(max(to-from, window), s.size-from)
	if int64(cap(s.b)) < n {
		s.b = make([]byte, n)
	}
	s.b, s.off = s.b[:n], from
	if got, err := s.r.ReadAt(s.b, from); int64(got) < n {
		clear(s.b[got:])
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if s.err == nil {
			s.err = err
		}
	}
	return s.b[:to-from]
}

// allZero reports whether the bytes of a range are.
func (s *source) allZero(from, to int64) bool {
	for from < to {
		n := min(to-from, window)
		if !wire.AllZero(s.bytes(from, from+n)) {
			return false
		}
		from += n
	}
	return true
}
