package ipcblock

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/ipcblock.md explains each.
const (
	codePartialChunk      perfdump.Code = "partial-chunk"      // the file ends inside a chunk
	codeTrailingBytes     perfdump.Code = "trailing-bytes"     // bytes that are not zero follow the end
	codeCounterZero       perfdump.Code = "counter-zero"       // the lock word of a chunk is 0 although it has a runtime, which no CLR produces
	codeUntouchedBytes    perfdump.Code = "untouched-bytes"    // a chunk that no runtime ever used is not all zero
	codeReserved          perfdump.Code = "reserved"           // reserved words of a chunk's header are not 0
	codeVersion           perfdump.Code = "version"            // Version is not 4 in a chunk, 3 in a public or 2 in a private block
	codeFlagsUnused       perfdump.Code = "flags-unused"       // the flags of a chunk are marked as unused
	codeFlagContradiction perfdump.Code = "flag-contradiction" // the x86 flag contradicts the sizes
	codeBlockSize         perfdump.Code = "block-size"         // BlockSize is not the sum of the header and the perf block
	codeNumEntries        perfdump.Code = "num-entries"        // a live chunk has more than one entry, and the others are kept as bytes; or another chunk has none, or more than fit
	codeEntryRange        perfdump.Code = "entry-range"        // the entry of a chunk that is not live points outside
	codeEntryOffset       perfdump.Code = "entry-offset"       // the perf block of a chunk is not at 40
	codeEmptyEntry        perfdump.Code = "empty-entry"        // an empty entry has a size
	codeSizeMismatch      perfdump.Code = "size-mismatch"      // the size in the entry differs from that in the perf block
	codeUnknownSize       perfdump.Code = "unknown-size"       // a perf or AppDomain block has the size of no known layout
	codeAfterBlock        perfdump.Code = "after-block"        // bytes after BlockSize are not zero
	codeRunningSum        perfdump.Code = "running-sum"        // the directory of a legacy block without flags does not add up, which the CLR itself rejects
	codePathNUL           perfdump.Code = "path-nul"           // the instance path of a private block has no NUL
	codePathEncoding      perfdump.Code = "path-encoding"      // the instance path of a private block is not UTF-16
	codeAppDomain         perfdump.Code = "app-domain"         // counts of the AppDomain block are negative or inconsistent
)

// The codes of remarks: valid data that is easily misunderstood.
const (
	remarkStale       perfdump.Code = "stale"       // the chunk was freed
	remarkLocked      perfdump.Code = "locked"      // a writer held the chunk while it was copied
	remarkUnpublished perfdump.Code = "unpublished" // the runtime was still starting
	remarkNoGC        perfdump.Code = "no-gc"       // there was no garbage collection yet
	remarkTorn        perfdump.Code = "torn"        // a part exceeds its whole, so the two were read at different moments
	remarkOff         perfdump.Code = "perf-off"    // counting is off, as at the end of a process
)

// levels are those of every path in this format. A block that is not a table
// has no chunks.
var levels = perfdump.Levels{"chunk", "table"}

const (
	levelChunk = iota
	levelEntry
)
