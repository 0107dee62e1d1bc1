package perftest

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"time"
	"unicode/utf16"
)

// The sizes of the structs as they are today.
const (
	HeaderSize     = 88
	ObjectSize     = 64
	DefinitionSize = 40
	InstanceSize   = 24
)

// Fill is what stands in gaps and in the tails of longer structs. Padding is
// zero.
const Fill = 0xA5

// DefaultTime is the time of a block that has none: 2025-08-18 14:13:20 UTC.
const DefaultTime = 134_000_000_000_000_000

const filetimeEpoch = 11_644_473_600 // seconds from 1601 to 1970

// Block declares a PERF_DATA_BLOCK. The zero Block is a lone header of 88
// bytes.
type Block struct {
	Name            string // the computer name; "" writes none
	NameGap         int    // bytes between the header and the name
	HeaderGap       int    // bytes between the name and the first object
	DefaultObject   int32
	PerfTime        int64 // 0: a time
	PerfFreq        int64 // 0: 10,000,000
	PerfTime100nSec int64 // 0: DefaultTime; SystemTime follows it
	Objects         []Object
	Tail            int // bytes after the last object, within the block
}

// Object declares a PERF_OBJECT_TYPE with all that belongs to it.
type Object struct {
	Title          uint32
	Help           uint32 // 0: Title + 1
	CodePage       uint32
	DetailLevel    uint32 // 0: 100
	DefaultCounter int32
	PerfTime       int64
	PerfFreq       int64
	Counters       []Counter
	Single         bool  // NumInstances -1; the values are those of Instances[0], or zero
	NumInstances   int32 // where there are no Instances and not Single
	Instances      []Instance

	HeaderExtra   int  // a header longer than 64
	DefinitionGap int  // bytes after the definitions
	BlockExtra    int  // counter blocks longer than needed
	Tail          int  // bytes after the last instance
	Packed        bool // nothing is padded and no value aligned
}

// Counter declares a PERF_COUNTER_DEFINITION.
type Counter struct {
	Title       uint32
	Help        uint32 // 0: Title + 1
	Scale       int32
	DetailLevel uint32 // 0: 100
	Type        uint32
	Size        int // 0: what the size bits of Type say
	Offset      int // 0: behind the values before it
	Extra       int // a definition longer than 40
}

// Instance declares a PERF_INSTANCE_DEFINITION, its name and its values.
type Instance struct {
	Name        string // written in UTF-16, or as Latin-1 where the object has a code page
	RawName     []byte // in place of Name, NUL included
	Unnamed     bool   // NameLength 0
	NoNul       bool   // do not end Name with a NUL
	NameGap     int    // bytes before the name
	NameStale   int    // bytes after the name
	ParentTitle uint32
	Parent      uint32
	UniqueID    int32 // 0: -1, none
	Values      []uint64
	Raw         map[int][]byte // values that are no integers, by counter
	BlockExtra  int            // as that of the object, for this instance alone
}

// Build writes b and notes where its fields stand.
func (b *Block) Build() *Image {
	m := &Image{Fields: make(map[string]Field)}
	w := writer{rec: m}
	w.block(b)
	m.Bytes = w.b
	return m
}

// Bytes writes b.
func (b *Block) Bytes() []byte {
	var w writer
	w.block(b)
	return w.b
}

type layout struct {
	name string
	off  int
	size int
}

