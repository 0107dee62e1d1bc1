package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/pdhpath"
)

// CodeLost is the code of remarks that some of a log could not be read; the anomalies say
// where.
const CodeLost perfdump.Code = "lost"

func (r *Recording) addLog(in *Input) error {
	f, err := blg.OpenParts(in.At, in.size(), in.Parts, blg.Options{Options: r.o.Options})
	if err != nil {
		return err
	}
	r.reportLost(in, f)
	r.takeFile(in)
	r.tracks = append(r.tracks, &logTrack{name: in.Name, file: f, names: newLogNames(r.o.Names, f.Titles())})
	return nil
}

// reportLost reports that part of a log could not be read, that its counter sets cannot be
// cooked, or that parts of it may have another list of items.
func (r *Recording) reportLost(in *Input, f *blg.File) {
	name := in.Name
	for _, a := range f.Anomalies().Kept() {
		if a.Code == blg.CodeNoRegistration || a.Code == blg.CodeItemListAgain && in.Parts != nil {
			r.report(Remark{Code: a.Code, Source: name, Text: a.Message()})
		}
	}
	if f.Lost().Any() {
		r.report(Remark{Code: CodeLost, Source: name, Text: "part of the log could not be read; run perfdump check for details"})
	}
}

// logNames holds the names of the machines of a log: the given ones, otherwise those in the
// log.
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

func (n *logNames) role(of *blg.Item) role {
	path := shownPath(of.Path)
	return n.of(path.Machine).role(naming{path.Object, path.Counter}, 0, 0, of.CounterType)
}

type logTrack struct {
	name  string
	file  *blg.File
	names *logNames
	items int // the largest number of a reading
	list  int // the longest list
}

func (l *logTrack) start() time.Time          { return l.file.Start().Time() }
func (l *logTrack) len() int                  { return int(l.file.NumRecords()) }
func (l *logTrack) machines(s *machineStarts) { s.add(startOfLog(l.file)) }

func startOfLog(f *blg.File) machineStart {
	start, end := f.Start(), f.End()
	return machineStart{host: recorderOf(f), time: start.Time(), offset: offsetOf(start), last: offsetOf(end), zone: f.Header().ZoneName(start.Offset)}
}

// recorderOf returns the machine of a log's first item, or "".
func recorderOf(f *blg.File) string {
	if items := f.Items(); len(items) > 0 {
		return cutClone(items[0].Path.Machine)
	}
	return ""
}

// offsetOf returns the offset from UTC of a time of a log.
func offsetOf(s blg.Stamp) Offset { return Offset{East: -s.Offset, Known: s.Source != blg.OffsetNone} }

// logID identifies the recorder of a log: the logger, its time zone, and the machine of the
// first item. It does not depend on a filter.
func logID(h *blg.Header, rec *blg.Record) string {
	machine := ""
	if len(rec.Items) > 0 {
		machine = strings.ToLower(cut(rec.Items[0].Path.Machine))
	}
	return fmt.Sprintf("%s %s %d %q", h.LoggerName, h.ZoneName(h.ZoneBias), h.ZoneBias/time.Minute, machine)
}

type logCooker struct {
	r      *Recording
	log    *logTrack
	values bool
	quiet  bool // the record is before the requested time and only reports nothing
	last   lastSamples
	owners logOwners
	boots  map[string]*int     // of each machine, see bootOf
	items  map[string]*logItem // of earlier lists and of records without one
	list   []blg.Item          // the list of at
	at     []*logItem          // for each item of the list
	seen   int                 // number of items
	key    []byte
	end    time.Time // of the last record, once all are read
}

// goOn cooks another log of the same recorder, which begins after the end of this one: a
// recorder closes a log and goes on in the next, and rates cross the border.
func (c *logCooker) goOn(next *logTrack) {
	c.remember()
	c.log, c.list, c.at = next, nil, c.at[:0]
	for _, who := range c.owners.all {
		who.record = -1 // records are counted again
	}
}

func (l *logTrack) frames(r *Recording, values bool, yield func(*Frame, error) bool) bool {
	c := &logCooker{r: r, log: l, values: values, boots: map[string]*int{}, items: map[string]*logItem{}, last: r.lastSamples()}
	w := r.window()
	header, host := l.file.Header(), recorderOf(l.file)
	seen := 0
	frame := Frame{Source: l.name, Record: -1}
	for rec, err := range l.file.Records() {
		if err != nil {
			return yield(&Frame{Source: l.name}, err)
		}
		frame.Record++
		if frame.Log == "" {
			frame.Log = logID(header, rec)
			if before := r.ended[frame.Log]; before != nil && before.end.Before(rec.Time()) {
				c = before
				c.goOn(l)
			}
		}
		c.end = rec.Time()
		frame.Time, frame.Host, frame.Offset = rec.Time(), "", offsetOf(rec.Stamp)
		at := w.side(host, frame.Time, frame.Offset)
		if at == after || at == before && !values {
			continue
		}
		if at == inside {
			if seen++; (seen-1)%max(1, r.cook.Every) != 0 {
				continue
			}
		}
		c.quiet = at == before
		frame.Zone = header.ZoneName(rec.Offset)
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
		if !values && c.complete(rec) {
			break
		}
	}
	if values && frame.Log != "" {
		r.ended[frame.Log] = c
	}
	return true
}

