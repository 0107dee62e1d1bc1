package document

import (
	"encoding/binary"
	"io"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// WritePerfData writes the document of a file of blocks, which are those that
// perfdata.Blocks gives for data, to w. It iterates over the blocks four times, so
// that those of a long file need not all be there at once. The only error is one
// of w.
//
// Memory does not depend on the length of the document: there is a buffer, and
// a few bytes for each instance of the object at hand. Equal inputs give equal
// documents.
func WritePerfData(to io.Writer, name string, data []byte, blocks iter.Seq[*perfdata.Block], o Options) error {
	w := &perfDataWriter{writer: newWriter(to), o: o, names: o.names(), choice: choice{patterns: o.Counters}}
	w.instanceFields = w.in.fields(w.values, nil)
	partial := o.partial()
	for b := range blocks {
		partial = partial || b.NumFaults() > 0
	}
	var explain func(*holes)
	if o.Counters == nil && o.Query == nil { // else most of the file would be in gaps
		explain = func(h *holes) {
			for b := range blocks {
				h.spans(b.Spans(), false)
			}
		}
	}
	w.head("perfdata", name, int64(len(data)), partial, object{
		{"blocks", list(w.writer, " ", blocks, w.block)}, {"gaps", gapsOf(w.writer, data, explain)},
	})
	w.end(&o, func(yield func(*perfdump.Anomalies) bool) {
		for b := range blocks {
			if !yield(b.Anomalies()) {
				return
			}
		}
	})
	w.flush(len(w.b))
	return w.err
}

type perfDataWriter struct {
	*writer
	o     Options
	names Names

	choice  choice
	columns []column

	in             instanceDoc // the one at hand
	view           perfdata.Instance
	instanceFields object
}

func (w *perfDataWriter) block(b *perfdata.Block) any {
	d := blockDoc{
		offset: num(b.Offset()), little: true, // the signature, not the flag, says how the values are read
		version: num(b.Version), revision: num(b.Revision), total: num(b.TotalByteLength), header: num(b.HeaderLength), number: num(b.NumObjectTypes),
		flag: num(b.LittleEndian), nameLength: num(b.SystemNameLength), nameOffset: num(b.SystemNameOffset),
		freq: num(b.PerfFreq), time100: num(b.PerfTime100nSec), time: timeOf(b.SystemTime),
	}
	d.tree.DataBlock = b.DataBlock
	if raw, ok := systemName(b); ok {
		d.name = nameOf(raw, 0, b.ComputerName())
	}
	chosen := func(yield func(*perfdata.Object) bool) {
		for _, o := range b.Objects() {
			if w.choice.object(w, o) && !yield(o) {
				return
			}
		}
	}
	return d.fields(list(w.writer, "   ", chosen, w.object))
}

// systemName returns the bytes of the computer's name, and false if they
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

func (w *perfDataWriter) object(o *perfdata.Object) any {
	d := objectDoc{
		offset: num(o.Offset()), index: num(o.ObjectNameTitleIndex), help: num(o.ObjectHelpTitleIndex), detail: num(o.DetailLevel),
		name: w.nameOf(o.ObjectNameTitleIndex), numInstances: num(o.NumInstances),
		totalLength: num(o.TotalByteLength), definitionLength: num(o.DefinitionLength), headerLength: num(o.HeaderLength), numCounters: num(o.NumCounters),
	}
	d.tree.ObjectType = o.ObjectType
	w.columns = columnsOf(w.columns, o.CodePage, len(o.Counters()), func(j int) (countertypes.Type, uint32, uint32) {
		c := o.Counter(j)
		return c.CounterType, c.CounterSize, c.CounterOffset
	})
	counters := func(yield func(*perfdata.Counter) bool) {
		for j := range o.Counters() {
			if w.choice.counter(j) && !yield(o.Counter(j)) {
				return
			}
		}
	}
	return d.fields(list(w.writer, "     ", counters, w.counter), func() { w.instances(o) })
}

func (w *perfDataWriter) nameOf(index uint32) nullable {
	name, ok := w.names.Lookup(index)
	return nullable{name, ok}
}

func (w *perfDataWriter) counter(c *perfdata.Counter) any {
	d := counterDoc{
		CounterDefinition: c.CounterDefinition, index: num(c.CounterNameTitleIndex), help: num(c.CounterHelpTitleIndex), detail: num(c.DetailLevel),
		size: num(c.CounterSize), offset: num(c.CounterOffset), length: num(c.ByteLength), name: w.nameOf(c.CounterNameTitleIndex),
		typeName: nullable{c.CounterType.String(), true},
	}
	return d.fields()
}

func (w *perfDataWriter) instances(o *perfdata.Object) {
	var multi any = absent{}
	for j := range w.columns {
		if w.columns[j].multi && w.choice.counter(j) {
			multi = w.multi
		}
	}
	w.instanceFields[6].value = multi
	chosen := func(yield func(object) bool) {
		for i, display := range o.DisplayNames() {
			if w.choice.instance(i) && !yield(w.instance(o.Instance(i), display)) {
				return
			}
		}
	}
	list(w.writer, "     ", chosen, func(in object) any { return in })()
}

func (w *perfDataWriter) instance(in perfdata.Instance, display string) object {
	def := in.Definition()
	w.view = in
	w.in.tree.InstanceDefinition = def
	w.in.name, w.in.display = bytesOrText{}, nullable{display, in.Defined()}
	w.in.length, w.in.nameOffset, w.in.nameLength = opt{}, opt{}, opt{}
	w.in.blockLength = num(len(in.BlockBytes()))
	if in.Defined() {
		w.in.name = nameOf(in.RawName(), in.Object().CodePage, in.Name())
		w.in.length, w.in.nameOffset, w.in.nameLength = num(def.ByteLength), num(def.NameOffset), num(def.NameLength)
	}
	return w.instanceFields
}

func (w *perfDataWriter) values() {
	block := w.view.BlockBytes()
	w.raw("[")
	for j := range w.columns {
		if !w.choice.counter(j) {
			continue
		}
		w.comma()
		c := &w.columns[j]
		switch n := c.extent(int64(len(block))); {
		case n == 0:
			w.raw("null")
		case c.text:
			v := w.view.Value(j)
			t := paddedOf(v.Raw, c.page, v.Text())
			w.bytesOrText(&t)
		case n == 4:
			w.uint(uint64(binary.LittleEndian.Uint32(block[c.off:])))
		case n == 8:
			w.uint(binary.LittleEndian.Uint64(block[c.off:]))
		default:
			w.bytes(block[c.off : int64(c.off)+n])
		}
		if !w.ok() {
			break
		}
	}
	w.raw("]")
}

// multi writes the counts of multi-counters.
func (w *perfDataWriter) multi() {
	list(w.writer, "", slices.Values(w.columns), func(c column) any {
		if !w.choice.counter(c.index) {
			return absent{}
		}
		n, ok := w.view.Multi(c.index)
		return given(n, ok && c.multi)
	})()
}
