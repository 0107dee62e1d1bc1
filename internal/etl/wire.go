// Package etl has the container of the Performance Monitor's binary logs, an
// event trace: the structs of buffers, records and events as they lie on disk,
// and the packing of records into buffers. docs/blg.md has their byte tables.
package etl

// BufferHeader begins each buffer. What lies in its unnamed words differs
// between versions of Windows.
type BufferHeader struct {
	BufferSize  uint32    `struc:"uint32,little" span:"hex" doc:"stride of the buffers, the same in all"`
	Reserved1   [3]uint32 `struc:"[3]uint32,little" span:"hex" doc:"ignored; differs between versions"`
	FlushTime   int64     `struc:"int64,little" span:"filetime" doc:"UTC"`
	Reserved2   [6]uint32 `struc:"[6]uint32,little" span:"hex" doc:"ignored; differs between versions"`
	FilledBytes uint32    `struc:"uint32,little" span:"hex" doc:"bytes in use, this header included; 0xFF follows"`
	BufferFlag  uint16    `struc:"uint16,little" span:"hex" doc:"0, 1, 0x20 or 0x21; ignored"`
	BufferType  uint16    `struc:"uint16,little" span:"hex" doc:"0 data, 1 or 4 header; ignored"`
	Reserved3   [4]uint32 `struc:"[4]uint32,little" span:"hex" doc:"ignored"`
}

// SystemHeader begins a record of the trace itself, of which a log has one:
// its header.
type SystemHeader struct {
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
	Bias         int32      `struc:"int32,little" doc:"minutes: UTC less local time"`
	StandardName [32]uint16 `struc:"[32]uint16,little" span:"utf16" doc:"name"`
	StandardDate [8]uint16  `struc:"[8]uint16,little" span:"systemtime" doc:"when standard time begins; month 0: never"`
	StandardBias int32      `struc:"int32,little" doc:"minutes more than Bias"`
	DaylightName [32]uint16 `struc:"[32]uint16,little" span:"utf16" doc:"name"`
	DaylightDate [8]uint16  `struc:"[8]uint16,little" span:"systemtime" doc:"when daylight time begins; month 0: never"`
	DaylightBias int32      `struc:"int32,little" doc:"minutes more than Bias, usually -60"`
}

// LogTail follows the time zone and its padding.
type LogTail struct {
	BootTime    int64  `struc:"int64,little" span:"filetime" doc:"UTC; 0 in Server 2003"`
	PerfFreq    int64  `struc:"int64,little" doc:"ticks per second of the performance counter"`
	StartTime   int64  `struc:"int64,little" span:"filetime" doc:"UTC; of an exported log the time of the export"`
	Reserved    uint32 `struc:"uint32,little" span:"hex" doc:"ignored"`
	BuffersLost uint32 `struc:"uint32,little" doc:"buffers that never reached the file"`
}

