// Package blgwriter makes binary logs of any shape, to test readers. They are
// laid out as those of Windows 8, or of Vista in 32 bits. NOT VERIFIED ON
// WINDOWS: no Windows has ever been given one.
package blgwriter

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
)

// Options say what a log is like. The zero value is a log of a 64-bit writer
// with buffers of 64 KiB.
type Options struct {
	BufferSize int  // a multiple of 0x400 up to 16 MiB; 0 is 0x10000
	Bits32     bool // as a 32-bit writer makes it
	Header     etl.LogHeader
	Zone       etl.TimeZone
	Tail       etl.LogTail
	LoggerName string // a GUID without braces; "" is one of zeros
	FileName   string
}

// Writer makes a log in memory. Events come into the file in the order of the
// calls; their times are the caller's. Strings with unpaired surrogates or NULs
// are written as they are.
type Writer struct {
	o       Options
	logID   [16]uint8
	buffers *etl.Buffers
}

// New starts a log. [Writer.Bytes] returns an error of the options.
func New(o Options) *Writer {
	if o.BufferSize == 0 {
		o.BufferSize = 0x10000
	}
	if o.LoggerName == "" {
		o.LoggerName = "00000000-0000-0000-0000-000000000000"
	}
	w := &Writer{o: o, buffers: etl.NewBuffers(o.BufferSize)}
	// A GUID is text with its first three numbers the other way round.
	id, err := hex.DecodeString(strings.ReplaceAll(o.LoggerName, "-", ""))
	if err == nil && len(id) == 16 {
		w.logID = [16]uint8{id[3], id[2], id[1], id[0], id[5], id[4], id[7], id[6]}
		copy(w.logID[8:], id[8:])
	}
	return w
}

func appendText(dst []byte, s string) []byte { return append(wire.EncodeUTF16(dst, s), 0, 0) }

// NextBuffer begins another buffer, as a flush does.
func (w *Writer) NextBuffer() { w.buffers.Next() }

// Record writes a record as it is.
func (w *Writer) Record(b []byte) { w.buffers.Add(b) }

// Event writes an event of any type at a local time, in as many parts as it
// takes: of 8,000 bytes, or what fits into a buffer if that is less.
func (w *Writer) Event(typ uint8, local int64, data []byte) {
	size := min(etl.PartSize, (w.buffers.Size()-etl.BufferHeaderSize-etl.EventHeaderSize-etl.PartHeaderSize)&^7)
	parts := max(1, (len(data)+size-1)/size)
	for i := range parts {
		w.Part(typ, local, i+1, parts, data[i*size:min(len(data), (i+1)*size)])
	}
}

// Part writes one part of an event, or what a test makes of one.
func (w *Writer) Part(typ uint8, local int64, part, parts int, data []byte) {
	kind := uint8(etl.KindEvent64)
	if w.o.Bits32 {
		kind = etl.KindEvent32
	}
	b := wire.AppendStruct(nil, &etl.EventHeader{
		Size: uint16(etl.EventHeaderSize + etl.PartHeaderSize + len(data)), Kind: kind, Marker: etl.RecordMarker,
		EventType: typ, Version: 60, Time: local, Provider: etl.Provider,
	})
	b = wire.AppendStruct(b, &etl.PartHeader{LogID: w.logID, Part: uint32(part), Parts: uint32(parts)})
	w.Record(append(b, data...))
}

// Item is an item to be written.
type Item struct {
	Path     pdhpath.Path // an Instance "*" is all instances, a Counter "*" the whole object
	Set      bool         // the object is a version 2 counter set
	Type     countertypes.Type
	TimeBase int64
	Scale    int32
}

// Items writes a list of items.
func (w *Writer) Items(local int64, items ...Item) {
	h := etl.ItemListHeader{Marker: etl.ItemListMarker, Version: etl.ItemListVersion}
	if slices.ContainsFunc(items, func(it Item) bool { return it.Set }) {
		h.Version = etl.ItemListVersion2
	}
	b := wire.AppendStruct(nil, &h)
	for _, it := range items {
		b = it.append(b)
	}
	w.Event(etl.EventItems, local, b)
}

