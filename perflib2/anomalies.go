package perflib2

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/perflib2.md says what each
// means.
const (
	// CodeTrailingBytes: bytes stand behind the block or the registration.
	CodeTrailingBytes perfdump.Code = "trailing-bytes"
	// CodeSizeMismatch: a structure is 8 bytes or more longer than what is in it.
	CodeSizeMismatch perfdump.Code = "size-mismatch"
	// CodeMisaligned: the size of a structure is no multiple of 8.
	CodeMisaligned perfdump.Code = "misaligned"
	// CodeSystemTime: the SystemTime of the block is no time of a calendar.
	CodeSystemTime perfdump.Code = "system-time"
	// CodeFreq: the frequency of the clock is 0 or less.
	CodeFreq perfdump.Code = "freq"
	// CodeReserved: a reserved word is not 0.
	CodeReserved perfdump.Code = "reserved"
	// CodeStatus: a result has values and the status of an error.
	CodeStatus perfdump.Code = "status"
	// CodeResultType: a result has a type that is not known. Its bytes are kept.
	CodeResultType perfdump.Code = "result-type"
	// CodeDuplicateID: an id is given twice. The first one counts.
	CodeDuplicateID perfdump.Code = "duplicate-id"
	// CodeNameNUL: a name has no NUL, or an odd number of bytes.
	CodeNameNUL perfdump.Code = "name-nul"
	// CodeNameEncoding: a name is not valid UTF-16.
	CodeNameEncoding perfdump.Code = "name-encoding"
	// CodeTextRange: the text of a counter lies outside the texts. The counter has no name.
	CodeTextRange perfdump.Code = "text-range"
	// CodeInstanceType: the instance type of a set is not known.
	CodeInstanceType perfdump.Code = "instance-type"
	// CodeMissingID: a counter of a set needs another one, by its id, that the set does not have.
	CodeMissingID perfdump.Code = "missing-id"
	// CodeUnknownType: the counter type has bits that nobody defines.
	CodeUnknownType perfdump.Code = "unknown-type"
)

// blockLevels are those of the paths in a block, setLevels of those in a
// registration.
var (
	blockLevels = perfdump.Levels{"counter", "instance", "value", "id"}
	setLevels   = perfdump.Levels{"counter", "text"}
)

const (
	levelCounter = iota
	levelInstance
	levelValue
	levelID
)

const levelText = 1

// faults are the errors that salvage mode passed over. As with anomalies, only
// so many are kept.
type faults struct {
	kept  []*perfdump.FormatError
	total int
}

// countedOnly stands for an error past the limit.
var countedOnly perfdump.FormatError

func (f *faults) add(err *perfdump.FormatError, limit int) {
	f.total++
	if len(f.kept) < limit {
		f.kept = append(f.kept, err)
	}
}
