package capture

import (
	"time"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// Row is one raw value with all that is known about it: a line of the long form that jsonl,
// csv and parquet share. docs/outputs.md explains the columns.
type Row struct {
	Time          time.Time // in UTC; zero if unknown
	Offset        Offset    // from UTC to the recorder's local time
	Zone          string    // the recorder's name of its time zone, "" if unknown
	Host          string
	Object        string // the name, or the title index in decimal
	Parent        string
	HasParent     bool
	Instance      string // without #n
	HasInstance   bool   // false for objects without instances
	InstanceIndex int    // the n of #n, 0 for the first of a name
	Counter       string // like Object

	// The raw tuple of PDH, see [countertypes.Sample]. A missing part is 0, and one of the
	// No fields says so.
	Type          countertypes.Type
	First, Second uint64
	Multi         uint32
	TimeBase      int64
	DefaultScale  int8   // power of ten that graphs apply
	PDH           uint32 // the PDH status in the source, 0 if none
	NoFirst       bool   // a text, or no value
	NoSecond      bool   // the base is missing
	NoMulti       bool   // the count is missing
	NoType        bool   // the type is not known

	Text         string // of a text counter
	HasText      bool
	Record       int
	ObjectIndex  uint32 // title indexes
	CounterIndex uint32
	Source       string
	Log          string // as in [Frame]
	PID          uint64 // the process of the instance, 0 if unknown; see Options.PID
}

// Local returns the recorder's local time, stored as if it was UTC.
func (r *Row) Local() time.Time { return r.Time.Add(r.Offset.East) }

func (s *Snapshot) row() Row {
	return Row{Time: s.Time, Offset: s.Offset, Zone: s.Zone, Host: s.Host, Record: s.Record, Source: s.Source, Log: s.Log}
}

func (s *Snapshot) blockRows(yield func(*Row) bool) bool {
	row := s.row()
	var (
		sampler perfdata.Sampler
		object  Object
		shown   bool
		w       = walker{o: &object}
		at      = -1
		who     identityCounters
	)
	sampler.Reset(nil, s.block, nil)
	for sampler.Next() {
		in, counter := sampler.Instance(), sampler.Counter()
		if object.view != sampler.Object() {
			shown = object.load(s, sampler.Object()) && !object.bare
			row.Object, row.ObjectIndex, at = object.Name, object.Index, -1
			if s.o.PID {
				who = identityCountersOf(object.view, s.o.Names)
			}
		}
		if !shown || object.at[counter] < 0 || !object.show.value(in.Position(), counter) {
			continue
		}
		if at != in.Position() {
			at = in.Position()
			row.setInstance(w.at(in))
			id := who.of(in)
			row.PID = id.pid()
		}
		row.setValue(&object.Counters[object.at[counter]], &sampler)
		if !yield(&row) {
			return false
		}
	}
	return true
}

func (r *Row) setInstance(in *Instance) {
	r.Parent, r.HasParent = in.Parent, in.HasParent
	r.Instance, r.HasInstance, r.InstanceIndex = in.Name, !in.None, in.Repeat
}

func (r *Row) setValue(c *Counter, s *perfdata.Sampler) {
	sample := s.Newer()
	r.Counter, r.CounterIndex, r.Type = c.Name, c.Index, c.Type
	r.First, r.Second, r.Multi, r.TimeBase = sample.First, sample.Second, sample.Multi, sample.TimeBase
	r.DefaultScale = sample.DefaultScale
	r.NoFirst = sample.Status == countertypes.StatusInvalidData
	r.NoMulti = sample.Status == countertypes.StatusNoBase && c.Type.Multi()
	r.NoSecond = c.Type.NeedsBase() && (c.base < 0 || sample.Status == countertypes.StatusNoBase)
	r.Text, r.HasText = "", false
	if !r.NoFirst {
		return
	}
	if v := s.Instance().Value(s.Counter()); v.Kind == perfdata.Text {
		r.Text, r.HasText = cutClone(v.Text()), true
	}
}
