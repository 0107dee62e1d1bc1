package cmdutil

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"
)

// ErrTooLarge says that the output is more than --max-output allows.
var ErrTooLarge = errors.New("the output is too large")

// The limit without --max-output is the larger of these.
const (
	minOutput = 256 << 20
	maxGrowth = 1000 // times the inputs
)

// Budget bounds what a run writes. A text log of a megabyte can have 30,000
// columns and as many rows. A nil Budget allows everything.
type Budget struct {
	Shape   string // what the output would be, such as "30000 rows x 30000 columns"
	max     int64  // of --max-output, 0 for what the inputs allow
	read    atomic.Int64
	written atomic.Int64 // some outputs are written by another goroutine
	over    atomic.Bool
}

// Read counts the bytes of an input.
func (b *Budget) Read(n int64) {
	if b != nil {
		b.read.Add(n)
	}
}

// limit returns how much may be written, 0 for any amount: a run without inputs
// writes only built-in tables.
func (b *Budget) limit() int64 {
	read := b.read.Load()
	if b.max > 0 || read == 0 {
		return b.max
	}
	return max(minOutput, maxGrowth*read)
}

// Err returns the error of an output that is too large, nil for others.
func (b *Budget) Err() error {
	if b == nil || !b.over.Load() {
		return nil
	}
	size := fmt.Sprintf("more than %d MiB and more than %d times the input", int64(minOutput>>20), maxGrowth)
	if b.max > 0 {
		size = fmt.Sprintf("more than the %d bytes of --max-output", b.max)
	}
	if b.Shape != "" {
		size += ": " + b.Shape
	}
	return fmt.Errorf("%w: %s; --max-output SIZE allows more", ErrTooLarge, size)
}

// Writer returns a writer to w that ends with ErrTooLarge.
func (b *Budget) Writer(w io.Writer) io.Writer {
	if b == nil {
		return w
	}
	return &bounded{w: w, budget: b}
}

type bounded struct {
	w      io.Writer
	budget *Budget
}

func (o *bounded) Write(p []byte) (int, error) {
	b := o.budget
	written := b.written.Add(int64(len(p)))
	if limit := b.limit(); limit > 0 && written > limit {
		b.over.Store(true)
		return 0, ErrTooLarge
	}
	return o.w.Write(p)
}
