package blg

import (
	"cmp"
	"math"
	"slices"

	"github.com/perfdump/perfdump/internal/etl"
)

// bufferRef is a stretch and the earliest time in it.
type bufferRef struct {
	time  int64
	off   int64
	size  uint32
	index uint32
	loose bool
}

// indexer notes the earliest time of each stretch and whether the events of the
// log stand in the order of their times.
type indexer struct {
	refs []bufferRef
	last int64
	back int // how often the time of events goes back, but for clocks that are set back
}

func (x *indexer) begin(s *stretch) {
	x.refs = append(x.refs, bufferRef{time: math.MaxInt64, off: s.off, size: uint32(len(s.b)), index: uint32(s.index), loose: s.loose})
}

func (x *indexer) see(p *piece) {
	if p.typ == etl.EventSample && !possible(p.time) {
		return
	}
	r := &x.refs[len(x.refs)-1]
	r.time = min(r.time, p.time)
	if p.time < x.last {
		x.back++
	}
	x.last = p.time
}

// arrange sorts the buffers by their earliest times. Of those that have the
// same, the one that a writer who goes round in the file wrote first is
// first: where the times fall, there the file's oldest buffer is.
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
