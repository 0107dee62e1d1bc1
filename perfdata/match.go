package perfdata

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/perfdump/perfdump/internal/wire"
)

// matcher finds for each part of a newer block its counterpart in an older one. Of several
// equal parts, the first matches the first, the second the second.
type matcher struct {
	names   bool // instances are matched by names alone
	seed    maphash.Seed
	mix     [2]uint64 // secret, so that collisions cannot be crafted
	slots   []slot    // by the hash of the key; a power of two of them is in use
	next    []int32   // the next part of the same key, or -1
	name    []byte
	fold    []byte   // the full name of an instance, folded
	parent  Instance // whose name it begins with
	prefix  int      // the length of that name, with the slash
	counter []int32
}

// slot is the list of parts with a key. A map would do the same, but a map that once was
// large takes as long to clear for each small object after it.
type slot struct {
	key  uint64
	head int32 // the first part that is still free, or -1
	used bool
}

// chain prepares the n parts of one side, by key. Parts with the same key keep their order.
func (m *matcher) chain(n int, key func(int) uint64) {
	if m.mix[1] == 0 {
		m.seed = maphash.MakeSeed()
		m.mix = [2]uint64{maphash.Comparable(m.seed, 0), maphash.Comparable(m.seed, 1) | 1}
	}
	size := 1 << bits.Len(uint(2*n))
	m.slots = slices.Grow(m.slots[:0], size)[:size]
	clear(m.slots)
	m.next = m.next[:0]
	for range n {
		m.next = append(m.next, -1)
	}
	for i := n - 1; i >= 0; i-- {
		s := m.find(key(i))
		if s.used {
			m.next[i] = s.head
		}
		s.used, s.head = true, int32(i)
	}
}

// find returns the slot of a key. If there is none, it returns an unused one with the key
// set. At least half of the slots are free.
func (m *matcher) find(key uint64) *slot {
	hi, lo := bits.Mul64(key^m.mix[0], m.mix[1])
	for i := hi ^ lo; ; i++ {
		s := &m.slots[i&uint64(len(m.slots)-1)]
		if !s.used {
			s.key = key
			return s
		}
		if s.key == key {
			return s
		}
	}
}

// take returns the first free part with a key, or -1.
func (m *matcher) take(key uint64) int32 {
	s := m.find(key)
	if !s.used || s.head < 0 {
		return -1
	}
	i := s.head
	s.head = m.next[i]
	return i
}

func (m *matcher) objects(dst []int32, older, newer *Block) []int32 {
	if older == nil {
		for range newer.objects {
			dst = append(dst, -1)
		}
		return dst
	}
	m.chain(len(older.objects), func(i int) uint64 { return uint64(older.objects[i].ObjectNameTitleIndex) })
	for i := range newer.objects {
		dst = append(dst, m.take(uint64(newer.objects[i].ObjectNameTitleIndex)))
	}
	return dst
}

// counters returns the position in older of each counter of newer. If only the type has
// changed, the position is kept and cooking reports the mismatch.
func (m *matcher) counters(older, newer *Object) []int32 {
	m.counter = m.counter[:0]
	was, is := older.Counters(), newer.Counters()
	for j := 0; j < len(is) && j < len(was) && was[j].key() == is[j].key(); j++ {
		m.counter = append(m.counter, int32(j))
	}
	same := len(m.counter)
	if same == len(is) {
		return m.counter
	}
	m.chain(len(was)-same, func(j int) uint64 { return was[same+j].key() })
	for j := same; j < len(is); j++ {
		k := m.take(is[j].key())
		switch {
		case k >= 0:
			k += int32(same)
		case j < len(was) && was[j].CounterNameTitleIndex == is[j].CounterNameTitleIndex:
			k = int32(j)
		}
		m.counter = append(m.counter, k)
	}
	return m.counter
}

func (c *Counter) key() uint64 {
	return uint64(c.CounterNameTitleIndex)<<32 | uint64(c.CounterType)
}

func (m *matcher) instances(dst []int32, older, newer *Object) []int32 {
	n, was := newer.Len(), 0
	if older != nil && older.Single() == newer.Single() {
		was = older.Len()
	}
	same := 0
	for same < n && same < was && m.sameName(older.Instance(same), newer.Instance(same)) {
		if same%32 == 0 {
			older.ask(same+32, same+64)
			newer.ask(same+32, same+64)
		}
		dst = append(dst, int32(same))
		same++
	}
	if same == n || same == was {
		for range n - same {
			dst = append(dst, -1)
		}
		return dst
	}
	m.chain(was-same, func(i int) uint64 { return m.key(older.Instance(same + i)) })
	for i := same; i < n; i++ {
		k := m.take(m.key(newer.Instance(i)))
		if k >= 0 {
			k += int32(same)
		}
		dst = append(dst, k)
	}
	m.parent = Instance{} // the blocks of the next call may use the same memory
	return dst
}

// sameName reports, without decoding, whether two instances have the same bytes for name
// and parent. It may return false for equal names.
func (m *matcher) sameName(a, b Instance) bool {
	if !a.Defined() {
		return true
	}
	samePage := a.object.CodePage == b.object.CodePage
	da := a.definitionBytes()
	same := samePage && bytes.Equal(da, b.definitionBytes())
	if same && wire.U32(da, 4) == 0 {
		return true
	}
	if ua, ub := a.UniqueID(), b.UniqueID(); !m.names && (ua != -1 || ub != -1) {
		return ua == ub
	}
	if !same && (!samePage || !bytes.Equal(a.RawName(), b.RawName())) {
		return false
	}
	pa, oka := a.Parent()
	pb, okb := b.Parent()
	return oka == okb && (!oka || pa.object.CodePage == pb.object.CodePage && bytes.Equal(pa.RawName(), pb.RawName()))
}

// key returns the identity of an instance across samples: its UniqueID unless matching by
// names alone, otherwise its full name, hashed with a secret seed.
func (m *matcher) key(in Instance) uint64 {
	if id := in.UniqueID(); id != -1 && !m.names {
		return uint64(uint32(id)) ^ idTag
	}
	parent, ok := in.Parent()
	if !ok {
		m.fold, m.parent = m.fold[:0], Instance{}
	} else if m.parent != parent {
		m.name = append(parent.AppendShownName(m.name[:0]), '/')
		m.fold, m.parent = appendFold(m.fold[:0], m.name), parent
		m.prefix = len(m.fold)
	}
	if ok {
		m.fold = m.fold[:m.prefix]
	}
	m.name = in.AppendName(m.name[:0])
	m.fold = appendFold(m.fold, m.name)
	return maphash.Bytes(m.seed, m.fold)
}

// idTag keeps UniqueIDs distinct from title indexes and, almost certainly, hashes.
const idTag = 0x9e37_79b9_0000_0000

func le32(b []byte, off int32) uint32 { return binary.LittleEndian.Uint32(b[off:]) }
func le64(b []byte, off int32) uint64 { return binary.LittleEndian.Uint64(b[off:]) }
