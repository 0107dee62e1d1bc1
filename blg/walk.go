package blg

import (
	"bytes"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
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
	lists  bool // samples that begin here are skipped
}

func (p *piece) path() perfdump.Path {
	return levels.Root().At(levelBuffer, p.buffer).At(levelRecord, p.record)
}

// walker iterates over the records of one buffer after the other.
type walker struct {
	problems *problems
	stride   int
	b        []byte
	off      int64 // of the buffer in the file
	pos      int
	end      int
	index    int
	loose    bool // the header does not say where the records end
	lists    bool // samples are skipped
	record   int
	time     int64 // of the previous part, noTime at the start of a buffer
	cut      bool  // the file ends within the buffer
}

// start begins a segment.
func (w *walker) start(s *segment) {
	b := s.b
	w.b, w.index, w.off, w.loose, w.lists = b, s.index, s.off, s.loose, s.lists
	w.pos, w.end, w.record, w.time, w.cut = 0, 0, 0, noTime, false
	path := levels.Root().At(levelBuffer, w.index)
	if w.loose {
		if w.end = len(b); w.hasHeader() {
			w.pos = etl.BufferHeaderSize
		}
		w.problems.report(codeBufferMoved, w.off, path, "no buffer begins 0x%x bytes after this one: the 0x%x bytes up to the next one or the end are searched for records", int64(w.stride), int64(len(b)))
		return
	}
	if len(b) < etl.BufferHeaderSize {
		w.problems.lost[lostBuffers]++
		w.problems.report(codeBufferCut, w.off, path, "%d bytes, fewer than the %d of a buffer header", int64(len(b)), etl.BufferHeaderSize)
		return
	}
	size, filled := wire.U32(b, 0), wire.U32(b, 0x30)
	switch {
	case int64(size) != int64(w.stride):
		w.problems.lost[lostBuffers]++
		w.problems.report(codeBufferHeader, w.off, path.Field("BufferSize"), "BufferSize is 0x%x instead of 0x%x: the buffer is skipped", int64(size), int64(w.stride))
		return
	case filled < etl.BufferHeaderSize || filled > size:
		w.problems.lost[lostBuffers]++
		w.problems.report(codeBufferHeader, w.off+0x30, path.Field("FilledBytes"), "FilledBytes 0x%x is outside 0x48..0x%x: the buffer is skipped", int64(filled), int64(size))
		return
	}
	w.pos, w.end = etl.BufferHeaderSize, int(filled)
	if w.end > len(b) {
		w.end, w.cut = len(b), true
		w.problems.report(codeBufferCut, w.off+int64(len(b)), path, "the file ends after 0x%x of the buffer's 0x%x bytes", int64(len(b)), int64(filled))
	}
}

// hasHeader reports whether the segment begins with a header, valid or not.
func (w *walker) hasHeader() bool {
	return len(w.b) >= etl.BufferHeaderSize && (!w.loose || startsBuffer(w.b, w.stride))
}

// extent returns the length of the header and of the whole record, according to the record,
// and whether it is an event.
func extent(b []byte) (header, size int, event bool) {
	switch b[2] {
	case etl.KindSystem32, etl.KindSystem64:
		return etl.SystemHeaderSize, int(wire.U16(b, 4)), false
	case 3, 4, 0x10, 0x11:
		return 8, int(wire.U16(b, 4)), false
	case etl.KindEvent32, etl.KindEvent64:
		return etl.EventHeaderSize, int(wire.U16(b, 0)), true
	default:
		return 8, int(wire.U16(b, 0)), false
	}
}

