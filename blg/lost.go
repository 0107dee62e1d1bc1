package blg

import "iter"

// The reasons why something could not be read. lostBytes counts bytes of damaged regions in
// buffers, all others count things.
const (
	lostBuffers       = iota // buffers whose header contradicts the log's, or that are cut off
	lostBytes                // bytes of buffers in which no record could be found
	lostKinds                // records of kinds that performance logs do not contain
	lostForeign              // records of other providers
	lostEvents               // events with missing or unordered parts, and samples with invalid times
	lostTypes                // events of unknown types
	lostItems                // parts of item lists that could not be read
	lostSeries               // series that could not be read, or that no item describes
	lostInstances            // instances whose names could not be read
	lostUnknown              // series of unknown kinds
	lostExtra                // series without an item
	lostTitles               // records of titles that could not be read completely
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

// All yields the reasons for which something was lost, as named in the JSON output, and the
// counts.
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