// EventHeader begins a record of an event.
type EventHeader struct {
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

// PartHeader begins the payload of each event of PDH.
type PartHeader struct {
	LogID [16]uint8 `struc:"[16]uint8,little" span:"hex" doc:"the GUID of the logger's name"`
	Part  uint32    `struc:"uint32,little" doc:"counted from 1"`
	Parts uint32    `struc:"uint32,little" doc:"parts of the event; each but the last has 8,000 bytes of data"`
}

// ItemListHeader begins the list of items.
type ItemListHeader struct {
	Marker  uint32 `struc:"uint32,little" span:"hex" doc:"0x000006FF"`
	Version uint32 `struc:"uint32,little" span:"hex" doc:"0x00020008, or 0x02020008 in newer logs"`
}

// ItemHeader begins an item. Texts follow it; the five offsets count from its
// end, and a negative one says that there is no such text.
type ItemHeader struct {
	Length        uint32 `struc:"uint32,little" doc:"header and texts, a multiple of 8"`
	Flags         uint32 `struc:"uint32,little" span:"hex" doc:"0 one series, bit 0 all instances, 0x10 whole object, 0x100 version 2 counter set"`
	UserWord      uint32 `struc:"uint32,little" span:"hex" doc:"ignored"`
	CounterType   uint32 `struc:"uint32,little" span:"hex" doc:"how the value is to be cooked; 0x10 of a whole object"`
	TimeBase      int64  `struc:"int64,little" doc:"ticks per second"`
	DefaultScale  int32  `struc:"int32,little" doc:"power of ten, for display"`
	Machine       int32  `struc:"int32,little" doc:"offset of the text, which begins with two backslashes"`
	Object        int32  `struc:"int32,little" doc:"offset of the text"`
	Instance      int32  `struc:"int32,little" doc:"offset of the text; \"*\" is all"`
	Parent        int32  `struc:"int32,little" doc:"offset of the text"`
	InstanceIndex uint32 `struc:"uint32,little" doc:"which of several equal names"`
	Counter       int32  `struc:"int32,little" doc:"offset of the text; \"*\" of a whole object"`
}

// SubHeader begins a sample, and each of its series: "BL", 3, and the kind, 0
// for the sample.
type SubHeader struct {
	Signature [3]uint8 `struc:"[3]uint8,little" span:"hex" doc:"\"BL\", 3"`
	Kind      uint8    `struc:"uint8,little" doc:"0 sample, 1 one value, 2 all instances, 5 whole object, 0x15 version 2 counter set"`
	Length    uint32   `struc:"uint32,little" doc:"these 8 bytes included"`
}

// ValueBody is the body of a series of one value. Its 64-bit numbers are not
// aligned.
type ValueBody struct {
	Status     uint32 `struc:"uint32,little" span:"hex" doc:"0 and 1 are valid"`
	SampleTime int64  `struc:"int64,little" span:"filetime" doc:"local"`
	Padding1   uint32 `struc:"uint32,little" span:"pad" doc:""`
	First      uint64 `struc:"uint64,little" doc:"the value"`
	Second     uint64 `struc:"uint64,little" doc:"its clock, or its base"`
	MultiCount uint32 `struc:"uint32,little" doc:"1"`
	Padding2   uint32 `struc:"uint32,little" span:"pad" doc:""`
}

// InstancesBody begins the body of a series of all instances. An InstanceEntry
// for each follows, then the names.
type InstancesBody struct {
	Length     uint32 `struc:"uint32,little" doc:"of the body"`
	Count      uint32 `struc:"uint32,little" doc:"instances"`
	Status     uint32 `struc:"uint32,little" span:"hex" doc:"0 and 1 are valid"`
	Padding    uint32 `struc:"uint32,little" span:"pad" doc:""`
	SampleTime int64  `struc:"int64,little" span:"filetime" doc:"local"`
}

// InstanceEntry is the value of an instance.
type InstanceEntry struct {
	NameOffset uint32 `struc:"uint32,little" span:"hex" doc:"from the start of the body"`
	MultiCount uint32 `struc:"uint32,little" doc:"0 or 1"`
	First      uint64 `struc:"uint64,little" doc:"the value"`
	Second     uint64 `struc:"uint64,little" doc:"its clock, or its base"`
}

// CatalogueHeader begins the catalogue.
type CatalogueHeader struct {
	First   int64  `struc:"int64,little" span:"filetime" doc:"local time of the first sample"`
	Last    int64  `struc:"int64,little" span:"filetime" doc:"local time of the last sample"`
	Records uint32 `struc:"uint32,little" doc:"samples of the log"`
	Entries uint32 `struc:"uint32,little" doc:"objects that follow"`
	Length  uint32 `struc:"uint32,little" doc:"of the whole event's data"`
	Marker  uint32 `struc:"uint32,little" span:"hex" doc:"0x000005FF"`
}

// CatalogueObject begins an object of the catalogue. For each counter a title
// (u32), a type (u32), a TimeBase (i64) and a scale (i32) follow, each kind in
// an array of its own; then padding to 8, the instances and their names.
type CatalogueObject struct {
	Signature [3]uint8 `struc:"[3]uint8,little" span:"hex" doc:"\"BL\", 3"`
	Kind      uint8    `struc:"uint8,little" doc:"5"`
	Length    uint32   `struc:"uint32,little" doc:"these 8 bytes included"`
	Instances int32    `struc:"int32,little" doc:"-1: the object has none"`
	Counters  uint32   `struc:"uint32,little" doc:"definitions, bases included"`
}

// CatalogueInstance is an instance of the catalogue.
type CatalogueInstance struct {
	NameOffset uint32 `struc:"uint32,little" span:"hex" doc:"from the end of this array"`
	Duplicate  uint32 `struc:"uint32,little" doc:"k of name#k"`
	Reserved1  int32  `struc:"int32,little" doc:"-1"`
	Reserved2  int32  `struc:"int32,little" doc:"-1"`
}

const (
	BufferHeaderSize      = 0x48
	SystemHeaderSize      = 32
	LogHeaderSize         = 0x38
	TimeZoneSize          = 172
	ZonePadding           = 4
	LogTailSize           = 32
	EventHeaderSize       = 48
	PartHeaderSize        = 24
	ItemListHeaderSize    = 8
	ItemHeaderSize        = 0x34
	SubHeaderSize         = 8
	ValueBodySize         = 40
	InstancesBodySize     = 24
	InstanceEntrySize     = 24
	CatalogueHeaderSize   = 32
	CatalogueObjectSize   = 16
	CatalogueCounterSize  = 4 + 4 + 8 + 4
	CatalogueInstanceSize = 16
)

const (
	RecordMarker    = 0xC0
	ItemListMarker  = 0x000006FF
	ItemListVersion = 0x00020008
	// ItemListVersion2 is that of lists with counter sets.
	ItemListVersion2 = 0x02020008
	CatalogueMarker  = 0x000005FF
	PartSize         = 8000

	// FlagSet is set in the flags of items that are version 2 counter sets.
	FlagSet = 0x100

	// The size of a buffer is a multiple of MinBufferSize.
	MinBufferSize = 0x400
	MaxBufferSize = 0x1000000
)

// The kinds of records.
const (
	KindSystem32 = 0x01
	KindSystem64 = 0x02
	KindEvent32  = 0x0A
	KindEvent64  = 0x14
)

// The types of events.
const (
	EventItems     = 0x20
	EventSample    = 0x22
	EventCatalogue = 0x23
	EventTitles    = 0x24
	EventSet       = 0x26
)

// Provider is {933f3bb3-943e-490d-9ced-3cbb14c14479}.
var Provider = [16]byte{0xB3, 0x3B, 0x3F, 0x93, 0x3E, 0x94, 0x0D, 0x49, 0x9C, 0xED, 0x3C, 0xBB, 0x14, 0xC1, 0x44, 0x79}
