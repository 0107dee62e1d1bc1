package document

import (
	"encoding/binary"
	"errors"
	"io"
)

// Scratch is where [EncodeScratch] puts the bytes that it has not written yet:
// a temporary file, or memory. It is written in chunks of 32 KiB one behind the
// other, from 0 on, and with a few bytes here and there in those; only what
// was written is read.
type Scratch interface {
	io.ReaderAt
	io.WriterAt
}

const (
	chunkSize = 32 << 10
	chunkHead = 8 // the place of the next chunk of the stream
)

// spool hands out the chunks of a scratch.
type spool struct {
	scratch Scratch
	end     int64
	err     error // the first one of scratch
}

func (p *spool) alloc() int64 {
	at := p.end
	p.end += chunkSize
	return at
}

func (p *spool) writeAt(b []byte, off int64) {
	if p.err == nil {
		_, p.err = p.scratch.WriteAt(b, off)
	}
}

// readAt reads what has been written.
func (p *spool) readAt(b []byte, off int64) {
	if p.err != nil {
		return
	}
	n, err := p.scratch.ReadAt(b, off)
	switch {
	case n == len(b):
	case err == nil, errors.Is(err, io.EOF):
		p.err = io.ErrUnexpectedEOF
	default:
		p.err = err
	}
}

// memory is a scratch for who gives none: chunks, so that nothing is ever
// copied to grow.
type memory struct{ chunks [][]byte }

func (m *memory) WriteAt(b []byte, off int64) (int, error) {
	for n := 0; n < len(b); {
		i := int((off + int64(n)) / chunkSize)
		for i >= len(m.chunks) {
			m.chunks = append(m.chunks, nil)
		}
		if m.chunks[i] == nil {
			m.chunks[i] = make([]byte, chunkSize)
		}
		n += copy(m.chunks[i][(off+int64(n))%chunkSize:], b[n:])
	}
	return len(b), nil
}

func (m *memory) ReadAt(b []byte, off int64) (int, error) {
	n := 0
	for n < len(b) {
		i := int((off + int64(n)) / chunkSize)
		if i >= len(m.chunks) || m.chunks[i] == nil {
			return n, io.EOF
		}
		n += copy(b[n:], m.chunks[i][(off+int64(n))%chunkSize:])
	}
	return n, nil
}

// stream is bytes that are appended, and read from the front when all of them
// are there. All but the last chunk of it lie in the spool.
type stream struct {
	*spool
	begun bool
	first int64  // the place of the first chunk
	at    int64  // that of the last one
	buf   []byte // the last one
	word  [8]byte
}

// mark is a place in a stream.
type mark struct {
	chunk int64
	off   int
}

func (s *stream) begin() {
	if !s.begun {
		s.begun = true
		s.first = s.alloc()
		s.at = s.first
		s.buf = append(s.buf, make([]byte, chunkHead)...)
	}
}

// here is where the next byte will be.
func (s *stream) here() mark {
	s.begin()
	return mark{s.at, len(s.buf)}
}

func (s *stream) append(b []byte) {
	s.begin()
	for len(b) > 0 {
		if len(s.buf) == chunkSize {
			next := s.alloc()
			binary.LittleEndian.PutUint64(s.buf, uint64(next))
			s.writeAt(s.buf, s.at)
			s.at, s.buf = next, s.buf[:chunkHead]
		}
		n := min(len(b), chunkSize-len(s.buf))
		s.buf = append(s.buf, b[:n]...)
		b = b[n:]
	}
}

// words appends numbers of 8 bytes.
func (s *stream) words(all ...int64) {
	s.begin()
	for _, v := range all {
		if chunkSize-len(s.buf) >= 8 {
			s.buf = binary.LittleEndian.AppendUint64(s.buf, uint64(v))
			continue
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(v))
		s.append(b[:])
	}
}

// next returns the chunk behind another.
func (s *stream) next(chunk int64) int64 {
	s.readAt(s.word[:], chunk)
	return int64(binary.LittleEndian.Uint64(s.word[:]))
}

// inChunk moves m to the next chunk if it is at the end of its own, and
// returns how many of n bytes lie in that.
func (s *stream) inChunk(m *mark, n int64) int {
	if m.off == chunkSize && m.chunk != s.at {
		*m = mark{s.next(m.chunk), chunkHead}
	}
	return int(min(n, int64(chunkSize-m.off)))
}

// skip returns the place n bytes behind m.
func (s *stream) skip(m mark, n int64) mark {
	for n > 0 && s.err == nil {
		k := s.inChunk(&m, n)
		m.off += k
		n -= int64(k)
	}
	return m
}

// patch overwrites what stands at m.
func (s *stream) patch(m mark, b []byte) {
	for len(b) > 0 && s.err == nil {
		n := s.inChunk(&m, int64(len(b)))
		if m.chunk == s.at {
			copy(s.buf[m.off:], b[:n])
		} else {
			s.writeAt(b[:n], m.chunk+int64(m.off))
		}
		m.off += n
		b = b[n:]
	}
}

// load reads what stands at m, and returns the place behind it.
func (s *stream) load(m mark, b []byte) mark {
	for len(b) > 0 && s.err == nil {
		n := s.inChunk(&m, int64(len(b)))
		if m.chunk == s.at {
			copy(b[:n], s.buf[m.off:])
		} else {
			s.readAt(b[:n], m.chunk+int64(m.off))
		}
		m.off += n
		b = b[n:]
	}
	return m
}

// streamReader reads a stream from the front.
type streamReader struct {
	s   *stream
	at  int64 // the chunk at hand
	own []byte
	b   []byte // what is left of it
	end bool
}

func (s *stream) reader() streamReader {
	r := streamReader{s: s}
	if !s.begun {
		r.end = true
		return r
	}
	r.open(s.first)
	return r
}

func (r *streamReader) open(chunk int64) {
	r.at = chunk
	if chunk == r.s.at {
		r.b = r.s.buf[chunkHead:]
		r.end = len(r.b) == 0
		return
	}
	if r.own == nil {
		r.own = make([]byte, chunkSize)
	}
	r.s.readAt(r.own, chunk)
	if r.b = r.own[chunkHead:]; r.s.err != nil {
		r.b, r.end = nil, true
	}
}

// more makes sure that b holds something, and is false at the stream's end.
func (r *streamReader) more() bool {
	if len(r.b) > 0 {
		return true
	}
	if r.end || r.at == r.s.at {
		r.end = true
		return false
	}
	r.open(int64(binary.LittleEndian.Uint64(r.own)))
	return len(r.b) > 0
}

// take returns the next bytes, at most n and those of one chunk at a time;
// they are valid until the next call.
func (r *streamReader) take(n int64) []byte {
	if !r.more() {
		return nil
	}
	n = min(n, int64(len(r.b)))
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *streamReader) skip(n int64) {
	for n > 0 && r.more() {
		n -= int64(len(r.take(n)))
	}
}

// word reads a number of 8 bytes; false at the stream's end.
func (r *streamReader) word() (int64, bool) {
	if len(r.b) >= 8 {
		v := binary.LittleEndian.Uint64(r.b)
		r.b = r.b[8:]
		return int64(v), true
	}
	var b [8]byte
	for n := 0; n < len(b); {
		part := r.take(int64(len(b) - n))
		if len(part) == 0 {
			return 0, false
		}
		n += copy(b[n:], part)
	}
	return int64(binary.LittleEndian.Uint64(b[:])), true
}
