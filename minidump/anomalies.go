package minidump

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/minidump.md tells what each
// means.
const (
	// CodeVersion: the low half of the header's version is not A793.
	CodeVersion perfdump.Code = "version"
	// CodeNoStreams: the directory is empty, so the dump holds nothing.
	CodeNoStreams perfdump.Code = "no-streams"
	// CodeDuplicateStream: a stream of a type that is read comes again.
	CodeDuplicateStream perfdump.Code = "duplicate-stream"
	// CodeStreamCut: the file ends within a stream, or before it.
	CodeStreamCut perfdump.Code = "stream-cut"
	// CodeStreamShort: the size that MiscInfo gives itself does not fit its stream.
	CodeStreamShort perfdump.Code = "stream-short"
	// CodeListPadding: 4 bytes stand between a count and its entries, as Breakpad's 64-bit writers
	// leave.
	CodeListPadding perfdump.Code = "list-padding"
	// CodeNoSystemInfo: there is no SystemInfo, so the architecture is not known.
	CodeNoSystemInfo perfdump.Code = "no-system-info"
	// CodeArchitecture: the architecture is none of Windows.
	CodeArchitecture perfdump.Code = "architecture"
	// CodeNoMemory: the dump holds no memory, so there is nothing to search.
	CodeNoMemory perfdump.Code = "no-memory"
	// CodeMemoryCut: the file ends within the memory, or before it.
	CodeMemoryCut perfdump.Code = "memory-cut"
	// CodeAddressRange: addresses that cannot be: high bits that are no sign, or ranges past the
	// last address.
	CodeAddressRange perfdump.Code = "address-range"
	// CodeRangeOverlap: two ranges have the same addresses.
	CodeRangeOverlap perfdump.Code = "range-overlap"
	// CodeSharedBytes: the ranges of memory have more bytes than the file: some share them.
	CodeSharedBytes perfdump.Code = "shared-bytes"
	// CodeNameRVA: the name of a module or a handle lies past the end of the file.
	CodeNameRVA perfdump.Code = "name-rva"
	// CodeNameCut: the file ends within the name of a module or a handle.
	CodeNameCut perfdump.Code = "name-cut"
	// CodeNameOdd: a name in UTF-16 has an odd number of bytes.
	CodeNameOdd perfdump.Code = "name-odd"
	// CodeNameLength: a name longer than 65,534 bytes.
	CodeNameLength perfdump.Code = "name-length"
	// CodeNameShared: names that share bytes come to more than the file and a megabyte.
	CodeNameShared perfdump.Code = "name-shared"
	// CodeVersionInfo: the version of a module does not begin with FEEF04BD. It is left out.
	CodeVersionInfo perfdump.Code = "version-info"
)

// The levels of paths: the stream by its place in the directory, and what it
// is a list of.
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
