package ipcblock

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Region describes the memory around an address.
type Region struct {
	Start   uint64 // of the region's committed pages
	Mapped  bool   // a view of a section, as the shared memory is
	Private bool   // a heap or a stack: tables in it are copies
	Named   bool   // the process holds a handle to a section of the table's name
}

// FindOptions say how memory is searched. The zero value is for a raw image of physical
// memory.
type FindOptions struct {
	// Deep searches every 8 bytes, not only the offsets of chunks in shared memory: it
	// finds the tables that a runtime keeps in its heap when it cannot share them, and
	// takes about twenty times as long if memory is cached.
	Deep bool
	// Anywhere searches every byte, whatever Deep is, for a file that has a table after a
	// header of any length. It takes about five times as long as Deep if memory is cached;
	// a file takes little longer than reading it. Legacy blocks are only found at page
	// boundaries.
	Anywhere bool
	// Virtual says that the data is a range of a process's addresses that begins at Base.
	// Otherwise only the bytes of a page are assumed to be contiguous.
	Virtual bool
	Base    uint64
	// PID is the process of the memory, 0 if unknown.
	PID uint64
	// Region describes the memory around an address; it may be nil. It is
	// called up to three times for each candidate.
	Region func(addr uint64) (Region, bool)
	// Max is the maximum number of candidates that [Find] keeps. The default is 1,000.
	Max int
}

const (
	pageSize   = 4096
	windowSize = 512 << 10
	margin     = tableSize // bytes visible before and after the searched window
)

// Find searches the first size bytes of r and returns the candidates, best first, then by
// address; dropped is how many exceeded o.Max. Memory is constant apart from the
// candidates. If r ends before size, the search ends there; another error of r also ends it
// and is returned with the candidates so far, as a *perfdump.FormatError of code io.
func Find(r io.ReaderAt, size int64, o FindOptions) (found []Candidate, dropped int, err error) {
	limit := o.Max
	if limit <= 0 {
		limit = 1000
	}
	for c, e := range Scan(r, size, o) {
		if e != nil {
			err = e
			break
		}
		if found = append(found, c); len(found) >= 2*limit {
			Rank(found)
			dropped += len(found) - limit
			found = found[:limit]
		}
	}
	Rank(found)
	if len(found) > limit {
		dropped += len(found) - limit
		found = found[:limit]
	}
	return found, dropped, err
}

// Scan yields the candidates in the first size bytes of r in the order of their offsets. It
// reads r once, a window at a time, in constant memory. Candidates do not overlap.
func Scan(r io.ReaderAt, size int64, o FindOptions) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		s := finder{o: o}
		buf := make([]byte, margin+windowSize+margin)
		kept := 0 // bytes in buf before at
		for at := int64(0); at < size; {
			want := int(min(int64(len(buf)-kept), size-at))
			n, err := r.ReadAt(buf[kept:kept+want], at)
			b := buf[:kept+n]
			end := at + int64(n)
			failed := n < want && err != nil && !errors.Is(err, io.EOF)
			if n < want {
				size = end
			}
			last := end >= size
			if !s.window(b, end-int64(len(b)), last, func(c Candidate) bool { return yield(c, nil) }) {
				return
			}
			if failed {
				yield(Candidate{}, &perfdump.FormatError{Code: perfdump.CodeIO, Off: end, Err: err})
				return
			}
			at = end
			kept = copy(buf, b[max(0, len(b)-2*margin):])
		}
	}
}

// ScanBytes is [Scan] over bytes in memory. It copies nothing.
func ScanBytes(b []byte, o FindOptions) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		s := finder{o: o}
		s.window(b, 0, true, yield)
	}
}

// finder is the state of a search.
type finder struct {
	o     FindOptions
	next  int64 // where the search continues
	taken int64 // the end of the last candidate
}

// The anchor: NumEntries 1 and Offset 40, which are at 28 in every published chunk and,
// read as one word, hardly anywhere else.
const (
	anchor   = 0x28<<32 | 1
	anchorAt = 28
)

// window searches b, which begins at off. Unless it is the last window, the last 64 KiB are
// left to the next one, which begins with the last 128 KiB of this one.
func (s *finder) window(b []byte, off int64, last bool, yield func(Candidate) bool) bool {
	stop := len(b)
	if !last {
		stop -= margin
	}
	step := s.step()
	for i := int(alignUp(s.next, s.o.Base, step) - off); ; {
		if i = s.hit(b, i, stop, off); i < 0 {
			s.next = max(s.next, off+int64(stop))
			return true
		}
		c, ok := s.candidate(b, i, off)
		next := off + int64(i) + step
		if ok {
			next = c.Offset + int64(c.Size)
			s.taken = next
			if !yield(c) {
				return false
			}
		}
		s.next = alignUp(next, s.o.Base, step)
		if i = int(s.next - off); i >= stop {
			return true
		}
	}
}

