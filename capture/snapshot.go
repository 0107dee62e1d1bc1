package capture

import (
	"iter"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

// Snapshot holds the raw values of one moment: a block of buffers, a record of a log, a
// section of a Checkmk agent, a block of version 2 counter sets, a table of IPC control
// blocks or an ASP.NET vector.
type Snapshot struct {
	Time   time.Time // in UTC; zero if the source does not say
	Offset Offset    // from UTC to the recorder's local time
	Zone   string    // the recorder's name of its time zone, "" if unknown
	Host   string    // without \\; "" if unknown
	Source string    // the name of the file
	Log    string    // as in [Frame]
	Record int       // position in the source, from 0

	Section *checkmk.Section // of a Checkmk agent, otherwise nil
	Sets    *perflib2.Block  // a separate block of version 2 counter sets, otherwise nil

	o      Options
	block  *perfdata.Block
	blocks []*Snapshot // the whole objects of a record of a log
	other  otherValues // may be nil
	faults iter.Seq[*perfdump.FormatError]
}

// otherValues are the values of a snapshot that are not whole objects.
type otherValues interface {
	// rows yields the values that the filter selects. If objects is true, it includes those
	// of whole objects, in the order of the source. It returns false if yield did.
	rows(s *Snapshot, objects bool, yield func(*Row) bool) bool
	otherNames(s *Snapshot, yield func(*ObjectNames) bool)
}

// ObjectNames names an object, its counters and its instances.
type ObjectNames struct {
	Host, Object string
	Counters     []string // those that are shown
	Instances    []string // parent/name#n
	Idle         bool     // a version 2 counter set without instances
}

// FromBlock returns a snapshot of a block, which it aliases.
func FromBlock(b *perfdata.Block, o Options) *Snapshot {
	if o.Names == nil {
		o.Names = NewNames()
	}
	s := &Snapshot{Offset: Offset{Known: true}, Zone: "UTC", Host: cutClone(b.ComputerName()), block: b, o: o}
	s.Time, _ = b.Time()
	s.faults = b.Faults()
	return s
}

// Block returns the block of the snapshot, or nil.
func (s *Snapshot) Block() *perfdata.Block { return s.block }

// Blocks yields snapshots of blocks: the snapshot itself if it is one of a block, or one
// for each whole object of a record of a log.
func (s *Snapshot) Blocks() iter.Seq[*Snapshot] {
	return func(yield func(*Snapshot) bool) {
		if s.block != nil {
			yield(s)
			return
		}
		for _, b := range s.blocks {
			if !yield(b) {
				return
			}
		}
	}
}

// Objects yields the objects of blocks that the filter selects, in the order of the source.
// An Object is valid until the next one is yielded.
func (s *Snapshot) Objects() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		var o Object
		for b := range s.Blocks() {
			for _, view := range b.block.Objects() {
				if o.load(b, view) && !yield(&o) {
					return
				}
			}
		}
	}
}

// Object returns the object at a position in the block. ok is false if the filter excludes
// all of it.
func (s *Snapshot) Object(i int) (o *Object, ok bool) {
	o = &Object{}
	return o, o.load(s, s.block.Object(i))
}

// Rows yields the values that the filter selects, in the order of the source: objects,
// instances and counters. A Query does not select values without a title index, such as
// single counters of a log. A Row is valid until the next one is yielded.
func (s *Snapshot) Rows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		if s.block != nil {
			s.blockRows(yield)
		} else if s.other != nil {
			s.other.rows(s, true, yield)
		}
	}
}

// OtherRows yields the rows that are not of whole objects.
func (s *Snapshot) OtherRows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		if s.other != nil {
			s.other.rows(s, false, yield)
		}
	}
}

// Names yields the names of all objects, ignoring the filter. An object of a log comes once
// for each of its items.
func (s *Snapshot) Names() iter.Seq[*ObjectNames] {
	return func(yield func(*ObjectNames) bool) {
		for b := range s.Blocks() {
			for _, view := range b.block.Objects() {
				if !yield(b.namesOf(view)) {
					return
				}
			}
		}
		if s.other != nil {
			s.other.otherNames(s, yield)
		}
	}
}

func (s *Snapshot) namesOf(o *perfdata.Object) *ObjectNames {
	index := o.ObjectNameTitleIndex
	n := &ObjectNames{Host: s.Host, Object: s.o.Names.object(index)}
	for i := range o.Counters() {
		if c := o.Counter(i); !c.CounterType.Hidden() {
			n.Counters = append(n.Counters, s.o.Names.counter(index, c.CounterNameTitleIndex))
		}
	}
	if !o.Single() {
		for _, name := range o.DisplayNames() {
			n.Instances = append(n.Instances, name)
		}
	}
	return n
}

// Faults yields what could not be read: what salvage mode skipped in a block, and objects
// of a log. A nil Snapshot has none.
func (s *Snapshot) Faults() iter.Seq[*perfdump.FormatError] {
	return func(yield func(*perfdump.FormatError) bool) {
		if s != nil && s.faults != nil {
			s.faults(yield)
		}
	}
}

// Between returns the time from a to b. It returns false if that exceeds the range of a
// Duration, 292 years.
func Between(a, b time.Time) (time.Duration, bool) {
	d := b.Sub(a)
	return d, a.Add(d).Equal(b)
}
