package document

import (
	"encoding/binary"
	"strconv"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// setColumns makes d.columns those of o.
func (d *perfDataWriter) setColumns(o *perfdata.Object) {
	d.columns = columnsOf(d.columns, o.CodePage, len(o.Counters()), func(j int) (countertypes.Type, uint32, uint32) {
		c := o.Counter(j)
		return c.CounterType, c.CounterSize, c.CounterOffset
	})
}

func (d *perfDataWriter) instances(o *perfdata.Object) {
	d.setColumns(o)
	multi := false
	for j := range d.columns {
		multi = multi || d.columns[j].multi && d.choice.counter(j)
	}
	first := true
	for i, display := range o.DisplayNames() {
		if !d.choice.instance(i) {
			continue
		}
		if !first {
			d.raw(",")
		}
		first = false
		if d.instance(o.Instance(i), display, multi); !d.ok() {
			return
		}
	}
}

func (d *perfDataWriter) instance(in perfdata.Instance, display string, multi bool) {
	def, block := in.Definition(), in.BlockBytes()
	d.raw("\n     {\"name\":")
	if in.Defined() {
		d.instanceName(in)
	} else {
		d.raw("null")
	}
	d.int(`,"unique_id":`, int64(def.UniqueID))
	d.u32(`,"parent_object":`, def.ParentObjectTitleIndex)
	d.u32(`,"parent_instance":`, def.ParentObjectInstance)
	d.printer.name(`,"display":`, display, in.Defined())
	d.raw(`,"values":[`)
	d.values(in, block)
	if multi {
		d.raw(`],"multi":[`)
		d.multi(in)
	}
	d.raw(`],"wire":{`)
	if in.Defined() {
		d.u32(`"byte_length":`, def.ByteLength)
		d.u32(`,"name_offset":`, def.NameOffset)
		d.u32(`,"name_length":`, def.NameLength)
		d.raw(",")
	}
	d.uint(`"block_length":`, uint64(len(block)))
	d.raw("}}")
}

func (d *perfDataWriter) instanceName(in perfdata.Instance) {
	raw, page := in.RawName(), in.Object().CodePage
	if len(raw) > longText {
		d.textParts(raw, in.NameParts(), d.speller.nameParts(raw, page, in.NameParts()))
		return
	}
	d.name = in.AppendName(d.name[:0])
	text(d.printer, raw, d.name, d.speller.name(raw, page, d.name))
}

func (d *perfDataWriter) textValue(v perfdata.Value, page uint32) {
	if len(v.Raw) > longText {
		d.textParts(v.Raw, v.TextParts(), d.speller.valueParts(v.Raw, page, v.TextParts()))
		return
	}
	s := v.Text()
	text(d.printer, v.Raw, s, d.speller.value(v.Raw, page, s))
}

func (d *perfDataWriter) values(in perfdata.Instance, block []byte) {
	b, first := d.b, true
	for j := range d.columns {
		if !d.choice.counter(j) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		c := &d.columns[j]
		n := c.extent(int64(len(block)))
		switch {
		case n == 0:
			b = append(b, "null"...)
		case c.text:
			d.b = b
			d.textValue(in.Value(j), c.page)
			b = d.b
		case n == 4:
			b = strconv.AppendUint(b, uint64(binary.LittleEndian.Uint32(block[c.off:])), 10)
		case n == 8:
			b = strconv.AppendUint(b, binary.LittleEndian.Uint64(block[c.off:]), 10)
		default:
			d.b = append(b, `{"hex":`...)
			d.hex(block[c.off : int64(c.off)+n])
			b = append(d.b, '}')
		}
		if len(b) >= flushAt {
			d.b = b
			if !d.ok() {
				return
			}
			b = d.b
		}
	}
	d.b = b
}

// multi writes the counts of multi-counters.
func (d *perfDataWriter) multi(in perfdata.Instance) {
	first := true
	for j := range d.columns {
		if !d.choice.counter(j) {
			continue
		}
		if !first {
			d.raw(",")
		}
		first = false
		if n, ok := in.Multi(j); ok && d.columns[j].multi {
			d.u32("", n)
		} else {
			d.raw("null")
		}
		if !d.ok() {
			return
		}
	}
}
