package perfdata

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/perfdata.md tells what each
// means and which producers cause it.
const (
	// CodeFlagContradiction: the LittleEndian flag is not 1 though the signature says so.
	CodeFlagContradiction perfdump.Code = "flag-contradiction"
	// CodeVersion: Version or Revision is not 1.
	CodeVersion perfdump.Code = "version"
	// CodeTotalShort: TotalByteLength leaves out the header, as Samba writes it.
	CodeTotalShort perfdump.Code = "total-short"
	// CodeTotalLong: TotalByteLength is more than the bytes present, or runs over the next block.
	CodeTotalLong perfdump.Code = "total-long"
	// CodeTrailingBytes: bytes stand behind the block that are no further block.
	CodeTrailingBytes perfdump.Code = "trailing-bytes"
	// CodeDisplaced: the objects stand 88 bytes behind where the header says, as Wine 8 does.
	CodeDisplaced perfdump.Code = "displaced"
	// CodeSystemName: the computer's name is not inside the header, has no NUL, or an odd length.
	CodeSystemName perfdump.Code = "system-name"
	// CodeSystemTime: the time of the block is no time of a calendar, or behind the year 9999.
	CodeSystemTime perfdump.Code = "system-time"
	// CodeFreq: the frequency of a clock is 0 or less.
	CodeFreq perfdump.Code = "freq"
	// CodeNumInstances: NumInstances is less than -3, or data stand where there should be
	// definitions alone.
	CodeNumInstances perfdump.Code = "num-instances"
	// CodeMisaligned: an object, an instance or a counter block is off an 8-byte boundary.
	CodeMisaligned perfdump.Code = "misaligned"
	// CodeValueRange: a counter's offset points outside its block.
	CodeValueRange perfdump.Code = "value-range"
	// CodeSizeMismatch: CounterSize is not what the counter type says.
	CodeSizeMismatch perfdump.Code = "size-mismatch"
	// CodeNoBase: a counter needs a base in the next definition and has none.
	CodeNoBase perfdump.Code = "no-base"
	// CodeStrayBase: a base stands behind a counter that needs none.
	CodeStrayBase perfdump.Code = "stray-base"
	// CodeMultiCount: the base of a multi-counter and the count behind its value differ.
	CodeMultiCount perfdump.Code = "multi-count"
	// CodeNameOffset: an instance's name begins inside the instance's definition.
	CodeNameOffset perfdump.Code = "name-offset"
	// CodeNameNUL: an instance's name has no NUL at its end, or one before it.
	CodeNameNUL perfdump.Code = "name-nul"
	// CodeNameEncoding: the object's code page does not decode an instance's name, or the name is
	// UTF-16 all the same, or has an unpaired surrogate.
	CodeNameEncoding perfdump.Code = "name-encoding"
	// CodeNameOdd: an instance's name in UTF-16 has an odd number of bytes.
	CodeNameOdd perfdump.Code = "name-odd"
	// CodeParentRange: an instance's parent is at a position that the parent object does not have.
	CodeParentRange perfdump.Code = "parent-range"
	// CodeTitlePointer: a field that held a pointer long ago, and is 0 today, is not.
	CodeTitlePointer perfdump.Code = "title-pointer"
	// CodeDefaultCounter: DefaultCounter is no position of a counter.
	CodeDefaultCounter perfdump.Code = "default-counter"
	// CodeScale: DefaultScale is not in -7..7.
	CodeScale perfdump.Code = "scale"
	// CodeDetail: DetailLevel is not in 100..400.
	CodeDetail perfdump.Code = "detail"
	// CodeUnknownType: the counter type has bits that nobody defines.
	CodeUnknownType perfdump.Code = "unknown-type"
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
