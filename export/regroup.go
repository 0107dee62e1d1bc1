package export

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Scratch is a place for what does not fit the memory, such as a temporary
// file. What was written at an offset is read from there again.
type Scratch interface {
	io.ReaderAt
	io.WriterAt
}

// point is a value that waits for those that stand beside it.
type point struct {
	rank uint64 // of its series in the output
	when int64  // milliseconds, shifted by one; the lowest bit says that bits is an integer
	bits uint64
}

const pointSize = 24

// at is the time of a point, in milliseconds.
func (p *point) at() int64 { return p.when >> 1 }

// compare orders points by rank, those of one rank by time.
func (p *point) compare(other *point) int {
	if p.rank != other.rank {
		return cmp.Compare(p.rank, other.rank)
	}
	return cmp.Compare(p.at(), other.at())
}

// regroup sorts points by rank and time and keeps those of one time in their order.
// They are collected up to a limit, sorted and written to the scratch as a
// run; in the end the runs are merged. So each point is written and read once,
// one after the other, whatever the number of series, and the memory stays the
// same: that of a run, and a buffer for each of them.
type regroup struct {
	scratch Scratch
	points  []point
	limit   int
	runs    []int64 // where each run ends
}

// runPoints is how many points a run holds: 6 MiB of them. There may be four
// times as many where there is no scratch.
const runPoints = 1 << 18

func newRegroup(s Scratch) regroup {
	if s == nil {
		return regroup{limit: 4 * runPoints}
	}
	return regroup{scratch: s, limit: runPoints}
}

// errNoScratch tells that the output needs a temporary file.
var errNoScratch = errors.New("too many values to put in order in memory, and no scratch file was given")

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

func (g *regroup) spill() error {
	g.sort()
	start := int64(0)
	if n := len(g.runs); n > 0 {
		start = g.runs[n-1]
	}
	w := bufio.NewWriterSize(io.NewOffsetWriter(g.scratch, start), bufferSize)
	var b [pointSize]byte
	for _, p := range g.points {
		binary.LittleEndian.PutUint64(b[:], p.rank)
		binary.LittleEndian.PutUint64(b[8:], uint64(p.when))
		binary.LittleEndian.PutUint64(b[16:], p.bits)
		if _, err := w.Write(b[:]); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	g.runs = append(g.runs, start+int64(len(g.points))*pointSize)
	g.points = g.points[:0]
	return nil
}

// run is a sorted sequence of points that is being merged.
type run struct {
	r     *bufio.Reader // nil for the one in memory
	rest  []point
	head  point
	index int
}

func (r *run) next() (bool, error) {
	if r.r == nil {
		if len(r.rest) == 0 {
			return false, nil
		}
		r.head, r.rest = r.rest[0], r.rest[1:]
		return true, nil
	}
	var b [pointSize]byte
	if _, err := io.ReadFull(r.r, b[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		return false, err
	}
	r.head = point{binary.LittleEndian.Uint64(b[:]), int64(binary.LittleEndian.Uint64(b[8:])), binary.LittleEndian.Uint64(b[16:])}
	return true, nil
}

// merge calls f with all points in order.
func (g *regroup) merge(f func(point) error) error {
	g.sort()
	var heap []*run
	push := func(r *run) error {
		ok, err := r.next()
		if ok {
			heap = append(heap, r)
		}
		return err
	}
	start := int64(0)
	size := min(max(runPoints*pointSize/max(len(g.runs), 1), 4<<10), 1<<20)
	for i, end := range g.runs {
		if err := push(&run{r: bufio.NewReaderSize(io.NewSectionReader(g.scratch, start, end-start), size), index: i}); err != nil {
			return err
		}
		start = end
	}
	if err := push(&run{rest: g.points, index: len(g.runs)}); err != nil {
		return err
	}
	for i := len(heap) / 2; i >= 0; i-- {
		sink(heap, i)
	}
	for len(heap) > 0 {
		top := heap[0]
		if err := f(top.head); err != nil {
			return err
		}
		ok, err := top.next()
		if err != nil {
			return err
		}
		if !ok {
			heap[0] = heap[len(heap)-1]
			heap = heap[:len(heap)-1]
		}
		sink(heap, 0)
	}
	return nil
}

// sink moves a run down the heap to where it belongs: by rank and time, then by
// the age of the run.
func sink(heap []*run, i int) {
	for {
		least := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(heap) && before(heap[child], heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}

func before(a, b *run) bool {
	return cmp.Or(a.head.compare(&b.head), cmp.Compare(a.index, b.index)) < 0
}
