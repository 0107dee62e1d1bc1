package perftest

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/lunixbochs/struc"
)

// The rivals of the decoder, for guards and benchmarks. They trust their input.

// SumWords is the floor: all bytes are loaded as 8-byte words, once.
func SumWords(b []byte) (sum uint64) {
	for len(b) >= 8 {
		sum += binary.LittleEndian.Uint64(b)
		b = b[8:]
	}
	return sum
}

// The structs of winperf.h as exporters declare them.
type (
	exportBlock struct {
		Signature        [4]uint16
		LittleEndian     uint32
		Version          uint32
		Revision         uint32
		TotalByteLength  uint32
		HeaderLength     uint32
		NumObjectTypes   uint32
		DefaultObject    int32
		SystemTime       [8]uint16
		Padding          [4]uint8
		PerfTime         int64
		PerfFreq         int64
		PerfTime100nSec  int64
		SystemNameLength uint32
		SystemNameOffset uint32
	}
	exportObject struct {
		TotalByteLength      uint32
		DefinitionLength     uint32
		HeaderLength         uint32
		ObjectNameTitleIndex uint32
		ObjectNameTitle      uint32
		ObjectHelpTitleIndex uint32
		ObjectHelpTitle      uint32
		DetailLevel          uint32
		NumCounters          uint32
		DefaultCounter       int32
		NumInstances         int32
		CodePage             uint32
		PerfTime             int64
		PerfFreq             int64
	}
	exportDefinition struct {
		ByteLength            uint32
		CounterNameTitleIndex uint32
		CounterNameTitle      uint32
		CounterHelpTitleIndex uint32
		CounterHelpTitle      uint32
		DefaultScale          int32
		DetailLevel           uint32
		CounterType           uint32
		CounterSize           uint32
		CounterOffset         uint32
	}
	exportInstance struct {
		ByteLength             uint32
		ParentObjectTitleIndex uint32
		ParentObjectInstance   uint32
		UniqueID               int32
		NameOffset             uint32
		NameLength             uint32
	}
	exportValues struct {
		ByteLength uint32
	}
)

// What [Export] makes of a block.
type (
	Exported struct {
		exportObject
		definitions []*exportDefinition
		Instances   []*ExportedInstance
	}
	ExportedInstance struct {
		Name     string
		Counters []*ExportedCounter
	}
	ExportedCounter struct {
		definition *exportDefinition
		Value      int64
	}
)

// Title is the title index of the object's name.
func (o *Exported) Title() uint32 { return o.ObjectNameTitleIndex }

// Title is the title index of the counter's name.
func (c *ExportedCounter) Title() uint32 { return c.definition.CounterNameTitleIndex }

// Export is a decoder the way exporters write it, with binary.Read for every
// struct, a string for every name and a struct for every value. (Values are
// loaded directly, as they do; by binary.Read they would be slower still.)
func Export(b []byte) (objects []*Exported, err error) {
	r := bytes.NewReader(b)
	read := func(off int64, v any) {
		if _, e := r.Seek(off, io.SeekStart); err == nil {
			err = e
		}
		if e := binary.Read(r, binary.LittleEndian, v); err == nil {
			err = e
		}
	}
	var block exportBlock
	read(0, &block)
	off := int64(block.HeaderLength)
	for range block.NumObjectTypes {
		o := new(Exported)
		read(off, &o.exportObject)
		at := off + int64(o.HeaderLength)
		for range o.NumCounters {
			c := new(exportDefinition)
			read(at, c)
			o.definitions = append(o.definitions, c)
			at += int64(c.ByteLength)
		}
		at = off + int64(o.DefinitionLength)
		for range max(1, o.NumInstances) {
			in := new(ExportedInstance)
			if o.NumInstances >= 0 {
				var def exportInstance
				read(at, &def)
				in.Name = UTF16Text(b[at+int64(def.NameOffset):][:def.NameLength])
				at += int64(def.ByteLength)
			}
			var values exportValues
			read(at, &values)
			for _, c := range o.definitions {
				v := &ExportedCounter{definition: c}
				if from := b[at+int64(c.CounterOffset):]; c.CounterSize == 8 {
					v.Value = int64(binary.LittleEndian.Uint64(from))
				} else {
					v.Value = int64(binary.LittleEndian.Uint32(from))
				}
				in.Counters = append(in.Counters, v)
			}
			o.Instances = append(o.Instances, in)
			at += int64(values.ByteLength)
		}
		objects = append(objects, o)
		off += int64(o.TotalByteLength)
	}
	return objects, err
}

// UTF16Text is UTF-16LE as a string, without the NULs at its end, as one
// writes it with package utf16.
func UTF16Text(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return strings.TrimRight(string(utf16.Decode(units)), "\x00")
}

// Struc reads only the definitions and instances, not the values, by struc.
func Struc(b []byte) {
	unpack := func(off int64, v any) {
		if err := struc.UnpackWithOptions(bytes.NewReader(b[off:]), v, &struc.Options{Order: binary.LittleEndian, PtrSize: 32}); err != nil {
			panic(err)
		}
	}
	var block exportBlock
	unpack(0, &block)
	off := int64(block.HeaderLength)
	for range block.NumObjectTypes {
		var o exportObject
		unpack(off, &o)
		at := off + int64(o.HeaderLength)
		for range o.NumCounters {
			var c exportDefinition
			unpack(at, &c)
			at += int64(c.ByteLength)
		}
		at = off + int64(o.DefinitionLength)
		for range o.NumInstances {
			var in exportInstance
			unpack(at, &in)
			var values exportValues
			unpack(at+int64(in.ByteLength), &values)
			at += int64(in.ByteLength) + int64(values.ByteLength)
		}
		off += int64(o.TotalByteLength)
	}
}
