package blg

import (
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

// Header is the header of a log.
type Header struct {
	LogHeader

	Kind       uint8 // of its record: 1 of a 32-bit writer, 2 of a 64-bit one
	Zone       TimeZone
	Tail       LogTail
	LoggerName string // a GUID without braces
	FileName   string // the path on the recording machine
	// Valid is false where the header could not be read; all but BufferSize
	// is zero then.
	Valid bool
}

// Start returns when the writer of the log began, and false where the header
// does not say it, or one behind the year 9999. Of a log that was exported it is the time of the export.
func (h *Header) Start() (time.Time, bool) {
	return perfdata.Filetime(h.Tail.StartTime), h.Valid && h.Tail.StartTime > 0 && h.Tail.StartTime <= lastTime
}

// End returns when the log was closed, and false where it was not, or behind
// the year 9999.
func (h *Header) End() (time.Time, bool) {
	return perfdata.Filetime(h.EndTime), h.Valid && h.EndTime > 0 && h.EndTime <= lastTime
}

// Bits returns 32 or 64 by the writer of the log, 0 where the header does not
// say it.
func (h *Header) Bits() int { return 8 * int(h.PointerSize) }

// stride returns the size of the buffers by the first bytes of a log.
func stride(b []byte) (int, error) {
	root := levels.Root()
	if len(b) == 0 {
		return 0, perfdump.NewError(perfdump.CodeEmpty, 0, root, "no bytes")
	}
	if len(b) < bufferHeaderSize+8 {
		return 0, perfdump.NewError(perfdump.CodeTruncated, 0, root, "%d bytes, fewer than the %d of a buffer's and a record's header", len(b), bufferHeaderSize+8)
	}
	size := wire.U32(b, 0)
	if !isStride(size) {
		size = strideAgain(b)
	}
	if !isStride(size) {
		return 0, perfdump.NewError(perfdump.CodeSignature, 0, root.At(levelBuffer, 0).Field("BufferSize"),
			"no log: buffers of 0x%x bytes, not a multiple of 0x400 up to 0x%x", size, maxBufferSize)
	}
	return int(size), nil
}

// strideAgain returns what the log header says that the size of the buffers is,
// 0 where there is none.
func strideAgain(b []byte) uint32 {
	const again = bufferHeaderSize + systemHeaderSize
	if len(b) < again+4 || !isHeaderRecord(b) {
		return 0
	}
	return wire.U32(b, again)
}

func isStride(n uint32) bool { return n >= minBufferSize && n <= maxBufferSize && n%bufferSizes == 0 }

// isHeaderRecord reports whether a log's first record looks like its header.
func isHeaderRecord(b []byte) bool {
	kind := b[bufferHeaderSize+2]
	return (kind == kindSystem32 || kind == kindSystem64) && b[bufferHeaderSize+3] == recordMarker
}

// readHeader reads the log header out of the first buffer. What is wrong with
// it keeps nothing else from being read.
func (t *told) readHeader(b []byte, size int) Header {
	h := Header{LogHeader: LogHeader{BufferSize: uint32(size)}}
	path := levels.Root().At(levelBuffer, 0).At(levelRecord, 0)
	if !isHeaderRecord(b) {
		t.tell(CodeLogHeader, bufferHeaderSize, path, "the first record is of kind 0x%x, no log header", int64(b[bufferHeaderSize+2]))
		return h
	}
	rec := b[bufferHeaderSize:]
	rec = rec[:min(len(rec), int(wire.U16(rec, 4)))]
	pointer := int64(0)
	if len(rec) >= systemHeaderSize+logHeaderSize {
		pointer = int64(wire.U32(rec, systemHeaderSize+0x2C))
	}
	zone := systemHeaderSize + logHeaderSize + 2*int(pointer)
	texts := zone + timeZoneSize + zonePadding + logTailSize
	if pointer != 4 && pointer != 8 || len(rec) < texts {
		t.tell(CodeLogHeader, bufferHeaderSize, path, "a log header of %d bytes with pointers of %d: not read", int64(len(rec)), pointer)
		return h
	}
	h.load(rec[systemHeaderSize:])
	h.Zone.load(rec[zone:])
	h.Tail.load(rec[texts-logTailSize:])
	h.Kind, h.Valid = rec[2], true
	name, rest := cutText(rec[texts:])
	h.LoggerName = wire.UTF16(name)
	file, _ := cutText(rest)
	h.FileName = wire.UTF16(file)
	t.checkHeader(&h, path)
	return h
}

func (t *told) checkHeader(h *Header, path perfdump.Path) {
	const payload = bufferHeaderSize + systemHeaderSize
	if h.EndTime <= 0 {
		t.tell(CodeNotClosed, payload+0x10, path.Field("EndTime"), "no EndTime: the log was not closed")
	}
	t.checkTime(h.EndTime, payload+0x10, path.Field("EndTime"))
	t.checkTime(h.Tail.StartTime, payload+logHeaderSize+2*int64(h.PointerSize)+timeZoneSize+zonePadding+16, path.Field("StartTime"))
	if h.EventsLost > 0 || h.Tail.BuffersLost > 0 {
		t.tell(CodeWriterLost, payload+0x30, path.Field("EventsLost"), "the recorder lost %d events and %d buffers", int64(h.EventsLost), int64(h.Tail.BuffersLost))
	}
}

// cutText returns the text up to its NUL, and what follows it.
func cutText(b []byte) (text, rest []byte) {
	i := wire.IndexNUL16(b)
	if i < 0 {
		return b[:len(b)&^1], nil
	}
	return b[:i], b[i+2:]
}
