package ipcblock

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/ipcblock.md tells what each
// means.
const (
	CodePartialChunk      perfdump.Code = "partial-chunk"
	CodeTrailingBytes     perfdump.Code = "trailing-bytes"
	CodeCounterZero       perfdump.Code = "counter-zero"
	CodeUntouchedBytes    perfdump.Code = "untouched-bytes"
	CodeReserved          perfdump.Code = "reserved"
	CodeVersion           perfdump.Code = "version"
	CodeFlagsUnused       perfdump.Code = "flags-unused"
	CodeFlagContradiction perfdump.Code = "flag-contradiction"
	CodeBlockSize         perfdump.Code = "block-size"
	CodeNumEntries        perfdump.Code = "num-entries"
	CodeEntryRange        perfdump.Code = "entry-range"
	CodeEntryOffset       perfdump.Code = "entry-offset"
	CodeEmptyEntry        perfdump.Code = "empty-entry"
	CodeSizeMismatch      perfdump.Code = "size-mismatch"
	CodeUnknownSize       perfdump.Code = "unknown-size"
	CodeAfterBlock        perfdump.Code = "after-block"
	CodeRunningSum        perfdump.Code = "running-sum"
	CodePathNUL           perfdump.Code = "path-nul"
	CodePathEncoding      perfdump.Code = "path-encoding"
	CodeAppDomain         perfdump.Code = "app-domain"
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
