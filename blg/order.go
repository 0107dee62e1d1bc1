package blg

import (
	"cmp"
	"math"
	"slices"

	"github.com/perfdump/perfdump/internal/etl"
)

// bufferRef is a segment and its earliest time.
type bufferRef struct {
	time  int64
	off   int64
	size  uint32
	index uint32
	loose bool
	gap   bool
	lists bool
}

// indexer records the earliest time of each segment and whether the events of the log are
// in order of time.
type indexer struct {
	refs []bufferRef
	last int64
	back int // how often the time goes back, other than by setting the clock
}

func (x *indexer) begin(s *segment) {
	x.refs = append(x.refs, bufferRef{time: math.MaxInt64, off: s.off, size: uint32(len(s.b)), index: uint32(s.index), loose: s.loose, gap: s.gap, lists: s.lists})
}

func (x *indexer) see(p *piece) {
	if p.typ == etl.EventSample && !validTime(p.time) {
		return
	}
	r := &x.refs[len(x.refs)-1]
	r.time = min(r.time, p.time)
	if p.time < x.last {
		x.back++
	}
	x.last = p.time
}

// arrange sorts the buffers by their earliest times. Buffers with the same time are in the
// order in which a circular log was written: the oldest buffer is where the times fall.
func arrange(refs []bufferRef) {
	oldest, last := 0, int64(math.MinInt64)
	for i := range refs {
		r := &refs[i]
		if r.time == math.MaxInt64 {
			continue
		}
		if r.time < last {
			oldest = i
		}
		last = r.time
	}
	n := len(refs)
	turn := func(r bufferRef) int { return (int(r.index) - oldest + n) % n }
	slices.SortFunc(refs, func(a, b bufferRef) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(turn(a), turn(b)))
	})
}
