// Package room bounds what is kept of an input beside its bytes.
package room

import (
	"fmt"

	"github.com/perfdump/perfdump"
)

// least is the room that there is for the smallest input.
const least = 64 << 20

// Room is what there is for the series of an input and what outputs keep of
// them: 64 MiB and four times its size. A block has a series in as little as a
// byte, so they have to be counted.
type Room struct {
	Size int64 // of the input
	used int64
}

// Take takes some of the room. It is false where there is not enough left.
func (r *Room) Take(bytes int) bool {
	r.used += int64(bytes)
	return !r.Over()
}

// Over reports whether more was taken than there is.
func (r *Room) Over() bool { return r.used > least+4*r.Size }

// Err says that so many series were too many, nil where there was room.
func (r *Room) Err(series int) error {
	if !r.Over() {
		return nil
	}
	return TooMany("%d counters of instances are more than %d MB of input have room for", series, r.Size>>20)
}

// TooManyError is what [TooMany] has as its cause.
type TooManyError struct{ text string }

func (e *TooManyError) Error() string { return e.text + "; choose some by their paths" }

// Unwrap makes it one of [perfdump.ErrLimit].
func (*TooManyError) Unwrap() error { return perfdump.ErrLimit }

// TooMany returns an error of code limit, which says what is too much and that a
// filter helps.
func TooMany(format string, args ...any) error {
	return &perfdump.FormatError{Code: perfdump.CodeLimit, Off: -1, Err: &TooManyError{fmt.Sprintf(format, args...)}}
}
