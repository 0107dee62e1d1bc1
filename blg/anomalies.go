package blg

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/blg.md tells what each
// means.
const (
	// CodeBufferHeader: a buffer's BufferSize is not the log's, or its FilledBytes not within it;
	// the buffer is skipped.
	CodeBufferHeader perfdump.Code = "buffer-header"
	// CodeBufferMoved: the next buffer is not in its place, since bytes are missing or too many;
	// all up to it is searched for records.
	CodeBufferMoved perfdump.Code = "buffer-moved"
	// CodeBufferCut: the file ends within the used part of a buffer.
	CodeBufferCut perfdump.Code = "buffer-cut"
	// CodeBufferCount: the log header says another number of buffers than there are.
	CodeBufferCount perfdump.Code = "buffer-count"
	// CodeLogHeader: the first record is no log header, or too short for one.
	CodeLogHeader perfdump.Code = "log-header"
	// CodeNotClosed: the log header has no EndTime: the log was not closed.
	CodeNotClosed perfdump.Code = "not-closed"
	// CodeWriterLost: the log header says that the recorder lost events or buffers.
	CodeWriterLost perfdump.Code = "writer-lost"
	// CodeRecordDamaged: no record where one should be, one that is too short, or one that another
	// begins inside of.
	CodeRecordDamaged perfdump.Code = "record-damaged"
	// CodeRecordKind: a record of a kind that logs do not have; told once a kind.
	CodeRecordKind perfdump.Code = "record-kind"
	// CodeRecordForeign: an event of another provider; told once.
	CodeRecordForeign perfdump.Code = "record-foreign"
	// CodePartOrder: a part of an event out of turn; the event is dropped.
	CodePartOrder perfdump.Code = "part-order"
	// CodeEventIncomplete: an event whose last parts are missing, or one of more than 64 MiB; it is
	// dropped.
	CodeEventIncomplete perfdump.Code = "event-incomplete"
	// CodeEventType: an event of a type that is not known; told once a type.
	CodeEventType perfdump.Code = "event-type"
	// CodeTime: a record at a time outside of 1980 to 9999, or a start or end of the log behind; a
	// sample there is left out.
	CodeTime perfdump.Code = "time"
	// CodeTimeBackwards: a record that is earlier than the one before it, in UTC too.
	CodeTimeBackwards perfdump.Code = "time-backwards"
	// CodeItemListAgain: a second item list; it is in force from there on.
	CodeItemListAgain perfdump.Code = "item-list-again"
	// CodeItemLength: an item that does not fit; the rest of the list is not read.
	CodeItemLength perfdump.Code = "item-length"
	// CodeItemText: a text of an item that lies outside of it, that shares its bytes with others,
	// or whose end behind 16,384 characters is left out.
	CodeItemText perfdump.Code = "item-text"
	// CodeNoItemList: a series that no item list says the meaning of; told once.
	CodeNoItemList perfdump.Code = "no-item-list"
	// CodeSampleLength: a sample that does not begin as one, or whose length is not that of its
	// data.
	CodeSampleLength perfdump.Code = "sample-length"
	// CodeSeriesLength: a series that does not fit, or a body too short for what it says that it
	// holds.
	CodeSeriesLength perfdump.Code = "series-length"
	// CodeSeriesKind: a series of a kind that is not known; told once a kind.
	CodeSeriesKind perfdump.Code = "series-kind"
	// CodeSeriesExtra: more series than items; told once.
	CodeSeriesExtra perfdump.Code = "series-extra"
	// CodeSeriesMissing: fewer series than items; told once.
	CodeSeriesMissing perfdump.Code = "series-missing"
	// CodeInstanceName: a name outside of its series; the instance is left out.
	CodeInstanceName perfdump.Code = "instance-name"
	// CodeTitles: titles that do not go on with an index and its text.
	CodeTitles perfdump.Code = "titles"
	// CodeRegistration: a registration of a counter set that cannot be read.
	CodeRegistration perfdump.Code = "registration"
	// CodeNoRegistration: a counter set that no registration says the counters of, or no item list
	// the name; told once.
	CodeNoRegistration perfdump.Code = "no-registration"
	// CodeCatalogue: a catalogue that does not fit.
	CodeCatalogue perfdump.Code = "catalogue"
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

// told is what a reader has found wrong so far.
type told struct {
	anomalies perfdump.Anomalies
	lost      Lost
	kinds     [256]bool // of series, told already
	records   [256]bool // kinds of records, told already
	types     [256]bool // of events, told already
	foreign   bool
	missing   bool
	unlisted  bool
	extra     bool
	// unregistered says that a counter set without a registration was told.
	unregistered bool
}

func (t *told) tell(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	t.anomalies.Add(perfdump.NewAnomaly(code, off, path, text, args...))
}

// once tells what holds for many places at the first of them.
func (t *told) once(done *bool, code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	if !*done {
		*done = true
		t.tell(code, off, path, text, args...)
	}
}
