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
	"github.com/perfdump/perfdump/perfdata"
)

// addLog adds the records of a binary log.
func (r *Recording) addLog(in *detect.Input) error {
	f, err := blg.NewFile(in.At, in.Size(), r.o.blg())
	if err != nil {
		return err
	}
	if r.cook.Remark != nil && f.Lost().Any() {
		r.cook.Remark(Remark{Code: CodeLost, Source: in.Name, Text: "some of the log could not be read; perfdump check says what"})
	}
	r.own(in)
	r.tracks = append(r.tracks, &logTrack{name: in.Name, file: f, names: newLogNames(r.o.Names, f.Titles())})
	return nil
}

// logNames are the names of the machines of a log: those that were given, else
// those in the log.
type logNames struct {
	given *Names
	own   map[string]*Names
}

func newLogNames(given *Names, titles []blg.MachineTitles) *logNames {
	n := &logNames{given: given, own: map[string]*Names{}}
	if !given.BuiltIn() {
		return n
	}
	for _, t := range titles {
		n.own[strings.ToLower(t.Machine)] = NewNames(t.Table)
	}
	return n
}

func (n *logNames) of(host string) *Names {
	if own := n.own[strings.ToLower(`\\`+host)]; own != nil {
		return own
	}
	return n.given
}

// logTrack are the records of a log.
type logTrack struct {
	name  string
	file  *blg.File
	names *logNames
}

func (l *logTrack) start() time.Time { return l.file.Start().Time() }
func (l *logTrack) len() int         { return int(l.file.NumRecords()) }

// logCooker is what is remembered of a log between its records.
type logCooker struct {
	r      *Recording
	log    *logTrack
	names  *logNames
	values bool
	last   lastSamples
	blocks map[string]*logObject
	items  map[*blg.Item]*logItem
	key    []byte
}

// logObject is what is remembered of an item that is a whole object. The
// record's own block is gone with the record.
type logObject struct {
	cooker   blockCooker
	decoders [2]perfdata.Decoder
	bytes    [2][]byte
	older    *perfdata.Block
	n        int
}

func (l *logTrack) frames(r *Recording, values bool, yield func(*Frame, error) bool) bool {
	c := logCooker{r: r, log: l, names: &logNames{given: r.o.Names, own: l.names.own}, values: values, blocks: map[string]*logObject{}, items: map[*blg.Item]*logItem{}}
	w := window{from: r.cook.From, to: r.cook.To}
	frame := Frame{Source: l.name}
	header := l.file.Header()
	met := 0
	frame.Record = -1
	for rec, err := range l.file.Records() {
		if err != nil {
			return yield(&Frame{Source: l.name}, err)
		}
		frame.Record++
		t := rec.Time()
		if !w.has(t) {
			continue
		}
		if met++; (met-1)%max(1, r.cook.Every) != 0 {
			continue
		}
		frame.Time, frame.Host = t, ""
		frame.Offset = Offset{East: -rec.Offset, Known: rec.Source != blg.OffsetNone}
		frame.Zone = zoneName(header, rec.Offset)
		frame.clear()
		if values {
			frame.Cells = slices.Grow(frame.Cells, r.table.n)
		}
		c.cells(&frame, rec)
		if len(frame.Cells) > 0 {
			frame.Host = frame.Cells[0].Series.Host
		}
		if !yield(&frame, nil) {
			return false
		}
	}
	return true
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

// cells adds the cells of a record to its frame.
func (c *logCooker) cells(f *Frame, rec *blg.Record) {
	for _, s := range rec.All() {
		switch {
		case s.Kind == blg.Object:
			c.object(f, s)
		case s.Len() > 0:
			c.series(f, s)
		}
	}
}

// logItem is what is remembered of an item that is no whole object.
type logItem struct {
	group  *group
	layout []byte // of its last series, see blg.Series.AppendLayout
	known  bool   // layout tells the instances
	at     []*Series
}

// series adds the cells of a series.
func (c *logCooker) series(f *Frame, s *blg.Series) {
	item := c.item(s.Item)
	layout, ok := s.AppendLayout(c.key[:0])
	c.key = layout
	if !ok || !item.known || !bytes.Equal(layout, item.layout) {
		item.layout, item.known = append(item.layout[:0], layout...), ok
		c.learn(item, s)
	}
	if !c.values || s.Item.CounterType.Hidden() {
		return
	}
	sample := s.Sample(0)
	for i, series := range item.at {
		if series == nil {
			continue
		}
		cell := Cell{Series: series}
		sample.First, sample.Second, sample.Multi = s.Tuple(i)
		c.last.cook(&cell, &sample, c.r.cook.Types, s.Valid())
		if !s.Valid() {
			cell.PDH = s.Status
		}
		f.add(cell, tupleOf(&sample), c.r.cook.Raw)
	}
}

func (c *logCooker) item(of *blg.Item) *logItem {
	item := c.items[of]
	if item == nil {
		path := shownPath(of.Path)
		key := groupKey{host: path.Machine, object: path.Object, item: itemKey(of)}
		item = &logItem{group: c.r.table.group(key, 0)}
		c.items[of] = item
	}
	return item
}

// itemKey tells the items of a log apart.
func itemKey(of *blg.Item) string { return string(columnKey(strings.ToLower(of.Path.String()))) }

// learn finds the series of each value.
func (c *logCooker) learn(item *logItem, s *blg.Series) {
	of := s.Item
	item.at = slices.Grow(item.at[:0], s.Len())[:s.Len()]
	clear(item.at)
	for i, v := range s.Values() {
		c.key = append(append(c.key[:0], 'v'), v.RawName...)
		c.key = binary.LittleEndian.AppendUint32(c.key, uint32(v.Occurrence))
		row, isNew := item.group.row(c.key)
		if o := &row.owner; isNew {
			o.HasInstance, o.InstanceIndex = v.RawName != nil, v.Occurrence
			o.Instance = bareName(&v)
			o.Parent, o.HasParent = cut(of.Path.Parent), of.Path.Parent != ""
		}
		item.at[i] = c.r.table.at(item.group, row, 0, c.r.table.lone(Metric{
			Counter: cut(of.Path.Counter), Type: of.CounterType, HasType: true, DefaultScale: v.Sample.DefaultScale, TimeBase: of.TimeBase,
		}, 0))
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

// object adds the cells of a whole object. Where its block cannot be read
// there are none, and a remark says so.
func (c *logCooker) object(f *Frame, s *blg.Series) {
	item := ""
	if s.Item != nil {
		item = itemKey(s.Item)
	}
	o := c.blocks[item]
	if o == nil {
		o = &logObject{}
		c.blocks[item] = o
	}
	i := o.n % 2
	o.bytes[i] = append(o.bytes[i][:0], s.BlockBytes()...)
	o.decoders[i].Options = c.r.o.perfdata()
	block, err := o.decoders[i].Decode(o.bytes[i])
	if err != nil {
		if c.r.cook.Remark != nil && c.values {
			c.r.cook.Remark(Remark{Code: RemarkBadBlock, Source: c.log.name, Record: f.Record, Text: fmt.Sprintf("record %d: %s cannot be read: %v", f.Record, item, err)})
		}
		return
	}
	host := cutOwn(block.ComputerName())
	if s.Item != nil && s.Item.Path.Machine != "" {
		host = cut(s.Item.Path.Machine)
	}
	if o.n == 0 {
		o.cooker = c.r.cooker(c.names.of(host), item)
	}
	o.n++
	if c.values {
		c.r.remark(c.log.name, f.Record, o.older, block)
	}
	o.cooker.cells(f, host, o.older, block, c.values)
	o.older = block
}
