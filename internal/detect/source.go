package detect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync"

	"github.com/perfdump/perfdump"
)

// source is an input whose format has been found and whose other bytes are
// still to be read.
type source struct {
	file   *os.File // nil for standard input
	size   int64    // of a regular file that is not packed, else -1
	base   *layer   // the bytes as they come
	r      io.Reader
	head   []byte // the first bytes that r yielded
	whole  bool   // head is all there is
	packed string
	format Format
	close  func()
}

func openSource(name string, o Options) (*source, error) {
	s := &source{size: -1, base: &layer{limit: math.MaxInt64}, close: func() {}}
	switch {
	case name != "-":
		if err := s.openFile(name, o); err != nil {
			return nil, err
		}
	case o.Stdin != nil:
		s.base.r = o.Stdin
	default:
		s.base.r = os.Stdin
	}
	if err := s.detect(name, o); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *source) openFile(name string, o Options) error {
	if !o.Pipes {
		err := CheckFile(name)
		if err != nil && o.Format == "" {
			err = ioError(fmt.Errorf("%w; give it as standard input, or say by --format what it holds", err))
		}
		if err != nil {
			return err
		}
	}
	open := o.Open
	if open == nil {
		open = os.Open
	}
	f, err := open(name)
	if err != nil {
		return ioError(err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("is a directory; name the files in it, DIR/*")
	}
	if err != nil {
		_ = f.Close()
		return ioError(err)
	}
	// Files of /proc have no size and yet contents.
	if info.Mode().IsRegular() && info.Size() > 0 {
		s.size = info.Size()
	}
	s.file, s.base.r = f, f
	s.close = func() { _ = f.Close() }
	return nil
}

func (s *source) detect(name string, o Options) error {
	var cut func(error)
	if o.Cut != nil {
		var once sync.Once // what is packed within is cut by it, too
		cut = func(err error) { once.Do(func() { o.Cut(name, err) }) }
	}
	if err := s.unpack(o, cut); err != nil {
		return err
	}
	empty := "the input is empty; was the command or query that wrote it refused?"
	if s.packed != "" {
		empty = "the " + s.packed + " data unpack to nothing"
	}
	switch {
	case o.Format != "":
		s.format = o.Format
		return nil
	case len(s.head) == 0:
		return perfdump.NewError(perfdump.CodeEmpty, -1, perfdump.Path{}, "%s", empty)
	}
	size := s.size
	if s.whole {
		size = int64(len(s.head))
	}
	var known bool
	if s.format, known = Sniff(s.head, size); known || o.Raw {
		return nil
	}
	switch s.format = (&sample{head: s.head, tail: s.tail(), cut: true}).find(true); {
	case s.format == "":
		return unknown(name, s.head)
	case !o.Foreign:
		return perfdump.NewError(perfdump.CodeUnknownFormat, -1, perfdump.Path{}, "this is %s: %s", s.format, s.format.Foreign())
	default:
		return nil
	}
}

// rest returns what follows the head.
func (s *source) rest() io.Reader {
	if s.whole {
		return bytes.NewReader(nil)
	}
	return s.r
}

// readAll returns the whole input.
func (s *source) readAll(limit int64) ([]byte, error) {
	if s.size > limit || int64(len(s.head)) > limit {
		return nil, s.tooLong(limit)
	}
	if s.size >= int64(len(s.head)) {
		data := make([]byte, s.size)
		n := copy(data, s.head)
		m, err := io.ReadFull(s.rest(), data[n:])
		if err != nil && !ended(err) {
			return nil, err
		}
		return data[:n+m], nil
	}
	// The pieces are joined once at the end: growing one slice would leave
	// several times its size unused.
	pieces, total := [][]byte{s.head}, len(s.head)
	for r := s.rest(); ; {
		piece := make([]byte, min(max(total, HeadSize), 16<<20))
		n, err := io.ReadFull(r, piece)
		if n > 0 {
			pieces, total = append(pieces, piece[:n]), total+n
		}
		switch {
		case int64(total) > limit && s.format.Text():
			return nil, s.tooLong(limit)
		case err == nil:
		case !ended(err):
			return nil, err
		case len(pieces) == 1:
			return s.head, nil
		default:
			return bytes.Join(pieces, nil), nil
		}
	}
}

// MaxText is the default of [Options].MaxText.
const MaxText = 256 << 20

// tooLong returns the error of an input that has more bytes than a limit.
func (s *source) tooLong(limit int64) error {
	if s.format.Text() {
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{},
			"the text is longer than the limit of %d bytes; raise it by --max-text", limit)
	}
	return tooLong("", limit)
}

// tail returns the last bytes of the input, nil where they are not available yet.
func (s *source) tail() []byte {
	const size = 4 << 10
	switch {
	case s.whole:
		return s.head[max(0, len(s.head)-size):]
	case s.size < size:
		return nil
	}
	b := make([]byte, size)
	if _, err := s.file.ReadAt(b, s.size-size); err != nil && err != io.EOF {
		return nil
	}
	return b
}
