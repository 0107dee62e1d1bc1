package blg

import "iter"

// Reason says what of a log could not be read.
type Reason uint8

// The reasons. All but LostBytes count things; it counts the bytes of damaged
// stretches inside of buffers.
const (
	LostBuffers       Reason = iota // buffers whose header contradicts the log's, or that the file's end cut off
	LostBytes                       // bytes of buffers in which no record could be found
	LostKinds                       // records of kinds that performance logs do not have
	LostForeign                     // records of other providers
	LostEvents                      // events of which parts are missing or out of turn, and samples at no time that can be
	LostTypes                       // events of types that are not known
	LostItems                       // stretches of an item list that are no items
	LostSeries                      // series that could not be read, or that no item says the meaning of
	LostInstances                   // instances whose names could not be read
	LostUnknown                     // series of kinds that are not known
	LostExtra                       // series that no item belongs to
	LostTitles                      // records of titles that could not be read to their end
	LostRegistrations               // registrations of counter sets that could not be read
	numReasons
)

var reasons = [numReasons]string{
	LostBuffers: "buffers", LostBytes: "bytes", LostKinds: "record_kinds", LostForeign: "foreign_records",
	LostEvents: "events", LostTypes: "event_types", LostItems: "items", LostSeries: "series",
	LostInstances: "instances", LostUnknown: "series_kinds", LostExtra: "extra_series", LostTitles: "titles",
	LostRegistrations: "registrations",
}

// String returns the word of r, a key of the JSON output: "buffers".
func (r Reason) String() string {
	if r < numReasons {
		return reasons[r]
	}
	return "unknown"
}

// Lost counts what could not be read, by reason.
type Lost [numReasons]int64

// All yields the reasons that anything was lost for, and how much.
func (l *Lost) All() iter.Seq2[Reason, int64] {
	return func(yield func(Reason, int64) bool) {
		for r, n := range l {
			if n > 0 && !yield(Reason(r), n) {
				return
			}
		}
	}
}

// Any reports whether anything was lost.
func (l *Lost) Any() bool { return *l != Lost{} }
