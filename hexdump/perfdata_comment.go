package hexdump

import (
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

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
