package capture

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// Series is one counter of one instance of one machine, for as long as a
// capture lasts. Each has one Series, so pointers identify them. There may be
// hundreds of thousands, so those of an instance share their Owner, and those
// of a counter their Metric. Neither may be nil.
type Series struct {
	ID int // position in the order of appearance, from 0
	*Owner
	*Metric
}

// Owner is an instance of an object, or the object where it has no instances.
type Owner struct {
	Host          string
	Object        string // the name, or the title index in decimal
	ObjectIndex   uint32 // 0 unknown
	HasParent     bool
	HasInstance   bool // false for objects without instances
	Parent        string
	Instance      string // without #n
	InstanceIndex int    // the n of #n, 0 for the first of a name

	// PID and Thread are the process, and the thread, that the series follows; 0
	// where it goes by its name: see [CookOptions.ByPID].
	PID, Thread uint64

	by *translator // of its names; nil for what is built in
}

// ShownInstance returns the name of the instance without #n. Where the series
// follows its owner that follows the name: sqlservr:4242, or the thread.
func (o *Owner) ShownInstance() string {
	id := cmp.Or(o.Thread, o.PID)
	if id == 0 {
		return o.Instance
	}
	name, suffix := o.Instance, ":"+strconv.FormatUint(id, 10)
	if strings.HasSuffix(name, suffix) { // as instances of Process V2 are called by Windows
		return name
	}
	return name + suffix
}

// AppendInstance appends what is between the brackets of a path to dst:
// parent/name#n, with the name of [Owner.ShownInstance].
func (o *Owner) AppendInstance(dst []byte) []byte {
	return pdhpath.AppendInstance(dst, o.Parent, o.ShownInstance(), o.InstanceIndex)
}

// Metric is a counter of an object.
type Metric struct {
	Counter      string            // as Owner.Object
	CounterIndex uint32            // 0 unknown
	Type         countertypes.Type // HasType says whether it is known
	HasType      bool
	DefaultScale int8
	TimeBase     int64 // ticks a second of the clock, 0 unknown

	slot     int32  // in the rows of their group
	nth      int32  // of equal counters, which one
	counted  bool   // the name is counted, if it is missing
	recorded naming // the names in the input, where English ones are shown
	known    bool   // the English names are known
}

// Path returns the path of a series as PDH-CSV has it: all that is known of
// the host, the object, the instance and the counter, with round brackets in
// the names of instances written as square ones.
func (s *Series) Path() string {
	var buf [256]byte
	return string(s.AppendPath(buf[:0]))
}

// AppendPath appends what [Series.Path] returns to dst.
func (s *Series) AppendPath(dst []byte) []byte {
	return pdhpath.Path{
		Machine: s.Host, Object: s.Object, Parent: brackets.Replace(s.Parent), Instance: brackets.Replace(s.ShownInstance()),
		Index: s.InstanceIndex, HasInstance: s.HasInstance, Counter: s.Counter,
	}.Append(dst)
}

var brackets = strings.NewReplacer("(", "[", ")", "]")

// Cell is what a series says at one moment.
type Cell struct {
	Series *Series
	Value  float64             // 0 unless Status is StatusOK
	Status countertypes.Status // whether there is a value, and why not
	Rest   int16               // see [Cell.Whole]
	PDH    uint32              // the code of PDH that the source has for it, 0 if none
}

// Tuple is the raw tuple that a value was cooked of, see [countertypes.Sample].
type Tuple struct {
	First, Second uint64
	Multi         uint32
	Known         bool   // false where there is none
	PID           uint64 // the process that it is of, 0 where nothing says so
}

