package detect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/perfdump/perfdump"
)

// Options says how inputs are opened. The zero Options is the one to use
// unless there is a reason.
type Options struct {
	// Format is what inputs are, whatever they look like; "" finds out.
	Format Format
	// MaxUnpacked limits the unpacked size of an input. The default is 256 MiB or
	// 200 times the packed size, whichever is more, and 2 GiB for an input that is
	// not packed.
	MaxUnpacked int64
	// MaxText is how many bytes text that people write or export may have:
	// formats of [Format.Text]. The default is 256 MiB.
	MaxText int64
	// Stdin is what "-" means. The default is os.Stdin.
	Stdin io.Reader
	// Open opens files. The default is os.Open.
	Open func(name string) (*os.File, error)
	// Passed is called with the name of each file that a walk through a directory
	// skips, as [Walk] says.
	Passed func(name string)
	// Cut is called with the error of packed data that are cut short (truncated)
	// or damaged (io). What they hold before that is then the input. Without Cut,
	// and where they hold nothing before that, they are an error.
	Cut func(name string, err error)

	// Pipes lets named pipes, devices and sockets be inputs. Without it they are an
	// error, as CheckFile says.
	Pipes bool
	// Foreign lets inputs through whose formats are recognised and not read, as
	// [Format.Foreign] says. They are opened for reading at any offset.
	Foreign bool
	// Raw lets inputs of an unknown format through, whose Format is "". They are
	// opened for reading at any offset.
	Raw bool
}

func (o Options) maxUnpacked() int64 {
	if o.MaxUnpacked > 0 {
		return o.MaxUnpacked
	}
	return 2 << 30
}

// Input is an opened input.
type Input struct {
	Name       string
	Format     Format
	Data       []byte // unpacked; nil for formats of [Format.RandomAccess]
	Packed     string // "", "gzip", "zstd", or both, the outer first: "gzip+zstd"
	PackedSize int64  // bytes before unpacking, 0 where nothing was packed

	// At is the input of a format of [Format.RandomAccess], else nil. It may be
	// read concurrently.
	At io.ReaderAt

	size  int64 // of At
	close func() error
}

// NewInput returns an input of a known format that is the first size bytes of
// r, read at any offset.
func NewInput(name string, format Format, r io.ReaderAt, size int64) *Input {
	return &Input{Name: name, Format: format, At: r, size: size}
}

// Size returns how many bytes the input has, unpacked.
func (in *Input) Size() int64 {
	if in.At != nil {
		return in.size
	}
	return int64(len(in.Data))
}

// Bytes returns the whole input, read into memory. The errors are io, and limit
// for what is longer than [Options].MaxUnpacked.
func (in *Input) Bytes(o Options) ([]byte, error) {
	if in.At == nil {
		return in.Data, nil
	}
	if limit := o.maxUnpacked(); in.size > limit {
		return nil, tooLong(in.Packed, limit)
	}
	b := make([]byte, in.size)
	if n, err := in.At.ReadAt(b, 0); n < len(b) {
		return nil, ioError(err)
	}
	return b, nil
}

// Detach returns what of the input is still open, for the caller to close, and
// leaves nothing of it to [Walk].
func (in *Input) Detach() io.Closer {
	kept := *in
	in.At, in.close = nil, nil
	return &kept
}

// Close ends the use of the input and removes the temporary file that was made
// for it. Calling it again does nothing.
func (in *Input) Close() error {
	if in.close == nil {
		return nil
	}
	done := in.close
	in.close = nil
	return done()
}

// Open opens the named input, "-" for standard input, and finds its format. It
// reads the input into memory, or opens it for reading at any offset if
// [Format.RandomAccess] says so: then standard input, pipes and packed inputs
// are copied to a temporary file. The caller closes the input.
//
// The errors are empty, unknown-format, io, limit for an input longer than
// [Options].MaxUnpacked, and truncated for packed data that end early, unless
// [Options].Cut takes them.
func Open(name string, o Options) (*Input, error) {
	s, err := openSource(name, o)
	if err != nil {
		return nil, err
	}
	in := &Input{Name: name, Format: s.format, Packed: s.packed}
	random := s.format.RandomAccess() || s.format == ""
	if random && s.size >= 0 {
		in.At, in.size, in.close = s.file, s.size, s.file.Close
		return in, nil
	}
	defer s.close()
	if random {
		err = in.spool(io.MultiReader(bytes.NewReader(s.head), s.rest()))
	} else {
		limit := o.maxUnpacked()
		if s.format.Text() {
			limit = min(limit, cmp.Or(o.MaxText, MaxText))
		}
		in.Data, err = s.readAll(limit)
	}
	if err != nil {
		return nil, err
	}
	if s.packed != "" {
		in.PackedSize = s.base.n
	}
	return in, nil
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

// spool copies r to a temporary file.
func (in *Input) spool(r io.Reader) error {
	t, err := os.CreateTemp("", "perfdump-*")
	if err != nil {
		return ioError(err)
	}
	// Except on Windows an open file can be removed, so that nothing is left even
	// if the process is killed.
	removed := os.Remove(t.Name()) == nil
	in.close = func() error {
		err := t.Close()
		if !removed {
			_ = os.Remove(t.Name())
		}
		if err != nil {
			return ioError(err)
		}
		return nil
	}
	if in.size, err = io.Copy(t, r); err != nil {
		_ = in.Close()
		var fe *perfdump.FormatError
		if !errors.As(err, &fe) { // not of the input
			err = ioError(fmt.Errorf("copying to a temporary file: %w", err))
		}
		return err
	}
	in.At = t
	return nil
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
