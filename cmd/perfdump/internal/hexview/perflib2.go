package hexview

import (
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perflib2"
)

// The levels of a path in a block of version 2 counter sets.
const (
	levelResult = iota
	levelSetInstance
	levelSetValue
	levelSetID
)

// PerfLib2 returns the document of a block of version 2 counter sets.
func PerfLib2(b []byte, in Input) *Document {
	block, first, err := read(in, func(o perfdump.Options) (*perflib2.Block, error) { return perflib2.Parse(b, o) })
	if err != nil {
		return unreadable(b, in, first, err)
	}
	d := newDocument(b, in, "counter", "instance", "value", "id")
	d.Spans, d.Err, d.Keeps = block.Spans(), first, [4]int{keepObjects, keepInstances, keepValues, keepEntries}
	d.remark(nil, block.Anomalies().Kept()...)
	d.Heading = func(dst []byte, p perfdump.Path) []byte {
		i, ok := p.Index(levelResult)
		_, value := p.Index(levelSetValue)
		_, id := p.Index(levelSetID)
		if !ok || value || id {
			return dst
		}
		r := block.Result(i)
		if k, ok := p.Index(levelSetInstance); ok {
			if k >= r.Len() {
				return dst
			}
			return appendUTF16(dst, r.Instance(k).RawName, 60)
		}
		dst = append(append(dst, r.Type.String()...), ", "...)
		return appendCount(append(appendCount(dst, r.NumCounters(), "counter"), ", "...), r.Len(), "instance")
	}
	d.Comment = func(dst []byte, s *perfdump.Span, v []byte) []byte {
		switch s.Path.FieldName() {
		case "Type":
			return append(dst, perflib2.ResultType(wire.U32(v, 0)).String()...)
		case "Status":
			if wire.U32(v, 0) == 0xE8 {
				return append(dst, "no data"...)
			}
		case "Data":
			i, _ := s.Path.Index(levelResult)
			j, _ := s.Path.Index(levelSetValue)
			if id := block.Result(i).ID(j); id != perflib2.NoID {
				return strconv.AppendUint(append(dst, "counter #"...), uint64(id), 10)
			}
		}
		return dst
	}
	return d
}
