package hexdump

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// binaryLog is the document of a binary log.
type binaryLog struct {
	plain
	file   *blg.File
	counts map[perfdump.Path]int // elements right below each
}

// blgShown is how many elements of each level are shown when they are folded.
var blgShown = [...]int{3, 4, 8, 4}

// BLG returns the document of a binary log of PDH.
func BLG(b []byte, in Input) Document {
	d := &binaryLog{plain: plain{bytes: b, levels: perfdump.Levels{"buffer", "record", "series", "instance"}}, counts: map[perfdump.Path]int{}}
	o := blg.Options{Mode: in.Mode, CodePage: in.CodePage}
	if d.file, d.err = blg.NewFile(bytes.NewReader(b), int64(len(b)), o); d.err != nil {
		o.Mode = perfdump.Tolerant
		f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), o)
		if err != nil {
			return newRaw(b, d.err, err.Error())
		}
		d.file = f
	}
	for _, a := range d.file.Anomalies().Kept() {
		d.remarks = append(d.remarks, Remark{a.Off, a.Message})
	}
	slices.SortStableFunc(d.remarks, func(a, b Remark) int { return cmp.Compare(a.Off, b.Off) })
	for s := range d.file.Spans() {
		for level := range blgShown {
			if i, ok := s.Path.Index(level); ok {
				key := d.above(s.Path, level)
				d.counts[key] = max(d.counts[key], i+1)
			}
		}
	}
	return d
}

// above returns the part of a path over a level.
func (d *binaryLog) above(p perfdump.Path, level int) perfdump.Path {
	out := d.levels.Root()
	for l := range level {
		if i, ok := p.Index(l); ok {
			out = out.At(l, i)
		}
	}
	return out
}

func (d *binaryLog) Spans() iter.Seq[perfdump.Span] { return d.file.Spans() }

func (d *binaryLog) Elements(p perfdump.Path, level int) (n, keep int) {
	return d.counts[d.above(p, level)], blgShown[level]
}

// The places of a record's time and kind.
const (
	timeAt = 0x10
	kindAt = 2
)

var eventTypes = map[byte]string{0x20: "item list", 0x22: "sample", 0x23: "catalogue", 0x24: "titles", 0x26: "registration of a counter set"}

func (d *binaryLog) AppendComment(dst []byte, s *perfdump.Span, b []byte) []byte {
	name := s.Path.FieldName()
	switch name = name[strings.LastIndexByte(name, '.')+1:]; {
	case name == "EventType" && len(b) == 1:
		return append(dst, eventTypes[b[0]]...)
	case name == "CounterType" && len(b) == 4:
		if n, ok := countertypes.Type(wire.U32(b, 0)).Name(); ok {
			return append(dst, n...)
		}
	case name == "Time" && len(b) == 8 && d.bytes[s.Off-timeAt+kindAt] > 2: // of an event, not of the log header
		return append(dst, "local time"...)
	}
	return dst
}
