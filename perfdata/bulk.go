package perfdata

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/perfdump/perfdump"
)

// op reads the values of up to eight consecutive counters. The ops of an object whose
// values have the same offsets in every counter block are made once, and then run without
// branches for all widths, orders and gaps: a lane is the 8 bytes at an offset of the op's
// window under a mask. An empty mask gives the 0 of a counter without an integer.
type op struct {
	off  uint32 // of the window in a counter block
	at   uint32 // the first counter
	n    uint32 // how many counters
	lane [opLanes]uint8
	mask [opLanes]uint64
}

// The lanes after the last counter of an op write 0 to values that the next op or the next
// row then sets.
const (
	opLanes  = 8
	opWindow = 255 + 8 // bytes that the lanes may read
)

// fewInstances is the number of instances up to which ops cost more to make than they save.
const fewInstances = 4

// values checks the definitions of o against its smallest counter block, once
// for all instances, and makes the ops that the bulk accessors run.
func (d *Decoder) values(o *Object, k *knownObject, path *perfdump.Path) {
	counters := o.Counters()
	d.usedObjects++
	d.usedCounters += len(counters)
	d.usedBytes += int(o.DefinitionLength)
	many := o.Len() >= fewInstances
	if k.minBlock == o.minBlock {
		o.ops, o.closed, o.bulk = k.ops, k.closed, true
		return
	}
	told := d.block.anomalies.Len()
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
	if many && !o.ragged {
		d.makeOps(o, counters)
		if k.plain && k.traits&isMulti == 0 && d.block.anomalies.Len() == told {
			k.minBlock, k.ops, k.closed = o.minBlock, o.ops, o.closed
		}
	}
}

func (d *Decoder) valueRange(o *Object, c *Counter, size int, path perfdump.Path) {
	off, want := int64(c.CounterOffset), int64(c.CounterSize)
	at := c.offset(o) + 36
	switch {
	case off < valuesSize:
		d.anomaly(codeValueRange, at, path.Field("CounterOffset"), "value at %d, inside the counter block's length", off)
	case size == 0:
		o.ragged = o.ragged || o.Len() > 0 && off <= maxLength
		d.anomaly(codeValueRange, at, path.Field("CounterOffset"), "value at 0x%x..0x%x is past the smallest counter block", off, off+want)
	default:
		o.ragged = true
		if !c.sizeMismatch() {
			d.anomaly(codeSizeMismatch, at-4, path.Field("CounterSize"), "CounterSize %d exceeds the counter block; the %d bytes of the type are read", want, int64(size))
		}
	}
}

// makeOps covers the counters of o with ops.
func (d *Decoder) makeOps(o *Object, counters []Counter) {
	blk := d.block
	o.ops.from = int32(len(blk.ops))
	last := len(counters) - opLanes
	for j := 0; j < len(counters); {
		p := op{at: uint32(j)}
		p.cover(counters[j:min(j+opLanes, len(counters))], o.minBlock)
		if j > last && last >= 0 {
			// Some values are read twice, and none after the row is written.
			back := op{at: uint32(last)}
			if back.cover(counters[last:], o.minBlock); back.n == opLanes {
				p, j = back, last
			}
		}
		blk.ops = append(reserve(blk.ops, 1), p)
		j += int(p.n)
		o.closed = p.n == opLanes
	}
	o.ops.to = int32(len(blk.ops))
	o.bulk = true
}

// cover makes lanes for counters, up to the first whose value is too far from those before.
// At least one is covered.
func (p *op) cover(counters []Counter, block int) {
	from, to := uint32(maxLength), uint32(0)
	for j := range counters {
		c := &counters[j]
		if c.isInteger() && c.extent(block) != 0 {
			low, high := min(from, c.CounterOffset), max(to, c.CounterOffset)
			if high-low > math.MaxUint8 {
				break
			}
			from, to = low, high
			p.mask[j] = 1<<(8*c.CounterSize) - 1
		}
		p.n++
	}
	for j := range counters[:p.n] {
		if p.mask[j] != 0 {
			p.off, p.lane[j] = from, uint8(counters[j].CounterOffset-from)
		}
	}
}

// AppendUint64s appends the values of all instances to dst, instance by instance and in the
// order of the counters: NumCounters x Len values. Values that are absent or not an integer
// of 4 or 8 bytes are 0. It only allocates to grow dst.
func (o *Object) AppendUint64s(dst []uint64) []uint64 { return o.AppendRows(dst, 0, o.Len()) }

