package ipcblock

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/ipcblock.md tells what each
// means.
const (
	// CodePartialChunk: the file ends inside a chunk.
	CodePartialChunk perfdump.Code = "partial-chunk"
	// CodeTrailingBytes: bytes that are not zero stand behind the end.
	CodeTrailingBytes perfdump.Code = "trailing-bytes"
	// CodeCounterZero: the lock word of a chunk is 0 although a runtime is in it, which no CLR
	// produces.
	CodeCounterZero perfdump.Code = "counter-zero"
	// CodeUntouchedBytes: a chunk that no runtime ever used is not all zero.
	CodeUntouchedBytes perfdump.Code = "untouched-bytes"
	// CodeReserved: reserved words of a chunk's header are not 0.
	CodeReserved perfdump.Code = "reserved"
	// CodeVersion: Version is not 4 in a chunk, 3 in a public or 2 in a private block.
	CodeVersion perfdump.Code = "version"
	// CodeFlagsUnused: the flags of a chunk say that they are not used.
	CodeFlagsUnused perfdump.Code = "flags-unused"
	// CodeFlagContradiction: the x86 flag contradicts the sizes.
	CodeFlagContradiction perfdump.Code = "flag-contradiction"
	// CodeBlockSize: BlockSize is not the header and the perf block together.
	CodeBlockSize perfdump.Code = "block-size"
	// CodeNumEntries: a chunk has more than one entry, and the further ones are kept as bytes; or
	// one that is not live has none, or more than fit.
	CodeNumEntries perfdump.Code = "num-entries"
	// CodeEntryRange: the entry of a chunk that is not live points outside.
	CodeEntryRange perfdump.Code = "entry-range"
	// CodeEntryOffset: the perf block of a chunk is not at 40, where the CLR puts it.
	CodeEntryOffset perfdump.Code = "entry-offset"
	// CodeEmptyEntry: an entry that holds nothing has a size.
	CodeEmptyEntry perfdump.Code = "empty-entry"
	// CodeSizeMismatch: the entry and the perf block differ about its size.
	CodeSizeMismatch perfdump.Code = "size-mismatch"
	// CodeUnknownSize: a perf or AppDomain block has the size of no known layout.
	CodeUnknownSize perfdump.Code = "unknown-size"
	// CodeAfterBlock: bytes behind BlockSize are not zero.
	CodeAfterBlock perfdump.Code = "after-block"
	// CodeRunningSum: the directory of a legacy block without flags does not add up, which the CLR
	// itself refuses.
	CodeRunningSum perfdump.Code = "running-sum"
	// CodePathNUL: the instance path of a private block has no NUL.
	CodePathNUL perfdump.Code = "path-nul"
	// CodePathEncoding: the instance path of a private block is no UTF-16.
	CodePathEncoding perfdump.Code = "path-encoding"
	// CodeAppDomain: counts of the AppDomain block are negative, or do not fit each other.
	CodeAppDomain perfdump.Code = "app-domain"
)

// The codes of remarks: what is in order, but not what it seems.
const (
	// RemarkStale: the chunk was freed.
	RemarkStale perfdump.Code = "stale"
	// RemarkLocked: a writer held the chunk while it was copied.
	RemarkLocked perfdump.Code = "locked"
	// RemarkUnpublished: the runtime was starting.
	RemarkUnpublished perfdump.Code = "unpublished"
	// RemarkNoGC: there was no garbage collection yet.
	RemarkNoGC perfdump.Code = "no-gc"
	// RemarkTorn: a part is above its whole, so that the two were not read at one moment.
	RemarkTorn perfdump.Code = "torn"
	// RemarkOff: counting is off, as at the end of a process.
	RemarkOff perfdump.Code = "perf-off"
)

// levels are those of every path in this format. A block that is not a table
// has no chunks.
var levels = perfdump.Levels{"chunk", "table"}

const (
	levelChunk = iota
	levelEntry
)
