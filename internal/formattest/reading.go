package formattest

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/golden"
)

// Reading collects what is to be held against the file of a golden.Sweep.
type Reading struct{ told, rest strings.Builder }

// Golden gives what was collected.
func (r *Reading) Golden() golden.Reading {
	return golden.Reading{Told: r.told.String(), Rest: r.rest.String()}
}

// Error notes an error with its code; nil is none.
func (r *Reading) Error(err error) {
	var fe *perfdump.FormatError
	switch {
	case err == nil:
	case errors.As(err, &fe):
		fmt.Fprintf(&r.told, "error %s: %v\n", fe.Code, err)
	default:
		fmt.Fprintf(&r.told, "error: %v\n", err)
	}
}

// Anomalies notes what was odd.
func (r *Reading) Anomalies(of *perfdump.Anomalies) {
	for _, a := range of.Kept() {
		fmt.Fprintf(&r.told, "%s: %s\n", a.Code, a)
	}
	for code, n := range of.Dropped() {
		fmt.Fprintf(&r.told, "%s: %d more\n", code, n)
	}
}

// Faults notes what was passed over.
func (r *Reading) Faults(of []*perfdump.FormatError) {
	for _, fe := range of {
		fmt.Fprintf(&r.told, "fault %s: %s\n", fe.Code, fe)
	}
}

// Spans notes what each byte means.
func (r *Reading) Spans(of iter.Seq[perfdump.Span]) {
	for s := range of {
		r.Note(s.Off, s.Size, s.Kind, s.Overlap, s.CodePage, s.Path.String(), s.Note)
	}
}

// Note notes anything else. Pointers are noted as places of memory, which are
// others each time: take what they point to.
func (r *Reading) Note(what ...any) { fmt.Fprintln(&r.rest, what...) }
