package minidump

import (
	"fmt"
	"iter"
)

// StreamType is MINIDUMP_STREAM_TYPE.
type StreamType uint32

// The streams that are read.
const (
	ModuleListStream     StreamType = 4
	MemoryListStream     StreamType = 5
	SystemInfoStream     StreamType = 7
	Memory64ListStream   StreamType = 9
	HandleDataStream     StreamType = 12
	MiscInfoStream       StreamType = 15
	MemoryInfoListStream StreamType = 16
)

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

// Streams yields the directory's entries, unused ones too, with their places
// in it. Only the first stream of a type is read.
func (f *File) Streams() iter.Seq2[int, Stream] {
	return func(yield func(int, Stream) bool) {
		for i, s := range f.streams {
			if !yield(i, s) {
				return
			}
		}
	}
}

// stream returns the place of the first stream of a type that has bytes, or
// -1.
func (f *File) stream(t StreamType) int {
	for i, s := range f.streams {
		if s.Type == t && s.Size > 0 {
			return i
		}
	}
	return -1
}
