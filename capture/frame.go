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

// Series is one counter of one instance of one machine, for the length of a capture. Each
// has exactly one Series, so pointers identify them. There may be hundreds of thousands:
// the series of an instance share their Owner, and those of a counter their Metric. Neither
// may be nil.
type Series struct {
	ID int // position in order of appearance, from 0
	*Owner
	*Metric
}

// Owner is an instance of an object, or the object itself if it has no instances.
type Owner struct {
	Host          string
	Object        string // the name, or the title index in decimal
	ObjectIndex   uint32 // 0 if unknown
	HasParent     bool
	HasInstance   bool // false for objects without instances
	Parent        string
	Instance      string // without #n
	InstanceIndex int    // the n of #n, 0 for the first of a name

	// PID and Thread are the process and the thread that the series follows, 0 if it
	// follows the name. See [CookOptions.ByPID].
	PID, Thread uint64

	by *translator // of its names; nil for the built-in one
}

// ShownInstance returns the name of the instance without #n. If the series follows its
// owner, the number of the process or thread is appended: sqlservr:4242.
func (o *Owner) ShownInstance() string {
	id := cmp.Or(o.Thread, o.PID)
	if id == 0 {
		return o.Instance
	}
	name, suffix := o.Instance, ":"+strconv.FormatUint(id, 10)
	if strings.HasSuffix(name, suffix) { // as in instances of Process V2
		return name
	}
	return name + suffix
}

// DisplayName returns the name of the instance as Windows shows it: svchost#1, and its
// parent before it if it has one. It is "" for an object without instances.
func (o *Owner) DisplayName() string {
	if !o.HasInstance {
		return ""
	}
	return string(o.AppendInstance(nil))
}

// AppendInstance appends the instance part of a path to dst: parent/name#n, with the name
// of [Owner.ShownInstance].
func (o *Owner) AppendInstance(dst []byte) []byte {
	return pdhpath.AppendInstance(dst, o.Parent, o.ShownInstance(), o.InstanceIndex)
}

// Metric is a counter of an object.
type Metric struct {
	Counter      string            // as Owner.Object
	CounterIndex uint32            // 0 if unknown
	Type         countertypes.Type // HasType says whether it is known
	HasType      bool
	DefaultScale int8
	TimeBase     int64 // ticks of the clock per second, 0 if unknown

	slot     int32  // in the rows of the group
	nth      int32  // position among equal counters
	counted  bool   // a missing name has been counted
	recorded naming // the names in the input, if English ones are shown
	known    bool   // the English names are known
}

// Path returns the path of a series as in PDH-CSV, with round brackets in names of
// instances replaced by square ones.
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

// Cell is the value of a series at one moment.
type Cell struct {
	Series *Series
	Value  float64             // 0 unless Status is StatusOK
	Status countertypes.Status // whether there is a value, and why not
	Rest   int16               // see [Cell.Whole]
	PDH    uint32              // the PDH status in the source, 0 if none
}

// Tuple is the raw tuple that a value was computed from, see [countertypes.Sample].
type Tuple struct {
	First, Second uint64
	Multi         uint32
	Known         bool   // false if there is none
	PID           uint64 // the process of the instance, 0 if unknown
}

// Frame holds the values of all present series at one moment: the cooked counterpart of a
// [Snapshot]. Its cells are in the order of the source; a series that is not present has no
// cell. A Frame is valid until the next one.
type Frame struct {
	Time    time.Time // in UTC; zero if the source does not say
	Offset  Offset    // from UTC to the recorder's local time
	Zone    string    // the recorder's name of its time zone, "" if unknown
	Host    string
	Source  string // the name of the file
	Log     string // identifies the recorder of a binary log, "" for other formats
	Record  int    // position in the source, from 0
	Track   int    // the part of the recording; parts may overlap in time, as two logs do
	Cells   []Cell
	Tuples  []Tuple   // for each cell, if CookOptions.Raw is set and the source has them; otherwise empty
	Samples []Samples // for each cell, if CookOptions.Samples is set and the source has them; otherwise empty
	// Texts holds the texts of text counters if CookOptions.Texts is set. Each frame has a
	// new map, which may be kept.
	Texts map[*Series]string
}

// Samples are the samples that a value was computed from.
type Samples struct {
	Older, Newer countertypes.Sample
	HasOlder     bool // false for the first of a series, and the first after a restart
}

