package blg

import (
	"strings"
	"time"
	"unicode/utf16"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

// Header is the header of a log.
type Header struct {
	// Valid is false if the header could not be read; all other fields are zero then.
	Valid bool

	Bits         int   // 32 or 64, of the writer
	MajorVersion uint8 // of Windows, here and below
	MinorVersion uint8
	Build        uint32
	LoggerName   string        // a GUID without braces
	FileName     string        // the path on the recording machine
	ZoneBias     time.Duration // UTC less local standard time

	log  etl.LogHeader // BufferSize is set even if Valid is false
	zone etl.TimeZone
	tail etl.LogTail
}

// Start returns when the writer of the log started, and false if the header has no time, or
// one after the year 9999. For an exported log it is the time of the export.
func (h *Header) Start() (time.Time, bool) {
	return perfdata.Filetime(h.tail.StartTime), h.tail.StartTime > 0 && h.tail.StartTime <= lastTime
}

// End returns when the log was closed, and false if it was not, or after the year 9999.
func (h *Header) End() (time.Time, bool) {
	return perfdata.Filetime(h.log.EndTime), h.log.EndTime > 0 && h.log.EndTime <= lastTime
}

// ZoneName returns the name of the recorder's time zone at an offset, UTC less
// local time: that of standard time, or of daylight saving time.
func (h *Header) ZoneName(offset time.Duration) string {
	name := &h.zone.StandardName
	if offset == time.Duration(h.zone.Bias+h.zone.DaylightBias)*time.Minute && h.zone.DaylightDate[1] != 0 {
		name = &h.zone.DaylightName
	}
	text, _, _ := strings.Cut(string(utf16.Decode(name[:])), "\x00")
	return text
}

// stride returns the size of the buffers from the first bytes of a log.
func stride(b []byte) (int, error) {
	root := levels.Root()
	if len(b) == 0 {
		return 0, perfdump.NewError(perfdump.CodeEmpty, 0, root, "the input is empty")
	}
	if len(b) < etl.BufferHeaderSize+8 {
		return 0, perfdump.NewError(perfdump.CodeTruncated, 0, root, "%d bytes, fewer than the %d of the headers of a buffer and a record", len(b), etl.BufferHeaderSize+8)
	}
	size := wire.U32(b, 0)
	if !isStride(size) {
		size = headerStride(b)
	}
	if !isStride(size) {
		return 0, perfdump.NewError(perfdump.CodeSignature, 0, root.At(levelBuffer, 0).Field("BufferSize"),
			"not a log: the buffer size 0x%x is not a multiple of 0x400 up to 0x%x", size, etl.MaxBufferSize)
	}
	return int(size), nil
}

// headerStride returns the buffer size in the log header, 0 if there is none.
func headerStride(b []byte) uint32 {
	const again = etl.BufferHeaderSize + etl.SystemHeaderSize
	if len(b) < again+4 || !isHeaderRecord(b) {
		return 0
	}
	return wire.U32(b, again)
}

func isStride(n uint32) bool {
	return n >= etl.MinBufferSize && n <= etl.MaxBufferSize && n%etl.MinBufferSize == 0
}

// isHeaderRecord reports whether a log's first record looks like its header.
func isHeaderRecord(b []byte) bool {
	kind := b[etl.BufferHeaderSize+2]
	return (kind == etl.KindSystem32 || kind == etl.KindSystem64) && b[etl.BufferHeaderSize+3] == etl.RecordMarker
}

// readHeader reads the log header from the first buffer. Errors in it do not prevent
// reading the rest.
func (t *problems) readHeader(b []byte, size int) Header {
	h := Header{log: etl.LogHeader{BufferSize: uint32(size)}}
	path := levels.Root().At(levelBuffer, 0).At(levelRecord, 0)
	if !isHeaderRecord(b) {
		t.report(codeLogHeader, etl.BufferHeaderSize, path, "the first record is of kind 0x%x, not a log header", int64(b[etl.BufferHeaderSize+2]))
		return h
	}
	rec := b[etl.BufferHeaderSize:]
	rec = rec[:min(len(rec), int(wire.U16(rec, 4)))]
	pointer := int64(0)
	if len(rec) >= etl.SystemHeaderSize+etl.LogHeaderSize {
		pointer = int64(wire.U32(rec, etl.SystemHeaderSize+0x2C))
	}
	zone := etl.SystemHeaderSize + etl.LogHeaderSize + 2*int(pointer)
	texts := zone + etl.TimeZoneSize + etl.ZonePadding + etl.LogTailSize
	if pointer != 4 && pointer != 8 || len(rec) < texts {
		t.report(codeLogHeader, etl.BufferHeaderSize, path, "the log header has %d bytes and pointers of %d bytes, which is not valid: it is not read", int64(len(rec)), pointer)
		return h
	}
	wire.LoadStruct(&h.log, rec[etl.SystemHeaderSize:])
	wire.LoadStruct(&h.zone, rec[zone:])
	wire.LoadStruct(&h.tail, rec[texts-etl.LogTailSize:])
	h.Valid, h.Bits = true, 8*int(pointer)
	h.MajorVersion, h.MinorVersion, h.Build = h.log.MajorVersion, h.log.MinorVersion, h.log.Build
	h.ZoneBias = time.Duration(h.zone.Bias) * time.Minute
	name, rest := cutText(rec[texts:])
	h.LoggerName = wire.UTF16(name)
	file, _ := cutText(rest)
	h.FileName = wire.UTF16(file)
	t.checkHeader(&h, path)
	return h
}

func (t *problems) checkHeader(h *Header, path perfdump.Path) {
	const payload = etl.BufferHeaderSize + etl.SystemHeaderSize
	if h.log.EndTime <= 0 {
		t.report(codeNotClosed, payload+0x10, path.Field("EndTime"), "no EndTime: the log was not closed")
	}
	t.checkTime(h.log.EndTime, payload+0x10, path.Field("EndTime"))
	t.checkTime(h.tail.StartTime, payload+etl.LogHeaderSize+2*int64(h.log.PointerSize)+etl.TimeZoneSize+etl.ZonePadding+16, path.Field("StartTime"))
	if h.log.EventsLost > 0 || h.tail.BuffersLost > 0 {
		t.report(codeWriterLost, payload+0x30, path.Field("EventsLost"), "the recorder lost %d events and %d buffers", int64(h.log.EventsLost), int64(h.tail.BuffersLost))
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
