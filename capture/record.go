package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// logReader makes snapshots of the records of a log. It holds the other values of the
// current one.
type logReader struct {
	file  *blg.File
	o     Options
	names *logNames

	rec      *blg.Record
	decoders []*perfdata.Decoder // for each item
	blocks   []*Snapshot         // for each item, or nil
	sets     []*recordSet        // for each item
	counters int                 // number in all sets
	items    map[*blg.Item]*readItem
	pids     map[string]uint64 // by instance of single counters, if Options.PID is set
	faults   []*perfdump.FormatError
	key      []byte
}

// readItem is what is the same for an item in all records.
type readItem struct {
	values map[string]*logValue
	layout layout      // of the last series
	at     []*logValue // its values, nil for those without a readable name
}

type logValue struct {
	instance string
	named    bool
	index    int
	shown    bool
}

func newLogReader(f *blg.File, o Options) *logReader {
	return &logReader{file: f, o: o, names: newLogNames(o.Names, f.Titles()), items: map[*blg.Item]*readItem{}}
}

// snapshots yields the records that w selects, in order of time.
func (l *logReader) snapshots(name string, w *choice) iter.Seq2[*Snapshot, error] {
	return func(yield func(*Snapshot, error) bool) {
		header, host, id, record := l.file.Header(), recorderOf(l.file), "", -1
		for rec, err := range l.file.Records() {
			if err != nil {
				yield(nil, err)
				return
			}
			record++
			s := &Snapshot{
				Time: rec.Time(), Offset: offsetOf(rec.Stamp), Zone: header.ZoneName(rec.Offset),
				Source: name, Record: record, o: l.o, other: l,
			}
			if len(rec.Items) > 0 {
				s.Host = cut(rec.Items[0].Path.Machine)
			}
			if id == "" {
				id = logID(header, rec)
			}
			if s.Log = id; !w.takes(host, "", s.Time, s.Offset) {
				continue
			}
			l.read(s, rec)
			if !yield(s, nil) {
				return
			}
		}
	}
}

// read reads the whole objects, the counter sets and the process ids of a record.
func (l *logReader) read(s *Snapshot, rec *blg.Record) {
	l.rec, l.faults, l.pids = rec, nil, map[string]uint64{}
	for i, of := range rec.All() {
		var err error
		switch {
		case of.Kind == blg.Object:
			err = l.readObject(s, i, of)
		case of.Kind == blg.CounterSet:
			if l.o.Query.All() { // queries ask for title indexes, which sets do not have
				err = l.readSet(of)
			}
		case l.o.PID && of.Len() > 0 && of.Valid() && l.names.role(of.Item) == isProcess:
			object := objectOf(of.Item)
			for _, v := range of.Values() {
				l.key = appendWho(l.key[:0], object, of.Item, &v)
				l.pids[string(l.key)] = v.Sample.First
			}
		}
		if err != nil {
			l.faults = append(l.faults, placeEmbedded(of, err))
		}
	}
	s.faults = slices.Values(l.faults)
}

func (l *logReader) readObject(s *Snapshot, i int, of *blg.Series) error {
	for i >= len(l.decoders) {
		l.decoders, l.blocks = append(l.decoders, &perfdata.Decoder{Options: l.o.Options}), append(l.blocks, nil)
	}
	l.blocks[i] = nil
	b, err := l.decoders[i].Decode(of.BlockBytes())
	if err != nil {
		return err
	}
	block := FromBlock(b, l.o)
	if of.Item != nil && of.Item.Path.Machine != "" {
		block.Host = cut(of.Item.Path.Machine)
	}
	block.o.Names = l.names.of(block.Host)
	block.Time, block.Offset, block.Zone = s.Time, s.Offset, s.Zone
	block.Source, block.Log, block.Record = s.Source, s.Log, s.Record
	l.blocks[i] = block
	s.blocks = append(s.blocks, block)
	return nil
}

// recordSet is the state of a counter set between records.
type recordSet struct {
	setReader
	item  *blg.Item
	ok    bool   // it was read
	shown []bool // for each value, if there is a filter
}

