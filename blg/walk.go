package blg

import (
	"bytes"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// piece is a part of an event: a record of PDH.
type piece struct {
	data   []byte
	off    int64 // of data in the file
	time   int64
	part   uint32
	parts  uint32
	buffer int
	record int
	typ    uint8
}

func (p *piece) path() perfdump.Path {
	return levels.Root().At(levelBuffer, p.buffer).At(levelRecord, p.record)
}

// walker goes through the records of one buffer after the other.
type walker struct {
	told   *told
	stride int
	b      []byte
	off    int64 // of the buffer in the file
	pos    int
	end    int
	index  int
	loose  bool // the header does not tell where the records end
	record int
	time   int64 // of the part before, noTime at the start of a buffer
	cut    bool  // the file ends inside of the buffer
}

// start begins with a stretch.
func (w *walker) start(s *stretch) {
	b := s.b
	w.b, w.index, w.off, w.loose = b, s.index, s.off, s.loose
	w.pos, w.end, w.record, w.time, w.cut = 0, 0, 0, noTime, false
	path := levels.Root().At(levelBuffer, w.index)
	if w.loose {
		if w.end = len(b); w.headed() {
			w.pos = bufferHeaderSize
		}
		w.told.tell(CodeBufferMoved, w.off, path, "no buffer begins 0x%x bytes behind this one, as it should: records are looked for in all 0x%x bytes up to the next one or the end", int64(w.stride), int64(len(b)))
		return
	}
	if len(b) < bufferHeaderSize {
		w.told.lost[LostBuffers]++
		w.told.tell(CodeBufferCut, w.off, path, "%d bytes, fewer than the %d of a buffer's header", int64(len(b)), bufferHeaderSize)
		return
	}
	size, filled := wire.U32(b, 0), wire.U32(b, 0x30)
	switch {
	case int64(size) != int64(w.stride):
		w.told.lost[LostBuffers]++
		w.told.tell(CodeBufferHeader, w.off, path.Field("BufferSize"), "BufferSize 0x%x, not 0x%x: the buffer is skipped", int64(size), int64(w.stride))
		return
	case filled < bufferHeaderSize || filled > size:
		w.told.lost[LostBuffers]++
		w.told.tell(CodeBufferHeader, w.off+0x30, path.Field("FilledBytes"), "FilledBytes 0x%x, outside of 0x48..0x%x: the buffer is skipped", int64(filled), int64(size))
		return
	}
	w.pos, w.end = bufferHeaderSize, int(filled)
	if w.end > len(b) {
		w.end, w.cut = len(b), true
		w.told.tell(CodeBufferCut, w.off+int64(len(b)), path, "the file ends after 0x%x of the buffer's 0x%x bytes", int64(len(b)), int64(filled))
	}
}

// headed reports whether the stretch begins with a header, right or wrong.
func (w *walker) headed() bool {
	return len(w.b) >= bufferHeaderSize && (!w.loose || begins(w.b, w.stride))
}

// extent returns the header's and the whole length of a record, as the latter
// stands there, and whether it is an event.
func extent(b []byte) (header, size int, event bool) {
	switch b[2] {
	case kindSystem32, kindSystem64:
		return systemHeaderSize, int(wire.U16(b, 4)), false
	case 3, 4, 0x10, 0x11:
		return 8, int(wire.U16(b, 4)), false
	case kindEvent32, kindEvent64:
		return eventHeaderSize, int(wire.U16(b, 0)), true
	default:
		return 8, int(wire.U16(b, 0)), false
	}
}

// next returns the next record of PDH in the buffer, false at its end.
func (w *walker) next() (p piece, ok bool) {
	for w.end-w.pos >= 8 {
		b := w.b[w.pos:w.end]
		header, size, event := extent(b)
		if b[3] != recordMarker || size < header || size > len(b) || !ours(b, event) && find(b, 1, size) > 0 {
			w.resync(size > len(b) && b[3] == recordMarker && w.cut)
			continue
		}
		at := w.pos
		w.pos = min(w.end, at+(size+7)&^7)
		record := w.record
		w.record++
		path := levels.Root().At(levelBuffer, w.index).At(levelRecord, record)
		switch {
		case !event:
			if b[2] != kindSystem32 && b[2] != kindSystem64 {
				w.told.lost[LostKinds]++
				w.told.once(&w.told.records[b[2]], CodeRecordKind, w.off+int64(at), path, "a record of kind 0x%x, skipped, and all others of it", int64(b[2]))
			}
			continue
		case !ours(b, event):
			w.told.lost[LostForeign]++
			w.told.once(&w.told.foreign, CodeRecordForeign, w.off+int64(at), path, "an event of another provider, skipped, and all others like it")
			continue
		case size < eventHeaderSize+partHeaderSize:
			w.told.lost[LostEvents]++
			w.told.tell(CodeRecordDamaged, w.off+int64(at), path, "%d bytes, fewer than the %d of an event's headers", int64(size), eventHeaderSize+partHeaderSize)
			continue
		}
		if next := w.swallowed(b, size); next > 0 {
			w.told.tell(CodeRecordDamaged, w.off+int64(at), path.Field("Size"), "the record is said to have 0x%x bytes, and another begins inside of it at 0x%x", int64(size), w.off+int64(at+next))
			size, w.pos = next, at+next
		}
		p = piece{
			data: b[eventHeaderSize+partHeaderSize : size : size], off: w.off + int64(at) + eventHeaderSize + partHeaderSize,
			typ: b[4], time: int64(wire.U64(b, 16)), part: wire.U32(b, 0x40), parts: wire.U32(b, 0x44),
			buffer: w.index, record: record,
		}
		w.date(&p)
		return p, true
	}
	return piece{}, false
}

// resync goes on from damage to the next record of PDH in the buffer. Where
// the file was cut inside of the record, it is the last.
func (w *walker) resync(cut bool) {
	from := w.pos
	w.pos = w.end
	if !cut {
		if n := find(w.b[from:w.end], 1, w.end-from); n > 0 {
			w.pos = from + n
		}
	}
	if w.loose && w.pos == w.end && unused(w.b[from:w.end]) {
		return
	}
	w.told.lost[LostBytes] += int64(w.pos - from)
	path := levels.Root().At(levelBuffer, w.index).At(levelRecord, w.record)
	w.record++
	if cut {
		w.told.lost[LostEvents]++
		return // the buffer's anomaly has told it
	}
	w.told.tell(CodeRecordDamaged, w.off+int64(from), path, "no record; 0x%x bytes skipped to 0x%x", int64(w.pos-from), w.off+int64(w.pos))
}

// ours reports whether the record that b begins with is an event of PDH.
func ours(b []byte, event bool) bool { return event && [16]byte(b[24:40]) == provider }

// unused reports whether b is what lies behind the records of a buffer.
func unused(b []byte) bool { return len(bytes.TrimLeft(b, "\xff")) == 0 }

// swallowed returns where in the record of PDH that b begins with another
// begins, 0 where none does. It only looks where what the record holds is not as
// long as it, or where no record follows.
func (w *walker) swallowed(b []byte, size int) int {
	const headers = eventHeaderSize + partHeaderSize
	data := b[headers:size]
	part, parts := wire.U32(b, 0x40), wire.U32(b, 0x44)
	right := parts == 1
	switch {
	case part < parts:
		right = len(data) == partSize
	case parts == 1 && b[4] == eventSample:
		right = len(data) >= subHeaderSize && uint64(wire.U32(data, 4)) == uint64(len(data))
	}
	if rest := b[min(len(b), (size+7)&^7):]; right && (len(rest) < 8 || rest[3] == recordMarker) {
		return 0
	}
	return find(b, headers, size)
}

// find returns where the first record of PDH begins in b, from one place on and
// before another; 0 where there is none.
func find(b []byte, from, to int) int {
	const guid = 24
	last := min(len(b), to+guid+len(provider)-1)
	for at := from + guid; at < last; {
		i := bytes.Index(b[at:last], provider[:])
		if i < 0 {
			break
		}
		start := at + i - guid
		if size := recordSize(b[start:]); size > 0 && size <= len(b)-start {
			return start
		}
		at += i + 1
	}
	return 0
}

// recordSize returns the length of the record of PDH that b begins with, 0 for
// what is none.
func recordSize(b []byte) int {
	if len(b) < eventHeaderSize+partHeaderSize || b[3] != recordMarker {
		return 0
	}
	if _, size, event := extent(b); event && size >= eventHeaderSize+partHeaderSize {
		return size
	}
	return 0
}
