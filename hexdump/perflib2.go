package hexdump

import (
	"iter"
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perflib2"
)

// counterSets is the document of a block of version 2 counter sets.
type counterSets struct {
	plain
	block *perflib2.Block
}

// The levels of a path in such a block.
const (
	levelResult = iota
	levelSetInstance
	levelSetValue
	levelSetID
)

// PerfLib2 returns the document of a block of version 2 counter sets. What
// cannot be decoded is read as far as salvage mode goes, and Err says so; in
// that mode it is no error.
func PerfLib2(b []byte, in Input) Document {
	d := &counterSets{plain: plain{bytes: b, levels: perfdump.Levels{"counter", "instance", "value", "id"}}}
	o := perflib2.Options{Mode: in.Mode}
	if d.block, d.err = perflib2.Parse(b, o); d.err != nil {
		o.Mode = perfdump.Salvage
		block, err := perflib2.Parse(b, o)
		if err != nil {
			return newRaw(b, d.err, err.Error())
		}
		d.block = block
	}
	for _, a := range d.block.Anomalies().Kept() {
		d.remarks = append(d.remarks, Remark{a.Off, a.Message})
	}
	return d
}

func (d *counterSets) Spans() iter.Seq[perfdump.Span] { return d.block.Spans() }

func (d *counterSets) Elements(p perfdump.Path, level int) (n, keep int) {
	i, ok := p.Index(levelResult)
	if level == levelResult || !ok {
		return d.block.Len(), keepObjects
	}
	r := d.block.Result(i)
	switch level {
	case levelSetInstance:
		return r.Len(), keepInstances
	case levelSetValue:
		return r.NumCounters(), keepValues
	default:
		return r.NumCounters(), keepEntries
	}
}

func (d *counterSets) AppendHeading(dst []byte, p perfdump.Path) []byte {
	i, ok := p.Index(levelResult)
	if !ok {
		return dst
	}
	r := d.block.Result(i)
	if k, ok := p.Index(levelSetInstance); ok {
		if _, value := p.Index(levelSetValue); value || k >= r.Len() {
			return dst
		}
		return appendUTF16(dst, r.Instance(k).RawName, 60)
	}
	if _, id := p.Index(levelSetID); id {
		return dst
	}
	if _, value := p.Index(levelSetValue); value {
		return dst
	}
	dst = append(append(dst, r.Type.String()...), ", "...)
	return appendCount(append(appendCount(dst, r.NumCounters(), "counter"), ", "...), r.Len(), "instance")
}

func (d *counterSets) AppendComment(dst []byte, s *perfdump.Span, b []byte) []byte {
	switch s.Path.FieldName() {
	case "Type":
		return append(dst, perflib2.ResultType(wire.U32(b, 0)).String()...)
	case "Status":
		if wire.U32(b, 0) == 0xE8 {
			return append(dst, "no data"...)
		}
	case "Data":
		return d.appendID(dst, s.Path)
	}
	return dst
}

// appendID says of which counter a value is.
func (d *counterSets) appendID(dst []byte, p perfdump.Path) []byte {
	i, _ := p.Index(levelResult)
	j, _ := p.Index(levelSetValue)
	if id := d.block.Result(i).ID(j); id != perflib2.NoID {
		dst = strconv.AppendUint(append(dst, "counter #"...), uint64(id), 10)
	}
	return dst
}