func (it *Item) append(b []byte) []byte {
	h := etl.ItemHeader{CounterType: uint32(it.Type), TimeBase: it.TimeBase, DefaultScale: it.Scale, InstanceIndex: uint32(it.Path.Index)}
	switch {
	case it.Path.Counter == "*":
		h.Flags = 0x10
	case it.Path.Instance == "*":
		h.Flags = 1
	}
	if it.Set {
		h.Flags |= etl.FlagSet
	}
	var texts []byte
	add := func(s string, has bool) int32 {
		if !has {
			return -1
		}
		at := len(texts)
		texts = appendText(texts, s)
		return int32(at)
	}
	h.Machine = add(`\\`+it.Path.Machine, it.Path.Machine != "")
	h.Object = add(it.Path.Object, true)
	h.Instance = add(it.Path.Instance, it.Path.HasInstance)
	h.Parent = add(it.Path.Parent, it.Path.Parent != "")
	h.Counter = add(it.Path.Counter, true)
	for (etl.ItemHeaderSize+len(texts))%8 != 0 {
		texts = append(texts, 0)
	}
	h.Length = uint32(etl.ItemHeaderSize + len(texts))
	return append(wire.AppendStruct(b, &h), texts...)
}

// Series is a series to be written.
type Series struct {
	Kind   blg.SeriesKind // Single takes one value, Instances any number, others a Body
	Status uint32
	Local  int64
	Values []Value
	Body   []byte // of an Object or a CounterSet its block; of others in the place of values
}

// Value is a value to be written.
type Value struct {
	Name          string // of Instances
	Multi         uint32
	First, Second uint64
}

// Sample writes a record.
func (w *Writer) Sample(local int64, series ...Series) {
	w.Event(etl.EventSample, local, AppendSample(nil, series...))
}

// AppendSample appends the data of a sample's event to dst.
func AppendSample(dst []byte, series ...Series) []byte {
	start := len(dst)
	dst = wire.AppendStruct(dst, &etl.SubHeader{Signature: [3]uint8{'B', 'L', 3}})
	for _, s := range series {
		body := s.append(nil)
		dst = wire.AppendStruct(dst, &etl.SubHeader{Signature: [3]uint8{'B', 'L', 3}, Kind: uint8(s.Kind), Length: uint32(etl.SubHeaderSize + len(body))})
		dst = append(dst, body...)
	}
	binary.LittleEndian.PutUint32(dst[start+4:], uint32(len(dst)-start))
	return dst
}

func (s *Series) append(b []byte) []byte {
	switch {
	case s.Body != nil:
		return append(b, s.Body...)
	case s.Kind == blg.Single:
		var v Value
		if len(s.Values) > 0 {
			v = s.Values[0]
		}
		return wire.AppendStruct(b, &etl.ValueBody{Status: s.Status, SampleTime: s.Local, First: v.First, Second: v.Second, MultiCount: v.Multi})
	case s.Kind == blg.Instances:
		var names []byte
		entries := make([]byte, 0, len(s.Values)*etl.InstanceEntrySize)
		for _, v := range s.Values {
			at := etl.InstancesBodySize + len(s.Values)*etl.InstanceEntrySize + len(names)
			entries = wire.AppendStruct(entries, &etl.InstanceEntry{NameOffset: uint32(at), MultiCount: v.Multi, First: v.First, Second: v.Second})
			names = appendText(names, v.Name)
		}
		body := etl.Align(append(append(make([]byte, etl.InstancesBodySize), entries...), names...))
		head := wire.AppendStruct(nil, &etl.InstancesBody{Length: uint32(len(body)), Count: uint32(len(s.Values)), Status: s.Status, SampleTime: s.Local})
		copy(body, head)
		return append(b, body...)
	default:
		return b
	}
}

// Titles writes names of a machine's counters: an index and its text after the
// other. There may be several such events.
func (w *Writer) Titles(local int64, machine string, pairs ...string) {
	b := appendText(nil, machine)
	for _, s := range pairs {
		b = appendText(b, s)
	}
	w.Event(etl.EventTitles, local, b)
}

