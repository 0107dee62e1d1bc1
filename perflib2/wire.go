package perflib2

import (
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// The structs of perflib.h as they lie on disk, and the head of a registration
// in a log. Their layout stands here once: the encoders, the spans, the byte
// tables of the documentation and the oracle of the loads are made
// from the tags.

// DataHeader is PERF_DATA_HEADER, which begins a block.
type DataHeader struct {
	TotalSize     uint32    `struc:"uint32,little" doc:"the whole block, this header included"`
	NumCounters   uint32    `struc:"uint32,little" doc:"counter headers that follow"`
	PerfTime      int64     `struc:"int64,little" doc:"ticks of the performance counter"`
	PerfTime100ns int64     `struc:"int64,little" span:"filetime" doc:"the same moment as a FILETIME in UTC"`
	PerfFreq      int64     `struc:"int64,little" doc:"ticks per second"`
	SystemTime    [8]uint16 `struc:"[8]uint16,little" span:"systemtime" doc:"year, month, day of week, day, hour, minute, second, ms"`
}

// CounterHeader is PERF_COUNTER_HEADER, which begins a result.
type CounterHeader struct {
	Status   uint32     `struc:"uint32,little" span:"hex" doc:"of an error: which; else 0"`
	Type     ResultType `struc:"uint32,little" doc:"0 error, 1 single counter, 2 several counters, 4 one counter of several instances, 6 counter set"`
	Size     uint32     `struc:"uint32,little" doc:"this header and what belongs to it"`
	Reserved uint32     `struc:"uint32,little" span:"hex" doc:"0"`
}

// multiCounters is PERF_MULTI_COUNTERS. The ids follow it.
type multiCounters struct {
	Size        uint32 `struc:"uint32,little" name:"MultiCounters.Size" doc:"this header, the ids and padding"`
	NumCounters uint32 `struc:"uint32,little" name:"MultiCounters.NumCounters" doc:"ids that follow, 4 bytes each"`
}

// multiInstances is PERF_MULTI_INSTANCES. The instances follow it.
type multiInstances struct {
	TotalSize    uint32 `struc:"uint32,little" name:"MultiInstances.TotalSize" doc:"this header and the instances"`
	NumInstances uint32 `struc:"uint32,little" name:"MultiInstances.NumInstances" doc:"instances that follow"`
}

// instanceHeader is PERF_INSTANCE_HEADER. The name follows it, then the values.
type instanceHeader struct {
	Size       uint32 `struc:"uint32,little" doc:"this header, the name, its NUL and padding; the values follow"`
	InstanceID uint32 `struc:"uint32,little" doc:"names the instance together with its name"`
}

// counterData is PERF_COUNTER_DATA. The value follows it.
type counterData struct {
	DataSize uint32 `struc:"uint32,little" doc:"bytes of the value: 4, 8, or those of a text"`
	Size     uint32 `struc:"uint32,little" doc:"this header, the value and padding"`
}

// registrationHeader begins the registration of a set in a log.
type registrationHeader struct {
	TotalSize        uint32 `struc:"uint32,little" doc:"the whole registration, this header included"`
	RegistrationSize uint32 `struc:"uint32,little" doc:"bytes of the set and its counters: 32 + 48 a counter"`
	TextsSize        uint32 `struc:"uint32,little" doc:"bytes of the texts, padding included"`
	NameSize         uint32 `struc:"uint32,little" doc:"bytes of the set's name and its NUL; padding follows"`
}

// CounterSetInfo is PERF_COUNTERSET_REG_INFO.
type CounterSetInfo struct {
	GUID           [16]uint8    `struc:"[16]uint8,little" name:"CounterSet.GUID" span:"hex" doc:"of the counter set"`
	CounterSetType uint32       `struc:"uint32,little" name:"CounterSet.CounterSetType" doc:"0"`
	DetailLevel    uint32       `struc:"uint32,little" name:"CounterSet.DetailLevel" doc:"100 novice, 200 advanced"`
	NumCounters    uint32       `struc:"uint32,little" name:"CounterSet.NumCounters" doc:"counters that follow, bases included"`
	InstanceType   InstanceType `struc:"uint32,little" name:"CounterSet.InstanceType" doc:"0 single, 2 multiple, 4 global aggregate, 6 multiple aggregate, 12 global aggregate history, 22 instance aggregate"`
}

// CounterInfo is PERF_COUNTER_REG_INFO.
type CounterInfo struct {
	ID            uint32            `struc:"uint32,little" doc:"of the counter, in the ids of a block"`
	Type          countertypes.Type `struc:"uint32,little" span:"hex" doc:"how the value is to be cooked and shown"`
	Attrib        uint64            `struc:"uint64,little" span:"hex" doc:"1 by reference, 2 not displayed, 4 no group separator, 8 as real, 16 as hex"`
	DetailLevel   uint32            `struc:"uint32,little" doc:"as in the set"`
	DefaultScale  int32             `struc:"int32,little" doc:"power of ten for graphs"`
	BaseID        uint32            `struc:"uint32,little" span:"hex" doc:"id of the counter's base; 0xFFFFFFFF none, here and below"`
	PerfTimeID    uint32            `struc:"uint32,little" span:"hex" doc:"id of the counter that holds its clock"`
	PerfFreqID    uint32            `struc:"uint32,little" span:"hex" doc:"id of the counter that holds the clock's ticks per second"`
	MultiID       uint32            `struc:"uint32,little" span:"hex" doc:"id of the counter that holds the count of a multi-counter"`
	AggregateFunc uint32            `struc:"uint32,little" doc:"0 undefined, 1 total, 2 average, 3 min, 4 max"`
	Reserved      uint32            `struc:"uint32,little" span:"hex" doc:"0"`
}

// textsHeader is PERF_STRING_BUFFER_HEADER. The entries follow it, then the
// texts.
type textsHeader struct {
	Size     uint32 `struc:"uint32,little" name:"Texts.Size" doc:"this header, the entries and the texts, without padding"`
	NumTexts uint32 `struc:"uint32,little" name:"Texts.NumTexts" doc:"entries that follow"`
}

// textEntry is PERF_STRING_COUNTER_HEADER.
type textEntry struct {
	CounterID uint32 `struc:"uint32,little" doc:"the counter that the text is the name of"`
	Offset    uint32 `struc:"uint32,little" span:"hex" doc:"of the text, from the start of the header; 0xFFFFFFFF none"`
}

const (
	dataHeaderSize     = 48
	counterHeaderSize  = 16
	pairSize           = 8 // multiCounters, multiInstances, instanceHeader, counterData, textsHeader, textEntry
	idSize             = 4
	registrationSize   = 16
	counterSetInfoSize = 32
	counterInfoSize    = 48

	// NoID stands for no counter where an id belongs.
	NoID   = 0xFFFFFFFF
	noText = 0xFFFFFFFF

	attribNotDisplayed = 2

	// maxName bounds the bytes of an instance's name: what a UNICODE_STRING can
	// hold. In salvage mode an instance with a longer one is left out.
	maxName = 65535
)

// load is by hand since a view of a result must not allocate, see
// TestDecoderAllocatesNothing. The structs of two words are read by pair.
func (h *CounterHeader) load(b []byte) {
	b = b[:counterHeaderSize:counterHeaderSize]
	h.Status = wire.U32(b, 0)
	h.Type = ResultType(wire.U32(b, 4))
	h.Size = wire.U32(b, 8)
	h.Reserved = wire.U32(b, 12)
}

func pair(b []byte) (first, second uint32) {
	b = b[:pairSize:pairSize]
	return wire.U32(b, 0), wire.U32(b, 4)
}
