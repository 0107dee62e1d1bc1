package capture

import (
	"encoding/binary"
	"iter"
	"time"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// Log is a binary log whose raw values are read, one record after the other.
type Log struct {
	Name string
	File *blg.File

	o     Options
	names *logNames
}

// OpenLog opens an input of the format blg. It is of use as long as in is open;
// the errors are those of [blg.NewFile].
func OpenLog(in *detect.Input, o Options) (*Log, error) {
	if in.Format != detect.BLG {
		return nil, &NoCaptureError{Format: in.Format}
	}
	f, err := blg.NewFile(in.At, in.Size(), o.blg())
	if err != nil {
		return nil, err
	}
	if o.Names == nil {
		o.Names = NewNames()
	}
	return &Log{Name: in.Name, File: f, o: o, names: newLogNames(o.Names, f.Titles())}, nil
}

// Records yields the records in the order of their times. A LogRecord is valid
// until the next one. The error is that of [blg.Reader.Records].
func (l *Log) Records() iter.Seq2[*LogRecord, error] {
	return func(yield func(*LogRecord, error) bool) {
		r := LogRecord{Source: l.Name, Record: -1, log: l, values: map[*blg.Item]map[string]*logValue{}}
		for rec, err := range l.File.Records() {
			if err != nil {
				yield(nil, err)
				return
			}
			r.rec = rec
			r.Record++
			r.Time, r.Offset = rec.Time(), offsetOf(rec.Stamp)
			r.Zone = zoneName(l.File.Header(), rec.Offset)
			r.Host = ""
			if len(rec.Items) > 0 {
				r.Host = cut(rec.Items[0].Path.Machine)
			}
			if r.Log == "" {
				r.Log = logID(l.File.Header(), rec)
			}
			r.findPIDs()
			if !yield(&r, nil) {
				return
			}
		}
	}
}

// findPIDs finds the processes that the counters of the record say.
func (r *LogRecord) findPIDs() {
	if !r.log.o.PID {
		return
	}
	r.pids = map[string]uint64{}
	for _, s := range r.rec.All() {
		if s.Kind == blg.Object || s.Len() == 0 || !s.Valid() || r.log.names.role(s.Item) != isProcess {
			continue
		}
		object := objectOf(s.Item)
		for _, v := range s.Values() {
			r.key = appendWho(r.key[:0], object, s.Item, &v)
			r.pids[string(r.key)] = v.Sample.First
		}
	}
}

// LogRecord is what a log says of one moment: values of single counters, of all
// instances of counters, and whole objects.
type LogRecord struct {
	Time   time.Time // in UTC
	Offset Offset
	Zone   string // the recorder's name of its time zone, "" unknown
	Host   string // of the first item; others may be of other machines
	Source string
	Log    string // as [Frame] has it
	Record int

	log      *Log
	rec      *blg.Record
	decoders []*perfdata.Decoder // of each item
	sets     []*recordSet        // of each item
	counters int                 // of the sets
	values   map[*blg.Item]map[string]*logValue
	pids     map[string]uint64 // of the instances of single counters, where Options.PID asks for them
	key      []byte
}

// logValue is what is remembered of a value between records.
type logValue struct {
	instance string
	shown    bool
}

// Rows yields the raw values that the filter lets through, in the order of the
// log. Values that are no part of a whole object have no title indexes, so a
// query leaves them out. What keeps a whole object or a counter set from being
// read is told to failed. A Row is valid until the next one.
func (r *LogRecord) Rows(failed func(error)) iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for i, s := range r.rec.All() {
			if s.Kind == blg.Object {
				snapshot, err := r.object(i, s)
				if err != nil {
					failed(err)
					continue
				}
				for row := range snapshot.Rows() {
					if !yield(row) {
						return
					}
				}
				continue
			}
			if !r.series(s, failed, yield) {
				return
			}
		}
	}
}

// Series yields the rows of what is no whole object. What keeps a counter set
// from being read is told to failed.
func (r *LogRecord) Series(failed func(error)) iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for _, s := range r.rec.All() {
			if s.Kind != blg.Object && !r.series(s, failed, yield) {
				return
			}
		}
	}
}

// Objects yields the whole objects, each as a snapshot of its own with the time
// of the record, or what keeps it from being read: errors have their place in
// the log.
func (r *LogRecord) Objects() iter.Seq2[*Snapshot, error] {
	return func(yield func(*Snapshot, error) bool) {
		for i, s := range r.rec.All() {
			if s.Kind == blg.Object && !yield(r.object(i, s)) {
				return
			}
		}
	}
}

// LogNames names what a record has that is no whole object: an object, counters of
// it and their instances.
type LogNames struct {
	Host, Object        string
	Counters, Instances []string
	Idle                bool // a version 2 counter set without an instance
}

// Names yields the names of what is no whole object, also of what the filter holds back.
// It comes behind Rows or Series.
func (r *LogRecord) Names() iter.Seq[LogNames] {
	return func(yield func(LogNames) bool) {
		for _, s := range r.rec.All() {
			if s.Kind != blg.Object && !yield(r.names(s)) {
				return
			}
		}
	}
}

