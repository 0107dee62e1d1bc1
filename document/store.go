package document

import "encoding/binary"

// run is bytes and their place.
type run struct {
	off int64
	b   []byte
}

func (r run) end() int64 { return r.off + int64(len(r.b)) }

// extent is a place without bytes.
type extent struct{ off, end int64 }

// store takes the bytes that the fields of a document give, in the order of
// their places, and spools them as runs: what lies between them takes nothing,
// however far apart they claim to be. Runs and extents are streams of places,
// lengths and bytes; a place of -1 ends a block.
type store struct {
	spool spool
	runs  stream
	zeros stream // places of zeros that are longer than they are worth keeping
	soft  stream // places that are zero where nothing else is said of them

	head mark  // of the run at hand
	from int64 // where it begins; -1 before the first of a block
	end  int64 // where it ends
	last int64 // where what was put last begins
	at   mark  // of that

	pending []extent // of zeros, of the instance at hand
	filled  extent   // the last one of soft
	ends    ends     // of the block at hand
	tmp     [64]byte // for what is read back or patched
}

// ends tell how far fields reach.
type ends struct{ runs, zeros, soft int64 }

const (
	shortZero = 64
	noRun     = -1
)

func newStore(scratch Scratch) *store {
	s := &store{spool: spool{scratch: scratch}, from: noRun}
	for _, x := range []*stream{&s.runs, &s.zeros, &s.soft} {
		x.spool = &s.spool
	}
	return s
}

// endBlock ends a block; the places of the next one count from 0 again.
func (s *store) endBlock() {
	s.closeRun()
	s.closeSoft()
	s.runs.words(noRun, 0)
	s.zeros.words(noRun, 0)
	s.soft.words(noRun, 0)
	s.ends = ends{}
}

// put keeps b, which begins no further down than what was put before it. Where
// that holds other bytes for the same place, put returns the place and both
// bytes.
func (s *store) put(off int64, b []byte) *clash {
	joins := s.from != noRun
	if joins && off < s.end {
		s.at, s.last = s.runs.skip(s.at, off-s.last), off
		n := min(s.end-off, int64(len(b)))
		if c := s.compare(off, b[:n]); c != nil {
			return c
		}
		b = b[n:]
		s.runs.append(b)
		s.end += int64(len(b))
		s.ends.runs = max(s.ends.runs, s.end)
		return nil
	}
	if len(b) == 0 {
		return nil
	}
	if !joins || off != s.end {
		s.closeRun()
		s.head, s.from = s.runs.here(), off
		s.runs.words(off, 0)
	}
	s.at, s.last = s.runs.here(), off
	s.runs.append(b)
	s.end = off + int64(len(b))
	s.ends.runs = s.end
	return nil
}

// closeRun tells the run at hand its length.
func (s *store) closeRun() {
	if s.from == noRun {
		return
	}
	b := s.tmp[:16]
	binary.LittleEndian.PutUint64(b, uint64(s.from))
	binary.LittleEndian.PutUint64(b[8:], uint64(s.end-s.from))
	s.runs.patch(s.head, b)
	s.from = noRun
}

// put32 puts a DWORD.
func (s *store) put32(off int64, v uint32) *clash {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	return s.put(off, b[:])
}

// putZeros keeps the place of n zeros, which may lie over what is put behind
// them.
func (s *store) putZeros(off, n int64) {
	s.pending = append(s.pending, extent{off, off + n})
	s.ends.zeros = max(s.ends.zeros, off+n)
}

// settle spools the zeros of an instance, behind which the next one lies.
func (s *store) settle() {
	if len(s.pending) == 0 {
		return
	}
	for _, e := range union(s.pending) {
		s.zeros.words(e.off, e.end)
	}
	s.pending = s.pending[:0]
}

// fillIn makes zeros of what no field and no gap says in a place.
func (s *store) fillIn(off, end int64) {
	s.ends.soft = max(s.ends.soft, end)
	if off == s.filled.end && s.filled != (extent{}) {
		s.filled.end = end
		return
	}
	s.closeSoft()
	s.filled = extent{off, end}
}

func (s *store) closeSoft() {
	if s.filled != (extent{}) {
		s.soft.words(s.filled.off, s.filled.end)
	}
	s.filled = extent{}
}

// clash is two different bytes for one place.
type clash struct {
	off       int64
	was, want byte
}

// compare compares b with what was put at off, which is where s.at is.
func (s *store) compare(off int64, b []byte) *clash {
	for at := s.at; len(b) > 0; {
		was := s.tmp[:min(len(b), len(s.tmp))]
		at = s.runs.load(at, was)
		if c := differ(off, was, b); c != nil {
			return c
		}
		off, b = off+int64(len(was)), b[len(was):]
	}
	return nil
}

// differ compares the bytes at off with as many others.
func differ(off int64, was, want []byte) *clash {
	for i, c := range was {
		if c != want[i] {
			return &clash{off + int64(i), c, want[i]}
		}
	}
	return nil
}
