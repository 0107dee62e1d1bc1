package blg

import (
	"bytes"

	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
)

// segment is a part of a log that is read at a time: a buffer or, if the next one is not at
// its expected offset, everything up to that.
type segment struct {
	b     []byte
	off   int64 // in the file
	index int
	loose bool // the next buffer is not in its place
	gap   bool // bytes before it were not read
	lists bool // its samples are skipped
}

// probe is how many bytes identify the start of a buffer: its header and those of its first
// record.
const probe = etl.BufferHeaderSize + etl.EventHeaderSize + etl.PartHeaderSize

// startsBuffer reports whether b begins with the header of a buffer.
func startsBuffer(b []byte, stride int) bool {
	if len(b) < etl.BufferHeaderSize {
		return false
	}
	filled := int64(wire.U32(b, 0x30))
	return int64(wire.U32(b, 0)) == int64(stride) && filled >= etl.BufferHeaderSize && filled <= int64(stride)
}

// inPlace reports whether a buffer begins in b and is followed by another one or the end of
// the file.
func inPlace(b []byte, stride int) bool {
	return startsBuffer(b, stride) && (len(b) < stride+etl.BufferHeaderSize || startsBuffer(b[stride:], stride))
}

// cut returns the length of the next segment if buffers are not at their expected offsets.
// Bytes may be missing or added: the segment ends where the next buffer begins, or at the
// end of the file.
func cut(b []byte, stride int, last bool) (n int, loose bool) {
	next := nextBuffer(b, stride)
	if next == 0 && last && startsBuffer(b, stride) {
		next = len(b)
	}
	if next%stride != 0 {
		return next, true
	}
	return min(stride, len(b)), false
}

// nextBuffer returns the offset in b, after its start, of the next buffer that begins with
// a record of PDH; 0 if there is none.
func nextBuffer(b []byte, stride int) int {
	const guid = etl.BufferHeaderSize + 24
	for at := guid + 1; at < len(b); {
		i := bytes.Index(b[at:], etl.Provider[:])
		if i < 0 {
			break
		}
		start := at + i - guid
		if startsBuffer(b[start:], stride) {
			if size := recordSize(b[start+etl.BufferHeaderSize:]); size > 0 && etl.BufferHeaderSize+size <= int(wire.U32(b[start:], 0x30)) {
				return start
			}
		}
		at += i + 1
	}
	return 0
}