// Frame is what all series that are there say at one moment: the cooked
// counterpart of a [Snapshot]. Its cells are in the order of the source, and
// a series that is not there has none. A Frame is valid until the next one.
type Frame struct {
	Time   time.Time // in UTC; zero where the source does not say
	Offset Offset    // from UTC to the recorder's local time
	Zone   string    // the recorder's name of its time zone, "" unknown
	Host   string
	Source string // the name of the file
	Log    string // identifies binary logs by their recorders, "" of other formats
	Record int    // position in the source, from 0
	Track  int    // which part of the recording it is of: parts may overlap in time, as two logs do
	Cells  []Cell
	Tuples []Tuple // of each cell, where CookOptions.Raw asks for them and the source has them; else none
	// Texts are those of text counters, where CookOptions.Texts asks for them. A
	// frame has a map of its own: it may be kept.
	Texts map[*Series]string
}

// Tuple returns the raw tuple of a cell, the zero Tuple where there is none.
func (f *Frame) Tuple(cell int) Tuple {
	if len(f.Tuples) == 0 {
		return Tuple{}
	}
	return f.Tuples[cell]
}

// PID returns the process that a cell is of, 0 where it is not known. Series that
// follow their owners know it, all others where CookOptions.Raw is set.
func (f *Frame) PID(cell int) uint64 {
	return cmp.Or(f.Cells[cell].Series.PID, f.Tuple(cell).PID)
}

func (f *Frame) clear() { f.Cells, f.Tuples, f.Texts = f.Cells[:0], f.Tuples[:0], nil }

func (f *Frame) cut(n int) { f.Cells, f.Tuples = f.Cells[:n], f.Tuples[:min(n, len(f.Tuples))] }

func (f *Frame) grow(n int, raw bool) {
	f.Cells = slices.Grow(f.Cells, max(n, 0))
	if raw {
		f.Tuples = slices.Grow(f.Tuples, max(n, 0))
	}
}

func (f *Frame) add(c Cell, t Tuple, raw bool) {
	f.Cells = append(f.Cells, c)
	if raw {
		f.Tuples = append(f.Tuples, t)
	}
}

// addText adds the text of a series. A block has no more of them than bytes, see
// [perfdata.Decoder].
func (f *Frame) addText(s *Series, v perfdata.Value) {
	if v.Kind != perfdata.Text {
		return
	}
	if f.Texts == nil {
		f.Texts = map[*Series]string{}
	}
	f.Texts[s] = cutOwn(v.Text())
}

func tupleOf(s *countertypes.Sample) Tuple {
	return Tuple{First: s.First, Second: s.Second, Multi: s.Multi, Known: s.Status == countertypes.StatusOK}
}

// Local returns the time that the recorder's wall clock showed, as if it was
// UTC.
func (f *Frame) Local() time.Time { return f.Time.Add(f.Offset.East) }

// recording identifies what one logger writes on one machine: by the log, or where the
// source does not say, by the machine and its time zone.
func (f *Frame) recording() string {
	if f.Log != "" {
		return f.Log
	}
	return strings.ToLower(f.Host) + "\x00" + f.Zone + f.Offset.String()
}

// Frames is a stream of frames in the order of time. An error comes with a Frame
// that has nothing but its Source; what can be read follows.
type Frames = iter.Seq2[*Frame, error]

// Verdict returns whether a cell has a value, and why not: a code of PDH that
// is neither valid nor new data is invalid data, whatever was cooked.
func (c *Cell) Verdict() countertypes.Status {
	if c.PDH > 1 && c.Status == countertypes.StatusOK {
		return countertypes.StatusInvalidData
	}
	return c.Status
}

// Number returns the value of a cell, and whether it has one. What cannot be
// written as a number is none.
func (c *Cell) Number() (v float64, ok bool) {
	v = c.Value
	return v, c.Verdict() == countertypes.StatusOK && v-v == 0
}

// Whole returns the value of a raw count or a difference that is too large for a
// float64 to hold it. It is false for all others.
func (c *Cell) Whole() (n uint64, ok bool) {
	v := c.Value
	fits := v >= countertypes.Inexact && (v < 1<<64 || v == 1<<64 && c.Rest < 0)
	if !fits || !c.Series.HasType || !c.Series.Type.Whole() {
		return 0, false
	}
	return countertypes.Exact(c.Value, c.Rest), true
}
