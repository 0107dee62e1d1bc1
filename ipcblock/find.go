package ipcblock

import (
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Region is what is known of the memory around an address.
type Region struct {
	Start   uint64 // of the region's committed pages
	Mapped  bool   // a view of a section, as the shared memory is
	Private bool   // a heap, a stack: what is found there is a copy
	Named   bool   // the process holds a handle to a section of the table's name
}

// FindOptions say how memory is searched. The zero value is for a raw image of
// physical memory.
type FindOptions struct {
	// Deep looks at every 8 bytes, not only where a chunk can lie in shared
	// memory: it finds the tables that a runtime keeps in its heap when it
	// cannot share them, and costs some ten times as much.
	Deep bool
	// Virtual says that what is searched is a range of a process's addresses,
	// whose first byte is at Base. Else only pages are taken to belong together.
	Virtual bool
	Base    uint64
	// PID is the process that the memory is of, 0 where that is not known.
	PID uint64
	// Region tells about the memory around an address; it may be nil. It is
	// asked up to three times for each candidate.
	Region func(addr uint64) (Region, bool)
	// Max is how many candidates [Find] keeps. The default is 1,000.
	Max int
}

// Candidate is what may be a table, or what there is of one, or a legacy
// public block.
type Candidate struct {
	Offset int64  // of its first byte in what was searched
	Addr   uint64 // the same as an address
	Layout Layout // SxS or LegacyPublic
	Arch   Arch   // of the first chunk that has counters
	Chunks int    // chunks that lie here: 32 in a whole table, untouched ones included
	Size   int    // bytes: what [Parse] takes
	Live   int    // chunks in use
	Stale  int    // chunks that were freed
	PID    uint64 // what the counters say, 0 where they do not
	Score  int    // the higher, the more it is to be trusted

	points [numReasons]int8
}

// Whole reports whether a table has all its chunks.
func (c *Candidate) Whole() bool { return c.Layout != SxS || c.Chunks == tableChunks }

// Reason is a part of a score.
type Reason struct {
	Points int
	Text   string
}

// The reasons, in the order in which they are told.
const (
	reasonRegion = iota
	reasonNamed
	reasonSiblings
	reasonPID
	reasonHeader
	reasonHeap
	reasonValues
	numReasons
)

var reasonTexts = [numReasons][2]string{ // when it speaks for a candidate, and against
	reasonRegion:   {"it begins a mapped region on a 64 KiB boundary", ""},
	reasonNamed:    {"the process has a handle to a section of the table's name", ""},
	reasonSiblings: {"further chunks are valid or untouched", ""},
	reasonPID:      {"the process id in it is the one of the memory", "the process id in it is not the one of the memory"},
	reasonHeader:   {"version and flags are those of a published chunk", ""},
	reasonHeap:     {"", "it is a copy in a heap"},
	reasonValues:   {"", "some counter is out of reason"},
}

// Reasons returns what makes up the score, without what adds nothing.
func (c *Candidate) Reasons() []Reason {
	var all []Reason
	for i, n := range c.points {
		switch {
		case n > 0:
			all = append(all, Reason{int(n), reasonTexts[i][0]})
		case n < 0:
			all = append(all, Reason{int(n), reasonTexts[i][1]})
		}
	}
	return all
}

const (
	pageSize   = 4096
	windowSize = 512 << 10
	margin     = tableSize // bytes seen on either side of what is searched
)

// Find searches the first size bytes of r and returns the candidates, the best
// first, those of one score by address; dropped is how many more there were
// than o.Max. Memory is constant but for the candidates. Where r ends before
// size, the search ends there; another error of r ends it too and comes with
// what was found, as a *perfdump.FormatError of code io.
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

// Rank sorts candidates, of several ranges for example: the best first, whole
// tables before parts, live ones before stale ones, then by address.
func Rank(found []Candidate) {
	slices.SortStableFunc(found, func(a, b Candidate) int {
		switch {
		case a.Score != b.Score:
			return b.Score - a.Score
		case a.Whole() != b.Whole():
			if a.Whole() {
				return -1
			}
			return 1
		case min(a.Live, 1) != min(b.Live, 1):
			return b.Live - a.Live
		case a.Addr != b.Addr:
			if a.Addr < b.Addr {
				return -1
			}
			return 1
		default:
			return 0
		}
	})
}

// Scan yields the candidates in the first size bytes of r in the order of
// their offsets. It reads r once, a window at a time, and takes constant
// memory. A candidate begins where the one before it has ended.
func Scan(r io.ReaderAt, size int64, o FindOptions) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		s := finder{o: o}
		buf := make([]byte, margin+windowSize+margin)
		kept := 0 // bytes in buf, which lie in front of at
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

// ScanBytes is [Scan] over memory that is at hand. It copies nothing.
func ScanBytes(b []byte, o FindOptions) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		s := finder{o: o}
		s.window(b, 0, true, yield)
	}
}

