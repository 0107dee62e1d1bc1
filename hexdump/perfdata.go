package hexdump

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"sort"
	"strconv"
	"time"

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
	faults  []*perfdump.FormatError // of at, by their offsets

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
		if blk.Offset() == 0 && len(blk.Bytes()) == len(b) && len(blk.Faults()) == 0 {
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
	for _, fault := range blk.Faults() {
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
			d.faults = slices.Clone(blk.Faults())
			slices.SortStableFunc(d.faults, func(a, b *perfdump.FormatError) int { return cmp.Compare(a.Off, b.Off) })
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
	if fault := d.fault(s.Off, s.Off+s.Size); fault != nil {
		return fault.Error()
	}
	return s.Note
}

// fault returns the first error in a range, or nil.
func (d *block) fault(from, to int64) *perfdump.FormatError {
	i, _ := slices.BinarySearchFunc(d.faults, from, func(f *perfdump.FormatError, from int64) int { return cmp.Compare(f.Off, from) })
	if i == len(d.faults) || d.faults[i].Off >= to {
		return nil
	}
	return d.faults[i]
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

func (d *block) AppendHeading(dst []byte, p perfdump.Path) []byte {
	if _, ok := p.Index(levelObject); !ok {
		return d.appendBlockHeading(dst)
	}
	o := d.objectAt(&p)
	if o == nil {
		return dst
	}
	if i, ok := p.Index(levelInstance); ok {
		return d.appendInstanceHeading(dst, o, i)
	}
	if j, ok := p.Index(levelCounter); ok {
		return d.appendCounterHeading(dst, o.Counter(j))
	}
	return appendRange(append(d.appendObject(dst, o), ", "...), o.Offset(), o.Offset()+int64(o.TotalByteLength))
}

func (d *block) appendObject(dst []byte, o *perfdata.Object) []byte {
	dst = d.appendNamed(dst, o.ObjectNameTitleIndex)
	dst = appendCount(append(dst, ", "...), len(o.Counters()), "counter")
	if o.Single() {
		return dst
	}
	return appendCount(append(dst, ", "...), o.Len(), "instance")
}

// AppendOutline appends what an object is.
func (d *block) AppendOutline(dst []byte, p perfdump.Path, level int) []byte {
	if o := d.objectAt(&p); level == levelObject && o != nil {
		return d.appendObject(dst, o)
	}
	return dst
}

// Stands is true for an object that something is wrong with.
func (d *block) Stands(p perfdump.Path, level int) bool {
	if level != levelObject || len(d.faults) == 0 {
		return false
	}
	o := d.objectAt(&p)
	return o != nil && d.fault(o.Offset(), o.Offset()+int64(o.TotalByteLength)) != nil
}

func (d *block) appendBlockHeading(dst []byte) []byte {
	if name := d.at.ComputerName(); name != "" {
		dst = append(append(dst, cell.Clean(cell.Cut(name, maxName))...), ", "...)
	}
	if t, ok := d.at.Time(); ok && t.Year() <= lastYear {
		dst = append(t.AppendFormat(dst, time.RFC3339), ", "...)
	}
	dst = appendCount(dst, d.at.NumObjects(), "object")
	return appendRange(append(dst, ", "...), d.at.Offset(), d.at.Offset()+int64(d.at.Size()))
}

func (d *block) appendNamed(dst []byte, index uint32) []byte {
	if name := d.name(index); name != "" {
		return append(dst, name...)
	}
	return strconv.AppendUint(append(dst, "title "...), uint64(index), 10)
}

func (d *block) appendCounterHeading(dst []byte, c *perfdata.Counter) []byte {
	dst = d.appendNamed(dst, c.CounterNameTitleIndex)
	if name, ok := c.CounterType.Name(); ok {
		dst = append(append(dst, ", "...), name...)
	}
	return dst
}

func (d *block) appendInstanceHeading(dst []byte, o *perfdata.Object, i int) []byte {
	in := o.Instance(i)
	switch {
	case !in.Defined():
		return append(dst, "the only one, without a name"...)
	case len(in.RawName()) == 0:
		return strconv.AppendInt(append(dst, "UniqueID "...), int64(in.UniqueID()), 10)
	default:
		return appendQuoted(dst, in, mostText)
	}
}

// appendQuoted appends the name of an instance with its parent's before it,
// as errors and tables have it.
func appendQuoted(dst []byte, in perfdata.Instance, most int) []byte {
	if parent, ok := in.Parent(); ok {
		dst = append(appendName(dst, parent, most), '/')
	}
	return appendName(dst, in, most)
}

func appendName(dst []byte, in perfdata.Instance, most int) []byte {
	raw := in.RawName()
	if page := in.Object().CodePage; page != 0 && !isUTF16(raw, page) {
		return appendANSI(dst, raw, page, most)
	}
	return appendUTF16(dst, raw, most)
}

// isUTF16 reports whether a name is read as UTF-16 though its object names a
// code page, as perfdata does: where it plainly is, or the page is unknown or
// cannot decode it.
func isUTF16(raw []byte, page uint32) bool {
	if n := len(raw); n >= 4 && n%2 == 0 && raw[0] != 0 && raw[n-2] == 0 {
		high := byte(0)
		for i := 1; i < n; i += 2 {
			high |= raw[i]
		}
		if high == 0 {
			return true
		}
	}
	p, known := wire.LookupCodePage(page)
	if !known {
		return true
	}
	if i := bytes.IndexByte(raw, 0); i >= 0 {
		raw = raw[:i]
	}
	_, ok := p.Append(nil, raw)
	return !ok
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

func (d *block) AppendComment(dst []byte, s *perfdump.Span, b []byte) []byte {
	o := d.objectAt(&s.Path)
	field := s.Path.FieldName()
	j, counter := s.Path.Index(levelCounter)
	i, instance := s.Path.Index(levelInstance)
	switch {
	case o == nil:
		return d.appendHeaderComment(dst, field, b)
	case instance && counter:
		if field == "" {
			return append(dst, d.comments[j]...)
		}
		return dst
	case instance:
		return d.appendInstanceComment(dst, o.Instance(i), field, b)
	case counter:
		return d.appendCounterComment(dst, o.Counter(j), field)
	default:
		return d.appendObjectComment(dst, o, field)
	}
}

func (d *block) appendHeaderComment(dst []byte, field string, b []byte) []byte {
	h, base := &d.at.DataBlock, d.at.Offset()
	switch field {
	case "TotalByteLength":
		return appendPlace(dst, "ends at ", base+int64(h.TotalByteLength))
	case "HeaderLength":
		return appendPlace(dst, "ends at ", base+int64(h.HeaderLength))
	case "DefaultObject":
		if h.DefaultObject > 0 {
			return append(dst, d.name(uint32(h.DefaultObject))...)
		}
	case "PerfFreq":
		return append(dst, "ticks a second"...)
	case "PerfTime100nSec":
		return strconv.AppendUint(dst, wire.U64(b, 0), 10)
	case "SystemNameOffset":
		if h.SystemNameLength > 0 {
			return appendPlace(dst, "name at ", base+int64(h.SystemNameOffset))
		}
	}
	return dst
}

func (d *block) appendObjectComment(dst []byte, o *perfdata.Object, field string) []byte {
	switch field {
	case "TotalByteLength":
		return appendPlace(dst, "ends at ", o.Offset()+int64(o.TotalByteLength))
	case "DefinitionLength":
		return appendPlace(dst, "ends at ", o.Offset()+int64(o.DefinitionLength))
	case "HeaderLength":
		return appendPlace(dst, "ends at ", o.Offset()+int64(o.HeaderLength))
	case "ObjectNameTitleIndex":
		return append(dst, d.name(o.ObjectNameTitleIndex)...)
	case "ObjectHelpTitleIndex":
		return d.appendHelp(dst, o.ObjectHelpTitleIndex)
	case "DetailLevel":
		return append(dst, detail(o.DetailLevel)...)
	case "DefaultCounter":
		if n := o.DefaultCounter; n >= 0 && int(n) < len(d.comments) {
			return append(dst, d.comments[n]...)
		}
	case "NumInstances":
		switch o.NumInstances {
		case perfdata.NoInstances:
			return append(dst, "one set of values, without a name"...)
		case perfdata.MetadataMulti, perfdata.MetadataSingle:
			return append(dst, "definitions alone"...)
		}
	case "CodePage":
		if o.CodePage == 0 {
			return append(dst, "names are UTF-16"...)
		}
		if p, ok := wire.LookupCodePage(o.CodePage); ok {
			return append(dst, p.Name()...)
		}
	}
	return dst
}

func (d *block) appendCounterComment(dst []byte, c *perfdata.Counter, field string) []byte {
	switch field {
	case "CounterNameTitleIndex":
		return append(dst, d.name(c.CounterNameTitleIndex)...)
	case "CounterHelpTitleIndex":
		return d.appendHelp(dst, c.CounterHelpTitleIndex)
	case "DetailLevel":
		return append(dst, detail(c.DetailLevel)...)
	case "DefaultScale":
		if c.DefaultScale != 0 {
			return strconv.AppendInt(append(dst, "in graphs times 10^"...), int64(c.DefaultScale), 10)
		}
	}
	return dst
}

func (d *block) appendInstanceComment(dst []byte, in perfdata.Instance, field string, b []byte) []byte {
	switch field {
	case "ByteLength":
		return appendPlace(dst, "values at ", in.Offset()+int64(wire.U32(b, 0)))
	case "ParentObjectTitleIndex":
		if index := wire.U32(b, 0); index != 0 {
			return append(dst, d.name(index)...)
		}
	case "ParentObjectInstance":
		if parent, ok := in.Parent(); ok {
			return appendName(dst, parent, mostText)
		}
	case "UniqueID":
		if in.UniqueID() == -1 {
			return append(dst, "none"...)
		}
	case "NameOffset":
		if len(in.RawName()) > 0 {
			return appendPlace(dst, "name at ", in.Offset()+int64(wire.U32(b, 0)))
		}
	case "CounterBlock.ByteLength":
		end := in.Offset() + int64(wire.U32(b, 0))
		if in.Defined() {
			end += int64(in.Definition().ByteLength)
		}
		return appendPlace(dst, "ends at ", end)
	}
	return dst
}

func (d *block) appendHelp(dst []byte, index uint32) []byte {
	if help := d.names.Help(index); help != "" {
		return append(dst, cell.Clean(cell.Cut(help, maxHelp))...)
	}
	return dst
}

func appendPlace(dst []byte, what string, off int64) []byte {
	return appendHex(append(dst, what...), uint64(off))
}

func detail(level uint32) string {
	switch level {
	case 100:
		return "novice"
	case 200:
		return "advanced"
	case 300:
		return "expert"
	case 400:
		return "wizard"
	default:
		return ""
	}
}
