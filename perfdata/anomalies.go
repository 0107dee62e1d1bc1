package perfdata

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/perfdata.md says what each
// means and which producers cause it.
const (
	// codeFlagContradiction: the LittleEndian flag is not 1 though the signature says so.
	codeFlagContradiction perfdump.Code = "flag-contradiction"
	// codeVersion: Version or Revision is not 1.
	codeVersion perfdump.Code = "version"
	// codeTotalShort: TotalByteLength leaves out the header, as Samba writes it.
	codeTotalShort perfdump.Code = "total-short"
	// codeTotalLong: TotalByteLength is more than the bytes present, or runs over the next block.
	codeTotalLong perfdump.Code = "total-long"
	// CodeTrailingBytes: bytes stand behind the block that are no further block.
	CodeTrailingBytes perfdump.Code = "trailing-bytes"
	// codeDisplaced: the objects stand 88 bytes behind where the header says, as Wine 8 does.
	codeDisplaced perfdump.Code = "displaced"
	// codeSystemName: the computer's name is not inside the header, has no NUL, or an odd length.
	codeSystemName perfdump.Code = "system-name"
	// codeSystemTime: the time of the block is no time of a calendar, or behind the year 9999.
	codeSystemTime perfdump.Code = "system-time"
	// codeFreq: the frequency of a clock is 0 or less.
	codeFreq perfdump.Code = "freq"
	// codeNumInstances: NumInstances is less than -3, or data stand where there should be
	// definitions alone.
	codeNumInstances perfdump.Code = "num-instances"
	// codeMisaligned: an object, an instance or a counter block is off an 8-byte boundary.
	codeMisaligned perfdump.Code = "misaligned"
	// codeValueRange: a counter's offset points outside its block.
	codeValueRange perfdump.Code = "value-range"
	// codeSizeMismatch: CounterSize is not what the counter type says.
	codeSizeMismatch perfdump.Code = "size-mismatch"
	// codeNoBase: a counter needs a base in the next definition and has none.
	codeNoBase perfdump.Code = "no-base"
	// codeStrayBase: a base stands behind a counter that needs none.
	codeStrayBase perfdump.Code = "stray-base"
	// codeMultiCount: the base of a multi-counter and the count behind its value differ.
	codeMultiCount perfdump.Code = "multi-count"
	// codeNameOffset: an instance's name begins inside the instance's definition.
	codeNameOffset perfdump.Code = "name-offset"
	// codeNameNUL: an instance's name has no NUL at its end, or one before it.
	codeNameNUL perfdump.Code = "name-nul"
	// codeNameEncoding: the object's code page does not decode an instance's name, or the name is
	// UTF-16 all the same, or has an unpaired surrogate.
	codeNameEncoding perfdump.Code = "name-encoding"
	// codeNameOdd: an instance's name in UTF-16 has an odd number of bytes.
	codeNameOdd perfdump.Code = "name-odd"
	// codeParentRange: an instance's parent is at a position that the parent object does not have.
	codeParentRange perfdump.Code = "parent-range"
	// codeTitlePointer: a field that held a pointer long ago, and is 0 today, is not.
	codeTitlePointer perfdump.Code = "title-pointer"
	// codeDefaultCounter: DefaultCounter is no position of a counter.
	codeDefaultCounter perfdump.Code = "default-counter"
	// codeScale: DefaultScale is not in -7..7.
	codeScale perfdump.Code = "scale"
	// codeDetail: DetailLevel is not in 100..400.
	codeDetail perfdump.Code = "detail"
	// codeUnknownType: the counter type has bits that nobody defines.
	codeUnknownType perfdump.Code = "unknown-type"
	// CodeGap: 16 or more bytes that nothing explains.
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
