package golden

import (
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"strings"

	"github.com/perfdump/perfdump"
)

// Reading is what came of an input: what was told, that is errors and anomalies,
// a line each, and everything else that can be had of it.
type Reading struct{ told, rest strings.Builder }

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

// Note notes anything else, but no pointers, also within structs: they would be
// noted as places of memory, which are others in each build.
func (r *Reading) Note(what ...any) { fmt.Fprintln(&r.rest, what...) }

// sum adds all that was noted to a sum.
func (r *Reading) sum(h hash.Hash) {
	_, _ = io.WriteString(h, r.told.String()+"\x00"+r.rest.String()+"\x00")
}
