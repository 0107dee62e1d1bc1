package perfdata

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// The values of NumInstances that are not counts.
const (
	NoInstances    = -1 // one counter block without an instance
	MetadataMulti  = -2 // only definitions, of an object with instances
	MetadataSingle = -3 // only definitions, of an object without instances
)

// Object is a performance object: its counters and, for each instance, their
// values.
type Object struct {
	ObjectType

	block    *Block
	pos      int  // position in the block
	off      int  // offset in the block's bytes
	end      int  // of the object's bytes; less than its length if salvaged
	instEnd  int  // end of the last instance or counter block
	minBlock int  // the smallest counter block
	ragged   bool // the counter blocks hold different values
	bulk     bool // has ops
	closed   bool // its ops write nothing after a row

	counters, instances, ops span

	parentTitle uint32 // title of the instances' parents, if any
	parentAt    int32  // position of their object in the block, -1 if unknown or missing
	parentMixed bool   // not all parents have that title
	parentMax   uint32 // the largest position of a parent
	nameMax     uint32 // the longest name of an instance, in bytes
	orphans     bool   // parents are ignored, since their names are too long in total
	holes       bool   // instances were dropped, so positions of parents are not valid
}

// span is a range of one of the block's arenas.
type span struct{ from, to int32 }

// Offset returns the offset of the object in its file.
func (o *Object) Offset() int64 { return o.block.base + int64(o.off) }

// Position returns the zero-based position of the object in its block.
func (o *Object) Position() int { return o.pos }

// Path names the object in errors and spans.
func (o *Object) Path() perfdump.Path { return o.block.root.At(levelObject, o.pos) }

// Block returns the block that the object belongs to.
func (o *Object) Block() *Block { return o.block }

// Counters returns the definitions in order. The slice belongs to the block and must not be
// changed.
func (o *Object) Counters() []Counter {
	return o.block.counters[o.counters.from:o.counters.to:o.counters.to]
}

// Counter returns the definition at position i.
func (o *Object) Counter(i int) *Counter { return &o.block.counters[int(o.counters.from)+i] }

// CounterByIndex returns the position of the first counter with a title index.
func (o *Object) CounterByIndex(index uint32) (position int, ok bool) {
	for j := range o.Counters() {
		if o.Counter(j).CounterNameTitleIndex == index {
			return j, true
		}
	}
	return 0, false
}

// Len returns how many instances are present: 1, the unnamed one, for an
// object with one counter block; 0 for metadata.
func (o *Object) Len() int { return int(o.instances.to - o.instances.from) }

// Single reports whether the object has no instances but one unnamed set of values.
func (o *Object) Single() bool {
	return o.NumInstances == NoInstances || o.NumInstances == MetadataSingle
}

// Instance returns the instance at position i.
func (o *Object) Instance(i int) Instance {
	return Instance{object: o, pos: int32(i), place: o.block.places[int(o.instances.from)+i]}
}

// Instances yields the instances in their order.
func (o *Object) Instances() iter.Seq2[int, Instance] {
	return func(yield func(int, Instance) bool) {
		for i, at := range o.places() {
			if !yield(i, Instance{object: o, pos: int32(i), place: at}) {
				return
			}
		}
	}
}

// places returns the positions of the instances.
func (o *Object) places() []place { return o.block.places[o.instances.from:o.instances.to] }

// ask prefetches the bytes of the instances from up to but not including to.
func (o *Object) ask(from, to int) {
	places := o.places()
	if from >= len(places) {
		return
	}
	begin, end := int(places[from].off), o.instEnd
	if to < len(places) {
		end = int(places[to].off)
	}
	wire.Prefetch(o.block.raw[begin:min(end, begin+askSize)])
}

// askSize is how many bytes are prefetched at most.
const askSize = 32 << 10

