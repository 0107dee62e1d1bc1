package cmdutil

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/pdhpath"
)

// ErrOutput says that the output cannot be written.
var ErrOutput = errors.New("cannot write the output")

// Output returns w with errors that a verb can distinguish from those of its inputs,
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

// ClosedPipe reports whether err says that the reader of the output has gone,
// as when head has seen enough.
func ClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// outputs returns those of package export, and parquet.
func outputs() []export.Output {
	return append(export.Outputs(), export.Output{Name: "parquet", Columns: true})
}

// Outputs returns the names of the outputs that do something, and further ones.
func Outputs(do func(export.Output) bool, further ...string) []string {
	var names []string
	for _, o := range outputs() {
		if do(o) {
			names = append(names, o.Name)
		}
	}
	return append(names, further...)
}

// OutputOf returns the output of a name; for one that package export does not have
// it can do nothing.
func OutputOf(name string) export.Output {
	for _, o := range outputs() {
		if o.Name == name {
			return o
		}
	}
	return export.Output{Name: name}
}

// LeftOut says what the writer of an output has left out: its form cannot hold
// all that a capture may have.
func (f *Factory) LeftOut(output string, w any) {
	for _, o := range export.Omissions(w) {
		f.Note("%s: %s %s", output, table.Plural(o.Count, o.Noun), o.Text)
	}
}

// Untranslated says how many counters keep their names although English ones are
// asked for.
func (f *Factory) Untranslated(names *capture.Names) {
	if n, object, counter := names.Untranslated(); n > 0 {
		f.Note("--english: %s left as recorded, no English name is known (first: %s); --titles and --english-titles give more names",
			table.Plural(n, "counter"), cell.Clean(pdhpath.Path{Object: object, Counter: counter}.String()))
	}
}
