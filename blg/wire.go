package blg

import (
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

// The structs of a log as they lie on disk. Their layout stands here once: the
// writer, the spans, the byte tables of the documentation and the oracle of
// the hand-written loads are made from the tags.

// bufferHeader begins each buffer. What lies in its unnamed words differs
// between versions of Windows.
type bufferHeader struct {
	BufferSize  uint32    `struc:"uint32,little" span:"hex" doc:"stride of the buffers, the same in all"`
	Reserved1   [3]uint32 `struc:"[3]uint32,little" span:"hex" doc:"ignored; differs between versions"`
	FlushTime   int64     `struc:"int64,little" span:"filetime" doc:"UTC"`
	Reserved2   [6]uint32 `struc:"[6]uint32,little" span:"hex" doc:"ignored; differs between versions"`
	FilledBytes uint32    `struc:"uint32,little" span:"hex" doc:"bytes in use, this header included; 0xFF follows"`
	BufferFlag  uint16    `struc:"uint16,little" span:"hex" doc:"0, 1, 0x20 or 0x21; ignored"`
	BufferType  uint16    `struc:"uint16,little" span:"hex" doc:"0 data, 1 or 4 header; ignored"`
	Reserved3   [4]uint32 `struc:"[4]uint32,little" span:"hex" doc:"ignored"`
}

// systemHeader begins a record of the trace itself, of which a log has one:
// its header.
type systemHeader struct {
	Version   uint16 `struc:"uint16,little" doc:"0, 1 or 2"`
	Kind      uint8  `struc:"uint8,little" doc:"1: 32-bit writer; 2: 64-bit writer"`
	Marker    uint8  `struc:"uint8,little" span:"hex" doc:"0xC0"`
	Size      uint16 `struc:"uint16,little" doc:"whole record"`
	Event     uint16 `struc:"uint16,little" doc:"0: log header"`
	ThreadID  uint32 `struc:"uint32,little" doc:"of the writer"`
	ProcessID uint32 `struc:"uint32,little" doc:"of the writer"`
	Time      int64  `struc:"int64,little" span:"filetime" doc:"UTC"`
	CPU       uint64 `struc:"uint64,little" span:"hex" doc:"processor times"`
}

// LogHeader is the fixed start of the log header's payload. Two pointers of
// PointerSize bytes each follow it, then a TimeZone and 4 bytes of padding,
// then a LogTail and two texts: the logger's name and the log's.
type LogHeader struct {
	BufferSize      uint32 `struc:"uint32,little" span:"hex" doc:"stride of the buffers"`
	MajorVersion    uint8  `struc:"uint8,little" doc:"of Windows"`
	MinorVersion    uint8  `struc:"uint8,little" doc:"of Windows"`
	SubVersion      uint8  `struc:"uint8,little" doc:"of the trace"`
	SubMinorVersion uint8  `struc:"uint8,little" doc:"of the trace"`
	Build           uint32 `struc:"uint32,little" doc:"of Windows"`
	Processors      uint32 `struc:"uint32,little" doc:"of the machine"`
	EndTime         int64  `struc:"int64,little" span:"filetime" doc:"UTC; 0 while the log is being written"`
	TimerResolution uint32 `struc:"uint32,little" doc:"100 ns"`
	MaxFileMB       uint32 `struc:"uint32,little" doc:"largest size of the file"`
	LogMode         uint32 `struc:"uint32,little" span:"hex" doc:"bit 0 sequential, bit 1 circular"`
	Buffers         uint32 `struc:"uint32,little" doc:"in the file"`
	StartBuffers    uint32 `struc:"uint32,little" doc:"buffers of the header"`
	PointerSize     uint32 `struc:"uint32,little" doc:"4 or 8"`
	EventsLost      uint32 `struc:"uint32,little" doc:"events that never reached the file"`
	MHz             uint32 `struc:"uint32,little" doc:"of the processor"`
}

// TimeZone is TIME_ZONE_INFORMATION. Its names are references to resources
// from Vista on.
type TimeZone struct {
	Bias         int32               `struc:"int32,little" doc:"minutes: UTC less local time"`
	StandardName [32]uint16          `struc:"[32]uint16,little" span:"utf16" doc:"name"`
	StandardDate perfdata.SystemTime `struc:"[8]uint16,little" span:"systemtime" doc:"when standard time begins; month 0: never"`
	StandardBias int32               `struc:"int32,little" doc:"minutes more than Bias"`
	DaylightName [32]uint16          `struc:"[32]uint16,little" span:"utf16" doc:"name"`
	DaylightDate perfdata.SystemTime `struc:"[8]uint16,little" span:"systemtime" doc:"when daylight time begins; month 0: never"`
	DaylightBias int32               `struc:"int32,little" doc:"minutes more than Bias, as a rule -60"`
}

// LogTail is what stands behind the time zone and its padding.
type LogTail struct {
	BootTime    int64  `struc:"int64,little" span:"filetime" doc:"UTC; 0 in Server 2003"`
	PerfFreq    int64  `struc:"int64,little" doc:"ticks per second of the performance counter"`
	StartTime   int64  `struc:"int64,little" span:"filetime" doc:"UTC; of an exported log the time of the export"`
	Reserved    uint32 `struc:"uint32,little" span:"hex" doc:"ignored"`
	BuffersLost uint32 `struc:"uint32,little" doc:"buffers that never reached the file"`
}

// eventHeader begins a record of an event.
type eventHeader struct {
	Size      uint16    `struc:"uint16,little" doc:"whole record"`
	Kind      uint8     `struc:"uint8,little" span:"hex" doc:"0x0A: 32-bit writer; 0x14: 64-bit writer"`
	Marker    uint8     `struc:"uint8,little" span:"hex" doc:"0xC0"`
	EventType uint8     `struc:"uint8,little" span:"hex" doc:"0x20 item list, 0x22 sample, 0x23 catalogue, 0x24 titles, 0x26 registration of a counter set"`
	Level     uint8     `struc:"uint8,little" doc:"0"`
	Version   uint16    `struc:"uint16,little" doc:"60"`
	ThreadID  uint32    `struc:"uint32,little" doc:"of the writer"`
	ProcessID uint32    `struc:"uint32,little" doc:"of the writer"`
	Time      int64     `struc:"int64,little" span:"filetime" doc:"LOCAL wall clock, rounded to 1 ms"`
	Provider  [16]uint8 `struc:"[16]uint8,little" span:"hex" doc:"{933f3bb3-943e-490d-9ced-3cbb14c14479}"`
	CPU       uint64    `struc:"uint64,little" span:"hex" doc:"processor times"`
}

// partHeader begins the payload of each event of PDH.
type partHeader struct {
	LogID [16]uint8 `struc:"[16]uint8,little" span:"hex" doc:"the GUID of the logger's name"`
	Part  uint32    `struc:"uint32,little" doc:"counted from 1"`
	Parts uint32    `struc:"uint32,little" doc:"parts of the event; each but the last has 8,000 bytes of data"`
}

// itemListHeader begins the list of items.
type itemListHeader struct {
	Marker  uint32 `struc:"uint32,little" span:"hex" doc:"0x000006FF"`
	Version uint32 `struc:"uint32,little" span:"hex" doc:"0x00020008, or 0x02020008 in newer logs"`
}

// ItemHeader begins an item. Texts follow it; the five offsets count from its
// end, and a negative one says that there is no such text.
type ItemHeader struct {
	Length        uint32            `struc:"uint32,little" doc:"header and texts, a multiple of 8"`
	Flags         uint32            `struc:"uint32,little" span:"hex" doc:"0 one series, bit 0 all instances, 0x10 whole object, 0x100 version 2 counter set"`
	UserWord      uint32            `struc:"uint32,little" span:"hex" doc:"ignored"`
	CounterType   countertypes.Type `struc:"uint32,little" span:"hex" doc:"how the value is to be cooked; 0x10 of a whole object"`
	TimeBase      int64             `struc:"int64,little" doc:"ticks per second"`
	DefaultScale  int32             `struc:"int32,little" doc:"power of ten, for display"`
	Machine       int32             `struc:"int32,little" doc:"offset of the text, which begins with two backslashes"`
	Object        int32             `struc:"int32,little" doc:"offset of the text"`
	Instance      int32             `struc:"int32,little" doc:"offset of the text; \"*\" is all"`
	Parent        int32             `struc:"int32,little" doc:"offset of the text"`
	InstanceIndex uint32            `struc:"uint32,little" doc:"which of several equal names"`
	Counter       int32             `struc:"int32,little" doc:"offset of the text; \"*\" of a whole object"`
}

// subHeader begins a sample, and each of its series: "BL", 3, and the kind, 0
// for the sample.
type subHeader struct {
	Signature [3]uint8 `struc:"[3]uint8,little" span:"hex" doc:"\"BL\", 3"`
	Kind      uint8    `struc:"uint8,little" doc:"0 sample, 1 one value, 2 all instances, 5 whole object, 0x15 version 2 counter set"`
	Length    uint32   `struc:"uint32,little" doc:"these 8 bytes included"`
}

// valueBody is the body of a series of one value. Its 64-bit numbers are not
// aligned.
type valueBody struct {
	Status     uint32 `struc:"uint32,little" span:"hex" doc:"0 and 1 are valid"`
	SampleTime int64  `struc:"int64,little" span:"filetime" doc:"local"`
	Padding1   uint32 `struc:"uint32,little" span:"pad" doc:""`
	First      uint64 `struc:"uint64,little" doc:"the value"`
	Second     uint64 `struc:"uint64,little" doc:"its clock, or its base"`
	MultiCount uint32 `struc:"uint32,little" doc:"1"`
	Padding2   uint32 `struc:"uint32,little" span:"pad" doc:""`
}

// instancesBody begins the body of a series of all instances. An instanceEntry
// for each follows, then the names.
type instancesBody struct {
	Length     uint32 `struc:"uint32,little" doc:"of the body"`
	Count      uint32 `struc:"uint32,little" doc:"instances"`
	Status     uint32 `struc:"uint32,little" span:"hex" doc:"0 and 1 are valid"`
	Padding    uint32 `struc:"uint32,little" span:"pad" doc:""`
	SampleTime int64  `struc:"int64,little" span:"filetime" doc:"local"`
}

// instanceEntry is the value of an instance.
type instanceEntry struct {
	NameOffset uint32 `struc:"uint32,little" span:"hex" doc:"from the start of the body"`
	MultiCount uint32 `struc:"uint32,little" doc:"0 or 1"`
	First      uint64 `struc:"uint64,little" doc:"the value"`
	Second     uint64 `struc:"uint64,little" doc:"its clock, or its base"`
}

// catalogueHeader begins the catalogue.
type catalogueHeader struct {
	First   int64  `struc:"int64,little" span:"filetime" doc:"local time of the first sample"`
	Last    int64  `struc:"int64,little" span:"filetime" doc:"local time of the last sample"`
	Records uint32 `struc:"uint32,little" doc:"samples of the log"`
	Entries uint32 `struc:"uint32,little" doc:"objects that follow"`
	Length  uint32 `struc:"uint32,little" doc:"of the whole event's data"`
	Marker  uint32 `struc:"uint32,little" span:"hex" doc:"0x000005FF"`
}

// catalogueObject begins an object of the catalogue. For each counter a title
// (u32), a type (u32), a TimeBase (i64) and a scale (i32) follow, each kind in
// an array of its own; then padding to 8, the instances and their names.
type catalogueObject struct {
	Signature [3]uint8 `struc:"[3]uint8,little" span:"hex" doc:"\"BL\", 3"`
	Kind      uint8    `struc:"uint8,little" doc:"5"`
	Length    uint32   `struc:"uint32,little" doc:"these 8 bytes included"`
	Instances int32    `struc:"int32,little" doc:"-1: the object has none"`
	Counters  uint32   `struc:"uint32,little" doc:"definitions, bases included"`
}

// catalogueInstance is an instance of the catalogue.
type catalogueInstance struct {
	NameOffset uint32 `struc:"uint32,little" span:"hex" doc:"from the end of this array"`
	Duplicate  uint32 `struc:"uint32,little" doc:"k of name#k"`
	Reserved1  int32  `struc:"int32,little" doc:"-1"`
	Reserved2  int32  `struc:"int32,little" doc:"-1"`
}

const (
	bufferHeaderSize      = 0x48
	systemHeaderSize      = 32
	logHeaderSize         = 0x38
	timeZoneSize          = 172
	zonePadding           = 4
	logTailSize           = 32
	eventHeaderSize       = 48
	partHeaderSize        = 24
	itemListHeaderSize    = 8
	itemHeaderSize        = 0x34
	subHeaderSize         = 8
	valueBodySize         = 40
	instancesBodySize     = 24
	instanceEntrySize     = 24
	catalogueHeaderSize   = 32
	catalogueObjectSize   = 16
	catalogueCounterSize  = 4 + 4 + 8 + 4
	catalogueInstanceSize = 16
)

const (
	recordMarker    = 0xC0
	itemListMarker  = 0x000006FF
	itemListVersion = 0x00020008
	// itemListVersion2 is that of lists with counter sets.
	itemListVersion2 = 0x02020008
	catalogueMarker  = 0x000005FF
	partSize         = 8000
)

// The kinds of records.
const (
	kindSystem32 = 0x01
	kindSystem64 = 0x02
	kindEvent32  = 0x0A
	kindEvent64  = 0x14
)

// provider is {933f3bb3-943e-490d-9ced-3cbb14c14479}.
var provider = [16]byte{0xB3, 0x3B, 0x3F, 0x93, 0x3E, 0x94, 0x0D, 0x49, 0x9C, 0xED, 0x3C, 0xBB, 0x14, 0xC1, 0x44, 0x79}

// The loads below fill the structs from bytes whose length the caller has
// checked. A test holds them equal to what struc reads by the tags.

func (h *bufferHeader) load(b []byte) {
	b = b[:bufferHeaderSize:bufferHeaderSize]
	h.BufferSize = wire.U32(b, 0)
	loadWords(h.Reserved1[:], b[4:])
	h.FlushTime = int64(wire.U64(b, 0x10))
	loadWords(h.Reserved2[:], b[0x18:])
	h.FilledBytes = wire.U32(b, 0x30)
	h.BufferFlag = wire.U16(b, 0x34)
	h.BufferType = wire.U16(b, 0x36)
	loadWords(h.Reserved3[:], b[0x38:])
}

func loadWords(dst []uint32, b []byte) {
	for i := range dst {
		dst[i] = wire.U32(b, 4*i)
	}
}

func loadUnits(dst []uint16, b []byte) {
	for i := range dst {
		dst[i] = wire.U16(b, 2*i)
	}
}

func (h *systemHeader) load(b []byte) {
	b = b[:systemHeaderSize:systemHeaderSize]
	h.Version = wire.U16(b, 0)
	h.Kind, h.Marker = b[2], b[3]
	h.Size = wire.U16(b, 4)
	h.Event = wire.U16(b, 6)
	h.ThreadID = wire.U32(b, 8)
	h.ProcessID = wire.U32(b, 12)
	h.Time = int64(wire.U64(b, 16))
	h.CPU = wire.U64(b, 24)
}

func (h *LogHeader) load(b []byte) {
	b = b[:logHeaderSize:logHeaderSize]
	h.BufferSize = wire.U32(b, 0)
	h.MajorVersion, h.MinorVersion, h.SubVersion, h.SubMinorVersion = b[4], b[5], b[6], b[7]
	h.Build = wire.U32(b, 8)
	h.Processors = wire.U32(b, 0x0C)
	h.EndTime = int64(wire.U64(b, 0x10))
	h.TimerResolution = wire.U32(b, 0x18)
	h.MaxFileMB = wire.U32(b, 0x1C)
	h.LogMode = wire.U32(b, 0x20)
	h.Buffers = wire.U32(b, 0x24)
	h.StartBuffers = wire.U32(b, 0x28)
	h.PointerSize = wire.U32(b, 0x2C)
	h.EventsLost = wire.U32(b, 0x30)
	h.MHz = wire.U32(b, 0x34)
}

func (h *TimeZone) load(b []byte) {
	b = b[:timeZoneSize:timeZoneSize]
	h.Bias = int32(wire.U32(b, 0))
	loadUnits(h.StandardName[:], b[4:])
	loadUnits(h.StandardDate[:], b[68:])
	h.StandardBias = int32(wire.U32(b, 84))
	loadUnits(h.DaylightName[:], b[88:])
	loadUnits(h.DaylightDate[:], b[152:])
	h.DaylightBias = int32(wire.U32(b, 168))
}

func (h *LogTail) load(b []byte) {
	b = b[:logTailSize:logTailSize]
	h.BootTime = int64(wire.U64(b, 0))
	h.PerfFreq = int64(wire.U64(b, 8))
	h.StartTime = int64(wire.U64(b, 16))
	h.Reserved = wire.U32(b, 24)
	h.BuffersLost = wire.U32(b, 28)
}

func (h *eventHeader) load(b []byte) {
	b = b[:eventHeaderSize:eventHeaderSize]
	h.Size = wire.U16(b, 0)
	h.Kind, h.Marker, h.EventType, h.Level = b[2], b[3], b[4], b[5]
	h.Version = wire.U16(b, 6)
	h.ThreadID = wire.U32(b, 8)
	h.ProcessID = wire.U32(b, 12)
	h.Time = int64(wire.U64(b, 16))
	h.Provider = [16]uint8(b[24:40])
	h.CPU = wire.U64(b, 40)
}

func (h *partHeader) load(b []byte) {
	b = b[:partHeaderSize:partHeaderSize]
	h.LogID = [16]uint8(b[:16])
	h.Part = wire.U32(b, 16)
	h.Parts = wire.U32(b, 20)
}

func (h *ItemHeader) load(b []byte) {
	b = b[:itemHeaderSize:itemHeaderSize]
	h.Length = wire.U32(b, 0)
	h.Flags = wire.U32(b, 4)
	h.UserWord = wire.U32(b, 8)
	h.CounterType = countertypes.Type(wire.U32(b, 0x0C))
	h.TimeBase = int64(wire.U64(b, 0x10))
	h.DefaultScale = int32(wire.U32(b, 0x18))
	h.Machine = int32(wire.U32(b, 0x1C))
	h.Object = int32(wire.U32(b, 0x20))
	h.Instance = int32(wire.U32(b, 0x24))
	h.Parent = int32(wire.U32(b, 0x28))
	h.InstanceIndex = wire.U32(b, 0x2C)
	h.Counter = int32(wire.U32(b, 0x30))
}

func (h *valueBody) load(b []byte) {
	b = b[:valueBodySize:valueBodySize]
	h.Status = wire.U32(b, 0)
	h.SampleTime = int64(wire.U64(b, 4))
	h.Padding1 = wire.U32(b, 12)
	h.First = wire.U64(b, 16)
	h.Second = wire.U64(b, 24)
	h.MultiCount = wire.U32(b, 32)
	h.Padding2 = wire.U32(b, 36)
}

func (h *instancesBody) load(b []byte) {
	b = b[:instancesBodySize:instancesBodySize]
	h.Length = wire.U32(b, 0)
	h.Count = wire.U32(b, 4)
	h.Status = wire.U32(b, 8)
	h.Padding = wire.U32(b, 12)
	h.SampleTime = int64(wire.U64(b, 16))
}

func (h *instanceEntry) load(b []byte) {
	b = b[:instanceEntrySize:instanceEntrySize]
	h.NameOffset = wire.U32(b, 0)
	h.MultiCount = wire.U32(b, 4)
	h.First = wire.U64(b, 8)
	h.Second = wire.U64(b, 16)
}

func (h *catalogueHeader) load(b []byte) {
	b = b[:catalogueHeaderSize:catalogueHeaderSize]
	h.First = int64(wire.U64(b, 0))
	h.Last = int64(wire.U64(b, 8))
	h.Records = wire.U32(b, 16)
	h.Entries = wire.U32(b, 20)
	h.Length = wire.U32(b, 24)
	h.Marker = wire.U32(b, 28)
}

func (h *catalogueObject) load(b []byte) {
	b = b[:catalogueObjectSize:catalogueObjectSize]
	h.Signature, h.Kind = [3]uint8(b[:3]), b[3]
	h.Length = wire.U32(b, 4)
	h.Instances = int32(wire.U32(b, 8))
	h.Counters = wire.U32(b, 12)
}

func (h *catalogueInstance) load(b []byte) {
	b = b[:catalogueInstanceSize:catalogueInstanceSize]
	h.NameOffset = wire.U32(b, 0)
	h.Duplicate = wire.U32(b, 4)
	h.Reserved1 = int32(wire.U32(b, 8))
	h.Reserved2 = int32(wire.U32(b, 12))
}
