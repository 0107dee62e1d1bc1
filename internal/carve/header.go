package carve

import (
	"time"

	"github.com/perfdump/perfdump/internal/wire"
)

// anchor is what a block begins with: the signature, LittleEndian and Version,
// both 1.
var anchor = []byte("P\x00E\x00R\x00F\x00\x01\x00\x00\x00\x01\x00\x00\x00")

const (
	// signatureSize is how far the search goes on after a header that leads
	// nowhere.
	signatureSize = 8

	minHeader  = 88
	maxHeader  = 1024
	maxTotal   = 64 << 20
	maxObjects = 4096
	minObject  = 64
)

// header is what a scan takes from the header of a block.
type header struct {
	total   int64 // TotalByteLength
	length  int64 // HeaderLength
	objects int64 // NumObjectTypes
	time    time.Time
	name    int64 // of the computer, offset and bytes
	nameLen int64
}

// parseHeader reads the header at the start of b, which begins with the
// anchor, and reports whether all of it is what a header may hold. b may end
// before the computer's name.
func parseHeader(b []byte) (h header, ok bool) {
	if len(b) < minHeader {
		return h, false
	}
	h = header{total: u32(b, 20), length: u32(b, 24), objects: u32(b, 28), name: u32(b, 84), nameLen: u32(b, 80)}
	if h.length < minHeader || h.length > maxHeader || h.total < h.length || h.total > maxTotal || h.objects > maxObjects ||
		h.name+h.nameLen > h.length {
		return h, false
	}
	t := [8]int{}
	for i := range t {
		t[i] = int(wire.U16(b, 36+2*i))
	}
	year, month, weekday, day, hour, minute, second, ms := t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]
	if year < 1990 || year > 2200 || month < 1 || month > 12 || weekday > 6 || day < 1 || day > 31 ||
		hour > 23 || minute > 59 || second > 59 {
		return h, false
	}
	h.time = time.Date(year, time.Month(month), day, hour, minute, second, ms*int(time.Millisecond), time.UTC)
	return h, true
}

// host returns the computer's name, up to its NUL, from the block at the start
// of b.
func (h header) host(b []byte) string {
	n := int64(len(b))
	name := b[min(h.name, n):min(h.name+h.nameLen, n)]
	if i := wire.IndexNUL16(name); i >= 0 {
		name = name[:i]
	}
	return wire.UTF16(name)
}

func u32(b []byte, off int) int64 { return int64(wire.U32(b, off)) }
