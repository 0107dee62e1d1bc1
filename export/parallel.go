package export

import (
	"bufio"

	"github.com/perfdump/perfdump/capture"
)

// sharded is a FrameWriter whose rows depend on their frames alone, once the
// first frame has been written: others can write the rows of later frames.
type sharded interface {
	FrameWriter
	// shard returns a function that appends the rows of a frame.
	shard() func(dst []byte, f *capture.Frame) ([]byte, error)
	// buffer is what the rows are written to.
	buffer() *bufio.Writer
	// rowCells is how many cells a row has, however few its frame has. It is 0
	// where each cell has a row of its own, so that a frame may be written in parts.
	rowCells() int
}

// parallel has workers format the rows of an output, several frames each. It takes a
// few megabytes for each.
type parallel struct {
	to    sharded
	crew  *crew[batch]
	begun bool
	ended bool
	fill  *task[batch]
}

// batch is some frames to be written.
type batch struct {
	frames []capture.Frame
	ends   []int // of each frame's cells
	cells  []capture.Cell
	size   int // of the rows, in cells
}

// batchCells is how many cells of ordinary names make a batch: enough that handing it
// over costs nothing, few enough to keep several in memory.
const batchCells = 4 << 10

// newParallel returns a writer that has up to n workers write what w would. w must
// be new and not be used otherwise.
func newParallel(w sharded, n int) FrameWriter {
	return &parallel{to: w, crew: newCrew(w.buffer(), n, func() func(*batch, []byte) ([]byte, error) {
		shard := w.shard()
		return func(b *batch, dst []byte) ([]byte, error) { return b.append(dst, shard) }
	})}
}

// WriteFrame writes a frame or copies it. An error of an earlier one may be returned now.
func (p *parallel) WriteFrame(f *capture.Frame) error {
	if !p.begun {
		// What is before the rows depends on the first frame.
		p.begun = true
		return p.to.WriteFrame(f)
	}
	if err := p.crew.err(); err != nil {
		return err
	}
	if n := max(p.to.rowCells(), len(f.Cells)); p.to.rowCells() > 0 {
		if n > batchCells {
			return p.alone(f)
		}
		return p.add(f, f.Cells, n)
	}
	for cells := f.Cells; len(cells) > 0; {
		free := batchCells
		if p.fill != nil {
			free -= p.fill.of.size
		}
		n, size := 0, 0
		for ; n < len(cells) && size < free; n++ {
			size += rowSize(cells[n].Series)
		}
		if err := p.add(f, cells[:n], size); err != nil {
			return err
		}
		cells = cells[n:]
	}
	return nil
}

// rowSize is the size of a row of one cell: 1, and more where its names are long.
func rowSize(s *capture.Series) int {
	return 1 + (len(s.Host)+len(s.Object)+len(s.Parent)+len(s.Instance)+len(s.Counter))/256
}

// add adds cells of a frame, and the size of their rows, to the current batch.
func (p *parallel) add(f *capture.Frame, cells []capture.Cell, size int) error {
	if p.fill == nil {
		p.fill = p.crew.get()
		b := &p.fill.of
		b.frames, b.ends, b.cells, b.size = b.frames[:0], b.ends[:0], b.cells[:0], 0
	}
	b := &p.fill.of
	b.cells = append(b.cells, cells...)
	b.frames, b.ends = append(b.frames, *f), append(b.ends, len(b.cells))
	b.size += size
	if b.size >= batchCells {
		return p.send()
	}
	return nil
}

// alone writes a frame that is larger than a batch, after all batches. Copies of a
// million cells, and of their row, would take much memory.
func (p *parallel) alone(f *capture.Frame) error {
	if err := p.send(); err != nil {
		return err
	}
	if err := p.crew.wait(); err != nil {
		return err
	}
	return p.to.WriteFrame(f)
}

// send sends the current batch, if there is one.
func (p *parallel) send() error {
	if p.fill == nil {
		return nil
	}
	t := p.fill
	p.fill = nil
	return p.crew.send(t)
}

// append appends the rows of a batch.
func (b *batch) append(dst []byte, shard func([]byte, *capture.Frame) ([]byte, error)) (rows []byte, err error) {
	from := 0
	for i := range b.frames {
		f := &b.frames[i]
		f.Cells, f.Tuples = b.cells[from:b.ends[i]], nil // no such format has them
		from = b.ends[i]
		if dst, err = shard(dst, f); err != nil {
			break
		}
	}
	return dst, err
}

// Discard ends the workers. It does nothing after Close.
func (p *parallel) Discard() {
	if !p.ended {
		p.ended = true
		_ = p.send()
		_ = p.crew.end()
	}
}

func (p *parallel) Close() error {
	p.Discard()
	if err := p.crew.err(); err != nil {
		return err
	}
	return p.to.Close()
}
