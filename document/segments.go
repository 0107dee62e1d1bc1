package document

import (
	"cmp"
	"slices"
)

// segments are bytes with places of their own: the gaps of a document, the
// entries of a table of names. They come in the order of their places from
// whatever dump wrote; of those that do not, the places are kept.
type segments struct {
	heads  stream // place, length and index of each; the place is stray, or noBytes
	data   stream
	end    int64 // of those in order
	far    int64 // of all
	strays []straySegment
}

// straySegment is a segment, or a piece of one, that begins before the end of one
// that came before it.
type straySegment struct {
	off   int64
	at    int64 // its place in the scratch
	n     int32
	index int32
}

const stray = -1

func (p *segments) init(s *spool) { p.heads.spool, p.data.spool = s, s }

// add gives a place to the n bytes of p.data from a mark on.
func (p *segments) add(off, n int64, index int, from mark) {
	if off >= 0 {
		p.far = max(p.far, off+n)
	}
	switch {
	case off < 0:
		p.heads.words(off, n, int64(index))
	case off >= p.end:
		p.heads.words(off, n, int64(index))
		p.end = off + n
	default:
		p.heads.words(stray, n, int64(index))
		for n > 0 && p.data.err == nil {
			k := min(n, chunkSize)
			k = int64(p.data.inChunk(&from, k))
			p.strays = append(p.strays, straySegment{off, from.chunk + int64(from.off), int32(k), int32(index)})
			from.off += int(k)
			off, n = off+k, n-k
		}
	}
}

// segmentReader reads segments in the order of their places, piece by piece.
type segmentReader struct {
	p           *segments
	heads, data streamReader
	off, left   int64 // what is left of the segment at hand
	index       int64
	strays      []straySegment
	buf         []byte
}

func (p *segments) reader() *segmentReader {
	byPlace := func(a, b straySegment) int { return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.index, b.index)) }
	if !slices.IsSortedFunc(p.strays, byPlace) {
		slices.SortStableFunc(p.strays, byPlace)
	}
	return &segmentReader{p: p, heads: p.heads.reader(), data: p.data.reader(), strays: p.strays}
}

// next returns the next piece, which is valid until the next call, and the
// index of its segment.
func (r *segmentReader) next() (piece run, index int, ok bool) {
	for r.left == 0 {
		off, more := r.heads.word()
		if !more {
			break
		}
		n, _ := r.heads.word()
		r.index, _ = r.heads.word()
		if off < 0 {
			r.data.skip(n)
			continue
		}
		r.off, r.left = off, n
	}
	if len(r.strays) > 0 {
		s := r.strays[0]
		if r.left == 0 || cmp.Or(cmp.Compare(s.off, r.off), cmp.Compare(int64(s.index), r.index)) < 0 {
			r.strays = r.strays[1:]
			r.buf = slices.Grow(r.buf[:0], int(s.n))[:s.n]
			r.p.data.load(mark{s.at - s.at%chunkSize, int(s.at % chunkSize)}, r.buf)
			return run{s.off, r.buf}, int(s.index), true
		}
	}
	if r.left == 0 {
		return run{}, 0, false
	}
	b := r.data.take(r.left)
	if len(b) == 0 {
		return run{}, 0, false
	}
	piece = run{r.off, b}
	r.off, r.left = r.off+int64(len(b)), r.left-int64(len(b))
	return piece, int(r.index), true
}

// extents are places without bytes, in order but for those that are kept.
type extents struct {
	stream
	last   int64
	far    int64
	strays []extent
}

func (e *extents) add(off, end int64) {
	e.far = max(e.far, end)
	if off < e.last {
		e.strays = append(e.strays, extent{off, end})
		return
	}
	e.words(off, end)
	e.last = off
}

// nextExtent gives extents one after the other.
type nextExtent func() (extent, bool)

// all gives the extents in order.
func (e *extents) all() nextExtent {
	r := e.reader()
	strays := union(e.strays)
	return inOrder(r.extent, func() (x extent, ok bool) {
		if len(strays) == 0 {
			return x, false
		}
		x, strays = strays[0], strays[1:]
		return x, true
	})
}

func (r *streamReader) extent() (extent, bool) {
	off, ok := r.word()
	if !ok {
		return extent{}, false
	}
	end, ok := r.word()
	return extent{off, end}, ok
}

// inOrder merges two that are in order.
func inOrder(a, b nextExtent) nextExtent {
	x, more := a()
	y, moreY := b()
	return func() (e extent, ok bool) {
		if more && (!moreY || x.off <= y.off) {
			e, ok = x, true
			x, more = a()
			return e, ok
		}
		e, ok = y, moreY
		if moreY {
			y, moreY = b()
		}
		return e, ok
	}
}

// joined makes one of those that touch.
func joined(next nextExtent) nextExtent {
	e, ok := next()
	return func() (extent, bool) {
		if !ok {
			return extent{}, false
		}
		out := e
		for {
			if e, ok = next(); !ok || e.off > out.end {
				return out, true
			}
			out.end = max(out.end, e.end)
		}
	}
}

// union sorts extents and makes one of those that touch.
func union(all []extent) []extent {
	byOffset := func(a, b extent) int { return cmp.Compare(a.off, b.off) }
	if !slices.IsSortedFunc(all, byOffset) {
		slices.SortFunc(all, byOffset)
	}
	n := 0
	for _, e := range all {
		if n > 0 && e.off <= all[n-1].end {
			all[n-1].end = max(all[n-1].end, e.end)
			continue
		}
		all[n] = e
		n++
	}
	return all[:n]
}
