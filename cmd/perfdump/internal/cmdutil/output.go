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

// Output returns a writer to w whose errors are [ErrOutput], unlike those of
// inputs. It fails once ctx is done.
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

// Kept is an output that keeps its first error, for writers that ignore errors,
// such as help.
type Kept struct {
	w   io.Writer
	err error
}

// Keep returns an output to w.
func Keep(w io.Writer) *Kept { return &Kept{w: w} }

// Write writes b. After an error it fails again, so that nothing is missing in
// the middle.
func (k *Kept) Write(b []byte) (n int, err error) {
	if k.err == nil {
		n, k.err = (&output{ctx: context.Background(), w: k.w}).Write(b)
	}
	return n, k.err
}

// Err returns the error, nil if all has been written.
func (k *Kept) Err() error { return k.err }

// ClosedPipe reports whether err says that the reader of the output has gone,
// as when head has seen enough.
func ClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// outputs returns the outputs of package export, and parquet.
func outputs() []export.Output {
	return append(export.Outputs(), export.Output{Name: "parquet", Columns: true})
}

// Outputs returns the names of the outputs for which do is true, then the others.
func Outputs(do func(export.Output) bool, further ...string) []string {
	var names []string
	for _, o := range outputs() {
		if do(o) {
			names = append(names, o.Name)
		}
	}
	return append(names, further...)
}

// OutputOf returns the output of a name. One that package export does not have
// has only the name.
func OutputOf(name string) export.Output {
	for _, o := range outputs() {
		if o.Name == name {
			return o
		}
	}
	return export.Output{Name: name}
}

// LeftOut reports what an output omits, since its format cannot hold everything.
func (f *Factory) LeftOut(output string, w any) {
	for _, o := range export.Omissions(w) {
		f.Note("%s: %s %s", output, table.Plural(o.Count, o.Noun), o.Text)
	}
}

// NoteUnnamed reports how many title indexes have no name.
func (f *Factory) NoteUnnamed(names *capture.Names, n int) {
	switch {
	case n == 0:
	case names.BuiltIn():
		f.Note("%s no name in the built-in table: shown as numbers; --titles FILE gives the names", Has(n, "index", "indexes"))
	default:
		f.Note("%s no name in the given titles: shown as numbers", Has(n, "index", "indexes"))
	}
}

// Untranslated reports how many counters have no English name although --english
// is given.
func (f *Factory) Untranslated(names *capture.Names) {
	if n, object, counter := names.Untranslated(); n > 0 {
		f.Note("--english: %s left as recorded, no English name is known (first: %s); --titles and --english-titles give more names",
			table.Plural(n, "counter"), cell.Clean(pdhpath.Path{Object: object, Counter: counter}.String()))
	}
}
