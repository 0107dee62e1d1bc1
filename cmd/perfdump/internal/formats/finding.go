package formats

import (
	"slices"
	"sort"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Severity says how serious a finding is.
type Severity string

// The severities. An error means that bytes cannot be read, a warning is an
// anomaly. A note is neither: it explains values.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityNote    Severity = "note"
)

// Finding is something that [Format.Findings] found.
type Finding struct {
	Code     perfdump.Code
	Offset   int64 // -1 if there is none
	Path     string
	Message  string
	Severity Severity
	// Count is how many more anomalies of the code there are that were not
	// kept. It is 0 in a finding that has a place.
	Count int
}

// checker yields findings until the caller stops.
type checker struct {
	yield  func(Finding) bool
	strict bool // anomalies are errors
	done   bool
}

func (c *checker) find(f Finding) { c.done = c.done || !c.yield(f) }

// fail yields an error.
func (c *checker) fail(err error) {
	fe := wire.AsFormatError(err)
	c.find(Finding{Code: fe.Code, Offset: fe.Off, Path: fe.Path, Message: fe.Message(), Severity: SeverityError})
}

// faults yields errors but for one that was yielded before, which may be nil.
func (c *checker) faults(faults []*perfdump.FormatError, but error) {
	for _, fault := range faults {
		if !same(fault, but) {
			c.fail(fault)
		}
	}
}

func same(a, b error) bool { return b != nil && a.Error() == b.Error() }

// anomalies yields anomalies in the order of the file.
func (c *checker) anomalies(found *perfdump.Anomalies) {
	kept := slices.Clone(found.Kept())
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].Off < kept[j].Off })
	for _, a := range kept {
		c.find(Finding{Code: a.Code, Offset: a.Off, Path: a.Path.String(), Message: a.Message(), Severity: c.severity()})
	}
	for code, n := range found.Dropped() {
		c.more(code, n, c.severity())
	}
}

// severity is that of an anomaly.
func (c *checker) severity() Severity {
	if c.strict {
		return SeverityError
	}
	return SeverityWarning
}

// more yields the number of findings that were not kept.
func (c *checker) more(code perfdump.Code, n int, s Severity) {
	c.find(Finding{Code: code, Offset: -1, Message: "more of the same kind, not kept", Severity: s, Count: n})
}

// note yields a remark of a format.
func (c *checker) note(a perfdump.Anomaly) {
	c.find(Finding{Code: a.Code, Offset: a.Off, Path: a.Path.String(), Message: a.Message(), Severity: SeverityNote})
}

// placed returns a checker whose findings are changed by place, since they are
// of a part of the file.
func (c *checker) placed(place func(*Finding)) *checker {
	return &checker{strict: c.strict, done: c.done, yield: func(f Finding) bool {
		place(&f)
		c.find(f)
		return !c.done
	}}
}
