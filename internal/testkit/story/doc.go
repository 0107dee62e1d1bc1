// Package story makes recordings of two servers, in which everything hangs
// together, and says what was wrong with them: for tests, examples and pictures.
//
// SRV-SQL-01 has a working day with troubles: a backup that makes a disk slow, a
// leak, a process that fills a core, a service that is restarted, minutes without
// samples, a copy that fills the network. SRV-QUIET-01 has nothing to do and nothing
// wrong. The files in testdata/story are what this package makes.
package story

import "time"

// Recording is the log of a server, and what was wrong.
type Recording struct {
	Machine  string    `json:"machine"`
	Start    time.Time `json:"start"`
	End      time.Time `json:"end"`
	Interval float64   `json:"interval_s"`
	Troubles []Trouble `json:"troubles"`

	Log []byte `json:"-"` // a .blg
}

// Trouble is something that was wrong: the first and the last sample that show it.
type Trouble struct {
	What     string    `json:"what"`
	Instance string    `json:"instance,omitempty"`
	Start    time.Time `json:"start"`
	End      time.Time `json:"end"`
	Local    string    `json:"local"` // the same for people
}

// zone is that of the servers.
var zone = time.FixedZone("", 3600)

// day is when the recordings begin.
var day = time.Date(2026, 3, 17, 8, 0, 0, 0, zone)

// at returns a time of the day.
func at(hour, minute, second int) time.Time {
	return time.Date(2026, 3, 17, hour, minute, second, 0, zone)
}

// during reports whether a rate at a moment is one of a time: rates are those of
// the interval that ends then.
func during(t, from, to time.Time) bool { return t.After(from) && !t.After(to) }