// complete reports whether no later record can have a series that is not in this one.
func (c *logCooker) complete(rec *blg.Record) bool {
	if c.r.cook.ByPID || !c.log.file.Fixed() || rec.Len() < len(rec.Items) {
		return false
	}
	for _, s := range rec.All() {
		if s.Len() == 0 {
			return false
		}
	}
	return true
}

// cells adds the cells of a record to its frame. It reads the clocks of all items first,
// since a restart affects the whole machine.
func (c *logCooker) cells(f *Frame, rec *blg.Record) {
	c.place(rec)
	c.identify(f.Record, rec)
	for i, s := range rec.All() {
		item := c.at[i]
		switch {
		case c.r.table.budget.Over():
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
				c.observeClock(f, item, ticks)
			}
		}
	}
	for i, s := range rec.All() {
		switch {
		case c.r.table.budget.Over():
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

func (c *logCooker) unreadable(f *Frame, item *logItem, s *blg.Series, err error) {
	if c.values && !c.quiet {
		c.r.report(Remark{
			Code: remarkBadBlock, Source: c.log.name, Record: f.Record,
			Text: fmt.Sprintf("record %d: %s cannot be read: %v", f.Record, item.path(), placeEmbedded(s, err)),
		})
	}
}

func (c *logCooker) series(f *Frame, item *logItem, s *blg.Series) {
	layout, ok := s.AppendLayout(c.key[:0])
	c.key = layout
	if again := c.r.cook.ByPID && len(item.who) > 0; again || !item.layout.same(layout, ok) {
		item.layout.set(layout, ok)
		c.findOwners(item, s)
		c.learn(f, item, s)
	}
	if !c.values {
		return
	}
	item.clock.commit(*item.boot)
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
		who := item.ownerAt(i, f.Record)
		c.last.cook(&cell, &sample, c.r.cook.Types, s.Valid(), *item.boot, c.last.change(series.Owner, &who))
		if !s.Valid() {
			cell.PDH = s.Status
		}
		tuple := tupleOf(&sample)
		tuple.PID = who.pid()
		f.add(cell, tuple, c.r.cook.Raw)
		f.addSamples(c.last.older, &sample, &c.r.cook)
	}
}

func (c *logCooker) learn(f *Frame, item *logItem, s *blg.Series) {
	of := s.Item
	path, shared := shownPath(of.Path), Metric{Type: of.CounterType, HasType: true, TimeBase: of.TimeBase}
	path.Object = c.log.names.of(path.Machine).name(&shared, naming{path.Object, path.Counter}, 0, 0)
	if item.group == nil {
		item.group = c.r.table.group(groupKey{host: path.Machine, object: path.Object, item: item.groupName(c.r.cook.ByPID, s)}, 0)
	}
	item.at = slices.Grow(item.at[:0], s.Len())[:s.Len()]
	clear(item.at)
	var metric *Metric       // of the previous value: usually all share one
	seen := map[string]int{} // of series that follow their owners
	for i, v := range s.Values() {
		name := bareName(&v)
		c.key = append(append(c.key[:0], 'v'), v.RawName...)
		n, who := v.Occurrence, item.ownerAt(i, f.Record)
		if c.r.cook.ByPID && who.known() {
			shown := name
			if who.thread() != 0 { // a thread's number changes when another thread ends
				shown = shown[:max(0, strings.LastIndexByte(shown, '/'))]
			}
			c.key = who.appendKey(append(append(c.key[:0], 'o'), shown...))
			n = count(seen, string(c.key))
		}
		c.key = binary.LittleEndian.AppendUint32(c.key, uint32(n))
		row, isNew := item.group.rowAt(i, c.key)
		if o := &row.owner; isNew {
			o.describe(name, v.RawName != nil, n)
			o.Parent, o.HasParent = path.Parent, path.Parent != ""
			o.follow(&who, c.r.cook.ByPID)
		}
		if metric == nil || metric.DefaultScale != v.Sample.DefaultScale {
			shared.DefaultScale = v.Sample.DefaultScale
			metric = c.r.table.metricAt(shared, 0)
		}
		item.at[i] = c.r.table.at(item.group, row, 0, metric)
	}
}

// bareName returns the name of an instance without #n, which is part of the item of a
// single value.
func bareName(v *blg.Value) string {
	name := v.Name()
	if v.Occurrence > 0 {
		name = strings.TrimSuffix(name, "#"+strconv.Itoa(v.Occurrence))
	}
	return name
}

// block reads the block of a whole object. If it cannot be read, the item has no block.
func (c *logCooker) block(f *Frame, item *logItem, s *blg.Series) {
	if item.object == nil {
		item.object = &logObject{}
	}
	o := item.object
	o.newer = nil
	i := o.n % 2
	o.bytes[i] = append(o.bytes[i][:0], s.BlockBytes()...)
	o.decoders[i].Options = c.r.o.Options
	block, err := o.decoders[i].Decode(o.bytes[i])
	if err != nil {
		c.unreadable(f, item, s, err)
		return
	}
	o.host = cutClone(block.ComputerName())
	if s.Item != nil && s.Item.Path.Machine != "" {
		o.host = cut(s.Item.Path.Machine)
	}
	if o.n == 0 {
		o.cooker = c.r.cooker(c.log.names.of(o.host), item.key)
	}
	o.n++
	o.newer, item.boot = block, c.bootOf(o.host)
	if c.values {
		c.observeClock(f, item, block.PerfTime)
	}
}

func (c *logCooker) object(f *Frame, item *logItem) {
	o := item.object
	if o.newer == nil {
		return
	}
	if c.values && item.clock.commit(*item.boot) {
		o.cooker.across(f, o.host, o.older, o.newer)
	} else {
		o.cooker.cells(f, o.host, o.older, o.newer, c.values)
	}
	o.older = o.newer
}

// In a log of selected counters, the counters that identify the owner of an instance are
// separate items. They are read before all others of a record.

// ownerCost is the memory for the owner of an instance, without its name.
const ownerCost = 200

// logOwner is the owner of an instance according to the items of a record.
type logOwner struct {
	identity
	record int
}

type logOwners struct {
	all     map[string]*logOwner // by machine, object and instance
	objects map[string]bool      // objects that have such items, by machine and object
}

func objectOf(of *blg.Item) string {
	return strings.ToLower(cut(of.Path.Machine) + "\x00" + cut(of.Path.Object))
}

func appendWho(dst []byte, object string, of *blg.Item, v *blg.Value) []byte {
	dst = append(append(dst, object...), 0)
	return bytes.ToLower(pdhpath.AppendInstance(dst, cut(of.Path.Parent), bareName(v), v.Occurrence))
}

// identities finds the items of a list that identify owners.
func (c *logCooker) identities() {
	c.owners.objects = map[string]bool{}
	for i := range c.list {
		item, of := c.at[i], &c.list[i]
		item.whoLayout.known = false
		if item.role = c.log.names.role(of); item.role == isProcess || item.role == isThread {
			c.owners.objects[objectOf(of)] = true
		}
	}
}

func (c *logCooker) identify(record int, rec *blg.Record) {
	if len(c.owners.objects) == 0 {
		return
	}
	for i, s := range rec.All() {
		item := c.at[i]
		if item.role == noRole || s.Kind == blg.Object || s.Len() == 0 || !s.Valid() || c.r.table.budget.Over() {
			continue
		}
		c.findOwners(item, s)
		for k, who := range item.who {
			if who.record != record {
				*who = logOwner{record: record}
			}
			first, _, _ := s.Tuple(k)
			who.set(item.role, first)
		}
	}
}

// findOwners finds the owners of the values of a series, unless they are unchanged since
// the previous record.
func (c *logCooker) findOwners(item *logItem, s *blg.Series) {
	if len(c.owners.objects) == 0 {
		item.who = nil
		return
	}
	object := objectOf(s.Item)
	if !c.owners.objects[object] {
		item.who = nil
		return
	}
	layout, ok := s.AppendLayout(c.key[:0])
	if c.key = layout; item.whoLayout.same(layout, ok) {
		return
	}
	item.whoLayout.set(layout, ok)
	item.who = item.who[:0]
	for _, v := range s.Values() {
		c.key = appendWho(c.key[:0], object, s.Item, &v)
		who := c.owners.all[string(c.key)]
		if who == nil {
			c.r.table.budget.Take(ownerCost + len(c.key))
			who = &logOwner{record: -1}
			if c.owners.all == nil {
				c.owners.all = map[string]*logOwner{}
			}
			c.owners.all[string(c.key)] = who
		}
		item.who = append(item.who, who)
	}
}

// ownerAt returns the owner of a value of an item in a record.
func (i *logItem) ownerAt(value, record int) identity {
	if value >= len(i.who) || i.who[value].record != record {
		return identity{}
	}
	return i.who[value].identity
}
