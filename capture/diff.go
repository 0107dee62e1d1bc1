package capture

import (
	"bytes"
	"errors"
	"iter"
	"time"

	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/perfdata"
)

// Change says what became of something between an older and a newer capture.
type Change string

// What can become of something.
const (
	Gone    Change = "gone"    // the older has it, the newer has not
	New     Change = "new"     // the other way round
	Changed Change = "changed" // both have it, and not alike
	Same    Change = "same"
)

// FieldChange is a field that differs. Its name is that of dump -o json. The
// values are uint64, int64, string, bool, [countertypes.Type], or time.Time.
type FieldChange struct {
	Field        string
	Older, Newer any
}

type fieldChanges []FieldChange

func unsigned[T ~uint32 | ~uint64](f *fieldChanges, name string, older, newer T) {
	if older != newer {
		*f = append(*f, FieldChange{name, uint64(older), uint64(newer)})
	}
}

func signed[T ~int32 | ~int64](f *fieldChanges, name string, older, newer T) {
	if older != newer {
		*f = append(*f, FieldChange{name, int64(older), int64(newer)})
	}
}

// DiffError says which of the two inputs of a [Diff] an error is of.
type DiffError struct {
	Newer bool // it is of the newer one
	Err   error
}

// Error returns the text of the error itself.
func (e *DiffError) Error() string { return e.Err.Error() }

// Unwrap returns the error itself.
func (e *DiffError) Unwrap() error { return e.Err }

// Diff compares two captures: it yields for each pair of their snapshots, the
// first with the first, what has become of the older one. Where one capture
// has more snapshots, the other of the pair is nil. The filter and the query
// of o say what is compared.
//
// Objects are matched by title index, counters by title index and type (else
// by title index alone, and then their type has changed), bases with the
// counters that they belong to, instances by UniqueID where that says who they
// are, else by full name, regardless of case, and by the process or thread, then by
// full name alone; of several that are alike the first matches the first. Only what has a meaning is compared: names, definitions, clocks,
// values; not where in the file it stands, nor in which order. See
// [DiffBytes] for the rest.
//
// The sequence ends with the first error, a *[DiffError] around what [Read]
// gives; where both inputs are at fault at once, the errors are joined. Time
// is linear in the inputs; memory is a few bytes for each instance of one
// object.
func Diff(older, newer *detect.Input, o Options) iter.Seq2[*SnapshotDiff, error] {
	if o.Names == nil {
		o.Names = NewNames()
	}
	return func(yield func(*SnapshotDiff, error) bool) {
		nextOlder, stopOlder := iter.Pull2(Read(older, o))
		defer stopOlder()
		nextNewer, stopNewer := iter.Pull2(Read(newer, o))
		defer stopNewer()
		for {
			a, errA, okA := nextOlder()
			b, errB, okB := nextNewer()
			if err := DiffErrors(errA, errB); err != nil {
				yield(nil, err)
				return
			}
			if !okA && !okB || !yield(diffSnapshots(a, b, o), nil) {
				return
			}
		}
	}
}

// DiffErrors joins the errors of two inputs, each as a *[DiffError]; nil for
// none.
func DiffErrors(older, newer error) error {
	var errs []error
	if older != nil {
		errs = append(errs, &DiffError{Err: older})
	}
	if newer != nil {
		errs = append(errs, &DiffError{Newer: true, Err: newer})
	}
	return errors.Join(errs...)
}

// SnapshotDiff is what has become of a snapshot.
type SnapshotDiff struct {
	Change       Change // Gone or New where one is nil, else Changed
	Older, Newer *Snapshot
	Header       []FieldChange // of the block's header
	Record       int           // position in the source, from 0

	names   *Names
	id      identifier
	partial bool // only a part is compared
}

func diffSnapshots(older, newer *Snapshot, o Options) *SnapshotDiff {
	d := &SnapshotDiff{Change: Changed, Older: older, Newer: newer, names: o.Names, id: newIdentifier(o.Names), partial: o.Filter != nil}
	switch {
	case older == nil:
		d.Change, d.Record = New, newer.Record
	case newer == nil:
		d.Change, d.Record = Gone, older.Record
	default:
		d.Record = newer.Record
		d.Header = diffHeader(older.block, newer.block)
	}
	return d
}

// Interval returns the time between the snapshots, negative where the newer
// one was taken first. It is false where one of them tells no time, and where
// [Between] is.
func (d *SnapshotDiff) Interval() (time.Duration, bool) {
	if d.Older == nil || d.Newer == nil || d.Older.Time.IsZero() || d.Newer.Time.IsZero() {
		return 0, false
	}
	return Between(d.Older.Time, d.Newer.Time)
}

// Between returns the time from a to b. It is false where that is more than a
// Duration holds, 292 years.
func Between(a, b time.Time) (time.Duration, bool) {
	d := b.Sub(a)
	return d, a.Add(d).Equal(b)
}

// OtherMachine reports whether the snapshots name different machines.
func (d *SnapshotDiff) OtherMachine() bool {
	return d.Older != nil && d.Newer != nil && !bytes.EqualFold([]byte(d.Older.Host), []byte(d.Newer.Host))
}

func diffHeader(older, newer *perfdata.Block) []FieldChange {
	var f fieldChanges
	if was, is := older.ComputerName(), newer.ComputerName(); was != is {
		f = append(f, FieldChange{"system_name", was, is})
	}
	if older.SystemTime != newer.SystemTime {
		f = append(f, diffTime(older.SystemTime, newer.SystemTime))
	}
	signed(&f, "perf_time", older.PerfTime, newer.PerfTime)
	signed(&f, "perf_freq", older.PerfFreq, newer.PerfFreq)
	signed(&f, "perf_time_100ns", older.PerfTime100nSec, newer.PerfTime100nSec)
	signed(&f, "default_object", older.DefaultObject, newer.DefaultObject)
	unsigned(&f, "version", older.Version, newer.Version)
	unsigned(&f, "revision", older.Revision, newer.Revision)
	unsigned(&f, "little_endian", older.LittleEndian, newer.LittleEndian)
	return f
}

// diffTime gives times as such where they tell the difference.
func diffTime(older, newer perfdata.SystemTime) FieldChange {
	was, okWas := older.Time()
	is, okIs := newer.Time()
	if okWas && okIs && !was.Equal(is) {
		return FieldChange{"system_time", was, is}
	}
	return FieldChange{"system_time", words(older), words(newer)}
}
