package blg

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
)

// source gives the stretches of a log.
type source interface {
	// next returns a stretch, which is valid until the next call; io.EOF after
	// the last.
	next() (stretch, error)
	// horizon is the earliest time in the stretches that are still to come.
	horizon() int64
	// buffer is the memory that the source has made, for another to take.
	buffer() []byte
}

// stream reads the stretches of a log one after the other.
type stream struct {
	r      io.Reader
	size   int64 // of the log, negative where it is not known
	stride int
	ahead  int    // how many bytes are there after a reading, if no more are needed
	buf    []byte // what was read
	at     int    // of the current stretch in buf
	off    int64  // of it in the file
	n      int    // its length
	index  int    // of the next one
	ended  bool
}

// newStream reads the first buffer, which next gives again.
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

// confirm takes the other size of the buffers that the log header says, if it
// does, where a buffer begins after one of that size and none after one of
// the first.
func (s *stream) confirm() error {
	again := strideAgain(s.buf)
	if !isStride(again) || int(again) == s.stride {
		return nil
	}
	for _, n := range []int{s.stride, int(again)} {
		if err := s.fill(n + etl.BufferHeaderSize); err != nil {
			return err
		}
		if len(s.buf) > n && begins(s.buf[n:], n) {
			s.stride = n
			break
		}
	}
	return nil
}

// first returns the first buffer, as much of it as there is.
func (s *stream) first() []byte { return s.buf[:min(s.stride, len(s.buf))] }

// atOnce is how many bytes are read from a stream whose length is not known
// before as many have come.
const atOnce = 64 << 10

// fill reads on until n bytes of the current stretch and of what is after it
// are there, as far as the log goes.
func (s *stream) fill(n int) error {
	for have := len(s.buf) - s.at; have < n && !s.ended; have = len(s.buf) - s.at {
		step := max(n, s.ahead) - have
		if s.size < 0 {
			step = min(step, max(have, atOnce))
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

// reserve reserves n bytes more. What has been passed goes once it is half
// of all, so that each byte is moved about once.
func (s *stream) reserve(n int) {
	if len(s.buf)+n > cap(s.buf) && s.at >= len(s.buf)/2 {
		s.buf = append(s.buf[:0], s.buf[s.at:]...)
		s.at = 0
	}
	s.buf = slices.Grow(s.buf, n)
}

func (s *stream) next() (stretch, error) {
	s.at += s.n
	s.off += int64(s.n)
	s.n = 0
	if err := s.fill(s.stride + etl.BufferHeaderSize); err != nil {
		return stretch{}, err
	}
	b := s.buf[s.at:]
	if len(b) == 0 {
		return stretch{}, io.EOF
	}
	loose := false
	s.n = min(s.stride, len(b))
	if !inPlace(b, s.stride) {
		near := 2*s.stride + probe
		if err := s.fill(near + 1); err != nil { // one more says whether the log ends there
			return stretch{}, err
		}
		b = s.buf[s.at:min(len(s.buf), s.at+near)]
		s.n, loose = cut(b, s.stride, s.ended && s.at+len(b) == len(s.buf))
	}
	s.index++
	return stretch{b: s.buf[s.at : s.at+s.n : s.at+s.n], off: s.off, index: s.index - 1, loose: loose}, nil
}

func (s *stream) horizon() int64 { return math.MinInt64 }
func (s *stream) buffer() []byte { return s.buf }

// window is how many bytes of a file are there at a time, if no more are needed.
const window = 256 << 10

// sorted reads the stretches of a file in the order of their times.
type sorted struct {
	r     io.ReaderAt
	order []bufferRef
	buf   []byte
	at    int
}

func (f *sorted) next() (stretch, error) {
	if f.at == len(f.order) {
		return stretch{}, io.EOF
	}
	ref := &f.order[f.at]
	f.buf = slices.Grow(f.buf[:0], int(ref.size))[:ref.size]
	if n, err := f.r.ReadAt(f.buf, ref.off); n < len(f.buf) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // the file has shrunk
		}
		return stretch{}, &perfdump.FormatError{Code: perfdump.CodeIO, Off: ref.off + int64(n), Err: err}
	}
	f.at++
	return stretch{b: f.buf, off: ref.off, index: int(ref.index), loose: ref.loose}, nil
}

func (f *sorted) horizon() int64 {
	if f.at < len(f.order) {
		return f.order[f.at].time
	}
	return math.MaxInt64
}

func (f *sorted) buffer() []byte { return f.buf }
