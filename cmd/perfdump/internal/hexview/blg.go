package hexview

import (
	"bytes"
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
func BLG(b []byte, in Input) *Document {
	file, first, err := read(in, func(o perfdump.Options) (*blg.File, error) {
		return blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{Options: o})
	})
	if err != nil {
		return unreadable(b, in, first, err)
	}
	d := newDocument(b, in, "buffer", "record", "series", "instance")
	d.Spans, d.Err, d.Keeps = file.Spans(), first, [4]int{3, 4, 8, 4}
	d.remark(nil, file.Anomalies().Kept()...)
	d.Comment = func(dst []byte, s *perfdump.Span, v []byte) []byte {
		name := s.Path.FieldName()
		switch name = name[strings.LastIndexByte(name, '.')+1:]; {
		case name == "EventType" && len(v) == 1:
			return append(dst, eventTypes[v[0]]...)
		case name == "CounterType" && len(v) == 4:
			return appendType(dst, v)
		case name == "Time" && len(v) == 8 && b[s.Off-timeAt+kindAt] > 2: // of an event, not of the log header
			return append(dst, "local time"...)
		}
		return dst
	}
	return d
}

func appendType(dst, b []byte) []byte {
	name, _ := countertypes.Type(wire.U32(b, 0)).Name()
	return append(dst, name...)
}
