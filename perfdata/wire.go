package perfdata

import (
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// The structs of winperf.h in the file. Their layout is defined here once: the encoder's
// headers, the spans, the byte tables of the documentation and the oracle of the
// hand-written decoder use the tags.

// DataBlock is PERF_DATA_BLOCK, the header of a block. The computer's name
// and padding follow it up to HeaderLength.
type DataBlock struct {
	Signature        [4]uint16  `struc:"[4]uint16,little" span:"utf16" doc:"\"PERF\""`
	LittleEndian     uint32     `struc:"uint32,little" doc:"1; 0 says that the values are big-endian"`
	Version          uint32     `struc:"uint32,little" doc:"1"`
	Revision         uint32     `struc:"uint32,little" doc:"1"`
	TotalByteLength  uint32     `struc:"uint32,little" doc:"the whole block, this header included"`
	HeaderLength     uint32     `struc:"uint32,little" doc:"offset of the first object"`
	NumObjectTypes   uint32     `struc:"uint32,little" doc:"objects that follow; 0 is legal"`
	DefaultObject    int32      `struc:"int32,little" doc:"title index of the object to show first, -1 none"`
	SystemTime       SystemTime `struc:"[8]uint16,little" span:"systemtime" doc:"UTC: year, month, day of week, day, hour, minute, second, ms"`
	Padding          [4]uint8   `struc:"[4]uint8,little" span:"pad" doc:"kept, never interpreted"`
	PerfTime         int64      `struc:"int64,little" doc:"ticks of the performance counter"`
	PerfFreq         int64      `struc:"int64,little" doc:"ticks per second"`
	PerfTime100nSec  int64      `struc:"int64,little" span:"filetime" doc:"the same moment as a FILETIME in UTC"`
	SystemNameLength uint32     `struc:"uint32,little" doc:"bytes, NUL included"`
	SystemNameOffset uint32     `struc:"uint32,little" doc:"from the start of the block"`
}

// ObjectType is PERF_OBJECT_TYPE, the header of an object.
type ObjectType struct {
	TotalByteLength      uint32 `struc:"uint32,little" doc:"this object whole: the stride to the next"`
	DefinitionLength     uint32 `struc:"uint32,little" doc:"header and counter definitions: offset of the first instance or counter block"`
	HeaderLength         uint32 `struc:"uint32,little" doc:"offset of the first counter definition; 64 today"`
	ObjectNameTitleIndex uint32 `struc:"uint32,little" doc:"key in the Counter table"`
	ObjectNameTitle      uint32 `struc:"uint32,little" span:"hex" doc:"0"`
	ObjectHelpTitleIndex uint32 `struc:"uint32,little" doc:"key in the Help table"`
	ObjectHelpTitle      uint32 `struc:"uint32,little" span:"hex" doc:"0"`
	DetailLevel          uint32 `struc:"uint32,little" doc:"100 novice, 200 advanced, 300 expert, 400 wizard"`
	NumCounters          uint32 `struc:"uint32,little" doc:"definitions, bases included"`
	DefaultCounter       int32  `struc:"int32,little" doc:"zero-based position, -1 none"`
	NumInstances         int32  `struc:"int32,little" doc:"n; 0 none now; -1 one unnamed block; -2, -3 definitions only"`
	CodePage             uint32 `struc:"uint32,little" doc:"of the instance names; 0 is UTF-16"`
	PerfTime             int64  `struc:"int64,little" doc:"object clock"`
	PerfFreq             int64  `struc:"int64,little" doc:"its ticks per second"`
}

// CounterDefinition is PERF_COUNTER_DEFINITION.
type CounterDefinition struct {
	ByteLength            uint32            `struc:"uint32,little" doc:"stride to the next definition; 40 today"`
	CounterNameTitleIndex uint32            `struc:"uint32,little" doc:"key in the Counter table"`
	CounterNameTitle      uint32            `struc:"uint32,little" span:"hex" doc:"0"`
	CounterHelpTitleIndex uint32            `struc:"uint32,little" doc:"key in the Help table"`
	CounterHelpTitle      uint32            `struc:"uint32,little" span:"hex" doc:"0"`
	DefaultScale          int32             `struc:"int32,little" doc:"power of ten for graphs, -7 to 7"`
	DetailLevel           uint32            `struc:"uint32,little" doc:"as in the object"`
	CounterType           countertypes.Type `struc:"uint32,little" span:"hex" doc:"how the value is to be cooked and shown"`
	CounterSize           uint32            `struc:"uint32,little" doc:"bytes of the value"`
	CounterOffset         uint32            `struc:"uint32,little" doc:"of the value, from the start of the counter block"`
}

// InstanceDefinition is PERF_INSTANCE_DEFINITION. The name and padding follow
// it up to ByteLength; then comes the instance's counter block.
type InstanceDefinition struct {
	ByteLength             uint32 `struc:"uint32,little" doc:"with name and padding: offset of the counter block"`
	ParentObjectTitleIndex uint32 `struc:"uint32,little" doc:"title index of the parent object, 0 none"`
	ParentObjectInstance   uint32 `struc:"uint32,little" doc:"zero-based position in the parent's instances"`
	UniqueID               int32  `struc:"int32,little" doc:"-1 none; else it identifies the instance"`
	NameOffset             uint32 `struc:"uint32,little" doc:"from the start of this struct; 24 in practice"`
	NameLength             uint32 `struc:"uint32,little" doc:"bytes, NUL included; 0 unnamed"`
}

// counterBlock is PERF_COUNTER_BLOCK, the header of an instance's values.
type counterBlock struct {
	ByteLength uint32 `struc:"uint32,little" doc:"itself and the values"`
}

const (
	blockSize    = 88
	objectSize   = 64
	counterSize  = 40
	instanceSize = 24
	valuesSize   = 4
	maxLength    = 1<<31 - 1 // lengths and offsets above it are invalid
)

var signature = [8]byte{'P', 0, 'E', 0, 'R', 0, 'F', 0}

// The loads below fill the structs from bytes whose length the caller has checked. A test
// compares them with what struc reads by the tags.

func (h *DataBlock) load(b []byte) {
	b = b[:blockSize:blockSize]
	for i := range h.Signature {
		h.Signature[i] = wire.U16(b, 2*i)
	}
	h.LittleEndian = wire.U32(b, 8)
	h.Version = wire.U32(b, 12)
	h.Revision = wire.U32(b, 16)
	h.TotalByteLength = wire.U32(b, 20)
	h.HeaderLength = wire.U32(b, 24)
	h.NumObjectTypes = wire.U32(b, 28)
	h.DefaultObject = int32(wire.U32(b, 32))
	for i := range h.SystemTime {
		h.SystemTime[i] = wire.U16(b, 36+2*i)
	}
	h.Padding = [4]uint8(b[52:56])
	h.PerfTime = int64(wire.U64(b, 56))
	h.PerfFreq = int64(wire.U64(b, 64))
	h.PerfTime100nSec = int64(wire.U64(b, 72))
	h.SystemNameLength = wire.U32(b, 80)
	h.SystemNameOffset = wire.U32(b, 84)
}

func (h *ObjectType) load(b []byte) {
	b = b[:objectSize:objectSize]
	h.TotalByteLength = wire.U32(b, 0)
	h.DefinitionLength = wire.U32(b, 4)
	h.HeaderLength = wire.U32(b, 8)
	h.ObjectNameTitleIndex = wire.U32(b, 12)
	h.ObjectNameTitle = wire.U32(b, 16)
	h.ObjectHelpTitleIndex = wire.U32(b, 20)
	h.ObjectHelpTitle = wire.U32(b, 24)
	h.DetailLevel = wire.U32(b, 28)
	h.NumCounters = wire.U32(b, 32)
	h.DefaultCounter = int32(wire.U32(b, 36))
	h.NumInstances = int32(wire.U32(b, 40))
	h.CodePage = wire.U32(b, 44)
	h.PerfTime = int64(wire.U64(b, 48))
	h.PerfFreq = int64(wire.U64(b, 56))
}

func (h *CounterDefinition) load(b []byte) {
	b = b[:counterSize:counterSize]
	h.ByteLength = wire.U32(b, 0)
	h.CounterNameTitleIndex = wire.U32(b, 4)
	h.CounterNameTitle = wire.U32(b, 8)
	h.CounterHelpTitleIndex = wire.U32(b, 12)
	h.CounterHelpTitle = wire.U32(b, 16)
	h.DefaultScale = int32(wire.U32(b, 20))
	h.DetailLevel = wire.U32(b, 24)
	h.CounterType = countertypes.Type(wire.U32(b, 28))
	h.CounterSize = wire.U32(b, 32)
	h.CounterOffset = wire.U32(b, 36)
}

func (h *InstanceDefinition) load(b []byte) {
	b = b[:instanceSize:instanceSize]
	h.ByteLength = wire.U32(b, 0)
	h.ParentObjectTitleIndex = wire.U32(b, 4)
	h.ParentObjectInstance = wire.U32(b, 8)
	h.UniqueID = int32(wire.U32(b, 12))
	h.NameOffset = wire.U32(b, 16)
	h.NameLength = wire.U32(b, 20)
}
