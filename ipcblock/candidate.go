package ipcblock

import (
	"cmp"
	"sort"

	"github.com/perfdump/perfdump/internal/wire"
)

// Candidate is a possible table, a part of one, or a possible legacy public block.
type Candidate struct {
	Offset int64  // of its first byte in the searched data
	Addr   uint64 // the same as an address
	Layout Layout // SxS or LegacyPublic
	Arch   Arch   // of the first chunk that has counters
	Chunks int    // number of chunks, including untouched ones: 32 in a whole table
	Size   int    // in bytes
	Live   int    // chunks in use
	Stale  int    // chunks that were freed
	PID    uint64 // from the counters, 0 if unknown
	Score  int    // higher is more trustworthy

	points [numReasons]int8
}

// Whole reports whether a table has all its chunks.
func (c *Candidate) Whole() bool { return c.Layout != SxS || c.Chunks == tableChunks }

// Rank sorts candidates by score, best first, then whole tables before parts, live ones
// before stale ones, then by address.
func Rank(found []Candidate) {
	parts := func(c *Candidate) int {
		if c.Whole() {
			return 0
		}
		return 1
	}
	sort.SliceStable(found, func(i, j int) bool {
		a, b := &found[i], &found[j]
		return cmp.Or(b.Score-a.Score, parts(a)-parts(b), min(b.Live, 1)-min(a.Live, 1), cmp.Compare(a.Addr, b.Addr)) < 0
	})
}

// Reason is a component of a score.
type Reason struct {
	Points int
	Text   string
}

// The reasons, in the order of [Candidate.Reasons].
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

var reasonTexts = [numReasons][2]string{ // for a candidate, and against it
	reasonRegion:   {"it begins a mapped region on a 64 KiB boundary", ""},
	reasonNamed:    {"the process has a handle to a section of the table's name", ""},
	reasonSiblings: {"further chunks are valid or untouched", ""},
	reasonPID:      {"the process id in it is the one of the memory", "the process id in it is not the one of the memory"},
	reasonHeader:   {"version and flags are those of a published chunk", ""},
	reasonHeap:     {"", "it is a copy in a heap"},
	reasonValues:   {"", "some counter is out of reason"},
}

// Reasons returns the components of the score that are not 0.
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

// score computes the score of c from b, its best chunk, and perf, the counters of that.
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

var (
	parts = []Field{timeInGC, mustField("security.timeRTChecks")} // each before its base
	sizes = append([]Field{
		mustField("gc.gen0HeapSize"), mustField("gc.totalCommitted"), mustField("gc.totalReserved"), mustField("loading.loaderHeapSize"),
	}, heaps...)
)

// reasonable reports whether all counters have possible values: no part far above its base,
// no size above what the process can address.
func reasonable(perf []byte, a Arch) bool {
	c := Chunk{raw: perf, Arch: a}
	for _, part := range parts {
		if c.Uint64(part)/4 > c.Uint64(part+1) {
			return false
		}
	}
	limit := uint64(1) << 32
	if a == X64 {
		limit = 1 << 47
	}
	for _, f := range sizes {
		if c.Uint64(f) > limit {
			return false
		}
	}
	return c.bytesInAllHeaps() <= limit
}
