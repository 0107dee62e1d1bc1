package export

import (
	"bufio"
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/perfdump/perfdump/capture"
)

// sharded is a FrameWriter whose rows depend on their frames alone, once the
// first frame has been written: others can write the rows of later frames.
type sharded interface {
	FrameWriter
	// shard returns a writer of rows of the same output to w.
	shard(w *bufio.Writer) sharded
	// buffer is what the rows are written to.
	buffer() *bufio.Writer
	// rowCells is how many cells a row has, however few its frame has. It is 0
	// where each cell has a row of its own, so that a frame may be written in parts.
	rowCells() int
}

// parallel has workers format the rows of an output, several frames each, and
// writes these in order: the output does not depend on the number of workers. It
// takes a few megabytes for each.
type parallel struct {
	to      sharded
	begun   bool
	fill    *batch
	free    chan *batch // to be filled
	work    chan *batch // to be written by a worker
	order   chan *batch // the same, in the order of the output
	workers int
	running sync.WaitGroup
	flying  sync.WaitGroup // of the batches that are not yet written
	failed  atomic.Pointer[error]
}

// batch is some frames to be written, and then their rows.
type batch struct {
	frames []capture.Frame
	ends   []int // of each frame's cells
	cells  []capture.Cell
	size   int // of the rows, in cells
	rows   bytes.Buffer
	err    error
	ready  chan struct{}
}

const (
	// batchCells is how many cells of ordinary names make a batch: enough that
	// handing it over costs nothing, few enough to keep several in memory.
	batchCells = 4 << 10
	// maxWorkers limits the workers: one goroutine cooks what they write, and more
	// would wait for it.
	maxWorkers = 8
)

// newParallel returns a writer that has up to n workers write what w would. w must
// be new and not be used otherwise.
func newParallel(w sharded, n int) FrameWriter {
	return &parallel{to: w, workers: min(n, maxWorkers)}
}

// WriteFrame writes a frame or copies it. An error of an earlier one may be returned now.
func (p *parallel) WriteFrame(f *capture.Frame) error {
	if !p.begun {
		// What is before the rows depends on the first frame.
		p.begun = true
		return p.to.WriteFrame(f)
	}
	if err := p.failed.Load(); err != nil {
		return *err
	}
	if p.work == nil {
		p.start()
	}
	if n := max(p.to.rowCells(), len(f.Cells)); p.to.rowCells() > 0 {
		if n > batchCells {
			return p.alone(f)
		}
		p.add(f, f.Cells, n)
		return nil
	}
	for cells := f.Cells; len(cells) > 0; {
		free := batchCells
		if p.fill != nil {
			free -= p.fill.size
		}
		n, size := 0, 0
		for ; n < len(cells) && size < free; n++ {
			size += rowSize(cells[n].Series)
		}
		p.add(f, cells[:n], size)
		cells = cells[n:]
	}
	return nil
}

// rowSize is the size of a row of one cell: 1, and more where its names are long.
func rowSize(s *capture.Series) int {
	return 1 + (len(s.Host)+len(s.Object)+len(s.Parent)+len(s.Instance)+len(s.Counter))/256
}

// add adds cells of a frame, and the size of their rows, to the current batch.
func (p *parallel) add(f *capture.Frame, cells []capture.Cell, size int) {
	if p.fill == nil {
		p.fill = <-p.free
	}
	b := p.fill
	b.cells = append(b.cells, cells...)
	b.frames, b.ends = append(b.frames, *f), append(b.ends, len(b.cells))
	b.size += size
	if b.size >= batchCells {
		p.send()
	}
}

// alone writes a frame that is larger than a batch, after all batches. Copies of a
// million cells, and of their row, would take much memory.
func (p *parallel) alone(f *capture.Frame) error {
	if p.fill != nil {
		p.send()
	}
	p.flying.Wait()
	if err := p.failed.Load(); err != nil {
		return *err
	}
	return p.to.WriteFrame(f)
}

// start starts the workers and the collector.
func (p *parallel) start() {
	n := p.workers + 2
	p.free, p.work, p.order = make(chan *batch, n), make(chan *batch, n), make(chan *batch, n)
	for range n {
		p.free <- &batch{ready: make(chan struct{}, 1)}
	}
	for range p.workers {
		w := newBuffer(nil)
		s := p.to.shard(w) // here, since frames may be written to p.to later
		p.running.Go(func() { p.run(w, s) })
	}
	p.running.Go(p.collect)
}

func (p *parallel) send() {
	p.flying.Add(1)
	p.order <- p.fill
	p.work <- p.fill
	p.fill = nil
}

// run writes the rows of batches.
func (p *parallel) run(w *bufio.Writer, s sharded) {
	for b := range p.work {
		b.rows.Reset()
		w.Reset(&b.rows)
		from := 0
		for i := range b.frames {
			f := &b.frames[i]
			f.Cells, f.Tuples = b.cells[from:b.ends[i]], nil // no such format has them
			from = b.ends[i]
			if b.err == nil {
				b.err = s.WriteFrame(f)
			}
		}
		if err := w.Flush(); b.err == nil {
			b.err = err
		}
		b.ready <- struct{}{}
	}
}

// collect writes batches in their order. After an error it only drops them.
func (p *parallel) collect() {
	out := p.to.buffer()
	for b := range p.order {
		<-b.ready
		if p.failed.Load() == nil {
			err := b.err
			if _, writeErr := out.Write(b.rows.Bytes()); err == nil {
				err = writeErr
			}
			if err != nil {
				p.failed.Store(&err)
			}
		}
		b.frames, b.ends, b.cells, b.size, b.err = b.frames[:0], b.ends[:0], b.cells[:0], 0, nil
		p.free <- b
		p.flying.Done()
	}
}

// Discard ends the workers. It does nothing after Close.
func (p *parallel) Discard() {
	if p.work == nil {
		return
	}
	if p.fill != nil && len(p.fill.frames) > 0 {
		p.send()
	}
	close(p.work)
	close(p.order)
	p.running.Wait()
	p.work = nil
}

func (p *parallel) Close() error {
	p.Discard()
	if err := p.failed.Load(); err != nil {
		return *err
	}
	return p.to.Close()
}