func (r *LogRecord) names(s *blg.Series) (n LogNames) {
	if s.Kind != blg.CounterSet {
		path := shownPath(s.Item.Path)
		n.Host, n.Object, n.Counters = path.Machine, path.Object, []string{path.Counter}
		for _, v := range s.Values() {
			if v.RawName != nil {
				n.Instances = append(n.Instances, string(pdhpath.AppendInstance(nil, path.Parent, bareName(&v), v.Occurrence)))
			}
		}
		return n
	}
	n.Host, n.Object = setPath(s)
	if i := s.Position(); i < len(r.sets) && r.sets[i] != nil {
		for v := range r.sets[i].all() {
			n.Counters = append(n.Counters, v.counter.Counter)
			if v.named {
				n.Instances = append(n.Instances, string(pdhpath.AppendInstance(nil, "", v.name, v.index)))
			}
		}
	}
	if len(n.Counters) == 0 && s.Item != nil {
		if set := r.log.File.Registration(s.Item); set != nil {
			n.Counters, n.Idle = shownCounters(set), true
		}
	}
	return n
}

func (r *LogRecord) object(i int, s *blg.Series) (*Snapshot, error) {
	for i >= len(r.decoders) {
		r.decoders = append(r.decoders, nil)
	}
	if r.decoders[i] == nil {
		r.decoders[i] = &perfdata.Decoder{Options: r.log.o.perfdata()}
	}
	b, err := r.decoders[i].Decode(s.BlockBytes())
	if err != nil {
		return nil, placeEmbedded(s, err)
	}
	snapshot := FromBlock(b, r.log.o)
	if s.Item != nil && s.Item.Path.Machine != "" {
		snapshot.Host = cut(s.Item.Path.Machine)
	}
	snapshot.names = r.log.names.of(snapshot.Host)
	snapshot.Time, snapshot.Offset, snapshot.Zone = r.Time, r.Offset, r.Zone
	snapshot.Source, snapshot.Log, snapshot.Record = r.Source, r.Log, r.Record
	return snapshot, nil
}

// series yields the rows of a series.
func (r *LogRecord) series(s *blg.Series, failed func(error), yield func(*Row) bool) bool {
	switch {
	case !r.log.o.Query.All():
		return true
	case s.Kind == blg.CounterSet:
		return r.set(s, failed, yield)
	case s.Len() == 0:
		return true
	}
	item, path := s.Item, shownPath(s.Item.Path)
	names := r.log.names.of(path.Machine)
	of := naming{path.Object, path.Counter}
	row := Row{
		Time: r.Time, Offset: r.Offset, Zone: r.Zone, Host: path.Machine, Parent: path.Parent, HasParent: path.Parent != "",
		Type: item.CounterType, TimeBase: item.TimeBase, Record: r.Record, Source: r.Source, Log: r.Log,
	}
	if !s.Valid() {
		row.PDH = s.Status
	}
	for _, v := range s.Values() {
		known := r.value(item, &v)
		if !known.shown {
			continue
		}
		to := names.shown(of, 0, 0)
		row.Object, row.Counter = to.object, to.counter
		if len(r.pids) > 0 {
			r.key = appendWho(r.key[:0], objectOf(item), item, &v)
			row.PID = r.pids[string(r.key)]
		}
		row.Instance, row.HasInstance, row.InstanceIndex = known.instance, v.RawName != nil, v.Occurrence
		row.First, row.Second, row.Multi = v.Sample.First, v.Sample.Second, v.Sample.Multi
		row.DefaultScale = v.Sample.DefaultScale
		none := v.Sample.Status != countertypes.StatusOK
		if none {
			row.First, row.Second, row.Multi = 0, 0, 0
		}
		row.NoFirst, row.NoSecond, row.NoMulti = none, none, none
		if !yield(&row) {
			return false
		}
	}
	return true
}

// value returns what holds for a value in all records.
func (r *LogRecord) value(item *blg.Item, v *blg.Value) *logValue {
	of := r.values[item]
	if of == nil {
		of = map[string]*logValue{}
		r.values[item] = of
	}
	r.key = binary.LittleEndian.AppendUint32(append(r.key[:0], v.RawName...), uint32(v.Occurrence))
	known := of[string(r.key)]
	if known == nil {
		known = &logValue{instance: bareName(v), shown: true}
		if filter := r.log.o.Filter; filter != nil {
			path := shownPath(item.Path)
			known.shown, _ = filter.match(pdhpath.Path{
				Machine: path.Machine, Parent: path.Parent,
				Instance: known.instance, Index: v.Occurrence, HasInstance: v.RawName != nil,
			}, r.log.names.of(path.Machine).bothOf(naming{path.Object, path.Counter}, 0, 0))
		}
		of[string(r.key)] = known
	}
	return known
}
