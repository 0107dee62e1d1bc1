package cmdutil

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/detect"
)

// inputs yields the inputs of a run: the files, or what is found in them if the
// format searches files. A find is named FILE@OFFSET, and its offsets count from
// its own start.
func (i *Inputs) inputs(ctx context.Context, f *Factory, args []string, o detect.Options) iter.Seq2[*detect.Input, error] {
	if !formats.Of(o.Format).Search {
		return detect.Walk(args, o)
	}
	return func(yield func(*detect.Input, error) bool) {
		for file, err := range detect.Walk(args, o) {
			if err != nil {
				if !yield(file, err) {
					return
				}
			} else if !i.carved(ctx, f, file, yield) {
				return
			}
		}
	}
}

// carved yields the finds in one file, in order of offset. It reports those that
// the end of the file cuts off.
func (i *Inputs) carved(ctx context.Context, f *Factory, file *detect.Input, yield func(*detect.Input, error) bool) bool {
	r := newReaderAt(ctx, file, f.Progress)
	found := 0
	if file.Size() == 0 {
		return yield(&detect.Input{Name: file.Name}, Empty())
	}
	for one, err := range formats.Carve(r, file.Size()) {
		if ctx.Err() != nil {
			return false
		}
		if err != nil {
			if !yield(&detect.Input{Name: file.Name}, err) {
				return false
			}
			continue
		}
		found++
		if one.Partial {
			f.Note("%s: at 0x%x the first 0x%x bytes of a block of %q, cut by the end of the file; not read", file.Name, one.Offset, one.Size, one.Host)
			continue
		}
		in := &detect.Input{Name: fmt.Sprintf("%s@0x%x", file.Name, one.Offset), Format: one.Format, Data: make([]byte, one.Size)}
		_, err := file.At.ReadAt(in.Data, one.Offset)
		if err == io.EOF {
			err = nil
		}
		if !yield(in, err) {
			return false
		}
	}
	if found == 0 {
		f.Note("%s: no blocks found in %d bytes", file.Name, file.Size())
	}
	return true
}
