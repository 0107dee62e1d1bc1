package minidump

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/minidump.md tells what each
// means.
const (
	Version         perfdump.Code = "version"
	NoStreams       perfdump.Code = "no-streams"
	DuplicateStream perfdump.Code = "duplicate-stream"
	StreamCut       perfdump.Code = "stream-cut"
	StreamShort     perfdump.Code = "stream-short"
	ListPadding     perfdump.Code = "list-padding"
	NoSystemInfo    perfdump.Code = "no-system-info"
	Architecture    perfdump.Code = "architecture"
	NoMemory        perfdump.Code = "no-memory"
	MemoryCut       perfdump.Code = "memory-cut"
	AddressRange    perfdump.Code = "address-range"
	RangeOverlap    perfdump.Code = "range-overlap"
	SharedBytes     perfdump.Code = "shared-bytes"
	NameRVA         perfdump.Code = "name-rva"
	NameCut         perfdump.Code = "name-cut"
	NameOdd         perfdump.Code = "name-odd"
	NameLength      perfdump.Code = "name-length"
	NameShared      perfdump.Code = "name-shared"
	VersionInfo     perfdump.Code = "version-info"
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