var (
	headerLayout = []layout{
		{"Signature", 0, 8},
		{"LittleEndian", 8, 4},
		{"Version", 12, 4},
		{"Revision", 16, 4},
		{"TotalByteLength", 20, 4},
		{"HeaderLength", 24, 4},
		{"NumObjectTypes", 28, 4},
		{"DefaultObject", 32, 4},
		{"SystemTime.Year", 36, 2},
		{"SystemTime.Month", 38, 2},
		{"SystemTime.DayOfWeek", 40, 2},
		{"SystemTime.Day", 42, 2},
		{"SystemTime.Hour", 44, 2},
		{"SystemTime.Minute", 46, 2},
		{"SystemTime.Second", 48, 2},
		{"SystemTime.Milliseconds", 50, 2},
		{"Padding", 52, 4},
		{"PerfTime", 56, 8},
		{"PerfFreq", 64, 8},
		{"PerfTime100nSec", 72, 8},
		{"SystemNameLength", 80, 4},
		{"SystemNameOffset", 84, 4},
	}
	objectLayout = []layout{
		{"TotalByteLength", 0, 4},
		{"DefinitionLength", 4, 4},
		{"HeaderLength", 8, 4},
		{"ObjectNameTitleIndex", 12, 4},
		{"ObjectNameTitle", 16, 4},
		{"ObjectHelpTitleIndex", 20, 4},
		{"ObjectHelpTitle", 24, 4},
		{"DetailLevel", 28, 4},
		{"NumCounters", 32, 4},
		{"DefaultCounter", 36, 4},
		{"NumInstances", 40, 4},
		{"CodePage", 44, 4},
		{"PerfTime", 48, 8},
		{"PerfFreq", 56, 8},
	}
	definitionLayout = []layout{
		{"ByteLength", 0, 4},
		{"CounterNameTitleIndex", 4, 4},
		{"CounterNameTitle", 8, 4},
		{"CounterHelpTitleIndex", 12, 4},
		{"CounterHelpTitle", 16, 4},
		{"DefaultScale", 20, 4},
		{"DetailLevel", 24, 4},
		{"CounterType", 28, 4},
		{"CounterSize", 32, 4},
		{"CounterOffset", 36, 4},
	}
	instanceLayout = []layout{
		{"ByteLength", 0, 4},
		{"ParentObjectTitleIndex", 4, 4},
		{"ParentObjectInstance", 8, 4},
		{"UniqueID", 12, 4},
		{"NameOffset", 16, 4},
		{"NameLength", 20, 4},
	}
)

// writer appends to b. Without rec it only writes.
type writer struct {
	b   []byte
	rec *Image
}

func (w *writer) note(path string, off, size int) {
	if w.rec != nil {
		w.rec.Fields[path] = Field{off, size}
	}
}

func (w *writer) leaf(path string, off, size int) {
	if w.rec != nil {
		w.rec.Fields[path] = Field{off, size}
		w.rec.Leaves = append(w.rec.Leaves, path)
	}
}

func (w *writer) layout(path string, off int, fields []layout, size int) {
	if w.rec == nil {
		return
	}
	w.note(path, off, size)
	if path != "" {
		path += "."
	}
	for _, f := range fields {
		w.leaf(path+f.name, off+f.off, f.size)
	}
}

func (w *writer) fill(n int, with byte) {
	for range n {
		w.b = append(w.b, with)
	}
}

// pad fills with zeros up to a multiple of 8 bytes after start.
func (w *writer) pad(start int) { w.fill(-(len(w.b)-start)&7, 0) }

func (w *writer) u16(off int, v uint16) { binary.LittleEndian.PutUint16(w.b[off:], v) }
func (w *writer) u32(off int, v uint32) { binary.LittleEndian.PutUint32(w.b[off:], v) }
func (w *writer) u64(off int, v uint64) { binary.LittleEndian.PutUint64(w.b[off:], v) }
func (w *writer) len(off, v int)        { w.u32(off, uint32(v)) }

func or[T comparable](v, zero T) T {
	var z T
	if v == z {
		return zero
	}
	return v
}

