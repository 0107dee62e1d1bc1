package cmdutil

import (
	"fmt"
	"os"
)

// Scratch is a temporary file that is created by the first write and removed by
// Close.
type Scratch struct {
	f       *os.File
	removed bool
}

// WriteAt implements io.WriterAt.
func (s *Scratch) WriteAt(b []byte, off int64) (int, error) {
	if s.f == nil {
		err := unfinished.within(func() (err error) {
			if s.f, err = os.CreateTemp("", "perfdump-*"); err == nil {
				// On systems where an open file needs no name, even a killed
				// process leaves no file.
				s.removed = os.Remove(s.f.Name()) == nil
			}
			return err
		})
		if err != nil {
			return 0, scratchError(err)
		}
	}
	n, err := s.f.WriteAt(b, off)
	return n, scratchError(err)
}

// ReadAt implements io.ReaderAt.
func (s *Scratch) ReadAt(b []byte, off int64) (int, error) {
	if s.f == nil {
		return 0, scratchError(os.ErrNotExist)
	}
	n, err := s.f.ReadAt(b, off)
	return n, scratchError(err)
}

// Close removes the file.
func (s *Scratch) Close() error {
	if s.f == nil {
		return nil
	}
	err := s.f.Close()
	if !s.removed {
		_ = os.Remove(s.f.Name())
	}
	s.f = nil
	return scratchError(err)
}

func scratchError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w to a temporary file: %w", ErrOutput, err)
}
