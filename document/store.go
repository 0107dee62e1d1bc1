package document

import (
	"encoding/binary"
	"slices"
)

// run is bytes and their place.
type run struct {
	off int64
	b   []byte
}

func (r run) end() int64 { return r.off + int64(len(r.b)) }

// extent is a place without bytes.
type extent struct{ off, end int64 }

// store takes the bytes that the fields of a document give, in the order of
// their places, and keeps them as runs: what lies between them takes nothing,
// however far apart they claim to be.
type store struct {
	runs  []run
	zeros []extent // places of zeros that are longer than they are worth keeping
	soft  []extent // places that are zero where nothing else is said of them

	chunk []byte // the last runs lie in it
	start int    // of the last run in chunk
	first int    // the first run of the block at hand
	end   int64  // of the last run of that block
}

const (
	minChunk  = 4 << 10
	maxChunk  = 1 << 20
	shortZero = 64
)

// begin starts a block, whose places count from 0 again.
func (s *store) begin() { s.first, s.end = len(s.runs), 0 }

// put keeps b, which begins no further down than what was put before it. Where
// that holds other bytes for the same place, put returns the place and both
// bytes.
func (s *store) put(off int64, b []byte) *clash {
	if n := min(s.end-off, int64(len(b))); n > 0 && s.first < len(s.runs) {
		if c := s.compare(off, b[:n]); c != nil {
			return c
		}
		off, b = off+n, b[n:]
	}
	if len(b) == 0 {
		return nil
	}
	joins := off == s.end && s.first < len(s.runs)
	if cap(s.chunk)-len(s.chunk) < len(b) {
		s.chunk = make([]byte, 0, max(len(b), min(max(2*cap(s.chunk), minChunk), maxChunk)))
		joins = false
	}
	if !joins {
		s.start = len(s.chunk)
		s.runs = append(s.runs, run{off: off})
	}
	s.chunk = append(s.chunk, b...)
	s.runs[len(s.runs)-1].b = s.chunk[s.start:len(s.chunk):len(s.chunk)]
	s.end = off + int64(len(b))
	return nil
}

// put32 puts a DWORD.
func (s *store) put32(off int64, v uint32) *clash {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	return s.put(off, b[:])
}

// putZeros puts n zeros.
func (s *store) putZeros(off, n int64) *clash {
	var zero [shortZero]byte
	if n <= shortZero {
		return s.put(off, zero[:n])
	}
	s.zeros = append(s.zeros, extent{off, off + n})
	return nil
}

// fillIn makes zeros of what no field and no gap says in a place.
func (s *store) fillIn(off, end int64) {
	if n := len(s.soft); n > 0 && s.soft[n-1].end == off {
		s.soft[n-1].end = end
		return
	}
	s.soft = append(s.soft, extent{off, end})
}

// clash is two different bytes for one place.
type clash struct {
	off       int64
	was, want byte
}

func (s *store) compare(off int64, b []byte) *clash {
	return compareRuns(s.runs[s.first:], off, b)
}

// compareRuns compares b with what the runs, which are in order and do not
// overlap, hold in its place.
func compareRuns(runs []run, off int64, b []byte) *clash {
	end := off + int64(len(b))
	i, _ := slices.BinarySearchFunc(runs, off, func(r run, off int64) int {
		if r.end() <= off {
			return -1
		}
		return 1
	})
	for ; i < len(runs) && runs[i].off < end; i++ {
		r := runs[i]
		from := max(off, r.off)
		for at := from; at < min(end, r.end()); at++ {
			if was, want := r.b[at-r.off], b[at-off]; was != want {
				return &clash{at, was, want}
			}
		}
	}
	return nil
}
