package hexview

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/cell"
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

// maxRemarks bounds the remarks of a file with many blocks. Each block has its
// own limit.
const maxRemarks = 10_000

// blocks is the document of performance data.
type blocks struct {
	*Document
	names   *capture.Names
	options perfdump.Options
	n       int             // blocks
	at      *perfdata.Block // the current block of the spans
	faults  []faultAt       // of at, by their offsets

	object   *perfdata.Object // that comments are at hand for
	comments []string         // what follows a value, one a counter
}

// PerfData returns the document of blocks of performance data. What cannot be
// decoded is read as far as salvage mode goes, and Err says so; in that mode it
// is no error.
func PerfData(b []byte, in Input) *Document {
	d := &blocks{Document: newDocument(b, in, "block", "object", "instance", "counter"), names: in.Names, options: in.Options}
	if d.names == nil {
		d.names = capture.NewNames()
	}
	d.Spans, d.Elements, d.Heading, d.Value, d.Comment, d.Outline, d.Unfolded = d.spans, d.elements, d.heading, d.value, d.comment, d.outline, d.unfolded
	if d.Err = d.read(); d.Err != nil {
		// Again, for what can be read. Salvage mode also fails without a
		// header.
		d.Remarks, d.n, d.options.Mode = nil, 0, perfdump.Salvage
		_ = d.read()
	}
	return d.Document
}

// read collects errors and anomalies, except gaps, which are shown as such.
func (d *blocks) read() error {
	for blk, err := range perfdata.Blocks(d.Bytes, d.options) {
		if err != nil {
			return err
		}
		d.n++
		var faults []*perfdump.FormatError
		for i := range min(blk.NumFaults(), maxRemarks-len(d.Remarks)) {
			faults = append(faults, blk.Fault(i))
		}
		kept := slices.DeleteFunc(slices.Clone(blk.Anomalies().Kept()), func(a perfdump.Anomaly) bool {
			return a.Code == perfdata.CodeGap || a.Code == perfdata.CodeTrailingBytes
		})
		d.remark(faults, kept[:min(len(kept), max(0, maxRemarks-len(d.Remarks)-len(faults)))]...)
	}
	return nil
}

func (d *blocks) spans(yield func(perfdump.Span) bool) {
	end, reason := int64(0), ""
	for blk, err := range perfdata.Blocks(d.Bytes, d.options) {
		if err != nil {
			reason = err.Error()
			break
		}
		d.at, d.object, d.faults = blk, nil, d.faults[:0]
		for fault := range blk.Faults() {
			d.faults = append(d.faults, faultAt{fault.Off, len(d.faults)})
		}
		slices.SortStableFunc(d.faults, func(a, b faultAt) int { return cmp.Compare(a.off, b.off) })
		end = blk.Offset() + int64(len(blk.Bytes()))
		for s := range blk.Spans() {
			if s.Kind == perfdump.KindGap {
				if i, ok := d.fault(s.Off, s.Off+s.Size); ok {
					s.Note = blk.Fault(i).Error()
				}
			}
			if !yield(s) {
				return
			}
		}
	}
	if n := int64(len(d.Bytes)) - end; n > 0 {
		yield(perfdump.Span{Off: end, Size: n, Note: reason})
	}
}

// faultAt is the offset and the number of a fault of a block. Its text is larger.
type faultAt struct {
	off int64
	n   int
}

// fault returns which fault of the block is the first in a range, false for none.
func (d *blocks) fault(from, to int64) (int, bool) {
	n, _ := slices.BinarySearchFunc(d.faults, from, func(f faultAt, from int64) int { return cmp.Compare(f.off, from) })
	if n == len(d.faults) || d.faults[n].off >= to {
		return 0, false
	}
	return d.faults[n].n, true
}

// objectAt returns the object of a path, nil for none.
func (d *blocks) objectAt(p *perfdump.Path) *perfdata.Object {
	i, ok := p.Index(levelObject)
	if !ok {
		return nil
	}
	if d.object != nil && d.object.Position() == i {
		return d.object
	}
	// Salvage mode leaves objects out, so that positions are no indexes.
	n := sort.Search(d.at.NumObjects(), func(n int) bool { return d.at.Object(n).Position() >= i })
	if n == d.at.NumObjects() || d.at.Object(n).Position() != i {
		return nil
	}
	d.object, d.comments = d.at.Object(n), d.comments[:0]
	for j := range d.object.Counters() {
		d.comments = append(d.comments, d.name(d.object.Counter(j).CounterNameTitleIndex))
	}
	return d.object
}

