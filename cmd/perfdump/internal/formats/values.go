package formats

import (
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/pdhpath"
)

// Dump says what dump shows of a file.
type Dump struct {
	capture.Options

	Counters []string // the paths that choose counters, none for all
	Page     table.Options
	All      bool           // a table shows bases, too, and what is not live
	Zone     *time.Location // of times, nil for the recorder's
	Lang     string         // of the names of a file that has them in several
	// Failed reports what is left out of what is shown.
	Failed func(error)
	// Shown reports whether a table has something of what -c chooses.
	Shown func(bool)
	// Note reports what is no error of a file.
	Note func(file, text string)
}

// Patterns returns what the paths match.
func (o *Dump) Patterns() []*pdhpath.Pattern {
	var all []*pdhpath.Pattern
	for _, path := range o.Counters {
		if patterns, err := o.Names.Patterns(path); err == nil { // the filter has taken them
			all = append(all, patterns...)
		}
	}
	return all
}

// Choices collects what paths could choose.
type Choices interface {
	Look(n *capture.ObjectNames, paths []string)
	LookItem(object, counter string, paths []string)
}

// Shown reports whether the filter lets something of a snapshot through.
func Shown(s *capture.Snapshot) bool {
	for range s.Objects() {
		return true
	}
	for range s.OtherRows() {
		return true
	}
	return false
}

// Look adds to c what there is in a snapshot, which a path could choose.
func Look(c Choices, s *capture.Snapshot, paths []string) {
	for n := range s.Names() {
		c.Look(n, paths)
	}
}