func (l *logReader) readSet(of *blg.Series) error {
	for of.Position() >= len(l.sets) {
		l.sets = append(l.sets, &recordSet{})
	}
	set := l.sets[of.Position()]
	l.counters -= set.counters
	if set.item != of.Item {
		set = &recordSet{item: of.Item}
		l.sets[of.Position()] = set
	}
	_, changed, err := set.read(of, l.o, nil, maxSetCounters-l.counters)
	l.counters += set.counters
	if set.ok = err == nil; !set.ok {
		return err
	}
	if l.o.PID {
		set.identify()
	}
	if !changed || l.o.Filter == nil {
		return nil
	}
	host, object := setPath(of)
	set.shown = set.shown[:0]
	for v := range set.all() {
		ok, _ := l.o.Filter.match(pdhpath.Path{
			Machine: host, Instance: v.name, Index: v.index, HasInstance: v.named,
		}, l.names.of(host).bothOf(naming{object, v.counter.Counter}, 0, 0))
		set.shown = append(set.shown, ok)
	}
	return nil
}

func (l *logReader) rows(s *Snapshot, objects bool, yield func(*Row) bool) bool {
	for i, of := range l.rec.All() {
		more := true
		switch {
		case of.Kind == blg.Object:
			if objects && l.blocks[i] != nil {
				more = l.blocks[i].blockRows(yield)
			}
		case !l.o.Query.All():
		case of.Kind == blg.CounterSet:
			more = l.setRows(s, of, yield)
		case of.Len() > 0:
			more = l.series(s, of, yield)
		}
		if !more {
			return false
		}
	}
	return true
}

func (l *logReader) series(of *Snapshot, s *blg.Series, yield func(*Row) bool) bool {
	item, path := s.Item, shownPath(s.Item.Path)
	row := of.row()
	row.Host, row.Parent, row.HasParent = path.Machine, path.Parent, path.Parent != ""
	row.Type, row.TimeBase = item.CounterType, item.TimeBase
	if !s.Valid() {
		row.PDH = s.Status
	}
	to := l.names.of(path.Machine).shown(naming{path.Object, path.Counter}, 0, 0)
	row.Object, row.Counter = to.object, to.counter
	sample := s.Sample(0)
	row.DefaultScale = sample.DefaultScale
	none := sample.Status != countertypes.StatusOK
	row.NoFirst, row.NoSecond, row.NoMulti = none, none, none
	for i, known := range l.known(s) {
		if known == nil || !known.shown {
			continue
		}
		if len(l.pids) > 0 {
			l.key = append(append(l.key[:0], objectOf(item)...), 0)
			l.key = bytes.ToLower(pdhpath.AppendInstance(l.key, path.Parent, known.instance, known.index))
			row.PID = l.pids[string(l.key)]
		}
		row.Instance, row.HasInstance, row.InstanceIndex = known.instance, known.named, known.index
		if !none {
			row.First, row.Second, row.Multi = s.Tuple(i)
		}
		if !yield(&row) {
			return false
		}
	}
	return true
}

// known returns what is the same for the values of a series in all records.
func (l *logReader) known(s *blg.Series) []*logValue {
	item := l.items[s.Item]
	if item == nil {
		item = &readItem{values: map[string]*logValue{}}
		l.items[s.Item] = item
	}
	layout, ok := s.AppendLayout(l.key[:0])
	if l.key = layout; item.layout.same(layout, ok) {
		return item.at
	}
	item.layout.set(layout, ok)
	item.at = slices.Grow(item.at[:0], s.Len())[:s.Len()]
	clear(item.at)
	for i, v := range s.Values() {
		item.at[i] = l.value(item, s.Item, &v)
	}
	return item.at
}

