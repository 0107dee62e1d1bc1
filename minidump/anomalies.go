package minidump

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/minidump.md says what each
// means.
const (
	// codeVersion: the low half of the header's version is not A793.
	codeVersion perfdump.Code = "version"
	// codeNoStreams: the directory is empty, so the dump holds nothing.
	codeNoStreams perfdump.Code = "no-streams"
	// codeDuplicateStream: a second stream of a type that is read.
	codeDuplicateStream perfdump.Code = "duplicate-stream"
	// codeStreamCut: the file ends within a stream, or before it.
	codeStreamCut perfdump.Code = "stream-cut"
	// codeStreamShort: the SizeOfInfo of MiscInfo does not fit its stream.
	codeStreamShort perfdump.Code = "stream-short"
	// codeListPadding: 4 bytes between a count and its entries, as Breakpad's 64-bit
	// writers leave.
	codeListPadding perfdump.Code = "list-padding"
	// codeNoSystemInfo: there is no SystemInfo, so the architecture is unknown.
	codeNoSystemInfo perfdump.Code = "no-system-info"
	// codeArchitecture: the architecture is not one of Windows.
	codeArchitecture perfdump.Code = "architecture"
	// codeNoMemory: the dump holds no memory, so nothing can be searched.
	codeNoMemory perfdump.Code = "no-memory"
	// codeMemoryCut: the file ends within the memory, or before it.
	codeMemoryCut perfdump.Code = "memory-cut"
	// codeAddressRange: invalid addresses: high bits that are not a sign extension, or
	// ranges past the last address.
	codeAddressRange perfdump.Code = "address-range"
	// codeRangeOverlap: two ranges have the same addresses.
	codeRangeOverlap perfdump.Code = "range-overlap"
	// codeSharedBytes: the ranges of memory have more bytes than the file, so some share
	// bytes.
	codeSharedBytes perfdump.Code = "shared-bytes"
	// codeNameRVA: the name of a module or a handle is past the end of the file.
	codeNameRVA perfdump.Code = "name-rva"
	// codeNameCut: the file ends within the name of a module or a handle.
	codeNameCut perfdump.Code = "name-cut"
	// codeNameOdd: a name in UTF-16 has an odd number of bytes.
	codeNameOdd perfdump.Code = "name-odd"
	// codeNameLength: a name longer than 65,534 bytes.
	codeNameLength perfdump.Code = "name-length"
	// codeNameShared: names that share bytes exceed the size of the file and a megabyte.
	codeNameShared perfdump.Code = "name-shared"
	// codeVersionInfo: the version of a module does not begin with FEEF04BD. It is ignored.
	codeVersionInfo perfdump.Code = "version-info"
)

// The levels of paths: the position of the stream in the directory, and the position in its
// list.
var (
	streamLevels = perfdump.Levels{"stream"}
	moduleLevels = perfdump.Levels{"stream", "module"}
	rangeLevels  = perfdump.Levels{"stream", "range"}
	regionLevels = perfdump.Levels{"stream", "region"}
	handleLevels = perfdump.Levels{"stream", "handle"}
	memoryLevels = perfdump.Levels{"", "", "memory"}
)

const (
	levelStream = iota
	levelEntry
	levelMemory
)