// name returns the name of a title index fit to be shown, "" for none.
func (d *blocks) name(index uint32) string {
	name := d.names.Name(index)
	if name != "" && name[0] <= '9' { // perhaps the number itself, in place of a name
		if n, err := strconv.ParseUint(name, 10, 32); err == nil && uint32(n) == index {
			return ""
		}
	}
	return cell.Clean(cell.Cut(name, maxName))
}

// The columns that a name and a help text take in comments.
const (
	maxName = 80
	maxHelp = 60
)

func (d *blocks) elements(p perfdump.Path, level int) (n, keep int) {
	o := d.objectAt(&p)
	_, value := p.Index(levelInstance)
	switch {
	case level == levelBlock:
		return d.n, keepBlocks
	case level == levelObject:
		return d.at.NumObjects(), keepObjects
	case o == nil:
		return 0, 0
	case level == levelInstance:
		return o.Len(), keepInstances
	case value && o.Len() == 1:
		return len(o.Counters()), keepLoneValues
	case value:
		return len(o.Counters()), keepValues
	default:
		return len(o.Counters()), keepDefinitions
	}
}

func (d *blocks) value(dst []byte, s *perfdump.Span, b []byte, most int) []byte {
	switch field := s.Path.FieldName(); {
	case s.Kind == perfdump.KindHex && field == "CounterType":
		return bytes.TrimRight(appendType(append(appendValue(dst, s, b, most), ' '), b), " ")
	case s.Kind == perfdump.KindANSI && field == "Name" && isUTF16(b, s.CodePage):
		return appendUTF16(dst, b, most)
	}
	return appendValue(dst, s, b, most)
}

var detailLevels = map[uint64]string{100: "novice", 200: "advanced", 300: "expert", 400: "wizard"}

// noCounts are the numbers of instances that have another meaning.
var noCounts = map[int32]string{
	perfdata.NoInstances:    "one set of values, without a name",
	perfdata.MetadataMulti:  "definitions alone",
	perfdata.MetadataSingle: "definitions alone",
}

// comment explains a field. Fields of the same name mean the same in all
// headers.
func (d *blocks) comment(dst []byte, s *perfdump.Span, b []byte) []byte {
	o := d.objectAt(&s.Path)
	i, instance := s.Path.Index(levelInstance)
	j, counter := s.Path.Index(levelCounter)
	field := s.Path.FieldName()
	if instance && counter {
		if field == "" {
			dst = append(dst, d.comments[j]...)
		}
		return dst
	}
	v, _ := load(b)
	begin := func() int64 { // of the struct that has the field
		switch {
		case instance:
			return o.Instance(i).Offset()
		case o != nil:
			return o.Offset()
		default:
			return d.at.Offset()
		}
	}
	switch field {
	case "TotalByteLength", "HeaderLength", "DefinitionLength":
		return appendPlace(dst, "ends at ", begin()+int64(v))
	case "CounterBlock.ByteLength":
		return appendPlace(dst, "ends at ", s.Off+int64(v))
	case "ByteLength":
		if instance {
			return appendPlace(dst, "values at ", begin()+int64(v))
		}
	case "SystemNameOffset":
		if d.at.SystemNameLength > 0 {
			return appendPlace(dst, "name at ", begin()+int64(v))
		}
	case "NameOffset":
		if len(o.Instance(i).RawName()) > 0 {
			return appendPlace(dst, "name at ", begin()+int64(v))
		}
	case "DefaultObject":
		if int32(v) > 0 {
			return append(dst, d.name(uint32(v))...)
		}
	case "ParentObjectTitleIndex":
		if v != 0 {
			return append(dst, d.name(uint32(v))...)
		}
	case "ObjectNameTitleIndex", "CounterNameTitleIndex":
		return append(dst, d.name(uint32(v))...)
	case "ObjectHelpTitleIndex", "CounterHelpTitleIndex":
		return append(dst, cell.Clean(cell.Cut(d.names.Help(uint32(v)), maxHelp))...)
	case "ParentObjectInstance":
		if parent, ok := o.Instance(i).Parent(); ok {
			return appendName(dst, parent, maxText)
		}
	case "UniqueID":
		if int32(v) == -1 {
			return append(dst, "none"...)
		}
	case "DetailLevel":
		return append(dst, detailLevels[v]...)
	case "DefaultCounter":
		if n := int32(v); n >= 0 && int(n) < len(d.comments) {
			return append(dst, d.comments[n]...)
		}
	case "DefaultScale":
		if v != 0 {
			return strconv.AppendInt(append(dst, "in graphs times 10^"...), int64(int32(v)), 10)
		}
	case "NumInstances":
		return append(dst, noCounts[int32(v)]...)
	case "CodePage":
		if v == 0 {
			return append(dst, "names are UTF-16"...)
		}
		if p, ok := wire.LookupCodePage(uint32(v)); ok {
			return append(dst, p.Name()...)
		}
	case "PerfFreq":
		if o == nil {
			return append(dst, "ticks a second"...)
		}
	case "PerfTime100nSec":
		return strconv.AppendUint(dst, v, 10)
	}
	return dst
}

