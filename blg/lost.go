package blg

import "iter"

// The reasons why something could not be read. All but lostBytes count things;
// it counts the bytes of damaged stretches inside of buffers.
const (
	lostBuffers       = iota // buffers whose header contradicts the log's, or that the file's end cut off
	lostBytes                // bytes of buffers in which no record could be found
	lostKinds                // records of kinds that performance logs do not have
	lostForeign              // records of other providers
	lostEvents               // events of which parts are missing or out of order, and samples at no time that can be
	lostTypes                // events of types that are not known
	lostItems                // stretches of an item list that are no items
	lostSeries               // series that could not be read, or that no item says the meaning of
	lostInstances            // instances whose names could not be read
	lostUnknown              // series of kinds that are not known
	lostExtra                // series that no item belongs to
	lostTitles               // records of titles that could not be read to their end
	lostRegistrations        // registrations of counter sets that could not be read
	numReasons
)

// reasons are the keys of the JSON output.
var reasons = [numReasons]string{
	lostBuffers: "buffers", lostBytes: "bytes", lostKinds: "record_kinds", lostForeign: "foreign_records",
	lostEvents: "events", lostTypes: "event_types", lostItems: "items", lostSeries: "series",
	lostInstances: "instances", lostUnknown: "series_kinds", lostExtra: "extra_series", lostTitles: "titles",
	lostRegistrations: "registrations",
}

// Lost counts what could not be read, by reason.
type Lost [numReasons]int64

// All yields the reasons for which something was lost, as the JSON output calls
// them, and how much.
func (l *Lost) All() iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		for r, n := range l {
			if n > 0 && !yield(reasons[r], n) {
				return
			}
		}
	}
}

// Any reports whether anything was lost.
func (l *Lost) Any() bool { return *l != Lost{} }
