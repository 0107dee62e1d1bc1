// Package budget bounds what is kept of an input in addition to its bytes.
package budget

import (
	"fmt"

	"github.com/perfdump/perfdump"
)

// minimum is the budget of the smallest input.
const minimum = 64 << 20

// Budget is the memory for the series of an input and for what outputs keep of
// them: 64 MiB and four times its size. A block can hold a series in a single
// byte, so they have to be counted.
type Budget struct {
	Size int64 // of the input
	used int64
}

// Take uses some of the budget. It is false where not enough is left.
func (b *Budget) Take(bytes int) bool {
	b.used += int64(bytes)
	return !b.Over()
}

// Over reports whether the budget is exceeded.
func (b *Budget) Over() bool { return b.used > minimum+4*b.Size }

// Err returns the error of a budget that so many series exceed, nil for one that is
// not exceeded.
func (b *Budget) Err(series int) error {
	if !b.Over() {
		return nil
	}
	return TooMany("%d counters of instances exceed the memory limit of %d MB of input", series, b.Size>>20)
}

// TooManyError is the cause of the errors of [TooMany].
type TooManyError struct{ text string }

func (e *TooManyError) Error() string { return e.text + "; choose some by their paths" }

// Unwrap makes it one of [perfdump.ErrLimit].
func (*TooManyError) Unwrap() error { return perfdump.ErrLimit }

// TooMany returns an error of code limit, which says what is too much and that a
// filter helps.
func TooMany(format string, args ...any) error {
	return &perfdump.FormatError{Code: perfdump.CodeLimit, Off: -1, Err: &TooManyError{fmt.Sprintf(format, args...)}}
}
