package document

import (
	"encoding/binary"
	"time"
)

// Blocks are spooled until the end of the document tells whether it is
// explicit, which decides where they stand.

// save spools a block.
func (b *blockDoc) save(s *stream) {
	for _, v := range b.u32 {
		s.words(int64(v))
	}
	s.words(int64(b.seen), int64(b.wire), b.offset, int64(b.defaultObject), b.time.Unix(), int64(b.time.Nanosecond()))
	s.words(b.perfTime[:]...)
	var system [16]byte
	for i, v := range b.wireTime {
		binary.LittleEndian.PutUint16(system[2*i:], v)
	}
	s.append(system[:])
	shifted := int64(0)
	if b.shifted {
		shifted = 1
	}
	s.words(int64(b.flag), int64(b.wireName[0]), int64(b.wireName[1]), int64(b.name), int64(b.objects), b.end, b.shift, shifted, int64(b.skewed))
	s.words(b.ends.runs, b.ends.zeros, b.ends.soft, int64(len(b.nameBytes)))
	s.append(b.nameBytes)
}

// load reads what save has spooled, and is false at the end.
func (b *blockDoc) load(r *streamReader) bool {
	ok := true
	word := func() (v int64) {
		if ok {
			v, ok = r.word()
		}
		return v
	}
	*b = blockDoc{nameBytes: b.nameBytes[:0]}
	for i := range b.u32 {
		b.u32[i] = uint32(word())
	}
	b.seen, b.wire, b.offset, b.defaultObject = fields(word()), fields(word()), word(), int32(word())
	b.time = time.Unix(word(), word()).UTC()
	for i := range b.perfTime {
		b.perfTime[i] = word()
	}
	for i := 0; i < len(b.wireTime); i += 4 {
		v := uint64(word())
		for j := range 4 {
			b.wireTime[i+j] = uint16(v >> (16 * j))
		}
	}
	b.flag, b.wireName = uint32(word()), [2]uint32{uint32(word()), uint32(word())}
	b.name, b.objects, b.end, b.shift, b.shifted, b.skewed = textKind(word()), int(word()), word(), word(), word() != 0, int(word())
	b.ends = ends{word(), word(), word()}
	for n := word(); n > 0 && ok; {
		part := r.take(n)
		ok = len(part) > 0
		b.nameBytes, n = append(b.nameBytes, part...), n-int64(len(part))
	}
	return ok
}

// blockReader goes through the blocks that have been placed.
type blockReader struct {
	streamReader
	base, first int64
}

// next goes to the next block, and is false behind the last one.
func (b *blockReader) next() bool {
	var ok bool
	if b.base, ok = b.word(); ok {
		b.first, ok = b.word()
	}
	return ok
}

// runReader reads runs piece by piece.
type runReader struct {
	streamReader
	off, left int64
}

// next returns the next piece, and is false at the end of a block.
func (r *runReader) next() (run, bool) {
	for r.left == 0 {
		off, ok := r.word()
		n, _ := r.word()
		if !ok || off == noRun {
			return run{}, false
		}
		r.off, r.left = off, n
	}
	b := r.take(r.left)
	if len(b) == 0 {
		return run{}, false
	}
	piece := run{r.off, b}
	r.off, r.left = piece.end(), r.left-int64(len(b))
	return piece, true
}

// fields gives the runs of the blocks: those of each header, and those of its
// objects.
func (p *perfDataReader) fields() nextRun {
	blocks := blockReader{streamReader: p.firsts.reader()}
	heads, runs := runReader{streamReader: p.placed.reader()}, runReader{streamReader: p.d.runs.reader()}
	more := blocks.next()
	head := true
	return func() (run, int, bool) {
		for more {
			if head {
				if r, ok := heads.next(); ok {
					return r, 0, true
				}
				head = false
			}
			if r, ok := runs.next(); ok {
				r.off += blocks.first
				return r, 0, true
			}
			head, more = true, blocks.next()
		}
		return run{}, 0, false
	}
}

// extents gives the places in a stream of the store, and those of the blocks'
// headers before them.
func (p *perfDataReader) extents(s *stream, headers bool) nextExtent {
	blocks := blockReader{streamReader: p.firsts.reader()}
	r := s.reader()
	more, head := blocks.next(), headers
	return func() (extent, bool) {
		for more {
			if head && blocks.base < blocks.first {
				head = false
				return extent{blocks.base, blocks.first}, true
			}
			if e, ok := r.extent(); ok && e.off != noRun {
				return extent{e.off + blocks.first, e.end + blocks.first}, true
			}
			more, head = blocks.next(), headers
		}
		return extent{}, false
	}
}
