package hexdump

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

// The levels of the paths of performance data.
const (
	levelBlock = iota
	levelObject
	levelInstance
	levelCounter
)

// How many elements are shown where arrays are folded.
const (
	keepBlocks      = 3
	keepObjects     = 3 // the others have a line each
	keepInstances   = 3
	keepDefinitions = 3
	keepValues      = 16 // of one of several instances
	keepLoneValues  = 64
)

// maxRemarks bounds what is kept of a file with many blocks, each of which
// has its own limit.
const maxRemarks = 10_000

// block is the document of performance data.
type block struct {
	plain
	names   Names
	options perfdata.Options
	only    *perfdata.Block // of a file that is one block without faults
	at      *perfdata.Block // where the run through the spans is
	blocks  int
	faults  []int32 // of at, by their offsets

	object   *perfdata.Object // that comments are at hand for
	position int              // of object
	comments []string         // what follows a value, one a counter
}

// PerfData returns the document of blocks of performance data. What cannot be
// decoded is read as far as salvage mode goes, and Err says so; in that mode
// it is no error.
func PerfData(b []byte, in Input) Document {
	d := &block{
		plain:   plain{bytes: b, levels: perfdump.Levels{"block", "object", "instance", "counter"}},
		names:   in.names(),
		options: perfdata.Options{Mode: in.Mode, CodePage: in.CodePage},
	}
	for blk, err := range perfdata.Blocks(b, d.options) {
		if err != nil {
			d.err = err
			break
		}
		d.blocks++
		d.remark(blk)
		if blk.Offset() == 0 && len(blk.Bytes()) == len(b) && blk.NumFaults() == 0 {
			d.only = blk
		}
	}
	if d.err == nil {
		return d
	}
	// Once more, with whatever can be had. Salvage mode fails, too, where
	// not even a header is there.
	d.remarks, d.blocks, d.options.Mode = nil, 0, perfdump.Salvage
	for blk, err := range perfdata.Blocks(b, d.options) {
		if err == nil {
			d.blocks++
			d.remark(blk)
		}
	}
	return d
}

// remark collects what is wrong or odd in a block, but for the anomalies that
// are gaps, which say what they are.
func (d *block) remark(blk *perfdata.Block) {
	first := len(d.remarks)
	for i := range min(blk.NumFaults(), maxRemarks-len(d.remarks)) {
		fault := blk.Fault(i)
		d.remarks = append(d.remarks, Remark{fault.Off, fault.Message})
	}
	for _, a := range blk.Anomalies().Kept() {
		if a.Code != perfdata.CodeGap && a.Code != perfdata.CodeTrailingBytes && len(d.remarks) < maxRemarks {
			d.remarks = append(d.remarks, Remark{a.Off, a.Message})
		}
	}
	slices.SortStableFunc(d.remarks[first:], func(a, b Remark) int { return cmp.Compare(a.Off, b.Off) })
}

func (d *block) Spans() iter.Seq[perfdump.Span] {
	if d.only != nil {
		d.at, d.object = d.only, nil
		return d.only.Spans()
	}
	return func(yield func(perfdump.Span) bool) {
		end, reason := int64(0), ""
		for blk, err := range perfdata.Blocks(d.bytes, d.options) {
			if err != nil {
				reason = err.Error()
				break
			}
			d.at, d.object = blk, nil
			d.faults = slices.Grow(d.faults[:0], blk.NumFaults())
			for i := range blk.NumFaults() {
				d.faults = append(d.faults, int32(i))
			}
			slices.SortStableFunc(d.faults, func(a, b int32) int { return cmp.Compare(blk.FaultOffset(int(a)), blk.FaultOffset(int(b))) })
			end = blk.Offset() + int64(len(blk.Bytes()))
			for s := range blk.Spans() {
				if s.Kind == perfdump.KindGap {
					s.Note = d.explain(&s)
				}
				if !yield(s) {
					return
				}
			}
		}
		if n := int64(len(d.bytes)) - end; n > 0 {
			yield(perfdump.Span{Off: end, Size: n, Note: reason})
		}
	}
}

