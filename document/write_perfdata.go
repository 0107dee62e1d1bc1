package document

import (
	"io"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// PerfData is a file of blocks. The blocks are those that perfdata.Blocks gives
// for Data. They are gone through four times, one by one, so that those of a
// long file need not all be there at once; nil is none.
type PerfData struct {
	Name   string // its name
	Data   []byte // its bytes, unpacked
	Blocks iter.Seq[*perfdata.Block]
}

// WritePerfData writes the document of a file of blocks to w and nothing
// behind its last line. The only error is one of w.
//
// Memory does not depend on the length of the document: there is a buffer, and
// a few bytes for each instance of the object at hand. Equal inputs give equal
// documents.
func WritePerfData(w io.Writer, in PerfData, o Options) error {
	if in.Blocks == nil {
		in.Blocks = func(func(*perfdata.Block) bool) {}
	}
	d := &perfDataWriter{printer: newPrinter(w), in: in, o: o, names: o.names()}
	d.document()
	d.flush()
	return d.err
}

type perfDataWriter struct {
	*printer
	in    PerfData
	o     Options
	names Names

	speller speller
	types   typeNames
	choice  choice
	index   *pdhpath.Index // of the patterns, nil before it is needed
	columns []column
	pieces  []piece
	name    []byte
	block   *perfdata.Block
}

func (d *perfDataWriter) document() {
	d.str(`{"format":"perfdata","file":`, d.in.Name)
	d.int(`,"size":`, int64(len(d.in.Data)))
	if d.partial() {
		d.raw(`,"partial":true`)
	}
	d.raw(`,"blocks":[`)
	first := true
	for b := range d.in.Blocks {
		if !first {
			d.raw(",")
		}
		first = false
		d.block = b
		if d.header(); !d.ok() {
			return
		}
	}
	d.block = nil // or it would be kept beside those that are gone through below
	d.raw(`],"gaps":[`)
	if d.o.Counters == nil && d.o.Query == nil { // else most of the file would be in gaps
		d.gaps()
	}
	d.raw("],")
	d.anomaliesOf(d.o.Limits.MaxAnomalies(), func(yield func(*perfdump.Anomalies) bool) {
		for b := range d.in.Blocks {
			if !yield(b.Anomalies()) {
				return
			}
		}
	})
}

// partial reports whether the document leaves something out.
func (d *perfDataWriter) partial() bool {
	if d.o.partial() {
		return true
	}
	for b := range d.in.Blocks {
		if b.NumFaults() > 0 {
			return true
		}
	}
	return false
}

func (d *perfDataWriter) header() {
	b := d.block
	d.int("\n {\"offset\":", b.Offset())
	// The signature, not the flag, says how the values are to be read.
	d.u32(`,"little_endian":true,"version":`, b.Version)
	d.u32(`,"revision":`, b.Revision)
	d.u32(`,"total_byte_length":`, b.TotalByteLength)
	d.u32(`,"header_length":`, b.HeaderLength)
	d.u32(`,"num_object_types":`, b.NumObjectTypes)
	d.int(",\n  \"default_object\":", int64(b.DefaultObject))
	d.raw(`,"system_time":`)
	d.b = appendSystemTime(d.b, b.SystemTime)
	d.int(`,"perf_time":`, b.PerfTime)
	d.int(`,"perf_freq":`, b.PerfFreq)
	d.int(`,"perf_time_100ns":`, b.PerfTime100nSec)
	d.raw(`,"system_name":`)
	d.systemName()
	d.u32(",\n  \"wire\":{\"flag\":", b.LittleEndian)
	d.raw(`,"system_time":[`)
	for i, v := range b.SystemTime {
		if i > 0 {
			d.raw(",")
		}
		d.u32("", uint32(v))
	}
	d.u32(`],"system_name_length":`, b.SystemNameLength)
	d.u32(`,"system_name_offset":`, b.SystemNameOffset)
	d.raw("},\n  \"objects\":[")
	first := true
	for _, o := range b.Objects() {
		if !d.choice.object(d, o) {
			continue
		}
		if !first {
			d.raw(",")
		}
		first = false
		if d.object(o); !d.ok() {
			return
		}
	}
	d.raw("]}")
}

// appendSystemTime appends the time of a block, null where it is none that
// RFC 3339 can write.
func appendSystemTime(dst []byte, s perfdata.SystemTime) []byte {
	t, ok := s.Time()
	if !ok || t.Year() > 9999 {
		return append(dst, "null"...)
	}
	return append(t.AppendFormat(append(dst, '"'), timeLayout), '"')
}

const timeLayout = "2006-01-02T15:04:05.999Z07:00"

// systemName writes the computer's name: null where the header says that it is
// where it cannot be.
func (d *perfDataWriter) systemName() {
	raw, ok := systemName(d.block)
	if !ok {
		d.raw("null")
		return
	}
	name := d.block.ComputerName()
	name16 := inParts(name)
	d.textParts(raw, name16, d.speller.nameParts(raw, 0, name16))
}

// systemName returns the bytes of the computer's name, and false where they
// are not in the header.
func systemName(b *perfdata.Block) ([]byte, bool) {
	off, n := uint64(b.SystemNameOffset), uint64(b.SystemNameLength)
	switch {
	case n == 0:
		return nil, true
	case off < headerSize || off+n > uint64(b.HeaderLength):
		return nil, false
	}
	return b.Bytes()[off : off+n], true
}

func (d *perfDataWriter) object(o *perfdata.Object) {
	d.int("\n   {\"offset\":", o.Offset())
	d.u32(`,"index":`, o.ObjectNameTitleIndex)
	name, ok := d.names.Lookup(o.ObjectNameTitleIndex)
	d.printer.name(`,"name":`, name, ok)
	d.u32(`,"help_index":`, o.ObjectHelpTitleIndex)
	d.u32(`,"detail_level":`, o.DetailLevel)
	d.int(`,"default_counter":`, int64(o.DefaultCounter))
	d.int(`,"num_instances":`, int64(o.NumInstances))
	d.u32(`,"code_page":`, o.CodePage)
	d.int(",\n    \"perf_time\":", o.PerfTime)
	d.int(`,"perf_freq":`, o.PerfFreq)
	d.u32(`,"wire":{"total_byte_length":`, o.TotalByteLength)
	d.u32(`,"definition_length":`, o.DefinitionLength)
	d.u32(`,"header_length":`, o.HeaderLength)
	d.u32(`,"num_counters":`, o.NumCounters)
	d.u32(`,"name_title":`, o.ObjectNameTitle)
	d.u32(`,"help_title":`, o.ObjectHelpTitle)
	d.raw("},\n    \"counters\":[")
	first := true
	for j := range o.Counters() {
		if !d.choice.counter(j) {
			continue
		}
		if !first {
			d.raw(",")
		}
		first = false
		if d.counter(o.Counter(j)); !d.ok() {
			return
		}
	}
	d.raw("],\n    \"instances\":[")
	d.instances(o)
	d.raw("]}")
}

func (d *perfDataWriter) counter(c *perfdata.Counter) {
	d.u32("\n     {\"index\":", c.CounterNameTitleIndex)
	name, ok := d.names.Lookup(c.CounterNameTitleIndex)
	d.printer.name(`,"name":`, name, ok)
	d.u32(`,"help_index":`, c.CounterHelpTitleIndex)
	d.raw(`,"type":`)
	d.b = append(d.b, d.types.name(c.CounterType)...)
	d.raw(`,"type_hex":"0x`)
	for shift := 28; shift >= 0; shift -= 4 {
		d.b = append(d.b, hexDigits[c.CounterType>>shift&0xF])
	}
	d.u32(`","size":`, c.CounterSize)
	d.u32(`,"offset":`, c.CounterOffset)
	d.int(`,"scale":`, int64(c.DefaultScale))
	d.u32(`,"detail_level":`, c.DetailLevel)
	d.u32(`,"wire":{"byte_length":`, c.ByteLength)
	d.u32(`,"name_title":`, c.CounterNameTitle)
	d.u32(`,"help_title":`, c.CounterHelpTitle)
	d.raw("}}")
}

// typeNames remembers the names of types as JSON, of the named ones alone.
type typeNames map[countertypes.Type][]byte

func (n *typeNames) name(t countertypes.Type) []byte {
	if text, ok := (*n)[t]; ok {
		return text
	}
	text := appendString(nil, t.String())
	if _, named := t.Name(); named {
		if *n == nil {
			*n = typeNames{}
		}
		(*n)[t] = text
	}
	return text
}
