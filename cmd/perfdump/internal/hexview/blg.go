package hexview

import (
	"bytes"
	"io"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// The places of a record's time and kind.
const (
	timeAt = 0x10
	kindAt = 2
)

var eventTypes = map[byte]string{0x20: "item list", 0x22: "sample", 0x23: "catalogue", 0x24: "titles", 0x26: "registration of a counter set"}

// BLG returns the document of a binary log of PDH.
//
// Of a range only the buffers around it are read; what is unusual in the log then
// stays unknown.
func BLG(b []byte, in Input) *Document {
	d := newDocument(b, in, "buffer", "record", "series", "instance")
	d.Keeps = [4]int{3, 4, 8, 4}
	log := in.At
	if d.At == nil {
		log = bytes.NewReader(b)
	}
	if !in.Range.all() {
		d.Spans = blg.SpansWithin(log, d.Size, in.Range.From, in.Range.To, blg.Options{Options: in.Options})
	}
	if d.Spans == nil {
		file, first, err := read(in, func(o perfdump.Options) (*blg.File, error) {
			return blg.Open(log, d.Size, blg.Options{Options: o})
		})
		if err != nil {
			return unreadable(b, in, first, err)
		}
		d.Spans, d.Err = file.Spans(), first
		d.remark(nil, file.Anomalies().Kept()...)
	}
	d.Comment = func(dst []byte, s *perfdump.Span, v []byte) []byte {
		name := s.Path.FieldName()
		switch name = name[strings.LastIndexByte(name, '.')+1:]; {
		case name == "EventType" && len(v) == 1:
			return append(dst, eventTypes[v[0]]...)
		case name == "CounterType" && len(v) == 4:
			return appendType(dst, v)
		case name == "Time" && len(v) == 8 && isEvent(log, s.Off-timeAt):
			return append(dst, "local time"...)
		}
		return dst
	}
	return d
}

// isEvent reports whether an event begins at an offset, and not the header of the log.
func isEvent(log io.ReaderAt, off int64) bool {
	var kind [1]byte
	_, err := log.ReadAt(kind[:], off+kindAt)
	return err == nil && kind[0] > 2
}

func appendType(dst, b []byte) []byte {
	name, _ := countertypes.Type(wire.U32(b, 0)).Name()
	return append(dst, name...)
}
