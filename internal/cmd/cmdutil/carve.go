package cmdutil

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/perfdump/perfdump/carve"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/ipcblock"
)

// inputs yields the inputs of a run: the files, or, for the format carve, the
// blocks and the tables of IPC control blocks that are found in them. What is
// found is named FILE@OFFSET, and offsets in it count from its start.
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

// find is something that carving has found.
type find struct {
	off, size int64
	format    detect.Format
	block     carve.Found // of perfdata
}

// carved yields what is in one file, in the order of the offsets. What the end
// of the file has cut off is told and not read.
func (i *Inputs) carved(ctx context.Context, f *Factory, file *detect.File, yield func(*detect.Input, error) bool) bool {
	r := &readerAt{ctx: ctx, r: file, name: FileName(file.Name), size: file.Size(), progress: f.Progress}
	found := 0
	if file.Size() == 0 {
		return yield(&detect.Input{Name: file.Name}, Empty())
	}
	for one, err := range inOrder(carvedBlocks(r, file.Size()), carvedTables(r, file.Size())) {
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
		if one.block.Partial {
			f.Note("%s: at 0x%x the first 0x%x bytes of a block of %q, cut by the end of the file; not read", file.Name, one.off, one.size, one.block.Host)
			continue
		}
		in := &detect.Input{Name: fmt.Sprintf("%s@0x%x", file.Name, one.off), Format: one.format, Data: make([]byte, one.size)}
		_, err := file.ReadAt(in.Data, one.off)
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

func carvedBlocks(r io.ReaderAt, size int64) iter.Seq2[find, error] {
	return func(yield func(find, error) bool) {
		for b, err := range carve.Scan(r, size) {
			if !yield(find{off: b.Offset, size: b.Length, format: detect.PerfData, block: b}, err) {
				return
			}
		}
	}
}

func carvedTables(r io.ReaderAt, size int64) iter.Seq2[find, error] {
	return func(yield func(find, error) bool) {
		for c, err := range ipcblock.Scan(r, size, ipcblock.FindOptions{Anywhere: true}) {
			if !yield(find{off: c.Offset, size: int64(c.Size), format: detect.IPCBlock}, err) {
				return
			}
		}
	}
}

// inOrder puts two sequences together, by offset. An error comes when it is
// met.
func inOrder(a, b iter.Seq2[find, error]) iter.Seq2[find, error] {
	return func(yield func(find, error) bool) {
		nextA, stopA := iter.Pull2(a)
		defer stopA()
		nextB, stopB := iter.Pull2(b)
		defer stopB()
		x, errX, okX := nextA()
		y, errY, okY := nextB()
		for okX || okY {
			if okX && (!okY || errX != nil || errY == nil && x.off <= y.off) {
				if !yield(x, errX) {
					return
				}
				x, errX, okX = nextA()
				continue
			}
			if !yield(y, errY) {
				return
			}
			y, errY, okY = nextB()
		}
	}
}
