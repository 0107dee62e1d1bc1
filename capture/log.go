package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/detect"
)

// addLog adds the records of a binary log.
func (r *Recording) addLog(in *detect.Input) error {
	f, err := blg.NewFile(in.At, in.Size(), r.o.blg())
	if err != nil {
		return err
	}
	r.tellLost(in.Name, f)
	r.own(in)
	r.tracks = append(r.tracks, &logTrack{name: in.Name, file: f, names: newLogNames(r.o.Names, f.Titles())})
	return nil
}

// tellLost tells that a log could not be read whole, or that its counter sets
// cannot be cooked.
func (r *Recording) tellLost(name string, f *blg.File) {
	for _, a := range f.Anomalies().Kept() {
		if a.Code == blg.CodeNoRegistration {
			r.tell(Remark{Code: a.Code, Source: name, Text: a.Message()})
		}
	}
	if f.Lost().Any() {
		r.tell(Remark{Code: CodeLost, Source: name, Text: "some of the log could not be read; perfdump check says what"})
	}
}

// logNames are the names of the machines of a log: those that were given, else
// those in the log.
type logNames struct {
	given *Names
	own   map[string]*Names
}

func newLogNames(given *Names, titles []blg.MachineTitles) *logNames {
	n := &logNames{given: given, own: map[string]*Names{}}
	if len(given.local) > 0 {
		return n
	}
	for _, t := range titles {
		n.own[strings.ToLower(t.Machine)] = given.with(t.Table)
	}
	return n
}

func (n *logNames) of(host string) *Names {
	if own := n.own[strings.ToLower(`\\`+host)]; own != nil {
		return own
	}
	return n.given
}

// role is what the values of an item say of the owner of an instance.
func (n *logNames) role(of *blg.Item) role {
	path := shownPath(of.Path)
	return n.of(path.Machine).role(naming{path.Object, path.Counter}, 0, 0, of.CounterType)
}

// logTrack are the records of a log.
type logTrack struct {
	name  string
	file  *blg.File
	names *logNames
	items int // the most that a reading has met
	list  int // the longest of them
}

func (l *logTrack) start() time.Time { return l.file.Start().Time() }
func (l *logTrack) len() int         { return int(l.file.NumRecords()) }

func (l *logTrack) machines(s *machineStarts) { s.add(startOfLog(l.file)) }

// startOfLog returns when the recording in a log begins.
func startOfLog(f *blg.File) machineStart {
	start, end := f.Start(), f.End()
	return machineStart{host: recorderOf(f), time: start.Time(), offset: offsetOf(start), last: offsetOf(end), zone: zoneName(f.Header(), start.Offset)}
}

// recorderOf returns the machine of a log's first item, "" where there is none.
func recorderOf(f *blg.File) string {
	if items := f.Items(); len(items) > 0 {
		return cutOwn(items[0].Path.Machine)
	}
	return ""
}

// offsetOf returns the offset of the clock that a time of a log was read from.
func offsetOf(s blg.Stamp) Offset { return Offset{East: -s.Offset, Known: s.Source != blg.OffsetNone} }

// logCooker is what is remembered of a log between its records.
type logCooker struct {
	r      *Recording
	log    *logTrack
	names  *logNames
	values bool
	quiet  bool // nothing is told of a record before the time that is asked for
	last   lastSamples
	ids    logIdentities
	boots  map[string]*int     // of each machine, see bootOf
	items  map[string]*logItem // of earlier lists, and of records without one
	list   []blg.Item          // that at is for
	at     []*logItem          // of each item of the list
	met    int                 // items, in all
	key    []byte
}

