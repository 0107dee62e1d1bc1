package minidump

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/minidump.md tells what each
// means.
const (
	CodeVersion         perfdump.Code = "version"
	CodeNoStreams       perfdump.Code = "no-streams"
	CodeDuplicateStream perfdump.Code = "duplicate-stream"
	CodeStreamCut       perfdump.Code = "stream-cut"
	CodeStreamShort     perfdump.Code = "stream-short"
	CodeListPadding     perfdump.Code = "list-padding"
	CodeNoSystemInfo    perfdump.Code = "no-system-info"
	CodeArchitecture    perfdump.Code = "architecture"
	CodeNoMemory        perfdump.Code = "no-memory"
	CodeMemoryCut       perfdump.Code = "memory-cut"
	CodeAddressRange    perfdump.Code = "address-range"
	CodeRangeOverlap    perfdump.Code = "range-overlap"
	CodeSharedBytes     perfdump.Code = "shared-bytes"
	CodeNameRVA         perfdump.Code = "name-rva"
	CodeNameCut         perfdump.Code = "name-cut"
	CodeNameOdd         perfdump.Code = "name-odd"
	CodeNameLength      perfdump.Code = "name-length"
	CodeNameShared      perfdump.Code = "name-shared"
	CodeVersionInfo     perfdump.Code = "version-info"
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
