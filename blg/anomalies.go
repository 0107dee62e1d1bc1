package blg

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/blg.md says what each
// means.
const (
	// codeBufferHeader: a buffer's BufferSize differs from the log's, or its FilledBytes
	// exceeds it; the buffer is skipped.
	codeBufferHeader perfdump.Code = "buffer-header"
	// codeBufferMoved: the next buffer is not at the expected offset, since bytes are
	// missing or added; everything up to the next one is searched for records.
	codeBufferMoved perfdump.Code = "buffer-moved"
	// codeBufferCut: the file ends within the used part of a buffer.
	codeBufferCut perfdump.Code = "buffer-cut"
	// codeBufferCount: the log header has a different number of buffers than the file.
	codeBufferCount perfdump.Code = "buffer-count"
	// codeLogHeader: the first record is not a log header, or too short for one.
	codeLogHeader perfdump.Code = "log-header"
	// codeNotClosed: the log header has no EndTime, so the log was not closed.
	codeNotClosed perfdump.Code = "not-closed"
	// codeWriterLost: the log header says that the recorder lost events or buffers.
	codeWriterLost perfdump.Code = "writer-lost"
	// codeRecordDamaged: a record is missing, too short, or overlaps the next one.
	codeRecordDamaged perfdump.Code = "record-damaged"
	// codeRecordKind: a record of a kind that logs do not contain; reported once for each
	// kind.
	codeRecordKind perfdump.Code = "record-kind"
	// codeRecordForeign: an event of another provider; reported once.
	codeRecordForeign perfdump.Code = "record-foreign"
	// codePartOrder: a part of an event out of order; the event is dropped.
	codePartOrder perfdump.Code = "part-order"
	// codeEventIncomplete: an event without its last parts, or larger than 64 MiB; it is
	// dropped.
	codeEventIncomplete perfdump.Code = "event-incomplete"
	// codeEventType: an event of unknown type; reported once for each type.
	codeEventType perfdump.Code = "event-type"
	// codeTime: a record with a time outside 1980 to 9999, or a start or end of the log
	// after 9999; samples with such a time are dropped.
	codeTime perfdump.Code = "time"
	// codeTimeBackwards: a record that is earlier than the previous one, also in UTC.
	codeTimeBackwards perfdump.Code = "time-backwards"
	// CodeItemListAgain: a second item list, which applies to the records that follow.
	CodeItemListAgain perfdump.Code = "item-list-again"
	// codeItemLength: an item that does not fit; the rest of the list is not read.
	codeItemLength perfdump.Code = "item-length"
	// codeItemText: a text of an item that is outside of it, that shares its bytes with
	// others, or that was cut after 16,384 characters.
	codeItemText perfdump.Code = "item-text"
	// codeNoItemList: a series without an item list that describes it; reported once.
	codeNoItemList perfdump.Code = "no-item-list"
	// codeSampleLength: a sample with an invalid header, or whose length is not that of its
	// data.
	codeSampleLength perfdump.Code = "sample-length"
	// codeSeriesLength: a series that exceeds its record, or whose body is shorter than its
	// contents.
	codeSeriesLength perfdump.Code = "series-length"
	// codeSeriesKind: a series of unknown kind; reported once for each kind.
	codeSeriesKind perfdump.Code = "series-kind"
	// codeSeriesExtra: more series than items; reported once.
	codeSeriesExtra perfdump.Code = "series-extra"
	// codeSeriesMissing: fewer series than items; reported once.
	codeSeriesMissing perfdump.Code = "series-missing"
	// codeInstanceName: a name outside of its series; the instance is left out.
	codeInstanceName perfdump.Code = "instance-name"
	// codeTitles: titles that do not continue with an index and its text.
	codeTitles perfdump.Code = "titles"
	// codeRegistration: a registration of a counter set that cannot be read.
	codeRegistration perfdump.Code = "registration"
	// CodeNoRegistration: a counter set whose counters no registration describes, or whose
	// name no item list has; reported once.
	CodeNoRegistration perfdump.Code = "no-registration"
	// codeCatalogue: a catalogue with invalid lengths.
	codeCatalogue perfdump.Code = "catalogue"
)

// levels are those of paths: the position of a record in its buffer, then the positions in
// the event that begins with it.
var levels = perfdump.Levels{"buffer", "record", "series", "instance"}

const (
	levelBuffer = iota
	levelRecord
	levelSeries
	levelInstance
)

// problems collects what a reader has found wrong so far.
type problems struct {
	anomalies perfdump.Anomalies
	lost      Lost
	kinds     [256]bool // of series, reported already
	records   [256]bool // kinds of records, reported already
	types     [256]bool // of events, reported already
	foreign   bool
	missing   bool
	unlisted  bool
	extra     bool
	// unregistered reports that a counter set without a registration was reported.
	unregistered bool
}

func (t *problems) report(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	t.anomalies.Add(perfdump.NewAnomaly(code, off, path, text, args...))
}

// once reports a problem that may occur many times, the first time only.
func (t *problems) once(done *bool, code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	if !*done {
		*done = true
		t.report(code, off, path, text, args...)
	}
}
