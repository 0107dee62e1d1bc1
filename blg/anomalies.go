package blg

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/blg.md tells what each
// means.
const (
	BufferHeaderBad perfdump.Code = "buffer-header"
	BufferCut       perfdump.Code = "buffer-cut"
	BufferCount     perfdump.Code = "buffer-count"
	LogHeaderBad    perfdump.Code = "log-header"
	NotClosed       perfdump.Code = "not-closed"
	WriterLost      perfdump.Code = "writer-lost"
	RecordDamaged   perfdump.Code = "record-damaged"
	RecordKind      perfdump.Code = "record-kind"
	RecordForeign   perfdump.Code = "record-foreign"
	PartOrder       perfdump.Code = "part-order"
	EventIncomplete perfdump.Code = "event-incomplete"
	EventType       perfdump.Code = "event-type"
	TimeBackwards   perfdump.Code = "time-backwards"
	ItemListAgain   perfdump.Code = "item-list-again"
	ItemLength      perfdump.Code = "item-length"
	ItemText        perfdump.Code = "item-text"
	NoItemList      perfdump.Code = "no-item-list"
	SampleLength    perfdump.Code = "sample-length"
	SeriesLength    perfdump.Code = "series-length"
	KindUnknown     perfdump.Code = "series-kind"
	SeriesExtra     perfdump.Code = "series-extra"
	SeriesMissing   perfdump.Code = "series-missing"
	InstanceName    perfdump.Code = "instance-name"
	TitlesBad       perfdump.Code = "titles"
	CatalogueBad    perfdump.Code = "catalogue"
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
