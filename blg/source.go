package blg

import (
	"cmp"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/perfdump/perfdump"
)

// source gives the buffers of a log.
type source interface {
	// next returns a buffer, as much of it as there is, and its place in the
	// file; io.EOF after the last. It is valid until the next call.
	next() (b []byte, index int, err error)
	// horizon is the earliest time in the buffers that are still to come.
	horizon() int64
}

// stream reads buffers one after the other.
type stream struct {
	r      io.Reader
	stride int
	buf    []byte
	index  int
	off    int64
	ended  bool
}

// newStream reads the first buffer, which next gives again.
func newStream(r io.Reader) (*stream, error) {
	s := &stream{r: r, buf: make([]byte, minBufferSize), index: -1}
	n, err := s.read(s.buf)
	if err != nil {
		return nil, err
	}
	if s.stride, err = stride(s.buf[:n]); err != nil {
		return nil, err
	}
	if n == minBufferSize && s.stride > n {
		s.buf = append(make([]byte, 0, s.stride), s.buf...)
		m, err := s.read(s.buf[n:s.stride])
		if err != nil {
			return nil, err
		}
		n += m
	}
	s.buf = s.buf[:n]
	return s, nil
}

// read fills p as far as the stream goes.
func (s *stream) read(p []byte) (int, error) {
	n, err := io.ReadFull(s.r, p)
	s.off += int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		s.ended = true
		return n, nil
	}
	if err != nil {
		return n, &perfdump.FormatError{Code: perfdump.CodeIO, Off: s.off, Err: err}
	}
	return n, nil
}

func (s *stream) next() ([]byte, int, error) {
	if s.index++; s.index == 0 {
		return s.buf, 0, nil
	}
	if s.ended {
		return nil, 0, io.EOF
	}
	s.buf = s.buf[:s.stride]
	n, err := s.read(s.buf)
	if err != nil {
		return nil, 0, err
	}
	if s.buf = s.buf[:n]; n == 0 {
		return nil, 0, io.EOF
	}
	return s.buf, s.index, nil
}

func (s *stream) horizon() int64 { return math.MinInt64 }

// bufferRef is a buffer and the earliest time in it.
type bufferRef struct {
	time  int64
	index uint32
}

// window is about how many bytes of a file are read at a time.
const window = 256 << 10

// file reads the buffers of a file in the order of the file, or in that of
// their times.
type file struct {
	r      io.ReaderAt
	size   int64
	stride int64
	order  []bufferRef // nil in the order of the file
	buf    []byte
	from   int64 // of buf in the file
	at     int
}

func (f *file) next() ([]byte, int, error) {
	index := int64(f.at)
	if f.order != nil {
		if f.at == len(f.order) {
			return nil, 0, io.EOF
		}
		index = int64(f.order[f.at].index)
	}
	off := index * f.stride
	if off >= f.size {
		return nil, 0, io.EOF
	}
	n := min(f.stride, f.size-off)
	if off < f.from || off+n > f.from+int64(len(f.buf)) {
		ahead := n
		if f.order == nil {
			ahead = min(max(f.stride, window/f.stride*f.stride), f.size-off)
		}
		f.buf = slices.Grow(f.buf[:0], int(ahead))[:ahead]
		f.from = off
		if m, err := f.r.ReadAt(f.buf, off); m < len(f.buf) {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF // the file has shrunk
			}
			return nil, 0, &perfdump.FormatError{Code: perfdump.CodeIO, Off: off + int64(m), Err: err}
		}
	}
	f.at++
	b := f.buf[off-f.from:]
	return b[:n:n], int(index), nil
}

func (f *file) horizon() int64 {
	if f.at < len(f.order) {
		return f.order[f.at].time
	}
	return math.MaxInt64
}

// arrange sorts the buffers by their earliest times. Of those that have the
// same, the one that a writer who goes round in the file wrote first is
// first: where the times fall, there the file's oldest buffer is.
func arrange(refs []bufferRef) {
	oldest, last := 0, int64(math.MinInt64)
	for i, r := range refs {
		if r.time == math.MaxInt64 {
			continue
		}
		if r.time < last {
			oldest = i
		}
		last = r.time
	}
	n := len(refs)
	turn := func(r bufferRef) int { return (int(r.index) - oldest + n) % n }
	slices.SortFunc(refs, func(a, b bufferRef) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(turn(a), turn(b)))
	})
}