// AppendRows is AppendUint64s for the instances from up to but not including to. Reading
// some tens of them at a time into the same dst is the fastest way to iterate over large
// objects: the values stay in the processor's fastest cache.
func (o *Object) AppendRows(dst []uint64, from, to int) []uint64 {
	places, n := o.places()[from:to], len(o.Counters())
	dst = slices.Grow(dst, len(places)*n)
	if !o.bulk {
		for i := from; i < to; i++ {
			dst = o.Instance(i).AppendUint64s(dst)
		}
		return dst
	}
	out := dst[len(dst) : len(dst)+len(places)*n]
	o.gather(out, places)
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

// gather reads the values of instances of o, a row each.
func (o *Object) gather(out []uint64, from []place) {
	n, raw, ops := len(o.Counters()), o.block.raw, o.block.ops[o.ops.from:o.ops.to]
	reach := o.minBlock + opWindow
	if o.closed {
		for len(from) >= 2 && int(max(from[0].values, from[1].values))+reach <= len(raw) {
			two(ops, out[:n], out[n:n+n], raw[from[0].values:], raw[from[1].values:])
			out, from = out[n+n:], from[2:]
		}
	}
	for i := range from {
		at, row := int(from[i].values), out[i*n:]
		if at+reach > len(raw) || n+opLanes > len(row) {
			gatherTail(ops, row[:n], raw[at:])
			continue
		}
		one(ops, row[:n+opLanes], raw[at:])
	}
}

// one reads a row. There must be space for a window after the block and for lanes after the
// row.
func one(ops []op, row []uint64, b []byte) {
	le := binary.LittleEndian
	for k := range ops {
		p := &ops[k]
		off, at := int(p.off), int(p.at)
		w := b[off : off+opWindow : off+opWindow]
		d := row[at : at+opLanes : at+opLanes]
		d[0] = le.Uint64(w[p.lane[0]:]) & p.mask[0]
		d[1] = le.Uint64(w[p.lane[1]:]) & p.mask[1]
		d[2] = le.Uint64(w[p.lane[2]:]) & p.mask[2]
		d[3] = le.Uint64(w[p.lane[3]:]) & p.mask[3]
		d[4] = le.Uint64(w[p.lane[4]:]) & p.mask[4]
		d[5] = le.Uint64(w[p.lane[5]:]) & p.mask[5]
		d[6] = le.Uint64(w[p.lane[6]:]) & p.mask[6]
		d[7] = le.Uint64(w[p.lane[7]:]) & p.mask[7]
	}
}

// two reads two rows with each op, using ops that write nothing after them. There must be
// space for a window after both blocks.
func two(ops []op, row, next []uint64, a, b []byte) {
	le := binary.LittleEndian
	for k := range ops {
		p := &ops[k]
		off, at := int(p.off), int(p.at)
		v := a[off : off+opWindow : off+opWindow]
		w := b[off : off+opWindow : off+opWindow]
		d := row[at : at+opLanes : at+opLanes]
		e := next[at : at+opLanes : at+opLanes]
		l, m := p.lane[0], p.mask[0]
		d[0], e[0] = le.Uint64(v[l:])&m, le.Uint64(w[l:])&m
		l, m = p.lane[1], p.mask[1]
		d[1], e[1] = le.Uint64(v[l:])&m, le.Uint64(w[l:])&m
		l, m = p.lane[2], p.mask[2]
		d[2], e[2] = le.Uint64(v[l:])&m, le.Uint64(w[l:])&m
		l, m = p.lane[3], p.mask[3]
		d[3], e[3] = le.Uint64(v[l:])&m, le.Uint64(w[l:])&m
		l, m = p.lane[4], p.mask[4]
		d[4], e[4] = le.Uint64(v[l:])&m, le.Uint64(w[l:])&m
		l, m = p.lane[5], p.mask[5]
		d[5], e[5] = le.Uint64(v[l:])&m, le.Uint64(w[l:])&m
		l, m = p.lane[6], p.mask[6]
		d[6], e[6] = le.Uint64(v[l:])&m, le.Uint64(w[l:])&m
		l, m = p.lane[7], p.mask[7]
		d[7], e[7] = le.Uint64(v[l:])&m, le.Uint64(w[l:])&m
	}
}

// gatherTail reads a row at the end of the values or of the bytes.
func gatherTail(ops []op, row []uint64, b []byte) {
	for k := range ops {
		p := &ops[k]
		for l := range p.n {
			at := int(p.off) + int(p.lane[l])
			switch p.mask[l] {
			case 0:
				row[p.at+l] = 0
			case math.MaxUint32:
				row[p.at+l] = uint64(binary.LittleEndian.Uint32(b[at:]))
			default:
				row[p.at+l] = binary.LittleEndian.Uint64(b[at:])
			}
		}
	}
}

// AppendColumn appends the values of one counter in all instances to dst, with 0 for values
// that are absent or not an integer.
func (o *Object) AppendColumn(dst []uint64, counter int) []uint64 {
	c := o.Counter(counter)
	dst = slices.Grow(dst, o.Len())
	for _, in := range o.Instances() {
		v, _ := c.uint64(in.BlockBytes())
		dst = append(dst, v)
	}
	return dst
}