func (l *logTrack) frames(r *Recording, values bool, yield func(*Frame, error) bool) bool {
	c := logCooker{r: r, log: l, names: l.names, values: values, boots: map[string]*int{}, items: map[string]*logItem{}, last: r.lastSamples()}
	c.ids.all = map[string]*logIdentity{}
	w := r.window()
	frame := Frame{Source: l.name}
	header, host := l.file.Header(), recorderOf(l.file)
	met := 0
	frame.Record = -1
	for rec, err := range l.file.Records() {
		if err != nil {
			return yield(&Frame{Source: l.name}, err)
		}
		frame.Record++
		if frame.Log == "" {
			frame.Log = logID(header, rec)
		}
		frame.Time, frame.Host, frame.Offset = rec.Time(), "", offsetOf(rec.Stamp)
		at := w.side(host, frame.Time, frame.Offset)
		if at == behind || at == before && !values {
			continue
		}
		if at == inside {
			if met++; (met-1)%max(1, r.cook.Every) != 0 {
				continue
			}
		}
		c.quiet = at == before
		frame.Zone = zoneName(header, rec.Offset)
		frame.clear()
		if values {
			frame.grow(r.table.n, r.cook.Raw)
		}
		c.cells(&frame, rec)
		if len(frame.Cells) > 0 {
			frame.Host = frame.Cells[0].Series.Host
		}
		if at == inside && !yield(&frame, nil) {
			return false
		}
	}
	return true
}

// logID tells a log from others by who recorded it: the logger, its time zone,
// and the machine of the first item. It does not depend on a filter.
func logID(h *blg.Header, rec *blg.Record) string {
	machine := ""
	if len(rec.Items) > 0 {
		machine = strings.ToLower(cut(rec.Items[0].Path.Machine))
	}
	return fmt.Sprintf("%s %s %d %q", h.LoggerName, zoneName(h, time.Duration(h.Zone.Bias)*time.Minute), h.Zone.Bias, machine)
}

// zoneName is the name that the recorder's time zone has at an offset.
func zoneName(h *blg.Header, offset time.Duration) string {
	if !h.Valid {
		return ""
	}
	name := h.Zone.StandardName[:]
	if offset == time.Duration(h.Zone.Bias+h.Zone.DaylightBias)*time.Minute && h.Zone.DaylightDate[1] != 0 {
		name = h.Zone.DaylightName[:]
	}
	if end := slices.Index(name, 0); end >= 0 {
		name = name[:end]
	}
	return string(utf16.Decode(name))
}

// cells adds the cells of a record to its frame. The clocks of all items are
// looked at before: a restart is one for all of the machine.
func (c *logCooker) cells(f *Frame, rec *blg.Record) {
	c.place(rec)
	c.identify(f.Record, rec)
	for i, s := range rec.All() {
		item := c.at[i]
		switch {
		case c.r.table.room.Over():
			return
		case s.Kind == blg.Object:
			c.block(f, item, s)
		case s.Kind == blg.CounterSet:
			c.readSet(f, item, s)
		case s.Len() > 0:
			if item.boot == nil {
				item.boot = c.bootOf(s.Item.Path.Machine)
			}
			if ticks, ok := perfTime(s); ok && c.values {
				c.look(f, &item.clock, item.boot, ticks)
			}
		}
	}
	for i, s := range rec.All() {
		switch {
		case c.r.table.room.Over():
			return
		case s.Kind == blg.Object:
			c.object(f, c.at[i])
		case s.Kind == blg.CounterSet:
			c.set(f, c.at[i])
		case s.Len() > 0:
			c.series(f, c.at[i], s)
		}
	}
}

// series adds the cells of a series.
func (c *logCooker) series(f *Frame, item *logItem, s *blg.Series) {
	layout, ok := s.AppendLayout(c.key[:0])
	c.key = layout
	if again := c.r.cook.ByPID && len(item.who) > 0; again || !ok || !item.known || !bytes.Equal(layout, item.layout) {
		item.layout, item.known = append(item.layout[:0], layout...), ok
		c.findWho(item, s)
		c.learn(f, item, s)
	}
	if !c.values {
		return
	}
	item.clock.settle(*item.boot)
	if s.Item.CounterType.Hidden() {
		return
	}
	sample := s.Sample(0)
	for i, series := range item.at {
		if series == nil {
			continue
		}
		cell := Cell{Series: series}
		sample.First, sample.Second, sample.Multi = s.Tuple(i)
		who := item.whoIs(i, f.Record)
		c.last.cook(&cell, &sample, c.r.cook.Types, s.Valid(), *item.boot, c.last.change(series.Owner, &who))
		if !s.Valid() {
			cell.PDH = s.Status
		}
		tuple := tupleOf(&sample)
		tuple.PID = who.pid()
		f.add(cell, tuple, c.r.cook.Raw)
	}
}

