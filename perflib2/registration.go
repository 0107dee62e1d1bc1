package perflib2

import (
	"fmt"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Registration is the registration of a counter set: its name, and the names,
// types and bases of its counters. It is a view over the bytes that it was
// decoded from; all its methods only read and may be called concurrently.
type Registration struct {
	CounterSetInfo

	raw       []byte // the registration and what trails it
	head      registrationHeader
	size      int // the registration alone
	counters  []Counter
	byID      map[uint32]int
	texts     textArea
	name      []byte
	nameOff   int // 0 where no name was read
	anomalies perfdump.Anomalies
	faults    []*perfdump.FormatError
}

// AppendBinary appends the bytes of the registration, those that trail it
// included, to dst. A view is its bytes: to encode something else, take its
// [RegistrationTree].
func (r *Registration) AppendBinary(dst []byte) ([]byte, error) { return append(dst, r.raw...), nil }

// Anomalies returns what is unusual in the registration. It belongs to r.
func (r *Registration) Anomalies() *perfdump.Anomalies { return &r.anomalies }

// Faults returns the errors that salvage mode skipped, in the order of the
// registration. In the other modes there are none.
func (r *Registration) Faults() iter.Seq[*perfdump.FormatError] { return slices.Values(r.faults) }

// Name returns the name of the set.
func (r *Registration) Name() string { return wire.UTF16(r.name) }

// GUIDString returns the GUID of the set as Windows writes it, in braces.
func (r *Registration) GUIDString() string {
	g := r.GUID[:]
	return fmt.Sprintf("{%08x-%04x-%04x-%x-%x}", wire.U32(g, 0), wire.U16(g, 4), wire.U16(g, 6), g[8:10], g[10:])
}

// Single reports whether the set has no instances with names.
func (r *Registration) Single() bool { return r.InstanceType&flagMultiple == 0 }

// Len returns how many counters were decoded. It differs from NumCounters only
// in salvage mode.
func (r *Registration) Len() int { return len(r.counters) }

// Counter returns the counter at a position, in the order of the registration.
func (r *Registration) Counter(i int) *Counter { return &r.counters[i] }

// Counters yields the counters in the order of the registration.
func (r *Registration) Counters() iter.Seq2[int, *Counter] {
	return func(yield func(int, *Counter) bool) {
		for i := range r.counters {
			if !yield(i, &r.counters[i]) {
				return
			}
		}
	}
}

// Covers reports whether all counters of a result are registered in r.
func (r *Registration) Covers(res Result) bool {
	for j := range res.NumCounters() {
		if _, ok := r.byID[res.ID(j)]; !ok && res.Type.hasIDs() {
			return false
		}
	}
	return true
}

// Counter is a counter of a [Registration].
type Counter struct {
	CounterInfo

	RawName []byte // in UTF-16, without its NUL; nil where there is none
}

// Name returns the name of the counter, "" where it has none.
func (c *Counter) Name() string { return wire.UTF16(c.RawName) }

// Hidden reports whether lists leave the counter out: it has no name, as bases
// have none, or is registered as not displayed.
func (c *Counter) Hidden() bool { return len(c.RawName) == 0 || c.Attrib&attribNotDisplayed != 0 }

// InstanceType says how many instances a set has.
type InstanceType uint32

// The types of instances that have names here. Others are aggregates.
const (
	SingleInstance    InstanceType = 0
	MultipleInstances InstanceType = 2

	flagMultiple = 2
)

var instanceTypes = map[InstanceType]string{
	SingleInstance: "single", MultipleInstances: "multiple", 4: "global-aggregate", 6: "multiple-aggregate",
	12: "global-aggregate-history", 22: "instance-aggregate",
}

// String returns the word of t: "single", "multiple".
func (t InstanceType) String() string { return word(instanceTypes, t, "InstanceType") }

// word returns the word of a type, or its number.
func word[T ~uint32](words map[T]string, t T, name string) string {
	if w, ok := words[t]; ok {
		return w
	}
	return fmt.Sprintf("%s(%d)", name, uint32(t))
}
