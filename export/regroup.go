package export

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/perfdump/perfdump/internal/paged"
)

// Scratch holds what does not fit in memory. It is usually a temporary file.
type Scratch interface {
	io.ReaderAt
	io.WriterAt
}

// sample is a value of a series that is to be sorted.
type sample struct {
	when int64 // milliseconds, shifted by one; the lowest bit says that bits is an integer
	bits uint64
}

func (s sample) time() int64 { return s.when >> 1 }

// timed reports whether there is a time.
func (s sample) timed() bool { return s.when&^1 != math.MinInt64 }

// regroup puts the samples of each series together, in the order of their times,
// those of one time in the order in which they came. Sorted runs of a limited
// number of samples are written to the scratch and merged in the end. Each sample is
// written and read once, in sequence, and the memory is that of two runs.
type regroup struct {
	scratch Scratch
	order   iter.Seq[int32] // the IDs of all series; new ones may come between others
	limit   int
	last    *samples   // the run that is being filled
	spare   *samples   // another one, nil while it is being written
	runs    []int64    // where each run ends
	writing chan error // receives when that is done; nil if none is being written
}

// samples is a run of samples.
type samples struct {
	ids    []int32 // of the series
	all    []sample
	sorted []int32            // positions, in their order
	ends   paged.Slice[int32] // by ID: how many there are, or where they end in sorted
}

const (
	// runSamples is how many samples a run has: 3 MiB of them, with their series and
	// order. Without a scratch there may be eight times as many.
	runSamples = 1 << 17
	sampleSize = 16
	headSize   = 8 // of a series in a run: its ID and the number of samples
)

func newRegroup(s Scratch, order iter.Seq[int32]) regroup {
	g := regroup{scratch: s, order: order, limit: 8 * runSamples, last: &samples{}, spare: &samples{}}
	if s != nil {
		g.limit = runSamples
	}
	return g
}

var errNoScratch = errors.New("too many values to sort in memory, and there is no scratch file")

func (g *regroup) add(id int, s sample) error {
	if len(g.last.all) == g.limit {
		if g.scratch == nil {
			return fmt.Errorf("more than %d values: %w", g.limit, errNoScratch)
		}
		if err := g.spill(); err != nil {
			return err
		}
	}
	g.last.add(id, s, g.limit)
	return nil
}

func (r *samples) add(id int, s sample, limit int) {
	if n := len(r.all); n == cap(r.all) {
		more := min(max(n, 1<<12), limit-n) // append would copy more often
		r.ids, r.all = slices.Grow(r.ids, more), slices.Grow(r.all, more)
	}
	*r.ends.At(id)++
	r.ids, r.all = append(r.ids, int32(id)), append(r.all, s)
}

// sort sorts by counting, since the order of series is known.
func (r *samples) sort(order iter.Seq[int32]) {
	next := int32(0)
	for id := range order {
		if end := r.ends.Find(int(id)); end != nil {
			n := *end
			*end = next
			next += n
		}
	}
	r.sorted = slices.Grow(r.sorted[:0], len(r.ids))[:len(r.ids)]
	for i, id := range r.ids {
		end := r.ends.At(int(id))
		r.sorted[*end] = int32(i)
		*end++
	}
	byTime := func(a, b int32) int { return cmp.Compare(r.all[a].time(), r.all[b].time()) }
	for _, of := range r.each(order) {
		if !slices.IsSortedFunc(of, byTime) {
			slices.SortStableFunc(of, byTime)
		}
	}
}

// each yields the positions of the samples of each series, once they are sorted.
func (r *samples) each(order iter.Seq[int32]) iter.Seq2[int32, []int32] {
	return func(yield func(int32, []int32) bool) {
		from := int32(0)
		for id := range order {
			end := r.ends.Find(int(id))
			if end == nil || *end == from {
				continue
			}
			of := r.sorted[from:*end]
			from = *end
			if !yield(id, of) {
				return
			}
		}
	}
}

// write writes sorted samples, and returns how many bytes these are.
func (r *samples) write(w io.Writer, order iter.Seq[int32]) (n int64, err error) {
	b := make([]byte, 0, bufferSize+headSize+sampleSize)
	flush := func() {
		if err == nil {
			_, err = w.Write(b)
			n += int64(len(b))
		}
		b = b[:0]
	}
	for id, of := range r.each(order) {
		b = binary.LittleEndian.AppendUint32(b, uint32(id))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(of)))
		for _, i := range of {
			s := &r.all[i]
			b = binary.LittleEndian.AppendUint64(b, uint64(s.when))
			if b = binary.LittleEndian.AppendUint64(b, s.bits); len(b) >= bufferSize {
				flush()
			}
		}
	}
	flush()
	return n, err
}

func (r *samples) reset() {
	for _, end := range r.ends.All() {
		*end = 0
	}
	r.ids, r.all = r.ids[:0], r.all[:0]
}

// end returns where the first i runs end.
func (g *regroup) end(i int) int64 {
	if i == 0 {
		return 0
	}
	return g.runs[i-1]
}

// spill writes the run while the next one is filled.
func (g *regroup) spill() error {
	if err := g.wait(); err != nil {
		return err
	}
	full, order := g.last, slices.Values(slices.Collect(g.order))
	g.last, g.spare, g.writing = g.spare, full, make(chan error, 1)
	go func(done chan<- error) {
		start := g.end(len(g.runs))
		full.sort(order)
		n, err := full.write(io.NewOffsetWriter(g.scratch, start), order)
		g.runs = append(g.runs, start+n)
		full.reset()
		done <- err
	}(g.writing)
	return nil
}

// wait waits until no run is being written.
func (g *regroup) wait() error {
	if g.writing == nil {
		return nil
	}
	err := <-g.writing
	g.writing = nil
	return err
}
