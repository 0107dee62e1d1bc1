package perfdata

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/perfdata.md explains each and names the
// producers that cause it.
const (
	// codeFlagContradiction: the LittleEndian flag is not 1, although the signature is
	// little-endian.
	codeFlagContradiction perfdump.Code = "flag-contradiction"
	// codeVersion: Version or Revision is not 1.
	codeVersion perfdump.Code = "version"
	// codeTotalShort: TotalByteLength does not include the header, as Samba writes it.
	codeTotalShort perfdump.Code = "total-short"
	// codeTotalLong: TotalByteLength exceeds the bytes present, or overlaps the next block.
	codeTotalLong perfdump.Code = "total-long"
	// CodeTrailingBytes: the bytes after the block are not another block.
	CodeTrailingBytes perfdump.Code = "trailing-bytes"
	// codeDisplaced: the objects begin 88 bytes after the offset in the header, as Wine 8
	// writes them.
	codeDisplaced perfdump.Code = "displaced"
	// codeSystemName: the computer's name is outside the header, has no NUL, or has an odd
	// length.
	codeSystemName perfdump.Code = "system-name"
	// codeSystemTime: the time of the block is not valid, or after the year 9999.
	codeSystemTime perfdump.Code = "system-time"
	// codeFreq: the frequency of a clock is 0 or less.
	codeFreq perfdump.Code = "freq"
	// codeNumInstances: NumInstances is less than -3, or there is data although there
	// should only be definitions.
	codeNumInstances perfdump.Code = "num-instances"
	// codeMisaligned: an object, an instance or a counter block is not on an 8-byte
	// boundary.
	codeMisaligned perfdump.Code = "misaligned"
	// codeValueRange: a counter's offset points outside its block.
	codeValueRange perfdump.Code = "value-range"
	// codeSizeMismatch: CounterSize is not that of the counter type.
	codeSizeMismatch perfdump.Code = "size-mismatch"
	// codeNoBase: a counter needs a base in the next definition and has none.
	codeNoBase perfdump.Code = "no-base"
	// codeStrayBase: a base follows a counter that needs none.
	codeStrayBase perfdump.Code = "stray-base"
	// codeMultiCount: the base of a multi-counter differs from the count after its value.
	codeMultiCount perfdump.Code = "multi-count"
	// codeNameOffset: an instance's name begins inside the instance's definition.
	codeNameOffset perfdump.Code = "name-offset"
	// codeNameNUL: an instance's name has no NUL at its end, or one before that.
	codeNameNUL perfdump.Code = "name-nul"
	// codeNameEncoding: an instance's name cannot be decoded by the object's code page, is
	// UTF-16 although there is a code page, or has an unpaired surrogate.
	codeNameEncoding perfdump.Code = "name-encoding"
	// codeNameOdd: an instance's name in UTF-16 has an odd number of bytes.
	codeNameOdd perfdump.Code = "name-odd"
	// codeParentRange: an instance's parent has a position that the parent object does not
	// have.
	codeParentRange perfdump.Code = "parent-range"
	// codeTitlePointer: a field that is always 0 today, formerly a pointer, is not 0.
	codeTitlePointer perfdump.Code = "title-pointer"
	// codeDefaultCounter: DefaultCounter is not the position of a counter.
	codeDefaultCounter perfdump.Code = "default-counter"
	// codeScale: DefaultScale is not in -7..7.
	codeScale perfdump.Code = "scale"
	// codeDetail: DetailLevel is not in 100..400.
	codeDetail perfdump.Code = "detail"
	// codeUnknownType: the counter type has undefined bits.
	codeUnknownType perfdump.Code = "unknown-type"
	// CodeGap: 16 or more unexplained bytes.
	CodeGap perfdump.Code = "gap"
)

// levels are those of every path in this format.
var levels = perfdump.Levels{"block", "object", "instance", "counter"}

const (
	levelBlock = iota
	levelObject
	levelInstance
	levelCounter
)
