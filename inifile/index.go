package inifile

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// index finds the first key of a name. It is a hash table with the offsets of
// lines and nothing else, five bytes a slot, so that a file of a million keys
// costs eight megabytes. The hash has a seed of its own, so that no file can
// be made to collide; what the index gives does not depend on it.
type index struct {
	seed  maphash.Seed
	slots []uint32 // offset + 1 of a line; 0 is free
	tags  []uint8  // eight bits of the hash, to tell most others apart at once
	want  []byte   // the key that is added, and one that it is compared with
	have  []byte
	text  []byte
}

// newIndex returns an index for n keys, with half as many slots more.
func newIndex(n int) index {
	size := n + n/2 + 1
	return index{seed: maphash.MakeSeed(), slots: make([]uint32, size), tags: make([]uint8, size)}
}

// slot returns where to look first, and the tag.
func (x *index) slot(id uint32, key []byte) (int, uint8) {
	h := maphash.Bytes(x.seed, key) ^ uint64(id)*0x9E3779B97F4A7C15
	h *= 0xFF51AFD7ED558CCD
	h ^= h >> 32
	hi, _ := bits.Mul64(h*0xC4CEB9FE1A85EC53, uint64(len(x.slots)))
	return int(hi), uint8(h)
}

// add adds l unless its key is there, and returns the first line of the key.
func (x *index) add(f *File, id uint32, l Line) Line {
	x.want = x.fold(x.want[:0], l)
	i, tag := x.slot(id, x.want)
	for ; x.slots[i] != 0; i = x.next(i) {
		if x.tags[i] != tag {
			continue
		}
		off := x.slots[i] - 1
		first := f.keyAt(off)
		x.have = x.fold(x.have[:0], first)
		if bytes.Equal(x.have, x.want) && f.sectionAt(off).id == id {
			return first
		}
	}
	x.slots[i], x.tags[i] = uint32(l.Off)+1, tag
	return l
}

// find returns the offset of the first line of a folded key. It changes
// nothing.
func (x *index) find(f *File, id uint32, key []byte) (uint32, bool) {
	var buf, text []byte
	i, tag := x.slot(id, key)
	for ; x.slots[i] != 0; i = x.next(i) {
		if x.tags[i] != tag {
			continue
		}
		off := x.slots[i] - 1
		l := f.keyAt(off)
		buf = appendFold(buf[:0], l.enc.Decode(&text, l.line.Raw[l.a:l.b]))
		if bytes.Equal(buf, key) && f.sectionAt(off).id == id {
			return off, true
		}
	}
	return 0, false
}

func (x *index) next(i int) int {
	if i++; i == len(x.slots) {
		return 0
	}
	return i
}

func (x *index) fold(dst []byte, l Line) []byte {
	return appendFold(dst, l.enc.Decode(&x.text, l.line.Raw[l.a:l.b]))
}

// keyAt returns the key of the line at off. Only its key is known: the line
// has neither number nor value.
func (f *File) keyAt(off uint32) Line {
	enc := f.text.Encoding()
	rest := f.text.Bytes()[off:]
	eq := enc.Index(rest, '=')
	a, b := enc.Trim(rest[:eq])
	l := Line{Off: int64(off), Kind: Key, enc: enc, a: a, b: b}
	l.line.Raw = rest
	return l
}