// learn finds the series of each value.
func (c *logCooker) learn(f *Frame, item *logItem, s *blg.Series) {
	of := s.Item
	path, shared := shownPath(of.Path), Metric{Type: of.CounterType, HasType: true, TimeBase: of.TimeBase}
	path.Object = c.names.of(path.Machine).name(&shared, naming{path.Object, path.Counter}, 0, 0)
	if item.group == nil {
		item.group = c.r.table.group(groupKey{host: path.Machine, object: path.Object, item: item.groupName(c.r.cook.ByPID, s)}, 0)
	}
	item.at = slices.Grow(item.at[:0], s.Len())[:s.Len()]
	clear(item.at)
	var metric *Metric // of the value before: mostly that of all
	item.group.again()
	met := map[string]int{} // of series that follow their owners
	for i, v := range s.Values() {
		c.key = append(append(c.key[:0], 'v'), v.RawName...)
		n, who := v.Occurrence, item.whoIs(i, f.Record)
		if c.r.cook.ByPID && who.known() {
			name := bareName(&v)
			if who.thread() != 0 { // the number of a thread changes when another one ends
				name = name[:max(0, strings.LastIndexByte(name, '/'))]
			}
			c.key = who.appendKey(append(append(c.key[:0], 'o'), name...))
			n = met[string(c.key)]
			met[string(c.key)]++
		}
		c.key = binary.LittleEndian.AppendUint32(c.key, uint32(n))
		row, isNew := item.group.rowAt(i, c.key)
		if o := &row.owner; isNew {
			o.HasInstance, o.InstanceIndex = v.RawName != nil, n
			o.Instance = bareName(&v)
			o.Parent, o.HasParent = path.Parent, path.Parent != ""
			if c.r.cook.ByPID {
				o.PID, o.Thread = who.pid(), who.thread()
			}
		}
		if metric == nil || metric.DefaultScale != v.Sample.DefaultScale {
			shared.DefaultScale = v.Sample.DefaultScale
			metric = c.r.table.lone(shared, 0)
		}
		item.at[i] = c.r.table.at(item.group, row, 0, metric)
	}
}

// bareName returns the name of an instance without #n, which the item of a
// single value has in it.
func bareName(v *blg.Value) string {
	name := v.Name()
	if v.Occurrence > 0 {
		name = strings.TrimSuffix(name, "#"+strconv.Itoa(v.Occurrence))
	}
	return name
}

// block reads the block of a whole object. Where it cannot be read there is
// none, and a remark says so.
func (c *logCooker) block(f *Frame, item *logItem, s *blg.Series) {
	if item.object == nil {
		item.object = &logObject{}
	}
	o := item.object
	o.newer = nil
	i := o.n % 2
	o.bytes[i] = append(o.bytes[i][:0], s.BlockBytes()...)
	o.decoders[i].Options = c.r.o.perfdata()
	block, err := o.decoders[i].Decode(o.bytes[i])
	if err != nil {
		if c.values && !c.quiet {
			c.r.tell(Remark{Code: RemarkBadBlock, Source: c.log.name, Record: f.Record, Text: fmt.Sprintf("record %d: %s cannot be read: %v", f.Record, item.path(), placeEmbedded(s, err))})
		}
		return
	}
	o.host = cutOwn(block.ComputerName())
	if s.Item != nil && s.Item.Path.Machine != "" {
		o.host = cut(s.Item.Path.Machine)
	}
	if o.n == 0 {
		o.cooker = c.r.cooker(c.names.of(o.host), item.key)
	}
	o.n++
	o.newer, item.boot = block, c.bootOf(o.host)
	if c.values {
		c.look(f, &item.clock, item.boot, block.PerfTime)
	}
}

// object adds the cells of the whole object that block has read.
func (c *logCooker) object(f *Frame, item *logItem) {
	o := item.object
	if o.newer == nil {
		return
	}
	if c.values && item.clock.settle(*item.boot) {
		o.cooker.across(f, o.host, o.older, o.newer)
	} else {
		o.cooker.cells(f, o.host, o.older, o.newer, c.values)
	}
	o.older = o.newer
}