// Tuple returns the raw tuple of a cell, the zero Tuple if there is none.
func (f *Frame) Tuple(cell int) Tuple {
	if len(f.Tuples) == 0 {
		return Tuple{}
	}
	return f.Tuples[cell]
}

// PID returns the process of a cell, 0 if it is not known. It is known for series that
// follow their owners, and for all others if CookOptions.Raw is set.
func (f *Frame) PID(cell int) uint64 {
	return cmp.Or(f.Cells[cell].Series.PID, f.Tuple(cell).PID)
}

func (f *Frame) clear() {
	f.Cells, f.Tuples, f.Samples, f.Texts = f.Cells[:0], f.Tuples[:0], f.Samples[:0], nil
}

func (f *Frame) cut(n int) {
	f.Cells, f.Tuples, f.Samples = f.Cells[:n], f.Tuples[:min(n, len(f.Tuples))], f.Samples[:min(n, len(f.Samples))]
}

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

// addSamples adds the samples of the last cell if they are asked for. older may be nil.
func (f *Frame) addSamples(older, newer *countertypes.Sample, c *CookOptions) {
	if !c.Samples {
		return
	}
	s := Samples{Newer: *newer, HasOlder: older != nil}
	if older != nil {
		s.Older = *older
	}
	f.Samples = append(f.Samples, s)
}

// addText adds the text of a series. The texts of a block are never longer than the block,
// see [perfdata.Decoder].
func (f *Frame) addText(s *Series, v perfdata.Value) {
	if v.Kind != perfdata.Text {
		return
	}
	if f.Texts == nil {
		f.Texts = map[*Series]string{}
	}
	f.Texts[s] = cutClone(v.Text())
}

func tupleOf(s *countertypes.Sample) Tuple {
	return Tuple{First: s.First, Second: s.Second, Multi: s.Multi, Known: s.Status == countertypes.StatusOK}
}

// Local returns the recorder's local time, stored as if it was UTC.
func (f *Frame) Local() time.Time { return f.Time.Add(f.Offset.East) }

// recording identifies what one logger writes on one machine: by the log, otherwise by the
// machine and its time zone.
func (f *Frame) recording() string {
	if f.Log != "" {
		return f.Log
	}
	return strings.ToLower(f.Host) + "\x00" + f.Zone + f.Offset.String()
}

// Frames is a stream of frames in order of time. An error comes with a Frame that only has
// its Source set; the stream continues with what can be read.
type Frames = iter.Seq2[*Frame, error]

// EffectiveStatus returns the status of a cell, taking into account the PDH status of the
// source: one that is neither valid nor new data makes the value invalid data.
func (c *Cell) EffectiveStatus() countertypes.Status {
	if c.PDH > 1 && c.Status == countertypes.StatusOK {
		return countertypes.StatusInvalidData
	}
	return c.Status
}

// Number returns the value of a cell, and whether it has one. Infinities and NaN do not
// count as values.
func (c *Cell) Number() (v float64, ok bool) {
	v = c.Value
	return v, c.EffectiveStatus() == countertypes.StatusOK && v-v == 0
}

// grain is a tick of the clock of 15.625 ms in percent of a second. Idle time is counted
// in such ticks: a processor that idles may seem to idle for longer than time has passed.
const grain = 1.5625

// Shown returns what people are shown of a cell. It is the number, but 0 for a percentage
// that is below 0 by no more than a tick of the clock.
func (c *Cell) Shown() (v float64, ok bool) {
	v, ok = c.Number()
	if v < 0 && v >= -grain && c.percentage() {
		v = 0
	}
	return v, ok
}

func (c *Cell) percentage() bool {
	if c.Series.HasType {
		return c.Series.Type.Suffix() == "%"
	}
	return strings.HasPrefix(c.Series.Counter, "% ")
}

// Whole returns the exact value of a raw count or a difference that is too large for a
// float64. ok is false for all others.
func (c *Cell) Whole() (n uint64, ok bool) {
	v := c.Value
	fits := v >= countertypes.Inexact && (v < 1<<64 || v == 1<<64 && c.Rest < 0)
	if !fits || !c.Series.HasType || !c.Series.Type.Whole() {
		return 0, false
	}
	return countertypes.Exact(c.Value, c.Rest), true
}
