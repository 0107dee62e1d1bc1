package blg

import (
	"fmt"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

// SeriesKind is the kind of data that a record holds for an item.
type SeriesKind uint8

// The kinds of series, and the value for any other. If a record ends before an item, it has
// no series for it.
const (
	Single     SeriesKind = 1    // one value
	Instances  SeriesKind = 2    // all instances of one counter
	Object     SeriesKind = 5    // a whole object, as a block of perfdata
	CounterSet SeriesKind = 0x15 // a whole version 2 counter set, as a block of perflib2
	Unreadable SeriesKind = 255  // of another kind, or damaged
)

var kindWords = map[SeriesKind]string{
	Single: "single", Instances: "instances", Object: "object", CounterSet: "counter-set", Unreadable: "unreadable",
}

// String returns the word of k: "single", "instances", "object", "counter-set".
func (k SeriesKind) String() string {
	if word, ok := kindWords[k]; ok {
		return word
	}
	return fmt.Sprintf("SeriesKind(%d)", uint8(k))
}

// Series is what a record holds for one item. It and everything returned by it is valid
// until the next record is requested.
type Series struct {
	Item   *Item // nil if the log has no item list; then Kind is Object or CounterSet
	Kind   SeriesKind
	Status uint32 // PDH status: 0 and 1 are valid; 0 for objects and counter sets
	Local  int64  // time of the sample, a FILETIME of its machine's local time; 0 for objects and counter sets

	body   []byte
	n      int
	off    int // of body in the event
	index  int
	record *Record
}

// Value is a value of a series.
type Value struct {
	// Sample is the value for countertypes.Cook. Its status is StatusInvalidData if the log
	// has no value.
	Sample countertypes.Sample
	// RawName is the instance's name in UTF-16, nil for an object without
	// instances. It is a view into the record.
	RawName []byte
	// Occurrence is the position among equal names of the record: k of name#k.
	Occurrence int
}

// AppendName appends the name of the instance to dst in UTF-8, without its number. It does
// not allocate if dst has capacity.
func (v *Value) AppendName(dst []byte) []byte { return wire.AppendUTF16(dst, v.RawName) }

// Name returns the name of the instance, without its number.
func (v *Value) Name() string { return wire.UTF16(v.RawName) }

// Valid reports whether the status is that of valid values.
func (s *Series) Valid() bool { return s.Status <= 1 }

// Len returns the number of values: one for Single, any number for Instances, and none for
// others: the values of an Object or a CounterSet are in its block.
func (s *Series) Len() int { return s.n }

// Values yields the values, each with its position. Instances whose names
// cannot be read are left out.
func (s *Series) Values() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if s.n == 0 {
			return
		}
		v := Value{Sample: s.Sample(0)}
		if s.Kind == Single {
			v.RawName, v.Occurrence = s.Item.rawInstance, s.Item.Path.Index
			if !s.Item.Path.HasInstance {
				v.RawName = nil
			}
			yield(0, v)
			return
		}
		names := &s.record.names
		names.reset(s.body, s.n)
		for i := range s.n {
			b := s.body[etl.InstancesBodySize+i*etl.InstanceEntrySize:][:etl.InstanceEntrySize:etl.InstanceEntrySize]
			from := wire.U32(b, 0)
			if uint64(from) >= uint64(len(s.body)) {
				continue
			}
			v.RawName, v.Occurrence = names.add(from)
			v.Sample.First, v.Sample.Second, v.Sample.Multi = s.Tuple(i)
			if !yield(i, v) {
				return
			}
		}
	}
}

// AppendLayout appends a key of the instances of a series: series with equal keys have the
// same instances at the same positions. ok is false if no key can be computed.
func (s *Series) AppendLayout(dst []byte) (layout []byte, ok bool) {
	if s.Kind != Instances {
		return dst, true
	}
	names := etl.InstancesBodySize + s.n*etl.InstanceEntrySize
	for i := range s.n {
		b := s.body[etl.InstancesBodySize+i*etl.InstanceEntrySize:][:4]
		if uint64(wire.U32(b, 0)) < uint64(names) {
			return dst, false // among the values
		}
		dst = append(dst, b...)
	}
	return append(dst, s.body[names:]...), true
}

