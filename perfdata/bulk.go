package perfdata

import (
	"encoding/binary"
	"slices"

	"github.com/perfdump/perfdump"
)

// op moves some integers that lie one after the other from a counter block to
// the values of its instance. All ops of an object whose values lie at the
// same places in every block are made once, sorted by what they move, so that
// a loop over them does not branch.
type op struct{ off, at uint32 }

// The kinds of ops: how many integers of which width. The blank ones put a 0
// where a counter has no integer.
const (
	op8x4 = iota
	op8x2
	op8
	op4x4
	op4x2
	op4
	opBlank
	opKinds
)

// fewInstances is up to where ops cost more to make than they save.
const fewInstances = 4

// values checks the definitions of o against its smallest counter block, once
// for all instances, and makes the ops that the bulk accessors run.
func (d *Decoder) values(o *Object, path *perfdump.Path) {
	counters := o.Counters()
	for j := range counters {
		c := &counters[j]
		size := c.extent(o.minBlock)
		if uint64(size) != uint64(c.CounterSize) {
			d.valueRange(o, c, size, path.At(levelCounter, j))
		}
		if c.traits&(isMulti|isBase) == isMulti {
			d.multi(o, j, path.At(levelCounter, j))
		}
	}
	if o.Len() >= fewInstances && !o.ragged {
		d.makeOps(o, counters)
	}
}

func (d *Decoder) valueRange(o *Object, c *Counter, size int, path perfdump.Path) {
	off, want := int64(c.CounterOffset), int64(c.CounterSize)
	at := int(c.off) + 36
	switch {
	case off < valuesSize:
		d.anomaly(ValueRange, at, path.Field("CounterOffset"), "value at %d, inside the counter block's length", off)
	case size == 0:
		o.ragged = o.ragged || o.Len() > 0 && off <= maxLength
		d.anomaly(ValueRange, at, path.Field("CounterOffset"), "value at 0x%x..0x%x is past the smallest counter block", off, off+want)
	default:
		o.ragged = true
		if !c.sizeMismatch() {
			d.anomaly(SizeMismatch, at-4, path.Field("CounterSize"), "CounterSize %d runs over the counter block; the type's %d are read", want, int64(size))
		}
	}
}

// makeOps cuts the rows of integers of o into ops.
func (d *Decoder) makeOps(o *Object, counters []Counter) {
	for kind := range d.kinds {
		d.kinds[kind] = d.kinds[kind][:0]
	}
	for j := 0; j < len(counters); {
		c := &counters[j]
		if !c.IsInteger() || c.extent(o.minBlock) == 0 {
			d.kinds[opBlank] = append(d.kinds[opBlank], op{0, uint32(j)})
			j++
			continue
		}
		n := 1
		for n < 4 && j+n < len(counters) && counters[j+n].follows(&counters[j+n-1]) {
			n++
		}
		kind := op8
		if c.CounterSize == 4 {
			kind = op4
		}
		switch n {
		case 4:
			kind -= 2
		case 2, 3:
			n = 2
			kind--
		}
		d.kinds[kind] = append(d.kinds[kind], op{c.CounterOffset, uint32(j)})
		j += n
	}
	blk := &d.block
	for kind, ops := range d.kinds {
		o.ops[kind].from = int32(len(blk.ops))
		blk.ops = append(blk.ops, ops...)
		o.ops[kind].to = int32(len(blk.ops))
	}
	o.bulk = true
}

// follows reports whether c is an integer of the same width right behind b's.
func (c *Counter) follows(b *Counter) bool {
	return c.IsInteger() && c.CounterSize == b.CounterSize && c.CounterOffset == b.CounterOffset+b.CounterSize
}

// AppendUint64s appends the values of all instances to dst, instance by
// instance and in the order of the counters: NumCounters x Len values. What
// is absent or no integer of 4 or 8 bytes stands as 0. This is the fast way
// to read a block; it allocates only to let dst grow.
func (o *Object) AppendUint64s(dst []uint64) []uint64 {
	n := len(o.Counters())
	dst = slices.Grow(dst, o.Len()*n)
	if !o.bulk {
		for _, in := range o.Instances() {
			dst = in.AppendUint64s(dst)
		}
		return dst
	}
	out := dst[len(dst) : len(dst)+o.Len()*n]
	prog, raw := o.program(), o.block.raw
	for i, off := range o.instanceStarts() {
		if o.NumInstances != NoInstances {
			off += binary.LittleEndian.Uint32(raw[off:])
		}
		prog.run(raw[off:int(off)+o.minBlock], out[i*n:][:n])
	}
	return dst[:len(dst)+len(out)]
}

// AppendUint64s appends the values of all counters of the instance to dst, as
// [Object.AppendUint64s] does.
func (in Instance) AppendUint64s(dst []uint64) []uint64 {
	block := in.BlockBytes()
	counters := in.object.Counters()
	for j := range counters {
		v, _ := counters[j].uint64(block)
		dst = append(dst, v)
	}
	return dst
}

// program is the ops of an object by kind.
type program [opKinds][]op

func (o *Object) program() (p program) {
	for kind, s := range o.ops {
		p[kind] = o.block.ops[s.from:s.to]
	}
	return p
}

// run does the ops of a program. All of them were made to lie in b and out, so
// the checks that remain never fail.
func (p *program) run(b []byte, out []uint64) {
	le := binary.LittleEndian
	for _, o := range p[op8x4] {
		s, d := b[o.off:], out[o.at:]
		if len(s) < 32 || len(d) < 4 {
			return
		}
		d[0], d[1], d[2], d[3] = le.Uint64(s), le.Uint64(s[8:]), le.Uint64(s[16:]), le.Uint64(s[24:])
	}
	for _, o := range p[op8x2] {
		s, d := b[o.off:], out[o.at:]
		if len(s) < 16 || len(d) < 2 {
			return
		}
		d[0], d[1] = le.Uint64(s), le.Uint64(s[8:])
	}
	for _, o := range p[op8] {
		out[o.at] = le.Uint64(b[o.off:])
	}
	for _, o := range p[op4x4] {
		s, d := b[o.off:], out[o.at:]
		if len(s) < 16 || len(d) < 4 {
			return
		}
		v, w := le.Uint64(s), le.Uint64(s[8:])
		d[0], d[1], d[2], d[3] = uint64(uint32(v)), v>>32, uint64(uint32(w)), w>>32
	}
	for _, o := range p[op4x2] {
		s, d := b[o.off:], out[o.at:]
		if len(s) < 8 || len(d) < 2 {
			return
		}
		v := le.Uint64(s)
		d[0], d[1] = uint64(uint32(v)), v>>32
	}
	for _, o := range p[op4] {
		out[o.at] = uint64(le.Uint32(b[o.off:]))
	}
	for _, o := range p[opBlank] {
		out[o.at] = 0
	}
}

// AppendColumn appends the values of one counter in all instances to dst,
// with 0 for what is absent or no integer.
func (o *Object) AppendColumn(dst []uint64, counter int) []uint64 {
	c := o.Counter(counter)
	dst = slices.Grow(dst, o.Len())
	for _, in := range o.Instances() {
		v, _ := c.uint64(in.BlockBytes())
		dst = append(dst, v)
	}
	return dst
}
