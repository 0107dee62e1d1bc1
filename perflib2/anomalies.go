package perflib2

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/perflib2.md says what each
// means.
const (
	// codeTrailingBytes: bytes stand behind the block or the registration.
	codeTrailingBytes perfdump.Code = "trailing-bytes"
	// codeSizeMismatch: a structure is 8 bytes or more longer than what is in it.
	codeSizeMismatch perfdump.Code = "size-mismatch"
	// codeMisaligned: the size of a structure is no multiple of 8.
	codeMisaligned perfdump.Code = "misaligned"
	// codeSystemTime: the SystemTime of the block is no time of a calendar.
	codeSystemTime perfdump.Code = "system-time"
	// codeFreq: the frequency of the clock is 0 or less.
	codeFreq perfdump.Code = "freq"
	// codeReserved: a reserved word is not 0.
	codeReserved perfdump.Code = "reserved"
	// codeStatus: a result has values and the status of an error.
	codeStatus perfdump.Code = "status"
	// codeResultType: a result has a type that is not known. Its bytes are kept.
	codeResultType perfdump.Code = "result-type"
	// codeDuplicateID: an id is given twice. The first one counts.
	codeDuplicateID perfdump.Code = "duplicate-id"
	// codeNameNUL: a name has no NUL, or an odd number of bytes.
	codeNameNUL perfdump.Code = "name-nul"
	// codeNameEncoding: a name is not valid UTF-16.
	codeNameEncoding perfdump.Code = "name-encoding"
	// codeTextRange: the text of a counter lies outside the texts. The counter has no name.
	codeTextRange perfdump.Code = "text-range"
	// codeInstanceType: the instance type of a set is not known.
	codeInstanceType perfdump.Code = "instance-type"
	// codeMissingID: a counter of a set needs another one, by its id, that the set does not have.
	codeMissingID perfdump.Code = "missing-id"
	// codeUnknownType: the counter type has bits that nobody defines.
	codeUnknownType perfdump.Code = "unknown-type"
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

// checker collects what is wrong with a block or a registration.
type checker struct {
	perfdump.Options

	cut       bool // more bytes are claimed than are present
	anomalies *perfdump.Anomalies
	faults    *[]*perfdump.FormatError
}

func (c *checker) anomaly(code perfdump.Code, off int, path perfdump.Path, text string, args ...int64) {
	c.anomalies.Add(perfdump.NewAnomaly(code, int64(off), path, text, args...))
}

// slack notes bytes at the end of a structure that nothing explains.
func (c *checker) slack(off, end int, path perfdump.Path) {
	if end-off >= 8 {
		c.anomaly(codeSizeMismatch, off, path, "%d bytes that nothing explains", int64(end-off))
	}
}

// dropped is any error past the limit of those that are kept.
var dropped perfdump.FormatError

// fail makes an error. The end of a cut file causes what does not fit in it.
func (c *checker) fail(code perfdump.Code, off int, path perfdump.Path, text string, args ...any) *perfdump.FormatError {
	if len(*c.faults) >= c.Limits.MaxAnomalies() {
		return &dropped
	}
	err := perfdump.NewError(code, int64(off), path, text, args...)
	if c.cut {
		err = err.Truncated()
	}
	return err
}

// pass keeps an error in salvage mode and returns it in the others.
func (c *checker) pass(err *perfdump.FormatError) *perfdump.FormatError {
	if c.Mode != perfdump.Salvage {
		return err
	}
	if err != &dropped {
		*c.faults = append(*c.faults, err)
	}
	return nil
}

// sized checks the size of a structure at off, written at the offset at, that
// must end by limit. It returns where the next one begins.
func (c *checker) sized(off int, size uint32, least, limit int, path perfdump.Path, at int) (int, *perfdump.FormatError) {
	switch {
	case uint64(size) < uint64(least):
		return 0, c.fail(perfdump.CodeLength, at, path, "0x%x is less than the %d bytes of the header", size, least)
	case uint64(size) > uint64(limit-off):
		return 0, c.fail(perfdump.CodeLength, at, path, "0x%x is past the 0x%x bytes that are left", size, limit-off)
	}
	return int(min(uint64(off)+align8(size), uint64(limit))), nil
}

// need checks that a header of n bytes fits between off and end.
func (c *checker) need(off, end, n int, path perfdump.Path, what string) *perfdump.FormatError {
	if end-off >= n {
		return nil
	}
	return c.fail(perfdump.CodeLength, off, path, "0x%x bytes are left, fewer than the %d "+what, end-off, n)
}
