package detect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/perfdump/perfdump"
)

// File is an input that is read here and there. Its ReadAt may be called
// concurrently.
type File struct {
	Name       string
	Format     Format
	Packed     string // as in [Input]
	PackedSize int64  // as in [Input]

	io.ReaderAt
	size  int64
	close func() error
}

// NewFile makes a File of the first size bytes of r, of a format that is known,
// as an input of its own: put into an [Input] as At.
func NewFile(name string, format Format, r io.ReaderAt, size int64) *File {
	return &File{Name: name, Format: format, ReaderAt: r, size: size}
}

// Size returns how many bytes the input has, unpacked.
func (f *File) Size() int64 { return f.size }

// Close ends the use of f and removes the temporary file that was made for
// it. Calling it again does nothing.
func (f *File) Close() error {
	if f.close == nil {
		return nil
	}
	done := f.close
	f.close = nil
	return done()
}

// Bytes reads the whole input into memory. The errors are io, and limit for what
// is longer than [Options].MaxUnpacked.
func (f *File) Bytes(o Options) ([]byte, error) {
	if limit := o.maxUnpacked(); f.size > limit {
		return nil, tooLong(f.Packed, limit)
	}
	b := make([]byte, f.size)
	if n, err := f.ReadAt(b, 0); n < len(b) {
		return nil, ioError(err)
	}
	return b, nil
}

// OpenAt opens the named input as [Open] does, for reading at any offset.
// Standard input, pipes and packed inputs are copied to a temporary file, of
// at most [Options].MaxUnpacked bytes. The errors are those of Open.
func OpenAt(name string, o Options) (*File, error) {
	s, err := openSource(name, o)
	if err != nil {
		return nil, err
	}
	return s.at(name)
}

// at returns the source for reading at any offset. It closes s where the file
// does not need it.
func (s *source) at(name string) (*File, error) {
	f := &File{Name: name, Format: s.format, Packed: s.packed}
	if s.size >= 0 {
		f.ReaderAt, f.size, f.close = s.file, s.size, s.file.Close
		return f, nil
	}
	defer s.close()
	if err := f.spool(io.MultiReader(bytes.NewReader(s.head), s.rest())); err != nil {
		return nil, err
	}
	if s.packed != "" {
		f.PackedSize = s.base.n
	}
	return f, nil
}

// spool copies r to a temporary file.
func (f *File) spool(r io.Reader) error {
	t, err := os.CreateTemp("", "perfdump-*")
	if err != nil {
		return ioError(err)
	}
	// Most systems let go of the name of an open file, and then nothing is
	// left behind even where the process is killed. Windows does not.
	removed := os.Remove(t.Name()) == nil
	f.close = func() error {
		err := t.Close()
		if !removed {
			_ = os.Remove(t.Name())
		}
		if err != nil {
			return ioError(err)
		}
		return nil
	}
	if f.size, err = io.Copy(t, r); err != nil {
		_ = f.Close()
		return spoolError(err)
	}
	f.ReaderAt = t
	return nil
}

// spoolError tells the errors of the input, which say what they are, from
// those of the temporary file.
func spoolError(err error) error {
	var fe *perfdump.FormatError
	if errors.As(err, &fe) {
		return fe
	}
	return ioError(fmt.Errorf("copying to a temporary file: %w", err))
}