func appendPlace(dst []byte, what string, off int64) []byte {
	return appendHex(append(dst, what...), uint64(off))
}

func (d *blocks) heading(dst []byte, p perfdump.Path) []byte {
	o := d.objectAt(&p)
	i, instance := p.Index(levelInstance)
	j, counter := p.Index(levelCounter)
	_, object := p.Index(levelObject)
	switch {
	case !object:
		if name := d.at.ComputerName(); name != "" {
			dst = append(append(dst, cell.Clean(cell.Cut(name, maxName))...), ", "...)
		}
		if t, ok := d.at.Time(); ok && t.Year() <= lastYear {
			dst = append(t.AppendFormat(dst, time.RFC3339), ", "...)
		}
		dst = appendCount(dst, d.at.NumObjects(), "object")
		return appendRange(append(dst, ", "...), d.at.Offset(), d.at.Offset()+int64(d.at.Size()))
	case o == nil:
		return dst
	case instance:
		in := o.Instance(i)
		switch {
		case !in.Defined():
			return append(dst, "the only one, without a name"...)
		case len(in.RawName()) == 0:
			return strconv.AppendInt(append(dst, "UniqueID "...), int64(in.UniqueID()), 10)
		}
		if parent, ok := in.Parent(); ok {
			dst = append(appendName(dst, parent, maxText), '/')
		}
		return appendName(dst, in, maxText)
	case counter:
		c := o.Counter(j)
		dst = d.appendNamed(dst, c.CounterNameTitleIndex)
		if name, ok := c.CounterType.Name(); ok {
			dst = append(append(dst, ", "...), name...)
		}
		return dst
	default:
		return appendRange(append(d.appendObject(dst, o), ", "...), o.Offset(), o.Offset()+int64(o.TotalByteLength))
	}
}

func (d *blocks) appendObject(dst []byte, o *perfdata.Object) []byte {
	dst = d.appendNamed(dst, o.ObjectNameTitleIndex)
	dst = appendCount(append(dst, ", "...), len(o.Counters()), "counter")
	if o.Single() {
		return dst
	}
	return appendCount(append(dst, ", "...), o.Len(), "instance")
}

func (d *blocks) appendNamed(dst []byte, index uint32) []byte {
	if name := d.name(index); name != "" {
		return append(dst, name...)
	}
	return strconv.AppendUint(append(dst, "title "...), uint64(index), 10)
}

// outline describes a folded object.
func (d *blocks) outline(dst []byte, p perfdump.Path, level int) []byte {
	if o := d.objectAt(&p); level == levelObject && o != nil {
		return d.appendObject(dst, o)
	}
	return dst
}

// unfolded reports whether an element is an object with an error.
func (d *blocks) unfolded(p perfdump.Path, level int) bool {
	if level != levelObject || len(d.faults) == 0 {
		return false
	}
	o := d.objectAt(&p)
	if o == nil {
		return false
	}
	_, ok := d.fault(o.Offset(), o.Offset()+int64(o.TotalByteLength))
	return ok
}

func appendName(dst []byte, in perfdata.Instance, most int) []byte {
	raw := in.RawName()
	if page := in.Object().CodePage; page != 0 && !isUTF16(raw, page) {
		return appendANSI(dst, raw, page, most)
	}
	return appendUTF16(dst, raw, most)
}

// isUTF16 reports whether a name is read as UTF-16 although its object names a
// code page, as perfdata does: if it plainly is UTF-16, or if the page is unknown
// or cannot decode it.
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
	return !p.Valid(raw)
}
