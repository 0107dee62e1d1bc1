package hexdump

import (
	"bytes"
	"strconv"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

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
	if o == nil {
		return false
	}
	_, ok := d.fault(o.Offset(), o.Offset()+int64(o.TotalByteLength))
	return ok
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
	return !p.Valid(raw)
}
