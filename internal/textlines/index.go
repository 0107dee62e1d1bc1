package textlines

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// Index finds the first line of a name, in any case. It is a hash table with
// the offsets of lines and nothing else, five bytes a slot, so that a file of a
// million names costs eight megabytes. The hash has a seed of its own, so that
// no file can be made to collide; what the index gives does not depend on it.
type Index struct {
	seed  maphash.Seed
	slots []uint32 // offset + 1 of a line; 0 is free
	tags  []uint8  // eight bits of the hash, to tell most others apart at once
}

// NewIndex returns an index for at most n names, with half as many slots more.
func NewIndex(n int) *Index {
	size := n + n/2 + 1
	return &Index{seed: maphash.MakeSeed(), slots: make([]uint32, size), tags: make([]uint8, size)}
}

// slot returns where to look first, and the tag.
func (x *Index) slot(scope uint32, folded []byte) (int, uint8) {
	h := maphash.Bytes(x.seed, folded) ^ uint64(scope)*0x9E3779B97F4A7C15
	h *= 0xFF51AFD7ED558CCD
	h ^= h >> 32
	hi, _ := bits.Mul64(h*0xC4CEB9FE1A85EC53, uint64(len(x.slots)))
	return int(hi), uint8(h)
}

// Add adds the line at off for a name in a scope, unless one of the name is
// there, and returns the offset of the first. folded is the name as
// [AppendFold] gives it; same tells whether the line at an offset is of the
// same name and scope.
func (x *Index) Add(off int, scope uint32, folded []byte, same func(off int) bool) (first int) {
	i, tag, found := x.look(scope, folded, same)
	if found {
		return int(x.slots[i] - 1)
	}
	x.slots[i], x.tags[i] = uint32(off)+1, tag
	return off
}

// Find returns the offset of the first line of a name in a scope, and whether
// there is one. It changes nothing.
func (x *Index) Find(scope uint32, folded []byte, same func(off int) bool) (int, bool) {
	i, _, found := x.look(scope, folded, same)
	return int(x.slots[i]) - 1, found
}

// look returns the slot of a name, or the free one where it belongs.
func (x *Index) look(scope uint32, folded []byte, same func(off int) bool) (i int, tag uint8, found bool) {
	for i, tag = x.slot(scope, folded); x.slots[i] != 0; {
		if x.tags[i] == tag && same(int(x.slots[i]-1)) {
			return i, tag, true
		}
		if i++; i == len(x.slots) {
			i = 0
		}
	}
	return i, tag, false
}

// AppendFold appends text in lower case, by which names are compared.
func AppendFold(dst, text []byte) []byte {
	start := len(dst)
	for _, c := range text {
		if c >= 0x80 {
			return append(dst[:start], bytes.ToLower(text)...)
		}
		dst = append(dst, lower(c))
	}
	return dst
}

// SameName reports whether two names are one in any case.
func SameName(a, b string) bool {
	return string(AppendFold(nil, []byte(a))) == string(AppendFold(nil, []byte(b)))
}