// explain returns why the bytes of a gap could not be read: the first error in
// them, with its place, else what the gap says itself.
func (d *block) explain(s *perfdump.Span) string {
	if i, ok := d.fault(s.Off, s.Off+s.Size); ok {
		return d.at.Fault(i).Error()
	}
	return s.Note
}

// fault returns which fault of the block is the first in a range, false for none.
func (d *block) fault(from, to int64) (int, bool) {
	n, _ := slices.BinarySearchFunc(d.faults, from, func(i int32, from int64) int { return cmp.Compare(d.at.FaultOffset(int(i)), from) })
	if n == len(d.faults) || d.at.FaultOffset(int(d.faults[n])) >= to {
		return 0, false
	}
	return int(d.faults[n]), true
}

// objectAt returns the object that p lies in.
func (d *block) objectAt(p *perfdump.Path) *perfdata.Object {
	i, ok := p.Index(levelObject)
	if !ok {
		return nil
	}
	if d.object != nil && d.position == i {
		return d.object
	}
	// Salvage mode leaves objects out, so that positions are no indexes.
	n := sort.Search(d.at.NumObjects(), func(n int) bool { return d.at.Object(n).Position() >= i })
	if n == d.at.NumObjects() || d.at.Object(n).Position() != i {
		return nil
	}
	d.enter(d.at.Object(n))
	return d.object
}

// enter prepares the comments of an object's values.
func (d *block) enter(o *perfdata.Object) {
	d.object, d.position, d.comments = o, o.Position(), d.comments[:0]
	for i := range o.Counters() {
		d.comments = append(d.comments, d.name(o.Counter(i).CounterNameTitleIndex))
	}
}

// lookup is what Names may have beside: it makes no words of what has no name.
type lookup interface {
	Lookup(index uint32) (name string, ok bool)
}

// name returns the name of a title index fit to be shown, "" for none.
func (d *block) name(index uint32) string {
	var name string
	if l, ok := d.names.(lookup); ok {
		name, _ = l.Lookup(index)
	} else {
		name = d.names.Name(index)
	}
	var digits [10]byte
	if name == string(strconv.AppendUint(digits[:0], uint64(index), 10)) {
		return ""
	}
	return cell.Clean(cell.Cut(name, maxName))
}

// The columns that a name and a help text take in comments.
const (
	maxName = 80
	maxHelp = 60
)

func (d *block) Elements(p perfdump.Path, level int) (n, keep int) {
	switch level {
	case levelBlock:
		return d.blocks, keepBlocks
	case levelObject:
		return d.at.NumObjects(), keepObjects
	}
	o := d.objectAt(&p)
	if o == nil {
		return 0, 0
	}
	_, value := p.Index(levelInstance)
	switch {
	case level == levelInstance:
		return o.Len(), keepInstances
	case level == levelCounter && value && o.Len() == 1:
		return len(o.Counters()), keepLoneValues
	case level == levelCounter && value:
		return len(o.Counters()), keepValues
	case level == levelCounter:
		return len(o.Counters()), keepDefinitions
	default:
		return 0, 0
	}
}

func (d *block) AppendValue(dst []byte, s *perfdump.Span, b []byte, most int) []byte {
	field := s.Path.FieldName()
	switch {
	case field == "":
	case s.Kind == perfdump.KindHex && field == "CounterType":
		dst = appendValue(dst, s, b, most)
		if name, ok := countertypes.Type(wire.U32(b, 0)).Name(); ok {
			dst = append(append(dst, ' '), name...)
		}
		return dst
	case s.Kind == perfdump.KindANSI && field == "Name" && isUTF16(b, s.CodePage):
		return appendUTF16(dst, b, most)
	}
	return appendValue(dst, s, b, most)
}
