package ipcblock

import "github.com/perfdump/perfdump/internal/wire"

// detectLayout returns the layout of an input of the given size that begins with head, or
// Auto. A bare perf block is detected by its size; a table by a chunk in head, or by being
// empty.
func detectLayout(head []byte, size int64) Layout {
	switch {
	case len(head) < legacySize[X86]:
		return Auto
	case (size == perfSize32 || size == perfSize64) && int64(wire.U16(head, 0)) == size:
		return Bare
	case looksLikeChunk(head):
		return SxS
	case wire.U16(head, 2) <= 7 && legacyArch(head) != NoArch:
		switch wire.U16(head, 0) {
		case 2:
			return LegacyPrivate
		case 3:
			return LegacyPublic
		}
	}
	switch wire.U32(head, 4) {
	case publicSize32, publicSize64:
		if looksLikeDirectory(head, 1) {
			return LegacyPublic
		}
	case privateSize32, privateSize64:
		if looksLikeDirectory(head, 7) {
			return LegacyPrivate
		}
	}
	if size < chunkSize {
		return Auto
	}
	whole := size == tableSize
	for off := 0; off+chunkSize <= min(len(head), tableSize); off += chunkSize {
		b := head[off : off+chunkSize]
		if looksLikeChunk(b) {
			return SxS
		}
		whole = whole && wire.AllZero(b[perfOffset+perfSize64:]) && wire.AllZero(b[8:16])
	}
	if whole {
		return SxS
	}
	return Auto
}

// looksLikeChunk reports whether b has most of the constant fields of published chunks.
func looksLikeChunk(b []byte) bool {
	if len(b) < perfOffset || int64(len(b)) < 44 {
		return false
	}
	n, size := 0, wire.U32(b, 20)
	for _, ok := range [...]bool{
		wire.U16(b, 16) == 4,
		wire.U16(b, 18) <= 7 && wire.U16(b, 18) != 0,
		size == perfOffset+perfSize32 || size == perfOffset+perfSize64,
		wire.U32(b, 28) == 1,
		wire.U32(b, 32) == perfOffset,
		archOfSize(wire.U32(b, 36)) != NoArch,
		archOfSize(uint32(wire.U16(b, 40))) != NoArch,
	} {
		if ok {
			n++
		}
	}
	return n >= 4
}

// looksLikeDirectory reports whether b has a directory of n entries after a legacy header
// whose BlockSize is a known one.
func looksLikeDirectory(b []byte, n uint32) bool {
	if len(b) < 32 {
		return false
	}
	return wire.U32(b, 16) == n && archOfSize(wire.U32(b, 24)) == X86 || wire.U32(b, 20) == n && archOfSize(wire.U32(b, 28)) == X64
}