// step returns the alignment of the searched offsets.
func (s *finder) step() int64 {
	switch {
	case s.o.Anywhere:
		return 1
	case s.o.Deep:
		return 8
	default:
		return chunkSize
	}
}

// alignUp returns the first offset at or after off whose address is a multiple of step, a
// power of two.
func alignUp(off int64, base uint64, step int64) int64 {
	return off + int64(-(uint64(off)+base)&uint64(step-1))
}

// hit returns the offset in b[i:stop] of the next possible chunk or legacy block, or -1. i
// is aligned.
func (s *finder) hit(b []byte, i, stop int, off int64) int {
	// A legacy block may have only 308 bytes; a chunk must be present up to the end of its
	// perf block.
	const minSize = publicSize32
	stop = min(stop, len(b)-minSize+1)
	if i < 0 {
		return -1
	}
	step := s.step()
	if step == chunkSize {
		page := int((uint64(off) + uint64(i) + s.o.Base) & (pageSize - 1))
		for ; i < stop; i += chunkSize {
			if wire.U64(b, i+anchorAt) == anchor || page == 0 && isPublicStart(b, i) {
				return i
			}
			page ^= chunkSize
		}
		return -1
	}
	for i < stop {
		// Search up to the next page boundary, where a legacy block may begin.
		end := min(stop, i+pageSize-int((uint64(off)+uint64(i)+s.o.Base)&(pageSize-1)))
		if (uint64(off)+uint64(i)+s.o.Base)&(pageSize-1) == 0 && isPublicStart(b, i) {
			return i
		}
		index := indexAnchor
		if s.o.Anywhere {
			index = indexAnywhere
		}
		if j := index(b, i, end); j >= 0 {
			return j
		}
		i += (end - i + int(step) - 1) &^ int(step-1)
	}
	return -1
}

// indexAnchor returns the first of i, i+8, … below end that has the anchor, or -1.
func indexAnchor(b []byte, i, end int) int {
	if end <= i {
		return -1
	}
	w := b[i+anchorAt : end+anchorAt+7]
	at := i
	for len(w) >= 32 {
		p := (*[32]byte)(w)
		if wire.U64(p[:], 0) == anchor || wire.U64(p[:], 8) == anchor || wire.U64(p[:], 16) == anchor || wire.U64(p[:], 24) == anchor {
			break
		}
		w, at = w[32:], at+32
	}
	for len(w) >= 8 {
		if wire.U64(w, 0) == anchor {
			return at
		}
		w, at = w[8:], at+8
	}
	return -1
}

// indexAnywhere is indexAnchor for i, i+1, ….
func indexAnywhere(b []byte, i, end int) int {
	if end <= i {
		return -1
	}
	w := b[i+anchorAt : end+anchorAt+7]
	for at := 0; at < len(w); at += 32 {
		// Whatever its offset, an anchor that begins in these 32 bytes, or up to three
		// before them, has four bytes here that hasPart detects.
		if p := w[at:]; len(p) >= 32 && !hasPart((*[32]byte)(p)) {
			continue
		}
		from := max(0, at-3)
		if j := bytes.Index(w[from:min(len(w), at+32+7)], anchorBytes); j >= 0 {
			return i + from + j
		}
	}
	return -1
}

var anchorBytes = []byte{1, 0, 0, 0, 0x28, 0, 0, 0}

// hasPart reports whether one of the words of p may be part of an anchor.
func hasPart(p *[32]byte) bool {
	a, b, c, d := wire.U64(p[:], 0), wire.U64(p[:], 8), wire.U64(p[:], 16), wire.U64(p[:], 24)
	if a|b|c|d == 0 {
		return false
	}
	const others = ^uint64(0x2828282928282829) // bits that no part has
	if !halfZero(a&others) && !halfZero(b&others) && !halfZero(c&others) && !halfZero(d&others) {
		return false
	}
	for k := 0; k < len(p); k += 4 {
		switch wire.U32(p[:], k) {
		case 1, 0x28 << 24, 0x28 << 16, 0x28 << 8:
			return true
		}
	}
	return false
}

func halfZero(v uint64) bool { return uint32(v) == 0 || v>>32 == 0 }
