package capture

import (
	"iter"
	"strings"
	"time"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
)

// Series is one counter of one instance of one machine, for as long as a
// capture lasts. Each has one Series, so pointers tell them apart.
type Series struct {
	ID            int // position in the order of appearance, from 0
	Host          string
	Object        string // the name, or the title index in decimal
	Parent        string
	HasParent     bool
	Instance      string // without #n
	HasInstance   bool   // false for objects without instances
	InstanceIndex int    // the n of #n, 0 for the first of a name
	Counter       string // as Object
	Path          string // the full path, see [Series.FullPath]

	Type         countertypes.Type // HasType says whether it is known
	HasType      bool
	DefaultScale int8
	TimeBase     int64  // ticks a second of the clock, 0 unknown
	ObjectIndex  uint32 // title indexes, 0 unknown
	CounterIndex uint32

	home home
}

// FullPath makes the path of a series as PDH-CSV has it: all that is known of
// the host, the object, the instance and the counter, with round brackets in
// the names of instances written as square ones.
func (s *Series) FullPath() string {
	return pdhpath.Path{
		Machine: s.Host, Object: s.Object, Parent: brackets.Replace(s.Parent), Instance: brackets.Replace(s.Instance),
		Index: s.InstanceIndex, HasInstance: s.HasInstance, Counter: s.Counter,
	}.String()
}

var brackets = strings.NewReplacer("(", "[", ")", "]")

// Cell is what a series says at one moment.
type Cell struct {
	Series *Series
	Value  float64             // 0 unless Status is StatusOK
	Status countertypes.Status // whether there is a value, and why not
	PDH    uint32              // the code of PDH that the source has for it, 0 if none

	// The raw tuple that the value was cooked of; HasRaw is false where the
	// source has cooked values only.
	First, Second uint64
	Multi         uint32
	HasRaw        bool
}

// Frame is what all series that are there say at one moment: the cooked
// counterpart of a [Snapshot]. Its cells stand in the order of the source, and
// a series that is not there has none. A Frame is valid until the next one.
type Frame struct {
	Time   time.Time // in UTC; zero where the source does not say
	Offset Offset    // from UTC to the clock on the recorder's wall
	Zone   string    // the recorder's name of its time zone, "" unknown
	Host   string
	Source string // the name of the file
	Record int    // position in the source, from 0
	Cells  []Cell
}

// Offset is how far a wall clock is from UTC. Where it is not known, times of
// the wall clock stand in the place of UTC.
type Offset struct {
	East  time.Duration // local time minus UTC
	Known bool
}

// Local returns the time that the recorder's wall clock showed, as if it was
// UTC.
func (f *Frame) Local() time.Time { return f.Time.Add(f.Offset.East) }

// Frames is a stream of frames in the order of time. An error comes with a Frame
// that has nothing but its Source; what can be read goes on behind it.
type Frames = iter.Seq2[*Frame, error]
