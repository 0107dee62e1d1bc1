package blg

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
)

// WriterOptions say what a written log is like. The zero value is a log of a
// 64-bit writer with buffers of 64 KiB.
type WriterOptions struct {
	BufferSize int  // a multiple of 0x400 up to 16 MiB; 0 is 0x10000
	Bits32     bool // as a 32-bit writer makes it
	Header     LogHeader
	Zone       TimeZone
	Tail       LogTail
	LoggerName string // a GUID without braces; "" is one of zeros
	FileName   string
}

// Writer makes a log in memory. The logs are laid out as those of Windows 8,
// or of Vista in 32 bits, and this package reads them back as they were given.
// NOT VERIFIED ON WINDOWS: no Windows has ever been given one. It is there so
// that tests can make logs of any shape.
//
// Events come into the file in the order of the calls; their times are the
// caller's. Strings with unpaired surrogates or NULs are written as they are.
type Writer struct {
	o       WriterOptions
	logID   [16]uint8
	buffers [][]byte
	err     error
}

// NewWriter begins a log. An error of the options is told by [Writer.Bytes].
func NewWriter(o WriterOptions) *Writer {
	if o.BufferSize == 0 {
		o.BufferSize = 0x10000
	}
	if o.LoggerName == "" {
		o.LoggerName = "00000000-0000-0000-0000-000000000000"
	}
	w := &Writer{o: o}
	if o.BufferSize < minBufferSize || o.BufferSize > maxBufferSize || o.BufferSize%bufferSizes != 0 {
		w.fail(perfdump.CodeLength, "buffers of %d bytes: want a multiple of 0x400 up to 0x%x", o.BufferSize, maxBufferSize)
		w.o.BufferSize = 0x10000
	}
	// A GUID is text with its first three numbers the other way round.
	id, err := hex.DecodeString(strings.ReplaceAll(o.LoggerName, "-", ""))
	if err == nil && len(id) == 16 {
		w.logID = [16]uint8{id[3], id[2], id[1], id[0], id[5], id[4], id[7], id[6]}
		copy(w.logID[8:], id[8:])
	}
	w.buffers = [][]byte{w.buffer(), w.buffer()}
	return w
}

func (w *Writer) fail(code perfdump.Code, format string, args ...any) {
	if w.err == nil {
		w.err = perfdump.NewError(code, -1, levels.Root(), format, args...)
	}
}

func appendText(dst []byte, s string) []byte { return append(wire.EncodeUTF16(dst, s), 0, 0) }

