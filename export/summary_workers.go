package export

import (
	"sync"
	"sync/atomic"

	"github.com/perfdump/perfdump/capture"
)

// summers are workers that add up cells. Each adds those of some series, so that the
// values of a series come in their order: the summaries do not depend on the number of
// workers.
type summers struct {
	all     *summaries
	fill    *cells
	free    chan *cells
	work    []chan *cells // of each worker
	running sync.WaitGroup
}

// cells are those of some frames.
type cells struct {
	all    []capture.Cell
	frames []int // their numbers
	ends   []int // of each frame's cells
	to     kept
	left   atomic.Int32 // workers that are not done with them
}

// sharedSeries is how many series with adjacent IDs one worker has: fewer would make
// the workers write to the same lines of the processors' caches.
const sharedSeries = 64

func newSummers(all *summaries, n int) *summers {
	n = min(n, maxWorkers)
	w := &summers{all: all, free: make(chan *cells, n+2)}
	for range n + 2 {
		w.free <- &cells{}
	}
	for i := range n {
		work := make(chan *cells, n+2)
		w.work = append(w.work, work)
		w.running.Go(func() {
			for c := range work {
				w.sum(c, i)
			}
		})
	}
	return w
}

// sum adds the cells of a worker's series.
func (w *summers) sum(b *cells, worker int) {
	from := 0
	for i, end := range b.ends {
		for k := from; k < end; k++ {
			c := &b.all[k]
			if c.Series.ID/sharedSeries%len(w.work) == worker {
				w.all.addCell(&b.to, c, b.frames[i])
			}
		}
		from = end
	}
	if b.left.Add(-1) == 0 {
		w.free <- b
	}
}

// add has the cells of a frame added up.
func (w *summers) add(f *capture.Frame) {
	w.all.begin(f)
	for rest := f.Cells; len(rest) > 0; {
		if w.fill == nil {
			w.fill = <-w.free
			w.fill.all, w.fill.frames, w.fill.ends = w.fill.all[:0], w.fill.frames[:0], w.fill.ends[:0]
		}
		b := w.fill
		n := min(len(rest), batchCells-len(b.all))
		for i := range rest[:n] {
			c := &rest[i]
			if w.all.drop != nil && w.all.drop(c.Series) {
				continue
			}
			w.all.reserve(c.Series) // here, since workers must not make pages
			b.all = append(b.all, *c)
		}
		rest = rest[n:]
		b.frames, b.ends = append(b.frames, w.all.frames-1), append(b.ends, len(b.all))
		if len(rest) > 0 || len(b.all) == batchCells {
			w.send()
		}
	}
}

func (w *summers) send() {
	b := w.fill
	if b == nil {
		return
	}
	b.to = w.all.apart()
	b.left.Store(int32(len(w.work)))
	w.fill = nil
	for _, work := range w.work {
		work <- b
	}
}

// end ends the workers, after what they have to add.
func (w *summers) end() {
	w.send()
	for _, work := range w.work {
		close(work)
	}
	w.running.Wait()
}
