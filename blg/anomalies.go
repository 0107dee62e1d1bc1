package blg

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/blg.md says what each
// means.
const (
	// codeBufferHeader: a buffer's BufferSize is not the log's, or its FilledBytes not within it;
	// the buffer is skipped.
	codeBufferHeader perfdump.Code = "buffer-header"
	// codeBufferMoved: the next buffer is not in its place, since bytes are missing or too many;
	// all up to it is searched for records.
	codeBufferMoved perfdump.Code = "buffer-moved"
	// codeBufferCut: the file ends within the used part of a buffer.
	codeBufferCut perfdump.Code = "buffer-cut"
	// codeBufferCount: the log header says another number of buffers than there are.
	codeBufferCount perfdump.Code = "buffer-count"
	// codeLogHeader: the first record is no log header, or too short for one.
	codeLogHeader perfdump.Code = "log-header"
	// codeNotClosed: the log header has no EndTime: the log was not closed.
	codeNotClosed perfdump.Code = "not-closed"
	// codeWriterLost: the log header says that the recorder lost events or buffers.
	codeWriterLost perfdump.Code = "writer-lost"
	// codeRecordDamaged: no record where one should be, one that is too short, or one that another
	// begins inside of.
	codeRecordDamaged perfdump.Code = "record-damaged"
	// codeRecordKind: a record of a kind that logs do not have; reported once for each kind.
	codeRecordKind perfdump.Code = "record-kind"
	// codeRecordForeign: an event of another provider; reported once.
	codeRecordForeign perfdump.Code = "record-foreign"
	// codePartOrder: a part of an event out of order; the event is dropped.
	codePartOrder perfdump.Code = "part-order"
	// codeEventIncomplete: an event whose last parts are missing, or one of more than 64 MiB; it is
	// dropped.
	codeEventIncomplete perfdump.Code = "event-incomplete"
	// codeEventType: an event of a type that is not known; reported once for each type.
	codeEventType perfdump.Code = "event-type"
	// codeTime: a record at a time outside of 1980 to 9999, or a start or end of the log after; a
	// sample there is left out.
	codeTime perfdump.Code = "time"
	// codeTimeBackwards: a record that is earlier than the one before it, in UTC too.
	codeTimeBackwards perfdump.Code = "time-backwards"
	// codeItemListAgain: a second item list; it is in force from there on.
	codeItemListAgain perfdump.Code = "item-list-again"
	// codeItemLength: an item that does not fit; the rest of the list is not read.
	codeItemLength perfdump.Code = "item-length"
	// codeItemText: a text of an item that lies outside of it, that shares its bytes with others,
	// or whose end after 16,384 characters is left out.
	codeItemText perfdump.Code = "item-text"
	// codeNoItemList: a series that no item list says the meaning of; reported once.
	codeNoItemList perfdump.Code = "no-item-list"
	// codeSampleLength: a sample that does not begin as one, or whose length is not that of its
	// data.
	codeSampleLength perfdump.Code = "sample-length"
	// codeSeriesLength: a series that does not fit, or a body too short for what it says that it
	// holds.
	codeSeriesLength perfdump.Code = "series-length"
	// codeSeriesKind: a series of a kind that is not known; reported once for each kind.
	codeSeriesKind perfdump.Code = "series-kind"
	// codeSeriesExtra: more series than items; reported once.
	codeSeriesExtra perfdump.Code = "series-extra"
	// codeSeriesMissing: fewer series than items; reported once.
	codeSeriesMissing perfdump.Code = "series-missing"
	// codeInstanceName: a name outside of its series; the instance is left out.
	codeInstanceName perfdump.Code = "instance-name"
	// codeTitles: titles that do not go on with an index and its text.
	codeTitles perfdump.Code = "titles"
	// codeRegistration: a registration of a counter set that cannot be read.
	codeRegistration perfdump.Code = "registration"
	// CodeNoRegistration: a counter set that no registration says the counters of, or no item list
	// the name; reported once.
	CodeNoRegistration perfdump.Code = "no-registration"
	// codeCatalogue: a catalogue that does not fit.
	codeCatalogue perfdump.Code = "catalogue"
)

// levels are those of paths: a record of a buffer by its place there, and in
// an event, which goes by the record of its first part, what it is a list of.
var levels = perfdump.Levels{"buffer", "record", "series", "instance"}

const (
	levelBuffer = iota
	levelRecord
	levelSeries
	levelInstance
)

// found is what a reader has found wrong so far.
type found struct {
	anomalies perfdump.Anomalies
	lost      Lost
	kinds     [256]bool // of series, reported already
	records   [256]bool // kinds of records, reported already
	types     [256]bool // of events, reported already
	foreign   bool
	missing   bool
	unlisted  bool
	extra     bool
	// unregistered says that a counter set without a registration was reported.
	unregistered bool
}

func (t *found) report(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	t.anomalies.Add(perfdump.NewAnomaly(code, off, path, text, args...))
}

// once reports what holds for many places at the first of them.
func (t *found) once(done *bool, code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	if !*done {
		*done = true
		t.report(code, off, path, text, args...)
	}
}