func align(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

// buffer returns an empty buffer; its header is written at the end.
func (w *Writer) buffer() []byte { return make([]byte, bufferHeaderSize, w.o.BufferSize) }

// record appends a record, in the last buffer or a new one.
func (w *Writer) record(b []byte) {
	last := len(w.buffers) - 1
	if bufferHeaderSize+len(b) > w.o.BufferSize {
		w.fail(perfdump.CodeLength, "a record of %d bytes does not fit into a buffer of %d", len(b), w.o.BufferSize)
		return
	}
	if (len(w.buffers[last])+7)&^7+len(b) > w.o.BufferSize {
		w.NextBuffer()
		last++
	}
	w.buffers[last] = append(align(w.buffers[last]), b...)
}

// NextBuffer begins another buffer, as a flush does.
func (w *Writer) NextBuffer() { w.buffers = append(w.buffers, w.buffer()) }

// Event writes an event of any type at a local time, in as many parts as it
// takes: of 8,000 bytes, or what fits into a buffer if that is less.
func (w *Writer) Event(typ uint8, local int64, data []byte) {
	size := min(partSize, (w.o.BufferSize-bufferHeaderSize-eventHeaderSize-partHeaderSize)&^7)
	parts := max(1, (len(data)+size-1)/size)
	for i := range parts {
		w.Part(typ, local, i+1, parts, data[i*size:min(len(data), (i+1)*size)])
	}
}

// Part writes one part of an event, or what a test makes of one.
func (w *Writer) Part(typ uint8, local int64, part, parts int, data []byte) {
	kind := uint8(kindEvent64)
	if w.o.Bits32 {
		kind = kindEvent32
	}
	b := wire.AppendStruct(nil, &eventHeader{
		Size: uint16(eventHeaderSize + partHeaderSize + len(data)), Kind: kind, Marker: recordMarker,
		EventType: typ, Version: 60, Time: local, Provider: provider,
	})
	b = wire.AppendStruct(b, &partHeader{LogID: w.logID, Part: uint32(part), Parts: uint32(parts)})
	w.record(append(b, data...))
}

// Record writes a record as it is.
func (w *Writer) Record(b []byte) { w.record(b) }

// NewItem is an item to be written.
type NewItem struct {
	Path     pdhpath.Path // an Instance "*" is all instances, a Counter "*" the whole object
	Set      bool         // the object is a version 2 counter set
	Type     countertypes.Type
	TimeBase int64
	Scale    int32
}

// Items writes a list of items.
func (w *Writer) Items(local int64, items ...NewItem) {
	h := itemListHeader{Marker: itemListMarker, Version: itemListVersion}
	if slices.ContainsFunc(items, func(it NewItem) bool { return it.Set }) {
		h.Version = itemListVersion2
	}
	b := wire.AppendStruct(nil, &h)
	for _, it := range items {
		b = it.append(b)
	}
	w.Event(eventItems, local, b)
}

func (it *NewItem) append(b []byte) []byte {
	h := ItemHeader{CounterType: it.Type, TimeBase: it.TimeBase, DefaultScale: it.Scale, InstanceIndex: uint32(it.Path.Index)}
	switch {
	case it.Path.Counter == "*":
		h.Flags = 0x10
	case it.Path.Instance == "*":
		h.Flags = 1
	}
	if it.Set {
		h.Flags |= flagSet
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
	for (itemHeaderSize+len(texts))%8 != 0 {
		texts = append(texts, 0)
	}
	h.Length = uint32(itemHeaderSize + len(texts))
	return append(wire.AppendStruct(b, &h), texts...)
}

// NewSeries is a series to be written.
type NewSeries struct {
	Kind   SeriesKind // Single takes one value, Instances any number, others a Body
	Status uint32
	Local  int64
	Values []NewValue
	Body   []byte // of an Object or a CounterSet its block; of others in the place of values
}

// NewValue is a value to be written.
type NewValue struct {
	Name          string // of Instances
	Multi         uint32
	First, Second uint64
}

// Sample writes a record.
func (w *Writer) Sample(local int64, series ...NewSeries) {
	w.Event(eventSample, local, AppendSample(nil, series...))
}

// AppendSample appends the data of a sample's event to dst.
func AppendSample(dst []byte, series ...NewSeries) []byte {
	start := len(dst)
	dst = wire.AppendStruct(dst, &subHeader{Signature: [3]uint8{'B', 'L', 3}})
	for _, s := range series {
		body := s.append(nil)
		dst = wire.AppendStruct(dst, &subHeader{Signature: [3]uint8{'B', 'L', 3}, Kind: uint8(s.Kind), Length: uint32(subHeaderSize + len(body))})
		dst = append(dst, body...)
	}
	binary.LittleEndian.PutUint32(dst[start+4:], uint32(len(dst)-start))
	return dst
}

func (s *NewSeries) append(b []byte) []byte {
	switch {
	case s.Body != nil:
		return append(b, s.Body...)
	case s.Kind == Single:
		var v NewValue
		if len(s.Values) > 0 {
			v = s.Values[0]
		}
		return wire.AppendStruct(b, &valueBody{Status: s.Status, SampleTime: s.Local, First: v.First, Second: v.Second, MultiCount: v.Multi})
	case s.Kind == Instances:
		var names []byte
		entries := make([]byte, 0, len(s.Values)*instanceEntrySize)
		for _, v := range s.Values {
			at := instancesBodySize + len(s.Values)*instanceEntrySize + len(names)
			entries = wire.AppendStruct(entries, &instanceEntry{NameOffset: uint32(at), MultiCount: v.Multi, First: v.First, Second: v.Second})
			names = appendText(names, v.Name)
		}
		body := align(append(append(make([]byte, instancesBodySize), entries...), names...))
		head := wire.AppendStruct(nil, &instancesBody{Length: uint32(len(body)), Count: uint32(len(s.Values)), Status: s.Status, SampleTime: s.Local})
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
	w.Event(eventTitles, local, b)
}

// Registration writes the registration of a version 2 counter set, as
// perflib2.RegistrationTree makes it.
func (w *Writer) Registration(local int64, data []byte) { w.Event(eventSet, local, data) }

// Catalogue writes the catalogue.
func (w *Writer) Catalogue(local int64, c *Catalogue) {
	var b []byte
	for i := range c.Objects {
		b = c.Objects[i].append(b)
	}
	h := catalogueHeader{First: c.First, Last: c.Last, Records: c.Records, Entries: c.Entries, Marker: catalogueMarker}
	h.Length = uint32(catalogueHeaderSize + len(b))
	w.Event(eventCatalogue, local, append(wire.AppendStruct(nil, &h), b...))
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
	b = align(b)
	var names []byte
	for _, in := range o.Instances {
		b = wire.AppendStruct(b, &catalogueInstance{NameOffset: uint32(len(names)), Duplicate: in.Duplicate, Reserved1: -1, Reserved2: -1})
		names = appendText(names, in.Name)
	}
	b = align(append(b, names...))
	h := catalogueObject{Signature: [3]uint8{'B', 'L', 3}, Kind: 5, Length: uint32(catalogueObjectSize + len(b)), Instances: -1, Counters: uint32(len(o.Counters))}
	if o.HasInstances {
		h.Instances = int32(len(o.Instances))
	}
	return append(wire.AppendStruct(dst, &h), b...)
}

// headerBuffer makes the first buffer.
func (w *Writer) headerBuffer() []byte {
	h, pointer, kind := w.o.Header, 8, uint8(kindSystem64)
	if w.o.Bits32 {
		pointer, kind = 4, kindSystem32
	}
	h.BufferSize, h.Buffers, h.PointerSize = uint32(w.o.BufferSize), uint32(len(w.buffers)), uint32(pointer)
	b := wire.AppendStruct(nil, &h)
	b = append(b, make([]byte, 2*pointer)...)
	b = wire.AppendStruct(b, &w.o.Zone)
	b = append(b, make([]byte, zonePadding)...)
	b = wire.AppendStruct(b, &w.o.Tail)
	b = appendText(appendText(b, w.o.LoggerName), w.o.FileName)
	head := wire.AppendStruct(nil, &systemHeader{Version: 2, Kind: kind, Marker: recordMarker, Size: uint16(systemHeaderSize + len(b)), Time: w.o.Tail.StartTime})
	return append(append(w.buffer(), head...), b...)
}

// Bytes returns the log: all buffers, filled up with 0xFF. The error is one of
// a record that does not fit into a buffer, or of the options.
func (w *Writer) Bytes() ([]byte, error) {
	out := make([]byte, 0, len(w.buffers)*w.o.BufferSize)
	first := w.headerBuffer()
	if len(first) > w.o.BufferSize {
		w.fail(perfdump.CodeLength, "a log header of %d bytes does not fit into a buffer of %d", len(first), w.o.BufferSize)
	}
	if w.err != nil {
		return nil, w.err
	}
	for i, b := range w.buffers {
		if i == 0 {
			b = first
		}
		h := bufferHeader{BufferSize: uint32(w.o.BufferSize), FlushTime: w.o.Tail.StartTime, FilledBytes: uint32(len(b))}
		if i == 0 {
			h.BufferFlag, h.BufferType = 1, 4
		}
		out = append(out, wire.AppendStruct(nil, &h)...)
		out = append(out, b[bufferHeaderSize:]...)
		out = append(out, bytes.Repeat([]byte{0xFF}, w.o.BufferSize-len(b))...)
	}
	return out, nil
}

// WriteTo writes what [Writer.Bytes] returns. The errors are those of Bytes,
// and then nothing is written, and of dst.
func (w *Writer) WriteTo(dst io.Writer) (int64, error) {
	b, err := w.Bytes()
	if err != nil {
		return 0, err
	}
	n, err := dst.Write(b)
	return int64(n), err
}
