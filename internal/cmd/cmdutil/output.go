package cmdutil

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
)

// ErrOutput says that the output cannot be written.
var ErrOutput = errors.New("cannot write the output")

// Output returns w with errors that a verb can tell from those of its inputs,
// and which ends the run at once when ctx is done.
func Output(ctx context.Context, w io.Writer) io.Writer { return &output{ctx: ctx, w: w} }

type output struct {
	ctx context.Context //nolint:containedctx // it is the writer's own
	w   io.Writer
}

func (o *output) Write(b []byte) (int, error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := o.w.Write(b)
	if err != nil && !errors.Is(err, ErrOutput) {
		err = fmt.Errorf("%w: %w", ErrOutput, err)
	}
	return n, err
}

// Kept is an output that keeps its first error, for what is written by those
// who do not look, such as help.
type Kept struct {
	w   io.Writer
	err error
}

// Keep returns an output to w.
func Keep(w io.Writer) *Kept { return &Kept{w: w} }

// Write writes b. What went wrong once does so again: nothing is left out in the
// middle.
func (k *Kept) Write(b []byte) (n int, err error) {
	if k.err == nil {
		n, k.err = (&output{ctx: context.Background(), w: k.w}).Write(b)
	}
	return n, k.err
}

// Err returns the error, nil where all has been written.
func (k *Kept) Err() error { return k.err }

// ClosedPipe reports whether err says that nobody reads the output any more,
// as when head has seen enough.
func ClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
