package minidump

import (
	"fmt"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// StreamType is MINIDUMP_STREAM_TYPE.
type StreamType uint32

// The streams that are read.
const (
	moduleListStream     StreamType = 4
	memoryListStream     StreamType = 5
	systemInfoStream     StreamType = 7
	memory64ListStream   StreamType = 9
	handleDataStream     StreamType = 12
	miscInfoStream       StreamType = 15
	memoryInfoListStream StreamType = 16
)

// streamKind is a type of stream that is read: the struct that it begins with, and the
// function that reads it. read gets the stream's position in the directory and the bytes of
// the struct; missing is called if the dump has no such stream.
type streamKind struct {
	t       StreamType
	head    any
	read    func(f *File, i int, b []byte) error
	missing func(f *File)
	then    func(f *File) error // called in either case
}

// streamKinds is in reading order: the architecture determines the width of addresses, and
// the map of the memory needs both lists.
var streamKinds = []streamKind{
	{t: systemInfoStream, head: systemInfo{}, read: (*File).readSystemInfo, missing: (*File).noSystemInfo},
	{t: miscInfoStream, head: miscInfo{}, read: (*File).readMiscInfo},
	{t: memory64ListStream, head: memory64List{}, read: (*File).readMemory64},
	{t: memoryListStream, head: listHeader{}, read: (*File).readMemory, then: (*File).mapMemory},
	{t: moduleListStream, head: listHeader{}, read: (*File).readModules},
	{t: memoryInfoListStream, head: memoryInfoList{}, read: (*File).readRegions},
	{t: handleDataStream, head: handleDataHeader{}, read: (*File).readHandles},
}

func known(t StreamType) bool {
	return slices.ContainsFunc(streamKinds, func(k streamKind) bool { return k.t == t })
}

// readStream reads the first stream of a kind. A stream that is too short for its struct is
// an error; a file that is too short is reported as the anomaly of the entry.
func (f *File) readStream(k streamKind) error {
	_, size := wire.Layout(k.head)
	i := f.stream(k.t)
	switch {
	case i >= 0 && f.streams[i].Size < int64(size):
		err := f.fault(perfdump.NewError(perfdump.CodeLength, f.entryOff(i)+4, streamLevels.Root().At(levelStream, i).Field("DataSize"),
			"stream of 0x%x bytes, fewer than the required 0x%x", f.streams[i].Size, size))
		if err != nil {
			return err
		}
		i = -1
	case i >= 0 && f.streams[i].Have < int64(size):
		i = -1
	}
	if i >= 0 {
		b := make([]byte, size)
		if err := wire.ReadFull(f.r, b, f.streams[i].Off); err != nil {
			return err
		}
		if err := k.read(f, i, b); err != nil {
			return err
		}
	} else if k.missing != nil {
		k.missing(f)
	}
	if k.then != nil {
		return k.then(f)
	}
	return nil
}

func (f *File) noSystemInfo() {
	f.anomaly(codeNoSystemInfo, 8, streamLevels.Root(), "no SystemInfo: the architecture is unknown, addresses are assumed to have 64 bits")
}

func (f *File) readSystemInfo(i int, b []byte) error {
	f.arch = Arch(wire.U16(b, 0))
	if !f.arch.known() {
		f.anomaly(codeArchitecture, f.streams[i].Off, streamLevels.Root().At(levelStream, i).Field("ProcessorArchitecture"),
			"unknown architecture %d: addresses are assumed to have 64 bits", int64(f.arch))
	}
	return nil
}

func (f *File) readMiscInfo(i int, b []byte) error {
	wire.LoadStruct(&f.misc, b)
	if n := int64(f.misc.SizeOfInfo); n < int64(len(b)) || n > f.streams[i].Size {
		f.anomaly(codeStreamShort, f.streams[i].Off, streamLevels.Root().At(levelStream, i).Field("SizeOfInfo"),
			"SizeOfInfo 0x%x, the stream has 0x%x bytes", n, f.streams[i].Size)
	}
	return nil
}

var streamNames = [...]string{
	0: "Unused", 1: "Reserved0", 2: "Reserved1", 3: "ThreadList", 4: "ModuleList", 5: "MemoryList", 6: "Exception",
	7: "SystemInfo", 8: "ThreadExList", 9: "Memory64List", 10: "CommentA", 11: "CommentW", 12: "HandleData",
	13: "FunctionTable", 14: "UnloadedModuleList", 15: "MiscInfo", 16: "MemoryInfoList", 17: "ThreadInfoList",
	18: "HandleOperationList", 19: "Token", 20: "JavaScriptData", 21: "SystemMemoryInfo", 22: "ProcessVmCounters",
	23: "IptTrace", 24: "ThreadNames",
}

// String returns the name in MINIDUMP_STREAM_TYPE without "Stream", or the
// number.
func (t StreamType) String() string {
	if uint64(t) < uint64(len(streamNames)) {
		return streamNames[t]
	}
	return fmt.Sprintf("0x%x", uint32(t))
}

// Stream is an entry of the directory.
type Stream struct {
	Type StreamType
	Off  int64
	Size int64 // as the directory says
	Have int64 // what of it the file has
}

// Streams yields the directory's entries, including unused ones, with their positions. Only
// the first stream of a type is read.
func (f *File) Streams() iter.Seq2[int, Stream] { return slices.All(f.streams) }

// stream returns the position of the first stream of a type that has bytes, or -1.
func (f *File) stream(t StreamType) int {
	return slices.IndexFunc(f.streams, func(s Stream) bool { return s.Type == t && s.Size > 0 })
}