// object decodes the object at off, the one at position pos. After an error in salvage
// mode, next is where to look for the following object, and the readable part of this one
// is kept.
func (d *Decoder) object(pos, off int) (next int, err *fault) {
	blk := d.block
	if off >= d.fetch {
		d.fetchAhead(off)
	}
	kept := len(blk.objects)
	path := d.root.At(levelObject, pos)
	left := d.end - off
	if left < objectSize {
		return off, d.cutFail(perfdump.CodeLength, off, path, "%d bytes remain for the %d of an object header", int64(left), objectSize)
	}
	blk.objects = append(blk.objects, Object{block: blk, pos: pos, off: off, end: d.end, minBlock: maxLength, parentAt: -1})
	o := &blk.objects[kept]
	o.load(d.b[off:])
	total := uint64(o.TotalByteLength)
	if total < objectSize || total > uint64(left) {
		err = d.cutFail(perfdump.CodeLength, off, path.Field("TotalByteLength"), "object of 0x%x bytes, but 0x%x remain", int64(total), int64(left))
		if pos == 0 && d.plausible(off+displacement) {
			err.wine = true
		}
		if d.Mode != perfdump.Salvage || total < objectSize {
			blk.objects = blk.objects[:kept]
			return off, err
		}
		next = d.end
	} else {
		o.end = off + int(total)
		next = o.end
	}
	if e := d.objectHeader(o, path); e != nil {
		blk.objects = blk.objects[:kept]
		return next, firstError(err, e)
	}
	k := d.know(o)
	if e := d.definitions(o, k, &path); e != nil {
		blk.objects = blk.objects[:kept]
		return next, firstError(err, e)
	}
	if e := d.instances(o, path); e != nil {
		err = firstError(err, e)
		if d.Mode != perfdump.Salvage {
			return next, err
		}
	}
	if e := d.long(o, k.traits&isText != 0 && o.longTexts(), path); e != nil {
		return next, firstError(err, e)
	}
	if k.traits&isText != 0 {
		if e := d.texts(o, path); e != nil {
			blk.objects = blk.objects[:kept]
			return next, firstError(err, e)
		}
	}
	d.values(o, k, &path)
	return next, err
}

func firstError(a, b *fault) *fault {
	if a != nil {
		return a
	}
	return b
}

// objectHeader checks the lengths and counts of an object, then reports what is
// unusual in its header.
func (d *Decoder) objectHeader(o *Object, path perfdump.Path) *fault {
	off := o.off
	header, definition := uint64(o.HeaderLength), uint64(o.DefinitionLength)
	if header < objectSize || header > definition || definition > uint64(o.TotalByteLength) || definition > uint64(o.end-off) {
		return d.fail(perfdump.CodeLength, off+4, path.Field("DefinitionLength"),
			"the header (0x%x bytes) and definitions (0x%x) do not fit in the object's 0x%x bytes", int64(header), int64(definition), int64(o.TotalByteLength))
	}
	if n := uint64(o.NumCounters); n*counterSize > definition-header {
		return d.fail(perfdump.CodeCount, off+32, path.Field("NumCounters"),
			"%d counters need 0x%x bytes, the definitions have 0x%x", int64(n), int64(n*counterSize), int64(definition-header))
	}
	if o.NumInstances > 0 {
		n, room := uint64(o.NumInstances), uint64(o.TotalByteLength)-definition
		if n*(instanceSize+valuesSize) > room {
			return d.fail(perfdump.CodeCount, off+40, path.Field("NumInstances"),
				"%d instances need 0x%x bytes, but 0x%x remain", int64(n), int64(n*(instanceSize+valuesSize)), int64(room))
		}
		limit := uint64(d.Limits.MaxValues(int(o.TotalByteLength)))
		if product := n * uint64(o.NumCounters); product > limit {
			return d.fail(perfdump.CodeLimit, off+40, path.Field("NumInstances"),
				"%d counters in %d instances exceed the limit of %d values", int64(o.NumCounters), int64(n), int64(limit))
		}
	}
	if o.ObjectNameTitle != 0 || o.ObjectHelpTitle != 0 {
		d.anomaly(codeTitlePointer, off+16, path.Field("ObjectNameTitle"), "pointers 0x%x, 0x%x where 0 belongs", int64(o.ObjectNameTitle), int64(o.ObjectHelpTitle))
	}
	if o.DetailLevel < 100 || o.DetailLevel > 400 {
		d.anomaly(codeDetail, off+28, path.Field("DetailLevel"), "level %d is not in 100..400", int64(o.DetailLevel))
	}
	if c := int64(o.DefaultCounter); c != 0 && (c < -1 || c >= int64(o.NumCounters)) {
		d.anomaly(codeDefaultCounter, off+36, path.Field("DefaultCounter"), "position %d of %d counters", c, int64(o.NumCounters))
	}
	return nil
}
