package blg

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/blg.md tells what each
// means.
const (
	CodeBufferHeader    perfdump.Code = "buffer-header"
	CodeBufferMoved     perfdump.Code = "buffer-moved"
	CodeBufferCut       perfdump.Code = "buffer-cut"
	CodeBufferCount     perfdump.Code = "buffer-count"
	CodeLogHeader       perfdump.Code = "log-header"
	CodeNotClosed       perfdump.Code = "not-closed"
	CodeWriterLost      perfdump.Code = "writer-lost"
	CodeRecordDamaged   perfdump.Code = "record-damaged"
	CodeRecordKind      perfdump.Code = "record-kind"
	CodeRecordForeign   perfdump.Code = "record-foreign"
	CodePartOrder       perfdump.Code = "part-order"
	CodeEventIncomplete perfdump.Code = "event-incomplete"
	CodeEventType       perfdump.Code = "event-type"
	CodeTime            perfdump.Code = "time"
	CodeTimeBackwards   perfdump.Code = "time-backwards"
	CodeItemListAgain   perfdump.Code = "item-list-again"
	CodeItemLength      perfdump.Code = "item-length"
	CodeItemText        perfdump.Code = "item-text"
	CodeNoItemList      perfdump.Code = "no-item-list"
	CodeSampleLength    perfdump.Code = "sample-length"
	CodeSeriesLength    perfdump.Code = "series-length"
	CodeSeriesKind      perfdump.Code = "series-kind"
	CodeSeriesExtra     perfdump.Code = "series-extra"
	CodeSeriesMissing   perfdump.Code = "series-missing"
	CodeInstanceName    perfdump.Code = "instance-name"
	CodeTitles          perfdump.Code = "titles"
	CodeCatalogue       perfdump.Code = "catalogue"
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