// next returns the next record of PDH in the buffer, false at its end.
func (w *walker) next() (p piece, ok bool) {
	for w.end-w.pos >= 8 {
		b := w.b[w.pos:w.end]
		header, size, event := extent(b)
		if b[3] != etl.RecordMarker || size < header || size > len(b) || !isPDHEvent(b, event) && find(b, 1, size) > 0 {
			w.resync(size > len(b) && b[3] == etl.RecordMarker && w.cut)
			continue
		}
		at := w.pos
		w.pos = min(w.end, at+(size+7)&^7)
		record := w.record
		w.record++
		path := levels.Root().At(levelBuffer, w.index).At(levelRecord, record)
		switch {
		case !event:
			if b[2] != etl.KindSystem32 && b[2] != etl.KindSystem64 {
				w.problems.lost[lostKinds]++
				w.problems.once(&w.problems.records[b[2]], codeRecordKind, w.off+int64(at), path, "records of kind 0x%x are skipped", int64(b[2]))
			}
			continue
		case !isPDHEvent(b, event):
			w.problems.lost[lostForeign]++
			w.problems.once(&w.problems.foreign, codeRecordForeign, w.off+int64(at), path, "events of other providers are skipped")
			continue
		case size < etl.EventHeaderSize+etl.PartHeaderSize:
			w.problems.lost[lostEvents]++
			w.problems.report(codeRecordDamaged, w.off+int64(at), path, "%d bytes, fewer than the %d of the headers of an event", int64(size), etl.EventHeaderSize+etl.PartHeaderSize)
			continue
		}
		if next := w.nestedRecord(b, size); next > 0 {
			w.problems.report(codeRecordDamaged, w.off+int64(at), path.Field("Size"), "the record has 0x%x bytes according to its header, but another begins within it at 0x%x", int64(size), w.off+int64(at+next))
			size, w.pos = next, at+next
		}
		p = piece{
			data: b[etl.EventHeaderSize+etl.PartHeaderSize : size : size], off: w.off + int64(at) + etl.EventHeaderSize + etl.PartHeaderSize,
			typ: b[4], time: int64(wire.U64(b, 16)), part: wire.U32(b, 0x40), parts: wire.U32(b, 0x44),
			buffer: w.index, record: record, lists: w.lists,
		}
		w.checkPieceTime(&p)
		return p, true
	}
	return piece{}, false
}

// resync continues after damage with the next record of PDH in the buffer. If the file was
// cut off within the record, it is the last.
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
	w.problems.lost[lostBytes] += int64(w.pos - from)
	path := levels.Root().At(levelBuffer, w.index).At(levelRecord, w.record)
	w.record++
	if cut {
		w.problems.lost[lostEvents]++
		return // the buffer's anomaly has reported it
	}
	w.problems.report(codeRecordDamaged, w.off+int64(from), path, "no record: 0x%x bytes are skipped up to 0x%x", int64(w.pos-from), w.off+int64(w.pos))
}

// isPDHEvent reports whether the record at the start of b is an event of PDH.
func isPDHEvent(b []byte, event bool) bool { return event && [16]byte(b[24:40]) == etl.Provider }

// unused reports whether b is filler after the records of a buffer.
func unused(b []byte) bool { return len(bytes.TrimLeft(b, "\xff")) == 0 }

// nestedRecord returns the offset of another record within the record of PDH at the start
// of b, 0 if there is none. It only searches if the data does not match the length of the
// record, or if no record follows.
func (w *walker) nestedRecord(b []byte, size int) int {
	const headers = etl.EventHeaderSize + etl.PartHeaderSize
	data := b[headers:size]
	part, parts := wire.U32(b, 0x40), wire.U32(b, 0x44)
	right := parts == 1
	switch {
	case part < parts:
		right = len(data) == etl.PartSize
	case parts == 1 && b[4] == etl.EventSample:
		right = len(data) >= etl.SubHeaderSize && uint64(wire.U32(data, 4)) == uint64(len(data))
	}
	if rest := b[min(len(b), (size+7)&^7):]; right && (len(rest) < 8 || rest[3] == etl.RecordMarker) {
		return 0
	}
	return find(b, headers, size)
}

// find returns the offset of the first record of PDH that begins in b[from:to]; 0 if there
// is none.
func find(b []byte, from, to int) int {
	const guid = 24
	last := min(len(b), to+guid+len(etl.Provider)-1)
	for at := from + guid; at < last; {
		i := bytes.Index(b[at:last], etl.Provider[:])
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

// recordSize returns the length of the record of PDH at the start of b, 0 if there is none.
func recordSize(b []byte) int {
	if len(b) < etl.EventHeaderSize+etl.PartHeaderSize || b[3] != etl.RecordMarker {
		return 0
	}
	if _, size, event := extent(b); event && size >= etl.EventHeaderSize+etl.PartHeaderSize {
		return size
	}
	return 0
}
