package cmdutil

import (
	"fmt"
	"os"
)

// Scratch is a temporary file that is made once something is put in it, and
// is gone when it is closed.
type Scratch struct {
	f       *os.File
	removed bool
}

// WriteAt puts b at off.
func (s *Scratch) WriteAt(b []byte, off int64) (int, error) {
	if s.f == nil {
		err := unfinished.within(func() (err error) {
			if s.f, err = os.CreateTemp("", "perfdump-*"); err == nil {
				// Where an open file can do without its name, nothing is left behind
				// even by a process that is killed.
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

// ReadAt reads what was put at off.
func (s *Scratch) ReadAt(b []byte, off int64) (int, error) {
	if s.f == nil {
		return 0, scratchError(os.ErrNotExist)
	}
	n, err := s.f.ReadAt(b, off)
	return n, scratchError(err)
}

// Close lets go of the file.
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