func (w *writer) path(format string, args ...any) string {
	if w.rec == nil {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

func (w *writer) block(b *Block) {
	at := len(w.b)
	w.fill(HeaderSize, 0)
	w.layout("", at, headerLayout, HeaderSize)
	copy(w.b[at:], "P\x00E\x00R\x00F\x00")
	w.u32(at+8, 1)
	w.u32(at+12, 1)
	w.u32(at+16, 1)
	w.len(at+28, len(b.Objects))
	w.u32(at+32, uint32(b.DefaultObject))
	ft := or(b.PerfTime100nSec, DefaultTime)
	t := time.Unix(ft/10_000_000-filetimeEpoch, ft%10_000_000*100).UTC()
	for i, v := range []int{
		t.Year(), int(t.Month()), int(t.Weekday()), t.Day(),
		t.Hour(), t.Minute(), t.Second(), t.Nanosecond() / 1_000_000,
	} {
		w.u16(at+36+2*i, uint16(v))
	}
	w.u64(at+56, uint64(or(b.PerfTime, 9_876_543_210_123)))
	w.u64(at+64, uint64(or(b.PerfFreq, 10_000_000)))
	w.u64(at+72, uint64(ft))
	w.fill(b.NameGap, Fill)
	if b.Name != "" {
		name := len(w.b)
		w.utf16(b.Name, true)
		w.len(at+80, len(w.b)-name)
		w.note("SystemName", name, len(w.b)-name)
	}
	w.u32(at+84, uint32(HeaderSize+b.NameGap))
	w.fill(b.HeaderGap, Fill)
	w.pad(at)
	w.len(at+24, len(w.b)-at)
	for i := range b.Objects {
		w.object(w.path("object[%d]", i), &b.Objects[i])
	}
	w.fill(b.Tail, Fill)
	w.len(at+20, len(w.b)-at)
}

func (w *writer) object(path string, o *Object) {
	at := len(w.b)
	w.fill(ObjectSize, 0)
	w.layout(path, at, objectLayout, ObjectSize)
	w.fill(o.HeaderExtra, Fill)
	w.u32(at+8, uint32(ObjectSize+o.HeaderExtra))
	w.u32(at+12, o.Title)
	w.u32(at+20, or(o.Help, o.Title+1))
	w.u32(at+28, or(o.DetailLevel, 100))
	w.len(at+32, len(o.Counters))
	w.u32(at+36, uint32(o.DefaultCounter))
	switch {
	case o.Single:
		w.u32(at+40, ^uint32(0))
	case len(o.Instances) > 0:
		w.len(at+40, len(o.Instances))
	default:
		w.u32(at+40, uint32(o.NumInstances))
	}
	w.u32(at+44, o.CodePage)
	w.u64(at+48, uint64(o.PerfTime))
	w.u64(at+56, uint64(o.PerfFreq))
	lay := arrange(o)
	for i := range o.Counters {
		w.definition(w.path("%s.counter[%d]", path, i), &o.Counters[i], lay.at[i])
	}
	w.fill(o.DefinitionGap, Fill)
	if !o.Packed {
		w.pad(at)
	}
	w.len(at+4, len(w.b)-at)
	if o.Single {
		var none Instance
		in := &none
		if len(o.Instances) > 0 {
			in = &o.Instances[0]
		}
		w.values(w.path("%s.instance[0]", path), o, lay, in)
	} else {
		for i := range o.Instances {
			w.instance(w.path("%s.instance[%d]", path, i), o, lay, &o.Instances[i])
		}
	}
	w.fill(o.Tail, Fill)
	w.len(at, len(w.b)-at)
}

// arrangement says where the values of an object stand in a counter block.
type arrangement struct {
	at   []Field
	size int
}

// SizeOf returns the bytes that the size bits of a counter type stand for,
// and 0 for those of no or of variable length.
func SizeOf(counterType uint32) int {
	switch counterType & 0x300 {
	case 0x000:
		return 4
	case 0x100:
		return 8
	}
	return 0
}

func arrange(o *Object) arrangement {
	a := arrangement{at: make([]Field, len(o.Counters))}
	next, end := 4, 4
	for i := range o.Counters {
		c := &o.Counters[i]
		size := or(c.Size, SizeOf(c.Type))
		off := c.Offset
		if off == 0 {
			off = next
			if unit := min(8, 1<<bits.TrailingZeros(uint(size))); !o.Packed && size > 0 {
				off = (off + unit - 1) &^ (unit - 1)
			}
			next = off + size
		}
		a.at[i] = Field{off, size}
		end = max(end, off+size)
	}
	if !o.Packed {
		end = (end + 7) &^ 7
	}
	a.size = end + o.BlockExtra
	return a
}

func (w *writer) definition(path string, c *Counter, value Field) {
	at := len(w.b)
	w.fill(DefinitionSize, 0)
	w.layout(path, at, definitionLayout, DefinitionSize)
	w.fill(c.Extra, Fill)
	w.u32(at, uint32(DefinitionSize+c.Extra))
	w.u32(at+4, c.Title)
	w.u32(at+12, or(c.Help, c.Title+1))
	w.u32(at+20, uint32(c.Scale))
	w.u32(at+24, or(c.DetailLevel, 100))
	w.u32(at+28, c.Type)
	w.len(at+32, value.Size)
	w.len(at+36, value.Off)
}

func (w *writer) instance(path string, o *Object, lay arrangement, in *Instance) {
	at := len(w.b)
	w.fill(InstanceSize, 0)
	w.layout(path, at, instanceLayout, InstanceSize)
	w.u32(at+4, in.ParentTitle)
	w.u32(at+8, in.Parent)
	w.u32(at+12, uint32(or(in.UniqueID, -1)))
	w.fill(in.NameGap, Fill)
	name := len(w.b)
	switch {
	case in.Unnamed:
	case in.RawName != nil:
		w.b = append(w.b, in.RawName...)
	case o.CodePage == 0:
		w.utf16(in.Name, !in.NoNul)
	default:
		for _, r := range in.Name {
			w.b = append(w.b, byte(r))
		}
		if !in.NoNul {
			w.b = append(w.b, 0)
		}
	}
	w.len(at+16, name-at)
	w.len(at+20, len(w.b)-name)
	if w.rec != nil {
		w.note(path+".Name", name, len(w.b)-name)
	}
	w.fill(in.NameStale, Fill)
	if !o.Packed {
		w.pad(at)
	}
	w.len(at, len(w.b)-at)
	w.values(path, o, lay, in)
}

func (w *writer) values(path string, o *Object, lay arrangement, in *Instance) {
	at := len(w.b)
	w.fill(lay.size-o.BlockExtra, 0)
	w.fill(o.BlockExtra+in.BlockExtra, Fill)
	w.len(at, lay.size+in.BlockExtra)
	if w.rec != nil {
		w.note(path+".block", at, lay.size+in.BlockExtra)
		w.leaf(path+".block.ByteLength", at, 4)
	}
	for i, f := range lay.at {
		if w.rec != nil {
			w.note(fmt.Sprintf("%s.value[%d]", path, i), at+f.Off, f.Size)
		}
		if raw, ok := in.Raw[i]; ok {
			copy(w.b[at+f.Off:at+f.Off+f.Size], raw)
			continue
		}
		if i >= len(in.Values) {
			continue
		}
		switch f.Size {
		case 4:
			w.u32(at+f.Off, uint32(in.Values[i]))
		case 8:
			w.u64(at+f.Off, in.Values[i])
		}
	}
}

func (w *writer) utf16(s string, nul bool) {
	for _, r := range s {
		if r < 0x80 {
			w.b = append(w.b, byte(r), 0)
			continue
		}
		for _, u := range utf16.AppendRune(nil, r) {
			w.b = binary.LittleEndian.AppendUint16(w.b, u)
		}
	}
	if nul {
		w.b = append(w.b, 0, 0)
	}
}

// UTF16 returns s as UTF-16LE, ended by a NUL.
func UTF16(s string) []byte {
	var w writer
	w.utf16(s, true)
	return w.b
}
