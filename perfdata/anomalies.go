package perfdata

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/perfdata.md tells what each
// means and which producers cause it.
const (
	FlagContradiction perfdump.Code = "flag-contradiction"
	Version           perfdump.Code = "version"
	TotalShort        perfdump.Code = "total-short"
	TotalLong         perfdump.Code = "total-long"
	TrailingBytes     perfdump.Code = "trailing-bytes"
	Displaced         perfdump.Code = "displaced"
	SystemName        perfdump.Code = "system-name"
	SystemTimeInvalid perfdump.Code = "system-time"
	Freq              perfdump.Code = "freq"
	NumInstances      perfdump.Code = "num-instances"
	Misaligned        perfdump.Code = "misaligned"
	ValueRange        perfdump.Code = "value-range"
	SizeMismatch      perfdump.Code = "size-mismatch"
	NoBase            perfdump.Code = "no-base"
	StrayBase         perfdump.Code = "stray-base"
	MultiCount        perfdump.Code = "multi-count"
	NameOffset        perfdump.Code = "name-offset"
	NameNul           perfdump.Code = "name-nul"
	NameEncoding      perfdump.Code = "name-encoding"
	NameOdd           perfdump.Code = "name-odd"
	ParentRange       perfdump.Code = "parent-range"
	TitlePointer      perfdump.Code = "title-pointer"
	DefaultCounter    perfdump.Code = "default-counter"
	Scale             perfdump.Code = "scale"
	Detail            perfdump.Code = "detail"
	UnknownType       perfdump.Code = "unknown-type"
	Gap               perfdump.Code = "gap"
)

// levels are those of every path in this format.
var levels = perfdump.Levels{"block", "object", "instance", "counter"}

const (
	levelBlock = iota
	levelObject
	levelInstance
	levelCounter
)
