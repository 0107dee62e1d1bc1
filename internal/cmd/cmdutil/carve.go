package cmdutil

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/perfdump/perfdump/carve"
	"github.com/perfdump/perfdump/detect"
)

// inputs yields the inputs of a run: the files, or, for the format carve, the
// blocks that are found in them. Such a block is named FILE@OFFSET, and offsets
// in it count from its start.
func (i *Inputs) inputs(ctx context.Context, f *Factory, args []string, o detect.Options) iter.Seq2[*detect.Input, error] {
	if o.Format != detect.Carve {
		return detect.Walk(args, o)
	}
	return func(yield func(*detect.Input, error) bool) {
		for file, err := range detect.WalkAt(args, o) {
			if err != nil {
				if !yield(&detect.Input{Name: file.Name}, err) {
					return
				}
				continue
			}
			more := i.carved(ctx, f, file, yield)
			_ = file.Close()
			if !more {
				return
			}
		}
	}
}

// carved yields the blocks of one file. What the end of the file has cut off
// is told and not read.
func (i *Inputs) carved(ctx context.Context, f *Factory, file *detect.File, yield func(*detect.Input, error) bool) bool {
	found := 0
	for block, err := range carve.Scan(file, file.Size()) {
		if ctx.Err() != nil {
			return false
		}
		if err != nil {
			return yield(&detect.Input{Name: file.Name}, err)
		}
		found++
		if block.Partial {
			f.Note("%s: at 0x%x the first 0x%x bytes of a block of %q, cut by the end of the file; not read", file.Name, block.Offset, block.Length, block.Host)
			continue
		}
		in := &detect.Input{Name: fmt.Sprintf("%s@0x%x", file.Name, block.Offset), Format: detect.PerfData, Data: make([]byte, block.Length)}
		_, err := file.ReadAt(in.Data, block.Offset)
		if err == io.EOF { //nolint:errorlint // ReadAt's own, at the end of the file
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
