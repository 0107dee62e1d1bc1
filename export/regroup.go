package export

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Scratch holds what does not fit in memory. It is usually a temporary file.
type Scratch interface {
	io.ReaderAt
	io.WriterAt
}

// point is a value to be sorted.
type point struct {
	rank uint64 // of its series in the output
	when int64  // milliseconds, shifted by one; the lowest bit says that bits is an integer
	bits uint64
}

const pointSize = 24

// compare orders points by rank, those of one rank by time.
func (p *point) compare(other *point) int {
	return cmp.Or(cmp.Compare(p.rank, other.rank), cmp.Compare(p.when>>1, other.when>>1))
}

// regroup sorts points by rank and time, and keeps the order of those of one time.
// Sorted runs of a limited number of points are written to the scratch and merged
// in the end. Each point is written and read once, in sequence, and the memory is
// that of a run and a buffer for each run.
type regroup struct {
	scratch Scratch
	points  []point
	limit   int
	runs    []int64 // where each run ends
}

// runPoints is how many points a run has: 6 MiB of them. Without a scratch there may
// be four times as many.
const runPoints = 1 << 18

func newRegroup(s Scratch) regroup {
	if s == nil {
		return regroup{limit: 4 * runPoints}
	}
	return regroup{scratch: s, limit: runPoints}
}

var errNoScratch = errors.New("too many values to sort in memory, and there is no scratch file")

func (g *regroup) add(p point) error {
	if len(g.points) == g.limit {
		if g.scratch == nil {
			return fmt.Errorf("more than %d values: %w", g.limit, errNoScratch)
		}
		if err := g.spill(); err != nil {
			return err
		}
	}
	g.points = append(g.points, p)
	return nil
}

func (g *regroup) sort() {
	slices.SortStableFunc(g.points, func(a, b point) int { return a.compare(&b) })
}

// end returns where the first i runs end.
func (g *regroup) end(i int) int64 {
	if i == 0 {
		return 0
	}
	return g.runs[i-1]
}

func (g *regroup) spill() error {
	g.sort()
	start := g.end(len(g.runs))
	w := bufio.NewWriterSize(io.NewOffsetWriter(g.scratch, start), bufferSize)
	for _, p := range g.points {
		b := binary.LittleEndian.AppendUint64(w.AvailableBuffer(), p.rank)
		b = binary.LittleEndian.AppendUint64(b, uint64(p.when))
		_, _ = w.Write(binary.LittleEndian.AppendUint64(b, p.bits)) // Flush returns the error
	}
	g.runs = append(g.runs, start+int64(len(g.points))*pointSize)
	g.points = g.points[:0]
	return w.Flush()
}

// run is a sorted sequence of points that is being merged.
type run struct {
	r    *bufio.Reader // nil for the one in memory
	rest []point
	head point
	age  int
}

// next takes the next point. The error is io.EOF at the end.
func (r *run) next() error {
	if r.r == nil {
		if len(r.rest) == 0 {
			return io.EOF
		}
		r.head, r.rest = r.rest[0], r.rest[1:]
		return nil
	}
	var b [pointSize]byte
	_, err := io.ReadFull(r.r, b[:])
	r.head = point{binary.LittleEndian.Uint64(b[:]), int64(binary.LittleEndian.Uint64(b[8:])), binary.LittleEndian.Uint64(b[16:])}
	return err
}

// runs is a heap of runs by the ranks and times of their points, then by age.
type runs []*run

func (h runs) Len() int      { return len(h) }
func (h runs) Swap(i, k int) { h[i], h[k] = h[k], h[i] }
func (h runs) Less(i, k int) bool {
	return cmp.Or(h[i].head.compare(&h[k].head), cmp.Compare(h[i].age, h[k].age)) < 0
}
func (h *runs) Push(x any) { *h = append(*h, x.(*run)) }
func (h *runs) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func (g *regroup) merge(f func(point) error) error {
	g.sort()
	all := []*run{{rest: g.points, age: len(g.runs)}}
	size := min(max(runPoints*pointSize/max(len(g.runs), 1), 4<<10), 1<<20)
	for i := range g.runs {
		section := io.NewSectionReader(g.scratch, g.end(i), g.end(i+1)-g.end(i))
		all = append(all, &run{r: bufio.NewReaderSize(section, size), age: i})
	}
	var h runs
	for _, r := range all {
		if err := r.next(); err == nil {
			heap.Push(&h, r)
		} else if !errors.Is(err, io.EOF) {
			return err
		}
	}
	for len(h) > 0 {
		if err := f(h[0].head); err != nil {
			return err
		}
		switch err := h[0].next(); {
		case errors.Is(err, io.EOF):
			heap.Pop(&h)
		case err != nil:
			return err
		default:
			heap.Fix(&h, 0)
		}
	}
	return nil
}
