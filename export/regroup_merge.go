package export

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sort"
)

// run is a sorted sequence of samples that is being merged.
type run struct {
	r    *bufio.Reader // nil for the one in memory
	of   *samples      // the one in memory
	at   int32         // in its order
	age  int
	id   int32 // the series that it is at, -1 at its end
	left int32 // how many samples of that are not read
	head sample
}

// begin goes to a series. It is false if the run has none of it.
func (r *run) begin(id int32) bool {
	if r.r == nil {
		r.id, r.left = id, 0
		if end := r.of.ends.Find(int(id)); end != nil {
			r.left = *end - r.at
		}
	}
	return r.id == id && r.left > 0
}

// series reads which series is the next.
func (r *run) series() error {
	if r.r == nil {
		return nil
	}
	b, err := r.r.Peek(headSize)
	if err != nil {
		r.id = -1
		if errors.Is(err, io.EOF) && len(b) == 0 {
			return nil
		}
		return err
	}
	r.id, r.left = int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:]))
	_, err = r.r.Discard(headSize)
	return err
}

// next reads a sample of the series.
func (r *run) next() error {
	r.left--
	if r.r == nil {
		r.head = r.of.all[r.of.sorted[r.at]]
		r.at++
		return nil
	}
	b, err := r.r.Peek(sampleSize)
	if err != nil {
		return err
	}
	r.head = sample{int64(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint64(b[8:])}
	_, err = r.r.Discard(sampleSize)
	return err
}

// compare orders runs by the times of their samples, then by age.
func (r *run) compare(other *run) int {
	return cmp.Or(cmp.Compare(r.head.time(), other.head.time()), cmp.Compare(r.age, other.age))
}

// merge calls f for all samples.
func (g *regroup) merge(f func(id int32, s sample) error) error {
	if err := g.wait(); err != nil {
		return err
	}
	g.last.sort(g.order)
	size := min(max(runSamples*sampleSize/max(len(g.runs), 1), 4<<10), 1<<20)
	var all []*run
	for i := range g.runs {
		section := io.NewSectionReader(g.scratch, g.end(i), g.end(i+1)-g.end(i))
		r := &run{r: bufio.NewReaderSize(section, size), age: i}
		if err := r.series(); err != nil {
			return err
		}
		all = append(all, r)
	}
	all = append(all, &run{of: g.last, age: len(g.runs)})
	var with []*run // that have the series
	for id := range g.order {
		with = with[:0]
		for _, r := range all {
			if r.begin(id) {
				if err := r.next(); err != nil {
					return err
				}
				with = append(with, r)
			}
		}
		slices.SortStableFunc(with, (*run).compare)
		for rest := with; len(rest) > 0; {
			r := rest[0]
			if err := f(id, r.head); err != nil {
				return err
			}
			if r.left == 0 {
				if err := r.series(); err != nil {
					return err
				}
				rest = rest[1:]
				continue
			}
			if err := r.next(); err != nil {
				return err
			}
			later := rest[1:]
			if len(later) > 0 && later[0].compare(r) < 0 {
				n := sort.Search(len(later), func(i int) bool { return later[i].compare(r) > 0 })
				copy(rest, later[:n])
				rest[n] = r
			}
		}
	}
	return nil
}