// finder is a search under way.
type finder struct {
	o     FindOptions
	next  int64 // where the search goes on
	taken int64 // the end of the last candidate
}

// The anchor: NumEntries 1 and Offset 40, which stand in every published chunk
// at 28 and, read as one word, in hardly anything else.
const (
	anchor   = 0x28<<32 | 1
	anchorAt = 28
)

// window searches b, which begins at off of the whole. Unless it is the last
// one, what begins in its last 64 KiB is left to the next, which begins with
// the last 128 KiB of this one.
func (s *finder) window(b []byte, off int64, last bool, yield func(Candidate) bool) bool {
	stop := len(b)
	if !last {
		stop -= margin
	}
	step := int64(chunkSize)
	if s.o.Deep {
		step = 8
	}
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

// alignUp returns the first offset from off on whose address is a multiple of
// step, a power of two.
func alignUp(off int64, base uint64, step int64) int64 {
	return off + int64(-(uint64(off)+base)&uint64(step-1))
}

// hit returns where in b[i:stop] the next chunk or legacy block may begin, or
// -1. i is aligned.
func (s *finder) hit(b []byte, i, stop int, off int64) int {
	// A legacy block is as short as 308 bytes; a chunk must be there up to
	// the end of its perf block.
	const least = publicSize32
	stop = min(stop, len(b)-least+1)
	if i < 0 {
		return -1
	}
	if !s.o.Deep {
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
		// Up to the next page boundary, where a legacy block may begin.
		end := min(stop, i+pageSize-int((uint64(off)+uint64(i)+s.o.Base)&(pageSize-1)))
		if (uint64(off)+uint64(i)+s.o.Base)&(pageSize-1) == 0 && isPublicStart(b, i) {
			return i
		}
		if j := indexAnchor(b, i, end); j >= 0 {
			return j
		}
		i += (end - i + 7) &^ 7
	}
	return -1
}

// indexAnchor returns the first i, counted by eight, below end for which the
// anchor stands at its place, or -1.
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

func isPublicStart(b []byte, i int) bool {
	n := wire.U32(b, i+4)
	return wire.U16(b, i) == 3 && (n == publicSize32 || n == publicSize64)
}

// candidate looks at what begins at b[i:].
func (s *finder) candidate(b []byte, i int, off int64) (Candidate, bool) {
	c := Candidate{Offset: off + int64(i), Addr: s.o.Base + uint64(off) + uint64(i)}
	if arch, ok := publicBlock(b[i:]); ok && c.Addr%pageSize == 0 {
		c.Layout, c.Arch, c.Chunks = LegacyPublic, arch, 1
		c.Size = [...]int{X86: publicSize32, X64: publicSize64}[arch]
		perf := b[i+c.Size-arch.PerfSize():]
		if wire.U16(b, i+2)&(flagUsed|flagInitialized) != flagUsed { // else it is not published yet
			c.Live, c.PID = 1, perfPID(perf, arch)
		}
		s.score(&c, b[i:], perf)
		return c, true
	}
	arch := chunkArch(b[i:])
	if arch == NoArch {
		return c, false
	}
	c.Layout, c.Arch = SxS, arch
	i = s.tableStart(b, i, off)
	c.Offset, c.Addr = off+int64(i), s.o.Base+uint64(off)+uint64(i)
	best, ended, fitting := -1, false, 0
	shared := s.shared(b, i, off)
	for c.Chunks < tableChunks {
		at := i + c.Chunks*chunkSize
		if at+chunkSize > len(b) {
			break
		}
		chunk := b[at : at+chunkSize]
		fit, live := sibling(chunk)
		// Runtimes take the first free chunk, so an untouched one ends what was
		// ever used: what is published behind it is another table, unless the
		// place says that this is one.
		untouched := wire.U64(chunk, 0) == 0
		if !fit && shared {
			c.Chunks++
			c.Size += chunkSize
			continue
		}
		if !fit || ended && !untouched && c.Addr%tableSize != 0 {
			break
		}
		ended = untouched
		fitting++
		c.Chunks++
		c.Size += chunkSize
		switch a := chunkArch(chunk); {
		case a == NoArch:
			continue
		case live:
			c.Live++
		case wire.U32(chunk, 4) == 0:
			c.Stale++
		}
		if best < 0 || live && c.Live == 1 {
			best, c.Arch = at, chunkArch(chunk)
		}
		if pid := perfPID(chunk[perfOffset:], chunkArch(chunk)); live && pid != 0 && (c.PID == 0 || pid == s.o.PID) {
			c.PID = pid
		}
	}
	if best < 0 {
		return c, false
	}
	c.points[reasonSiblings] = int8(min(4, fitting-1))
	s.score(&c, b[best:], b[best+perfOffset:])
	return c, true
}

// maxDamaged is how many chunks of a table may be damaged.
const maxDamaged = 4

// shared reports whether b[i:] must be a table, although some of its chunks
// may not look like any: it is where a mapped region begins, and hardly
// anything there does not fit.
func (s *finder) shared(b []byte, i int, off int64) bool {
	addr := s.o.Base + uint64(off) + uint64(i)
	if s.o.Region == nil || addr%tableSize != 0 || i+tableSize > len(b) {
		return false
	}
	if region, ok := s.o.Region(addr); !ok || !region.Mapped || region.Start != addr {
		return false
	}
	damaged := 0
	for at := i; at < i+tableSize; at += chunkSize {
		if fit, _ := sibling(b[at : at+chunkSize]); !fit {
			damaged++
		}
	}
	return damaged <= maxDamaged
}

// tableStart returns where the table of the chunk at b[i:] begins: at that
// chunk, the first one found, unless it lies within 64 KiB of addresses all
// of whose chunks fit, or that a view of shared memory begins with.
func (s *finder) tableStart(b []byte, i int, off int64) int {
	back := int((s.o.Base + uint64(off) + uint64(i)) % tableSize)
	if !s.o.Virtual || back == 0 || back%chunkSize != 0 || back > i || i-back+tableSize > len(b) || off+int64(i-back) < s.taken {
		return i
	}
	if s.shared(b, i-back, off) {
		return i - back
	}
	for at := i - back; at < i-back+tableSize; at += chunkSize {
		if fit, _ := sibling(b[at : at+chunkSize]); !fit {
			return i
		}
	}
	return i - back
}

// publicBlock tells the width of the legacy public block that b begins with,
// and false where it is none.
func publicBlock(b []byte) (Arch, bool) {
	if len(b) < publicSize32 || wire.U16(b, 0) != 3 || wire.U16(b, 2) > 7 {
		return NoArch, false
	}
	switch wire.U32(b, 4) {
	case publicSize32:
		return X86, wire.U32(b, 16) == 1 && wire.U32(b, 20) == 0 && wire.U32(b, 24) == perfSize32 &&
			wire.U16(b, 28) == perfSize32 && wire.U16(b, 30) <= 3
	case publicSize64:
		return X64, len(b) >= publicSize64 && wire.U32(b, 20) == 1 && wire.U32(b, 24) == legacySize64 && wire.U32(b, 28) == perfSize64 &&
			wire.U16(b, 32) == perfSize64 && wire.U16(b, 34) <= 3
	default:
		return NoArch, false
	}
}

// chunkArch tells the width of the published chunk, in use or freed, that b
// begins with, and NoArch where it is none.
func chunkArch(b []byte) Arch {
	if len(b) < perfOffset+4 || wire.U64(b, anchorAt) != anchor {
		return NoArch
	}
	counter := wire.U32(b, 0)
	arch := archOfSize(wire.U32(b, 36))
	if arch == NoArch || counter == 0 || counter&1 != 0 || wire.U64(b, 8) != 0 || len(b) < perfOffset+arch.PerfSize() ||
		int(wire.U32(b, 20)) != perfOffset+arch.PerfSize() || int(wire.U16(b, perfOffset)) != arch.PerfSize() || wire.U16(b, perfOffset+2) > 3 {
		return NoArch
	}
	return arch
}

// sibling reports whether b, a chunk's bytes, may be one of a table: published,
// untouched, or at the moment being written. live says that a runtime owns it.
func sibling(b []byte) (fit, live bool) {
	counter, id := wire.U32(b, 0), wire.U32(b, 4)
	switch {
	case chunkArch(b) != NoArch:
		return true, id != 0 && wire.U16(b, 18)&(flagUsed|flagInitialized) != flagUsed
	case counter == 0:
		return allZero(b), false
	case wire.U64(b, 8) != 0 || !allZero(b[perfOffset+perfSize64:]):
		return false, false
	case counter&1 != 0:
		return true, false
	default:
		// Not published yet: its perf block may not know its size.
		version, flags := wire.U16(b, 16), wire.U16(b, 18)
		return version == 4 && flags&(flagUsed|flagInitialized) == flagUsed && wire.U64(b, anchorAt) == anchor, false
	}
}

func perfPID(perf []byte, a Arch) uint64 {
	switch at := ProcessID.Offset(a); a {
	case X86:
		return uint64(wire.U32(perf, at))
	case X64:
		return wire.U64(perf, at)
	default:
		return 0
	}
}

// score sums up what speaks for c. b is the chunk that does, perf its counters.
func (s *finder) score(c *Candidate, b, perf []byte) {
	var region Region
	if s.o.Region != nil {
		region, _ = s.o.Region(c.Addr)
	}
	aligned := c.Addr%tableSize == 0
	if region.Mapped && region.Start == c.Addr && aligned {
		c.points[reasonRegion] = 4
	}
	if region.Named {
		c.points[reasonNamed] = 1
	}
	if c.Layout == SxS {
		if flags := wire.U16(b, 18); wire.U16(b, 16) == 4 && (flags == 3 || flags == 7) {
			c.points[reasonHeader] = 1
		}
		if region.Private || c.Addr%chunkSize != 0 || s.o.Virtual && c.Whole() && !aligned {
			c.points[reasonHeap] = -2
		}
	}
	if s.o.PID != 0 && c.PID != 0 {
		c.points[reasonPID] = -4
		if c.PID == s.o.PID {
			c.points[reasonPID] = 2
		}
	}
	if !reasonable(perf, c.Arch) {
		c.points[reasonValues] = -1
	}
	for _, n := range c.points {
		c.Score += int(n)
	}
}

// reasonable reports whether no counter is what it cannot be: a part far above
// its base, a size above what the process can address.
func reasonable(perf []byte, a Arch) bool {
	c := Chunk{raw: perf, Arch: a}
	for _, part := range [...]Field{TimeInGC, TimeRTChecks} {
		if c.Uint64(part)/4 > c.Uint64(part+1) {
			return false
		}
	}
	limit := uint64(1) << 32
	if a == X64 {
		limit = 1 << 47
	}
	for _, f := range [...]Field{Gen0HeapSize, Gen1HeapSize, Gen2HeapSize, TotalCommitted, TotalReserved, LargeObjectHeapSize, LoaderHeapSize} {
		if c.Uint64(f) > limit {
			return false
		}
	}
	return c.BytesInAllHeaps() <= limit
}
