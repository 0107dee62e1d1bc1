package wire

import (
	"errors"

	"github.com/perfdump/perfdump"
)

// AsFormatError returns the FormatError that err is or wraps, else err as one of
// code io.
func AsFormatError(err error) *perfdump.FormatError {
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) {
		fe = &perfdump.FormatError{Code: perfdump.CodeIO, Off: -1, Err: err}
	}
	return fe
}