// Sample returns the sample of the value at a position below Len, as Values does.
func (s *Series) Sample(i int) countertypes.Sample {
	v := countertypes.Sample{Type: s.Item.CounterType, TimeBase: s.Item.TimeBase, DefaultScale: s.Item.scale}
	if !s.Valid() {
		v.Status = countertypes.StatusInvalidData
	}
	v.First, v.Second, v.Multi = s.Tuple(i)
	return v
}

// Tuple returns the part of Sample that differs between the values of a series.
func (s *Series) Tuple(i int) (first, second uint64, multi uint32) {
	if s.Kind == Single {
		b := s.body[:etl.ValueBodySize:etl.ValueBodySize]
		return wire.U64(b, 16), wire.U64(b, 24), wire.U32(b, 32)
	}
	b := s.body[etl.InstancesBodySize+i*etl.InstanceEntrySize:][:etl.InstanceEntrySize:etl.InstanceEntrySize]
	return wire.U64(b, 8), wire.U64(b, 16), max(1, wire.U32(b, 4))
}

// Block decodes the block of an Object. It differs from a block of the registry in one way:
// its SystemTime is local time, and only PerfTime100nSec is UTC. The block is valid until
// the next record is requested; use its Clone to keep it. The errors are those of perfdata,
// with offsets in the block.
func (s *Series) Block() (*perfdata.Block, error) {
	if s.Kind != Object {
		return nil, perfdump.NewError(perfdump.CodeSyntax, s.record.event.at(s.off), s.Path(), "a series of kind %s has no block", s.Kind)
	}
	d := reused(&s.record.blocks, s.index)
	d.Options.CodePage = s.record.page
	return d.Decode(s.body)
}

// SetBlock decodes the block of a CounterSet, as [Series.Block] does that of an Object. The
// errors are those of perflib2, with offsets in the block.
func (s *Series) SetBlock() (*perflib2.Block, error) {
	if s.Kind != CounterSet {
		return nil, perfdump.NewError(perfdump.CodeSyntax, s.record.event.at(s.off), s.Path(), "a series of kind %s has no block of a counter set", s.Kind)
	}
	return reused(&s.record.parsed, s.index).Decode(s.body)
}

// Registration returns the registration of the counter set of b, the block of a CounterSet,
// or nil. It belongs to the log.
func (s *Series) Registration(b *perflib2.Block) *perflib2.Registration {
	if s.Item == nil {
		return nil
	}
	return s.record.sets.find(s.Item, b)
}

// BlockBytes returns the bytes of the block of an Object or a CounterSet, otherwise nil.
func (s *Series) BlockBytes() []byte {
	if s.Kind != Object && s.Kind != CounterSet {
		return nil
	}
	return s.body
}

// Position returns the position of the series in its record, from 0.
func (s *Series) Position() int { return s.index }

// FileOffset returns the file offset of byte i of the block of an Object or a CounterSet.
// Records are split into parts, so a block may not be contiguous.
func (s *Series) FileOffset(i int) int64 { return s.record.event.at(s.off + i) }

// Path returns the path of a series: buffer[2].record[0].series[1].
func (s *Series) Path() perfdump.Path { return s.record.event.path().At(levelSeries, s.index) }

// offset returns UTC minus the local time of the series' machine, if the series has what is
// needed to compute it.
func (s *Series) offset() (ticks int64, source OffsetSource) {
	switch s.Kind {
	case Object:
		return blockOffset(s.body)
	case Single:
		if s.hasUTC() && s.Valid() {
			return valueOffset(int64(wire.U64(s.body, 24)), s.Local)
		}
	case Instances:
		if s.hasUTC() && s.Valid() && s.n > 0 {
			return valueOffset(int64(wire.U64(s.body, etl.InstancesBodySize+16)), s.Local)
		}
	default: // holds no times
	}
	return 0, OffsetNone
}

// hasUTC reports whether the second value of the series is a FILETIME in UTC.
func (s *Series) hasUTC() bool {
	t := s.Item.CounterType
	return t.Kind() == countertypes.KindCounter && t.Clock() == countertypes.Clock100ns && t.Subtype() != countertypes.CounterPrecision
}
