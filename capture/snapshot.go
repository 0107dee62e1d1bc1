package capture

import (
	"iter"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/perfdata"
)

// Snapshot is one moment of one machine.
type Snapshot struct {
	Time   time.Time // in UTC; zero where the source does not say
	Offset Offset    // from UTC to the clock on the recorder's wall
	Zone   string    // the recorder's name of its time zone, "" unknown
	Host   string    // without \\; "" where unknown
	Source string    // the name of the file
	Log    string    // as [Frame] has it
	Record int       // position in the source, from 0

	block  *perfdata.Block
	names  *Names
	filter *Filter
	query  perfdata.Query
	pid    bool // see Options
}

// FromBlock makes a snapshot of a block. It aliases the block.
func FromBlock(b *perfdata.Block, o Options) *Snapshot {
	s := &Snapshot{Offset: Offset{Known: true}, Zone: "UTC", Host: cutOwn(b.ComputerName()), block: b, names: o.Names, filter: o.Filter, query: o.Query, pid: o.PID}
	if t, ok := b.Time(); ok {
		s.Time = t
	}
	if s.names == nil {
		s.names = NewNames()
	}
	return s
}

// Objects yields the objects that have something to show, in the order of the
// source. An Object is valid until the next one is yielded.
func (s *Snapshot) Objects() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		var o Object
		for _, view := range s.block.Objects() {
			if o.load(s, view) && !yield(&o) {
				return
			}
		}
	}
}

// ObjectNames yields the name of each object of the snapshot, those that the
// filter holds back included.
func (s *Snapshot) ObjectNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, view := range s.block.Objects() {
			if !yield(s.names.object(view.ObjectNameTitleIndex)) {
				return
			}
		}
	}
}

// CounterNames yields the names of the counters of the objects of a name,
// those that the filter holds back included.
func (s *Snapshot) CounterNames(object string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, view := range s.block.Objects() {
			if s.names.object(view.ObjectNameTitleIndex) != object {
				continue
			}
			for i := range view.Counters() {
				c := view.Counter(i)
				if !c.CounterType.Hidden() && !yield(s.names.counter(view.ObjectNameTitleIndex, c.CounterNameTitleIndex)) {
					return
				}
			}
		}
	}
}

// InstanceNames yields the names of the instances of the objects of a name,
// those of parents before a slash and numbers behind names that come again. It
// yields those that the filter holds back, too.
func (s *Snapshot) InstanceNames(object string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, view := range s.block.Objects() {
			if s.names.object(view.ObjectNameTitleIndex) != object || view.Single() {
				continue
			}
			for _, name := range view.DisplayNames() {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// Frequency returns the ticks a second of the clock that most counters run on.
func (s *Snapshot) Frequency() int64 { return s.block.PerfFreq }

// Size returns how many bytes of input the snapshot has.
func (s *Snapshot) Size() int { return s.block.Size() }

// Len returns how many objects the snapshot has, those that the filter holds
// back included.
func (s *Snapshot) Len() int { return s.block.NumObjects() }

// Anomalies returns how many oddities were met in the snapshot's bytes.
func (s *Snapshot) Anomalies() int { return s.block.Anomalies().Len() }

// Faults returns the errors that salvage mode passed over.
func (s *Snapshot) Faults() []*perfdump.FormatError { return s.block.Faults() }

// NumFaults returns how many errors salvage mode passed over.
func (s *Snapshot) NumFaults() int { return s.block.NumFaults() }

// Fault returns one of the errors that salvage mode passed over, made anew.
func (s *Snapshot) Fault(i int) *perfdump.FormatError { return s.block.Fault(i) }
