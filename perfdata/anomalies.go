package perfdata

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/perfdata.md tells what each
// means and which producers cause it.
const (
	CodeFlagContradiction perfdump.Code = "flag-contradiction"
	CodeVersion           perfdump.Code = "version"
	CodeTotalShort        perfdump.Code = "total-short"
	CodeTotalLong         perfdump.Code = "total-long"
	CodeTrailingBytes     perfdump.Code = "trailing-bytes"
	CodeDisplaced         perfdump.Code = "displaced"
	CodeSystemName        perfdump.Code = "system-name"
	CodeSystemTime        perfdump.Code = "system-time"
	CodeFreq              perfdump.Code = "freq"
	CodeNumInstances      perfdump.Code = "num-instances"
	CodeMisaligned        perfdump.Code = "misaligned"
	CodeValueRange        perfdump.Code = "value-range"
	CodeSizeMismatch      perfdump.Code = "size-mismatch"
	CodeNoBase            perfdump.Code = "no-base"
	CodeStrayBase         perfdump.Code = "stray-base"
	CodeMultiCount        perfdump.Code = "multi-count"
	CodeNameOffset        perfdump.Code = "name-offset"
	CodeNameNUL           perfdump.Code = "name-nul"
	CodeNameEncoding      perfdump.Code = "name-encoding"
	CodeNameOdd           perfdump.Code = "name-odd"
	CodeParentRange       perfdump.Code = "parent-range"
	CodeTitlePointer      perfdump.Code = "title-pointer"
	CodeDefaultCounter    perfdump.Code = "default-counter"
	CodeScale             perfdump.Code = "scale"
	CodeDetail            perfdump.Code = "detail"
	CodeUnknownType       perfdump.Code = "unknown-type"
	CodeGap               perfdump.Code = "gap"
)

// levels are those of every path in this format.
var levels = perfdump.Levels{"block", "object", "instance", "counter"}

const (
	levelBlock = iota
	levelObject
	levelInstance
	levelCounter
)
