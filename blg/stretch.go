package blg

import (
	"bytes"

	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
)

// stretch is what of a log is walked at a time: a buffer or, where the next one
// is not in its place, all up to that.
type stretch struct {
	b     []byte
	off   int64 // in the file
	index int
	loose bool // the next buffer is not in its place
}

// probe is how many bytes show that a buffer begins: its header and those of
// its first record.
const probe = etl.BufferHeaderSize + etl.EventHeaderSize + etl.PartHeaderSize

// begins reports whether b begins with the header of a buffer.
func begins(b []byte, stride int) bool {
	if len(b) < etl.BufferHeaderSize {
		return false
	}
	filled := int64(wire.U32(b, 0x30))
	return int64(wire.U32(b, 0)) == int64(stride) && filled >= etl.BufferHeaderSize && filled <= int64(stride)
}

// inPlace reports whether a buffer begins in b, and where it ends the next one
// or the end of the file.
func inPlace(b []byte, stride int) bool {
	return begins(b, stride) && (len(b) < stride+etl.BufferHeaderSize || begins(b[stride:], stride))
}

// cut returns how much of b is to be walked at once, where it does not have a
// buffer after a buffer in their places. Bytes may be missing, or too many;
// then it ends where the next buffer begins, or the file.
func cut(b []byte, stride int, last bool) (n int, loose bool) {
	next := nextBuffer(b, stride)
	if next == 0 && last && begins(b, stride) {
		next = len(b)
	}
	if next%stride != 0 {
		return next, true
	}
	return min(stride, len(b)), false
}

// nextBuffer returns where in b, after its start, a buffer begins of which the
// first record is one of PDH; 0 where none does.
func nextBuffer(b []byte, stride int) int {
	const guid = etl.BufferHeaderSize + 24
	for at := guid + 1; at < len(b); {
		i := bytes.Index(b[at:], etl.Provider[:])
		if i < 0 {
			break
		}
		start := at + i - guid
		if begins(b[start:], stride) {
			if size := recordSize(b[start+etl.BufferHeaderSize:]); size > 0 && etl.BufferHeaderSize+size <= int(wire.U32(b[start:], 0x30)) {
				return start
			}
		}
		at += i + 1
	}
	return 0
}
