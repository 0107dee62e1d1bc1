package blg

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
)

// maxName limits the bytes of an instance's name. PDH allows 1,024 characters; longer names
// are cut, so that many names that share their bytes stay cheap.
const maxName = 2 * 1024

// instanceName returns the name at an offset of a body, up to its NUL.
func instanceName(body []byte, from uint32) []byte {
	b := body[from:]
	name, _ := cutText(b[:min(len(b), maxName)])
	return name
}

// names counts how often each name of a body occurs. Reusing it allocates nothing.
type names struct {
	body  []byte
	seed  maphash.Seed // so that collisions cannot be crafted
	slots []int32      // position in seen + 1, by the hash
	seen  []seenName
	mask  uint64
}

type seenName struct {
	from  uint32
	count int32
	hash  uint64
}

func (s *names) reset(body []byte, n int) {
	if s.slots == nil {
		s.seed = maphash.MakeSeed()
	}
	size := 1 << bits.Len(uint(2*n))
	s.slots = slices.Grow(s.slots[:0], size)[:size]
	clear(s.slots)
	s.body, s.seen, s.mask = body, slices.Grow(s.seen[:0], n), uint64(size-1)
}

// add returns the name at an offset and how often it occurred before.
func (s *names) add(from uint32) (raw []byte, before int) {
	raw = instanceName(s.body, from)
	h := maphash.Bytes(s.seed, raw)
	for i := h & s.mask; ; i = (i + 1) & s.mask {
		k := s.slots[i]
		if k == 0 {
			s.seen = append(s.seen, seenName{from, 1, h})
			s.slots[i] = int32(len(s.seen))
			return raw, 0
		}
		if n := &s.seen[k-1]; n.hash == h && (n.from == from || bytes.Equal(instanceName(s.body, n.from), raw)) {
			n.count++
			return raw, int(n.count) - 1
		}
	}
}

// badName returns the first of the n instances of a body whose name is outside of it, and
// how many there are.
func badName(body []byte, n int) (first, bad int) {
	first = -1
	for i := range n {
		if uint64(wire.U32(body, etl.InstancesBodySize+i*etl.InstanceEntrySize)) >= uint64(len(body)) {
			if bad++; first < 0 {
				first = i
			}
		}
	}
	return first, bad
}
