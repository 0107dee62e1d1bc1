package perfdata

import (
	"iter"

	"github.com/perfdump/perfdump"
)

// fault is an error of a block. It is compact, since in salvage mode each of very many
// objects may have one: its texts are formatted on request.
type fault struct {
	code perfdump.Code
	off  int64
	path perfdump.Path
	text string // a format, with args
	args [3]int64
	n    int8 // how many args
	cut  bool // the input ends before its declared end
	wine bool // the objects may be where Wine writes them
}

// err returns the fault as an error, or nil.
func (f *fault) err() error {
	if f == nil {
		return nil
	}
	return f.format()
}

func (f *fault) format() *perfdump.FormatError {
	var args [len(f.args)]any
	for i := range f.args {
		args[i] = f.args[i]
	}
	err := perfdump.NewError(f.code, f.off, f.path, f.text, args[:f.n]...)
	if f.cut {
		err = err.Truncated()
	}
	if f.wine {
		err.Err = wrapWine(err.Err)
	}
	return err
}

// NumFaults returns how many errors salvage mode skipped. In the other modes
// there are none.
func (b *Block) NumFaults() int { return len(b.faults) }

// Fault returns the error at position i of [Block.Faults], newly made by each call.
func (b *Block) Fault(i int) *perfdump.FormatError { return b.faults[i].format() }

// Faults yields the errors that salvage mode skipped, in the order of the
// block. Each is made when it is yielded: there may be one for each object.
func (b *Block) Faults() iter.Seq[*perfdump.FormatError] {
	faults := b.faults
	return func(yield func(*perfdump.FormatError) bool) {
		for _, f := range faults {
			if !yield(f.format()) {
				return
			}
		}
	}
}

// fail returns a fault at an offset in the block.
func (d *Decoder) fail(code perfdump.Code, off int, path perfdump.Path, text string, args ...int64) *fault {
	f := &fault{code: code, off: d.block.base + int64(off), path: path, text: text}
	f.n = int8(copy(f.args[:], args))
	return f
}

// cutFail is fail for a fault at the end of the block's bytes, which a truncated file
// causes.
func (d *Decoder) cutFail(code perfdump.Code, off int, path perfdump.Path, text string, args ...int64) *fault {
	f := d.fail(code, off, path, text, args...)
	f.cut = d.cut
	return f
}
