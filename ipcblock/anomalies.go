package ipcblock

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/ipcblock.md tells what each
// means.
const (
	PartialChunk      perfdump.Code = "partial-chunk"
	TrailingBytes     perfdump.Code = "trailing-bytes"
	CounterZero       perfdump.Code = "counter-zero"
	UntouchedBytes    perfdump.Code = "untouched-bytes"
	Reserved          perfdump.Code = "reserved"
	Version           perfdump.Code = "version"
	FlagsUnused       perfdump.Code = "flags-unused"
	FlagContradiction perfdump.Code = "flag-contradiction"
	BlockSize         perfdump.Code = "block-size"
	NumEntries        perfdump.Code = "num-entries"
	EntryRange        perfdump.Code = "entry-range"
	EntryOffset       perfdump.Code = "entry-offset"
	EmptyEntry        perfdump.Code = "empty-entry"
	SizeMismatch      perfdump.Code = "size-mismatch"
	UnknownSize       perfdump.Code = "unknown-size"
	AfterBlock        perfdump.Code = "after-block"
	RunningSum        perfdump.Code = "running-sum"
	PathNul           perfdump.Code = "path-nul"
	PathEncoding      perfdump.Code = "path-encoding"
	AppDomainCounts   perfdump.Code = "app-domain"
)

// The codes of remarks: what is in order, but not what it seems.
const (
	RemarkStale       perfdump.Code = "stale"
	RemarkLocked      perfdump.Code = "locked"
	RemarkUnpublished perfdump.Code = "unpublished"
	RemarkNoGC        perfdump.Code = "no-gc"
	RemarkTorn        perfdump.Code = "torn"
	RemarkOff         perfdump.Code = "perf-off"
)

// levels are those of every path in this format. A block that is not a table
// has no chunks.
var levels = perfdump.Levels{"chunk", "table"}

const (
	levelChunk = iota
	levelEntry
)
