package detect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"sync"

	"github.com/perfdump/perfdump"
)

// Options says how inputs are opened. The zero Options is the one to use
// unless there is a reason.
type Options struct {
	// Format is what inputs are, whatever they look like; "" finds out.
	Format Format
	// MaxUnpacked is how many bytes an input may have once it is unpacked,
	// and how many [Open] reads of one that is not packed. The default is 256 MiB
	// or 200 times the packed size, whichever is more, and 2 GiB of what is not
	// packed.
	MaxUnpacked int64
	// Stdin is what "-" means. The default is os.Stdin.
	Stdin io.Reader
	// Passed is told the name of each file that a walk through a directory
	// passes over, as [Walk] says.
	Passed func(name string)
	// Cut is told of packed data that are cut short (truncated) or damaged (io),
	// and what they hold before that is the input then. Without it, and where
	// they hold nothing before that, they are an error.
	Cut func(name string, err error)

	// Pipes lets named pipes, devices and sockets be inputs. Without it they are an
	// error, as CheckFile says.
	Pipes bool
	// Foreign lets inputs through whose formats are recognised and not read, as
	// [Format.Foreign] says. They are opened as [OpenAt] does.
	Foreign bool

	raw bool // of an unknown format too
}

func (o Options) maxUnpacked() int64 {
	if o.MaxUnpacked > 0 {
		return o.MaxUnpacked
	}
	return 2 << 30
}

// Input is an input that was read into memory.
type Input struct {
	Name       string
	Format     Format
	Data       []byte // unpacked; nil for formats of [Format.RandomAccess]
	Packed     string // "", "gzip", "zstd", or both, the outer first: "gzip+zstd"
	PackedSize int64  // bytes before unpacking, 0 where nothing was packed

	// At is the input as [OpenAt] opens it, where [OpenAny] found a format of
	// [Format.RandomAccess]; else nil.
	At *File
}

// Size returns how many bytes the input has, unpacked.
func (in *Input) Size() int64 {
	if in.At != nil {
		return in.At.Size()
	}
	return int64(len(in.Data))
}

// Close ends the use of an input of [OpenAny].
func (in *Input) Close() error {
	if in.At == nil {
		return nil
	}
	return in.At.Close()
}

// Open reads the named input, "-" for standard input, and finds its format.
//
// The errors are empty, unknown-format, io, limit for what is longer than
// [Options].MaxUnpacked, and truncated for packed data that ends early, unless
// [Options].Cut takes them. An
// unknown format says what it looks like and what to try. Beside the bytes
// themselves Open takes memory for as many again while it reads a stream, and
// none that a header claims.
func Open(name string, o Options) (*Input, error) {
	s, err := openSource(name, o)
	if err != nil {
		return nil, err
	}
	defer s.close()
	in := &Input{Name: name, Format: s.format, Packed: s.packed}
	if s.format.RandomAccess() {
		return in, nil
	}
	if err := in.read(s, o); err != nil {
		return nil, err
	}
	return in, nil
}

// OpenAny opens the named input as [Open] does where its format is read into
// memory, else as [OpenAt] does, and then it is the caller's to close.
func OpenAny(name string, o Options) (*Input, error) {
	s, err := openSource(name, o)
	if err != nil {
		return nil, err
	}
	in := &Input{Name: name, Format: s.format, Packed: s.packed}
	if !s.format.RandomAccess() && s.format != "" {
		defer s.close()
		if err := in.read(s, o); err != nil {
			return nil, err
		}
		return in, nil
	}
	if in.At, err = s.at(name); err != nil {
		return nil, err
	}
	in.PackedSize = in.At.PackedSize
	return in, nil
}

// OpenRaw is [OpenAny] for an input whose bytes are to be shown, whatever they
// are: one of an unknown format has none, and is opened as [OpenAt] does.
func OpenRaw(name string, o Options) (*Input, error) {
	o.raw = true
	return OpenAny(name, o)
}

func (in *Input) read(s *source, o Options) (err error) {
	if in.Data, err = s.readAll(o.maxUnpacked()); err == nil && s.packed != "" {
		in.PackedSize = s.base.n
	}
	return err
}

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

// CheckFile returns the error of a named pipe, a device or a socket, unless it is
// the standard input of the process: to open a pipe waits for its other end, and a
// device may have no end. It is nil for files and for what is not there.
func CheckFile(name string) error {
	info, err := os.Stat(name)
	if err != nil || info.Mode().IsRegular() || info.IsDir() {
		return nil //nolint:nilerr // opening it will say what is wrong
	}
	if stdin, err := os.Stdin.Stat(); err == nil && os.SameFile(info, stdin) {
		return nil // as /dev/stdin is
	}
	what := "a device"
	switch mode := info.Mode(); {
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	}
	return perfdump.NewError(perfdump.CodeIO, -1, perfdump.Path{}, "this is %s, not a file", what)
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
	f, err := os.Open(name)
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
		var once sync.Once // what lies within is cut by it, too
		cut = func(err error) { once.Do(func() { o.Cut(name, err) }) }
	}
	if err := s.unpack(o, cut); err != nil {
		return err
	}
	switch {
	case o.Format != "":
		s.format = o.Format
		return nil
	case len(s.head) == 0:
		return perfdump.NewError(perfdump.CodeEmpty, -1, perfdump.Path{}, "%s", emptyText(s.packed))
	}
	size := s.size
	if s.whole {
		size = int64(len(s.head))
	}
	var known bool
	if s.format, known = Sniff(s.head, size); known || o.raw {
		return nil
	}
	switch s.format = sniffForeign(s.head, s.tail()); {
	case s.format == "":
		return unknown(name, s.head)
	case !o.Foreign:
		return foreignError(s.format)
	default:
		return nil
	}
}

func emptyText(packed string) string {
	if packed != "" {
		return "the " + packed + " data unpack to nothing"
	}
	return "the input is empty; was the command or query that wrote it refused?"
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
	if s.size > limit {
		return nil, tooLong("", limit)
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
	// several times its size behind.
	pieces, total := [][]byte{s.head}, len(s.head)
	for r := s.rest(); ; {
		piece := make([]byte, min(max(total, headSize), 16<<20))
		n, err := io.ReadFull(r, piece)
		if n > 0 {
			pieces, total = append(pieces, piece[:n]), total+n
		}
		switch {
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

// ended reports whether io.ReadFull came to the end of its input. A layer
// gives no io.ErrUnexpectedEOF of its own.
func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF } //nolint:errorlint // io.ReadFull returns these as they are; within other errors they mean damage

// ioError returns err as a FormatError. The name of the file, which whoever
// prints the error puts before it, is taken out.
func ioError(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return &perfdump.FormatError{Code: perfdump.CodeIO, Off: -1, Err: err}
}
