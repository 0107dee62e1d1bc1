package capture

import (
	"iter"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

// Snapshot is the raw values of one moment: a block of buffers, a record of a log, a
// section of a Checkmk agent, a block of version 2 counter sets, a table of IPC control
// blocks or a vector of ASP.NET.
type Snapshot struct {
	Time   time.Time // in UTC; zero where the source does not say
	Offset Offset    // from UTC to the recorder's local time
	Zone   string    // the recorder's name of its time zone, "" unknown
	Host   string    // without \\; "" where unknown
	Source string    // the name of the file
	Log    string    // as [Frame] has it
	Record int       // position in the source, from 0

	Section *checkmk.Section // of a Checkmk agent, else nil
	Sets    *perflib2.Block  // version 2 counter sets by themselves, else nil

	o      Options
	block  *perfdata.Block
	blocks []*Snapshot // the whole objects of a record of a log
	other  otherValues // nil for none
	faults iter.Seq[*perfdump.FormatError]
}

// otherValues are what a snapshot has besides whole objects.
type otherValues interface {
	// rows yields the values that the filter lets through. With objects it yields those
	// of whole objects, too, at their places. It is false where yield returned false.
	rows(s *Snapshot, objects bool, yield func(*Row) bool) bool
	otherNames(s *Snapshot, yield func(*ObjectNames) bool)
}

// ObjectNames names an object, its counters and its instances.
type ObjectNames struct {
	Host, Object string
	Counters     []string // those that are shown
	Instances    []string // with the names of parents before a slash, and #n
	Idle         bool     // a version 2 counter set without an instance
}

// FromBlock makes a snapshot of a block. It aliases the block.
func FromBlock(b *perfdata.Block, o Options) *Snapshot {
	if o.Names == nil {
		o.Names = NewNames()
	}
	s := &Snapshot{Offset: Offset{Known: true}, Zone: "UTC", Host: cutOwn(b.ComputerName()), block: b, o: o}
	s.Time, _ = b.Time()
	s.faults = b.Faults()
	return s
}

// Block returns the block that the snapshot is of, nil where it is of none.
func (s *Snapshot) Block() *perfdata.Block { return s.block }

// Blocks yields the snapshots of blocks: that of a block itself, and of a record of a
// log each of its whole objects.
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

// Objects yields the objects of blocks that have something to show, in the order of
// the source. An Object is valid until the next one is yielded.
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

// Object returns the object at a position in the block. ok is false where the
// filter leaves nothing of it.
func (s *Snapshot) Object(i int) (o *Object, ok bool) {
	o = &Object{}
	return o, o.load(s, s.block.Object(i))
}

// Rows yields the values that the filter lets through, in the order of the source:
// objects, instances and counters. Values without a title index, as single counters
// of a log are, have no part in an answer to a Query. A Row is valid until the next one
// is yielded.
func (s *Snapshot) Rows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		if s.block != nil {
			s.blockRows(yield)
		} else if s.other != nil {
			s.other.rows(s, true, yield)
		}
	}
}

// OtherRows yields the rows of what is no whole object.
func (s *Snapshot) OtherRows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		if s.other != nil {
			s.other.rows(s, false, yield)
		}
	}
}

// Names yields the names of what there is, also of what the filter holds back. An
// object of a log comes once for each of its items.
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

// Faults yields what could not be read of the snapshot: what salvage mode skipped
// in a block, and objects of a log. A nil Snapshot has none.
func (s *Snapshot) Faults() iter.Seq[*perfdump.FormatError] {
	return func(yield func(*perfdump.FormatError) bool) {
		if s != nil && s.faults != nil {
			s.faults(yield)
		}
	}
}

// Between returns the time from a to b. It is false where that is more than a
// Duration holds, 292 years.
func Between(a, b time.Time) (time.Duration, bool) {
	d := b.Sub(a)
	return d, a.Add(d).Equal(b)
}
