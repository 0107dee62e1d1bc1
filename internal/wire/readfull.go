package wire

import (
	"errors"
	"io"

	"github.com/perfdump/perfdump"
)

// ReadFull fills p from off on. The error is of code "io"; a reader that ends
// before the size it was opened with is one whose file has shrunk.
func ReadFull(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &perfdump.FormatError{Code: perfdump.CodeIO, Off: off + int64(n), Err: err}
}