func (l *logReader) value(item *readItem, of *blg.Item, v *blg.Value) *logValue {
	l.key = binary.LittleEndian.AppendUint32(append(l.key[:0], v.RawName...), uint32(v.Occurrence))
	known := item.values[string(l.key)]
	if known == nil {
		known = &logValue{instance: bareName(v), named: v.RawName != nil, index: v.Occurrence, shown: true}
		if filter := l.o.Filter; filter != nil {
			path := shownPath(of.Path)
			known.shown, _ = filter.match(pdhpath.Path{
				Machine: path.Machine, Parent: path.Parent,
				Instance: known.instance, Index: v.Occurrence, HasInstance: known.named,
			}, l.names.of(path.Machine).bothOf(naming{path.Object, path.Counter}, 0, 0))
		}
		item.values[string(l.key)] = known
	}
	return known
}

func (l *logReader) setRows(s *Snapshot, of *blg.Series, yield func(*Row) bool) bool {
	set := l.sets[of.Position()]
	if !set.ok {
		return true
	}
	host, object := setPath(of)
	names := l.names.of(host)
	row := s.row()
	row.Host, row.Log = host, "" // sql identifies the recording of sets by their machine
	if set.failed {
		row.PDH = set.status
	}
	i := -1
	for v := range set.all() {
		if i++; l.o.Filter != nil && !set.shown[i] {
			continue
		}
		row.setValueOf(v)
		to := names.shown(naming{object, v.counter.Counter}, 0, 0)
		row.Object, row.Counter = to.object, to.counter
		if !yield(&row) {
			return false
		}
	}
	return true
}

func (r *Row) setValueOf(v *setValue) {
	c, sample := v.counter, &v.sample
	r.Instance, r.HasInstance, r.InstanceIndex, r.PID = v.name, v.named, v.index, v.who.pid()
	r.Counter, r.Type, r.NoType, r.DefaultScale, r.TimeBase = c.Counter, c.Type, !c.HasType, c.DefaultScale, sample.TimeBase
	r.First, r.Second, r.Multi = sample.First, sample.Second, sample.Multi
	r.NoFirst = sample.Status == countertypes.StatusInvalidData
	r.NoSecond = r.NoFirst || r.NoType || c.Type.NeedsBase() && sample.Status == countertypes.StatusNoBase
	r.NoMulti = r.NoFirst || r.NoType || c.Type.Multi() && sample.Status == countertypes.StatusNoBase
	r.Text, r.HasText = "", false
	if c.Type.Kind() == countertypes.KindText && v.raw != nil {
		text := perfdata.Value{Kind: perfdata.Text, Raw: v.raw}
		r.Text, r.HasText, r.NoFirst = cutClone(text.Text()), true, true
	}
}

func (l *logReader) otherNames(_ *Snapshot, yield func(*ObjectNames) bool) {
	for _, s := range l.rec.All() {
		if s.Kind != blg.Object && !yield(l.namesOf(s)) {
			return
		}
	}
}

func (l *logReader) namesOf(s *blg.Series) *ObjectNames {
	n := &ObjectNames{}
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
	if i := s.Position(); i < len(l.sets) {
		for v := range l.sets[i].all() {
			n.Counters = append(n.Counters, v.counter.Counter)
			if v.named {
				n.Instances = append(n.Instances, string(pdhpath.AppendInstance(nil, "", v.name, v.index)))
			}
		}
	}
	if len(n.Counters) == 0 && s.Item != nil {
		if set := l.file.Registration(s.Item); set != nil {
			n.Counters, n.Idle = shownCounters(set), true
		}
	}
	return n
}

// placeEmbedded returns an error of a block with its path and offset converted to those in
// the log.
func placeEmbedded(s *blg.Series, err error) *perfdump.FormatError {
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) { // cannot happen: decoders return no others
		return &perfdump.FormatError{Code: perfdump.CodeIO, Off: -1, Path: s.Path().String(), Err: err}
	}
	at := *fe
	if at.Path = s.Path().String(); fe.Path != "" {
		at.Path += "." + fe.Path
	}
	if fe.Off >= 0 {
		at.Off = s.FileOffset(int(fe.Off))
	}
	return &at
}