// Registration writes the registration of a version 2 counter set, as
// perflib2.RegistrationTree makes it.
func (w *Writer) Registration(local int64, data []byte) { w.Event(etl.EventSet, local, data) }

// Catalogue lists what a log of whole objects holds.
type Catalogue struct {
	First, Last int64 // FILETIMEs of local time
	Records     uint32
	Entries     uint32 // how many objects it says that there are
	Objects     []CatalogueEntry
}

// CatalogueEntry is an object of a catalogue: all its counters, bases
// included, and each instance of the whole log.
type CatalogueEntry struct {
	HasInstances bool
	Counters     []CatalogueCounter
	Instances    []CatalogueName
}

// CatalogueCounter is a definition of an object.
type CatalogueCounter struct {
	Title    uint32 // index of its name
	Type     countertypes.Type
	TimeBase int64
	Scale    int32
}

// CatalogueName names an instance.
type CatalogueName struct {
	Name      string
	Duplicate uint32 // k of name#k
}

// Catalogue writes the catalogue.
func (w *Writer) Catalogue(local int64, c *Catalogue) {
	var b []byte
	for i := range c.Objects {
		b = c.Objects[i].append(b)
	}
	h := etl.CatalogueHeader{First: c.First, Last: c.Last, Records: c.Records, Entries: c.Entries, Marker: etl.CatalogueMarker}
	h.Length = uint32(etl.CatalogueHeaderSize + len(b))
	w.Event(etl.EventCatalogue, local, append(wire.AppendStruct(nil, &h), b...))
}

func (o *CatalogueEntry) append(dst []byte) []byte {
	var b []byte
	word := func(v uint32) { b = binary.LittleEndian.AppendUint32(b, v) }
	for _, c := range o.Counters {
		word(c.Title)
	}
	for _, c := range o.Counters {
		word(uint32(c.Type))
	}
	for _, c := range o.Counters {
		b = binary.LittleEndian.AppendUint64(b, uint64(c.TimeBase))
	}
	for _, c := range o.Counters {
		word(uint32(c.Scale))
	}
	b = etl.Align(b)
	var names []byte
	for _, in := range o.Instances {
		b = wire.AppendStruct(b, &etl.CatalogueInstance{NameOffset: uint32(len(names)), Duplicate: in.Duplicate, Reserved1: -1, Reserved2: -1})
		names = appendText(names, in.Name)
	}
	b = etl.Align(append(b, names...))
	h := etl.CatalogueObject{Signature: [3]uint8{'B', 'L', 3}, Kind: 5, Length: uint32(etl.CatalogueObjectSize + len(b)), Instances: -1, Counters: uint32(len(o.Counters))}
	if o.HasInstances {
		h.Instances = int32(len(o.Instances))
	}
	return append(wire.AppendStruct(dst, &h), b...)
}

// Bytes returns the log. The error is one of a record that does not fit into a
// buffer, or of the options.
func (w *Writer) Bytes() ([]byte, error) {
	h, pointer, kind := w.o.Header, 8, uint8(etl.KindSystem64)
	if w.o.Bits32 {
		pointer, kind = 4, etl.KindSystem32
	}
	h.BufferSize, h.Buffers, h.PointerSize = uint32(w.buffers.Size()), uint32(w.buffers.Len()), uint32(pointer)
	b := wire.AppendStruct(nil, &h)
	b = append(b, make([]byte, 2*pointer)...)
	b = wire.AppendStruct(b, &w.o.Zone)
	b = append(b, make([]byte, etl.ZonePadding)...)
	b = wire.AppendStruct(b, &w.o.Tail)
	b = appendText(appendText(b, w.o.LoggerName), w.o.FileName)
	head := wire.AppendStruct(nil, &etl.SystemHeader{Version: 2, Kind: kind, Marker: etl.RecordMarker, Size: uint16(etl.SystemHeaderSize + len(b)), Time: w.o.Tail.StartTime})
	return w.buffers.Bytes(append(head, b...), w.o.Tail.StartTime)
}
