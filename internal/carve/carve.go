package carve

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"time"

	"github.com/perfdump/perfdump"
)

// Found is a block, or what the end of the input has left of one.
type Found struct {
	Offset  int64
	Length  int64     // of the block; of what there is of it where it is partial
	Host    string    // the computer's name
	Time    time.Time // SystemTime, UTC
	Objects int       // as the header says
	Partial bool      // the input ends before the block does
}

// windowSize is how much is read and searched at a time. It fits the caches
// of processors.
const windowSize = 256 << 10

// Following the objects of false headers costs one unit for a step within the
// window and farStep for a read outside it. A scan may spend allowance units, and
// one more for every bytesPerUnit bytes searched. Damaged blocks cost much less.
const (
	farStep      = 64
	allowance    = 1 << 20
	bytesPerUnit = 4
)

// Scan yields the blocks in the first size bytes of r by offset. It looks for a
// block at every offset, except within one that is whole. If r ends before size,
// the input ends there.
//
// An error of r ends the sequence, as a *perfdump.FormatError of code io. Input that
// imitates blocks over and over still takes linear time: the headers skipped for
// that are counted in an error of code limit at the end.
func Scan(r io.ReaderAt, size int64) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		s := scan{r: r, size: size, buf: make([]byte, windowSize)}
		if err := s.run(func(f Found) bool { return yield(f, nil) }); err != nil {
			yield(Found{}, err)
		}
	}
}

type scan struct {
	r    io.ReaderAt
	size int64

	buf   []byte
	b     []byte // the window
	off   int64  // where it begins
	field [4]byte

	spent   int64
	aside   int64 // headers not followed
	asideAt int64 // the first of them
}

func (s *scan) end() int64 { return s.off + int64(len(s.b)) }

func (s *scan) load(off int64) error {
	n, err := s.r.ReadAt(s.buf[:max(0, min(windowSize, s.size-off))], off)
	s.b, s.off = s.buf[:n], off
	switch {
	case s.end() >= s.size:
	case errors.Is(err, io.EOF):
		s.size = s.end()
	case err != nil:
		return &perfdump.FormatError{Code: perfdump.CodeIO, Off: s.end(), Err: err}
	}
	return nil
}

func (s *scan) run(yield func(Found) bool) error {
	for pos := int64(0); ; {
		if pos >= s.end() {
			if pos >= s.size {
				break
			}
			if err := s.load(pos); err != nil {
				return err
			}
		}
		i := bytes.Index(s.b[pos-s.off:], anchor)
		if i < 0 {
			// One may begin in the last bytes.
			if s.end() >= s.size {
				break
			}
			if err := s.load(s.end() - int64(len(anchor)-1)); err != nil {
				return err
			}
			pos = s.off
			continue
		}
		pos += int64(i)
		f, ok, err := s.block(pos)
		switch {
		case err != nil:
			return err
		case !ok:
			pos += signatureSize
			continue
		case !yield(f):
			return nil
		case f.Partial:
			pos += signatureSize
		default:
			pos += f.Length
		}
	}
	if s.aside > 0 {
		return perfdump.NewError(perfdump.CodeLimit, s.asideAt, perfdump.Path{},
			"%d headers of blocks were not followed: the input imitates them over and over", s.aside)
	}
	return nil
}

func (s *scan) block(pos int64) (Found, bool, error) {
	if pos+maxHeader > s.end() && s.end() < s.size {
		if err := s.load(pos); err != nil {
			return Found{}, false, err
		}
	}
	h, ok := parseHeader(s.b[pos-s.off:])
	if !ok {
		return Found{}, false, nil
	}
	if pos+h.total > s.end() && pos-s.off > windowSize/2 {
		if err := s.load(pos); err != nil {
			return Found{}, false, err
		}
	}
	if s.spent > allowance+pos/bytesPerUnit {
		if s.aside++; s.aside == 1 {
			s.asideAt = pos
		}
		return Found{}, false, nil
	}
	f := Found{Offset: pos, Host: h.host(s.b[pos-s.off:]), Time: h.time, Objects: int(h.objects)}
	spent := s.spent
	var err error
	if f.Length, f.Partial, ok, err = s.follow(pos, h); ok && !f.Partial {
		s.spent = spent // its bytes are not searched again
	}
	return f, ok, err
}

// follow goes from object to object and returns where the block at pos ends.
func (s *scan) follow(pos int64, h header) (length int64, partial, ok bool, err error) {
	// The end that one producer writes: the objects alone are counted.
	most := h.total + h.length
	at := h.length
	for left := h.objects; left > 0; left-- {
		switch {
		case at+left*minObject > most:
			return 0, false, false, nil
		case pos+at+4 > s.size:
			return s.size - pos, true, true, nil
		}
		n, err := s.length(pos + at)
		if err != nil {
			return 0, false, false, err
		}
		if n < minObject || n > most-at {
			return 0, false, false, nil
		}
		at += n
	}
	switch {
	case at != h.total && at != most:
		return 0, false, false, nil
	case pos+at > s.size:
		return s.size - pos, true, true, nil
	default:
		return at, false, true, nil
	}
}

// length returns the length of the object at an offset.
func (s *scan) length(at int64) (int64, error) {
	if at >= s.off && at+4 <= s.end() {
		s.spent++
		return u32(s.b, int(at-s.off)), nil
	}
	s.spent += farStep
	n, err := s.r.ReadAt(s.field[:], at)
	if n < 4 {
		if err == nil || errors.Is(err, io.EOF) {
			return 0, nil // it shrank; no object has that length
		}
		return 0, &perfdump.FormatError{Code: perfdump.CodeIO, Off: at, Err: err}
	}
	return u32(s.field[:], 0), nil
}
