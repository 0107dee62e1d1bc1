package perfdata

import (
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Block is one answer of the performance registry: a computer's counters at one moment. It
// is a view over the bytes that it was decoded from, and safe for concurrent use.
type Block struct {
	DataBlock

	raw       []byte // the block and trailing bytes
	rest      []byte // from the next block's signature on
	size      int    // the block alone
	base      int64  // offset of the block in its file
	name      []byte // the computer's name in the header
	root      perfdump.Path
	options   perfdump.Options
	objects   []Object
	byTitle   map[uint32]int32 // first object of each title, if there are many
	counters  []Counter
	places    []place // of the instances
	ops       []op
	anomalies perfdump.Anomalies
	faults    []*fault // they never change
}

func (b *Block) reset(o perfdump.Options, base int64) {
	b.anomalies.Reset(o.Limits.MaxAnomalies())
	clear(b.byTitle)
	b.options, b.base = o, base
	b.raw, b.rest, b.name, b.size = nil, nil, nil, 0
	b.objects, b.places, b.faults = b.objects[:0], b.places[:0], nil
}

// reserve grows s for n more elements. It doubles a slice; append grows a long one by a
// quarter and so copies a large block's elements four times.
func reserve[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	return slices.Grow(s, max(n, len(s)))
}

// Clone returns a copy that shares no memory with b.
func (b *Block) Clone() *Block {
	c := *b
	c.raw = slices.Clone(b.raw)
	c.rest = slices.Clone(b.rest)
	c.name = slices.Clone(b.name)
	c.objects = slices.Clone(b.objects)
	c.byTitle = maps.Clone(b.byTitle)
	c.counters = slices.Clone(b.counters)
	c.places = slices.Clone(b.places)
	c.ops = slices.Clone(b.ops)
	c.anomalies = b.anomalies.Clone()
	c.faults = slices.Clone(b.faults)
	for i := range c.objects {
		c.objects[i].block = &c
	}
	return &c
}

// Bytes returns the bytes of the block and what follows it, up to the next block or the end
// of the input. They alias the input.
func (b *Block) Bytes() []byte { return b.raw }

// Size returns the length of the block without trailing bytes.
func (b *Block) Size() int { return b.size }

// Offset returns the offset of the block in its file.
func (b *Block) Offset() int64 { return b.base }

// Rest returns the input from the next block's signature on, nil if there is none.
func (b *Block) Rest() []byte { return b.rest }

// AppendBinary appends the bytes of the block, including trailing bytes, to dst. To encode
// something else, use its [Tree].
func (b *Block) AppendBinary(dst []byte) ([]byte, error) { return append(dst, b.raw...), nil }

// ComputerName returns the name of the machine without its NUL, "" if the header has none.
func (b *Block) ComputerName() string {
	name := b.name
	if i := wire.IndexNUL16(name); i >= 0 {
		name = name[:i]
	}
	return wire.UTF16(name)
}

// Time returns the time of the block, from its SystemTime or else its PerfTime100nSec. It
// returns false if neither is a time up to the year 9999, the last that RFC 3339 can
// represent.
func (b *Block) Time() (time.Time, bool) {
	if t, ok := b.SystemTime.Time(); ok && t.Year() <= lastYear {
		return t, true
	}
	if t := Filetime(b.PerfTime100nSec); b.PerfTime100nSec > 0 && t.Year() <= lastYear {
		return t, true
	}
	return time.Time{}, false
}

// NumObjects returns how many objects were decoded. It differs from
// NumObjectTypes only in salvage mode.
func (b *Block) NumObjects() int { return len(b.objects) }

// Object returns the object at position i, in the order of the block.
func (b *Block) Object(i int) *Object { return &b.objects[i] }

// Objects yields the objects in the order of the block.
func (b *Block) Objects() iter.Seq2[int, *Object] {
	return func(yield func(int, *Object) bool) {
		for i := range b.objects {
			if !yield(i, &b.objects[i]) {
				return
			}
		}
	}
}

// manyObjects is the number of objects from which a map is faster than a linear search.
const manyObjects = 16

// ObjectByIndex returns the first object whose name has the given title index.
func (b *Block) ObjectByIndex(title uint32) (*Object, bool) {
	i := b.find(title)
	if i < 0 {
		return nil, false
	}
	return &b.objects[i], true
}

// find returns the position of the first object with a title, or -1.
func (b *Block) find(title uint32) int32 {
	if len(b.objects) > manyObjects {
		if i, ok := b.byTitle[title]; ok {
			return i
		}
		return -1
	}
	for i := range b.objects {
		if b.objects[i].ObjectNameTitleIndex == title {
			return int32(i)
		}
	}
	return -1
}

func (b *Block) indexTitles() {
	if len(b.objects) <= manyObjects {
		return
	}
	if b.byTitle == nil {
		b.byTitle = make(map[uint32]int32, len(b.objects))
	}
	for i := range b.objects {
		title := b.objects[i].ObjectNameTitleIndex
		if _, ok := b.byTitle[title]; !ok {
			b.byTitle[title] = int32(i)
		}
	}
}

// Anomalies returns what is unusual but could be read.
func (b *Block) Anomalies() *perfdump.Anomalies { return &b.anomalies }
