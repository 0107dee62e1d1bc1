package blg

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
)

// source yields the segments of a log.
type source interface {
	// next returns a segment, which is valid until the next call; io.EOF after the last.
	next() (segment, error)
	// horizon returns the earliest time in the segments that follow.
	horizon() int64
	// buffer returns the memory of the source for reuse.
	buffer() []byte
}

// stream reads the segments of a log one after the other.
type stream struct {
	r      io.Reader
	size   int64 // of the log, negative if unknown
	stride int
	ahead  int    // how many bytes to read at once, if no more are needed
	buf    []byte // what was read
	at     int    // of the current segment in buf
	off    int64  // of the segment in the file
	n      int    // its length
	index  int    // of the next one
	ended  bool
}

// newStream reads the first buffer, which next returns again.
func newStream(r io.Reader, size int64) (*stream, error) {
	s := &stream{r: r, size: size}
	if err := s.fill(etl.MinBufferSize); err != nil {
		return nil, err
	}
	var err error
	if s.stride, err = stride(s.buf); err != nil {
		return nil, err
	}
	if err := s.confirm(); err != nil {
		return nil, err
	}
	return s, s.fill(s.stride)
}

// confirm uses the buffer size of the log header, if that differs, and if a buffer begins
// after one of that size and none after one of the first size.
func (s *stream) confirm() error {
	again := headerStride(s.buf)
	if !isStride(again) || int(again) == s.stride {
		return nil
	}
	for _, n := range []int{s.stride, int(again)} {
		if err := s.fill(n + etl.BufferHeaderSize); err != nil {
			return err
		}
		if len(s.buf) > n && startsBuffer(s.buf[n:], n) {
			s.stride = n
			break
		}
	}
	return nil
}

// first returns the first buffer, which may be cut off.
func (s *stream) first() []byte { return s.buf[:min(s.stride, len(s.buf))] }

// initialRead is how many bytes are read at first from a stream of unknown length.
const initialRead = 64 << 10

// fill reads until n bytes from the start of the current segment are in memory, or the log
// ends.
func (s *stream) fill(n int) error {
	for have := len(s.buf) - s.at; have < n && !s.ended; have = len(s.buf) - s.at {
		step := max(n, s.ahead) - have
		if s.size < 0 {
			step = min(step, max(have, initialRead))
		} else {
			step = int(min(int64(step), s.size-s.off-int64(have)))
		}
		s.reserve(step)
		m, err := io.ReadFull(s.r, s.buf[len(s.buf):len(s.buf)+step])
		s.buf = s.buf[:len(s.buf)+m]
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			s.ended = true
			if s.size >= 0 {
				return s.fail(io.ErrUnexpectedEOF) // the file has shrunk
			}
		case err != nil:
			return s.fail(err)
		default:
			s.ended = s.size >= 0 && s.off+int64(have+m) == s.size
		}
	}
	return nil
}

func (s *stream) fail(err error) error {
	return &perfdump.FormatError{Code: perfdump.CodeIO, Off: s.off + int64(len(s.buf)-s.at), Err: err}
}

// reserve reserves n bytes. It removes read bytes once they are half of the buffer, so that
// each byte is moved about once.
func (s *stream) reserve(n int) {
	if len(s.buf)+n > cap(s.buf) && s.at >= len(s.buf)/2 {
		s.buf = append(s.buf[:0], s.buf[s.at:]...)
		s.at = 0
	}
	s.buf = slices.Grow(s.buf, n)
}

func (s *stream) next() (segment, error) {
	s.at += s.n
	s.off += int64(s.n)
	s.n = 0
	if err := s.fill(s.stride + etl.BufferHeaderSize); err != nil {
		return segment{}, err
	}
	b := s.buf[s.at:]
	if len(b) == 0 {
		return segment{}, io.EOF
	}
	loose := false
	s.n = min(s.stride, len(b))
	if !inPlace(b, s.stride) {
		near := 2*s.stride + probe
		if err := s.fill(near + 1); err != nil { // one more byte shows whether the log ends there
			return segment{}, err
		}
		b = s.buf[s.at:min(len(s.buf), s.at+near)]
		s.n, loose = cut(b, s.stride, s.ended && s.at+len(b) == len(s.buf))
	}
	s.index++
	return segment{b: s.buf[s.at : s.at+s.n : s.at+s.n], off: s.off, index: s.index - 1, loose: loose}, nil
}

func (s *stream) horizon() int64 { return math.MinInt64 }
func (s *stream) buffer() []byte { return s.buf }

// window is how many bytes of a file are read at once, if no more are needed.
const window = 256 << 10

// sorted reads the segments of a file in order of time.
type sorted struct {
	r     io.ReaderAt
	order []bufferRef
	buf   []byte
	at    int
}

func (f *sorted) next() (segment, error) {
	if f.at == len(f.order) {
		return segment{}, io.EOF
	}
	ref := &f.order[f.at]
	f.buf = slices.Grow(f.buf[:0], int(ref.size))[:ref.size]
	if n, err := f.r.ReadAt(f.buf, ref.off); n < len(f.buf) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // the file has shrunk
		}
		return segment{}, &perfdump.FormatError{Code: perfdump.CodeIO, Off: ref.off + int64(n), Err: err}
	}
	f.at++
	return segment{b: f.buf, off: ref.off, index: int(ref.index), loose: ref.loose, gap: ref.gap, lists: ref.lists}, nil
}

func (f *sorted) horizon() int64 {
	if f.at < len(f.order) {
		return f.order[f.at].time
	}
	return math.MaxInt64
}

func (f *sorted) buffer() []byte { return f.buf }
