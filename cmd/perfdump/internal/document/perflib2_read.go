package document

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perflib2"
)

// The sizes of the structs of the format.
const (
	setsHeaderSize   = 48
	resultHeaderSize = 16
	pairSize         = 8
)

// setsReader reads a block of version 2 counter sets. What a document leaves out
// is canonical: sizes are what the parts take, padded to 8 with zeros.
type setsReader struct {
	*decoder
	c   *canvas
	end int64 // of the parts, without the padding after them
}

func (d *decoder) perfLib2(c *canvas) error {
	p := &setsReader{decoder: d, c: c, end: setsHeaderSize}
	var sets setsDoc
	for _, f := range sets.fields(absent{}) {
		if d.has(f.key) && f.key != "counters" {
			if err := d.at(f.key).value(f.value); err != nil {
				return err
			}
		}
	}
	r, next, n := d.at("counters"), p.end, uint32(0)
	words, ticks, err := sets.time.resolve(r, sets.time100)
	if err != nil {
		return err
	}
	err = r.array(func(int) (err error) {
		n++
		next, err = p.result(r, next)
		return err
	})
	if err != nil {
		return err
	}
	total := sets.total.or(next)
	switch {
	case total > math.MaxUint32:
		return tooLong("a block of 0x%x bytes; the limit is 4 GiB", total)
	case p.end > total:
		return misfit(total, "wire.total_size", "0x%x, but the counters take 0x%x bytes", total, p.end)
	}
	h := &sets.head
	h.TotalSize, h.NumCounters = uint32(total), n
	h.SystemTime, h.PerfTime100ns, h.PerfFreq = words, ticks, sets.freq.or(defaultFreq)
	if err := c.put(0, wire.AppendStruct(nil, h)); err != nil {
		return err
	}
	if !sets.total.ok {
		c.fillIn(0, next)
	}
	if d.hasGaps || d.has("wire") || d.hasWire("counters") {
		return d.finish(c)
	}
	return c.grow(next) // what no field holds is padding
}

func pair32[A, B int | int64 | uint32](first A, second B) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(first)), uint32(second))
}

// part puts a part that begins with two words, of which its size is the first, or,
// of a value, the second. It returns where the next part begins. A size that the
// document leaves out is that of the content, up to a place.
func (p *setsReader) part(r *reader, key string, size *opt, begin, content int64, words func(size int64) []byte) (int64, error) {
	if !size.ok {
		size.v = align8(content - begin)
		p.c.fillIn(begin, begin+size.v)
	}
	end := begin + align8(size.v)
	switch {
	case size.v > math.MaxUint32:
		return 0, tooLong("a part of 0x%x bytes; the limit is 4 GiB", size.v)
	case content > end:
		return 0, misfit(begin, string(r.path)+".wire."+key, "0x%x, but there are 0x%x bytes", size.v, content-begin)
	}
	b := words(size.v)
	if err := p.c.put(begin, b); err != nil {
		fe := wire.AsFormatError(err)
		fe.Path = string(r.path)
		return 0, fe
	}
	p.end = max(p.end, begin+int64(len(b)))
	return end, nil
}

// result puts a result at a place, and returns where the next one begins.
func (p *setsReader) result(r *reader, begin int64) (int64, error) {
	d := resultDoc{head: perflib2.CounterHeader{Type: math.MaxUint32}}
	from := r.offset()
	if err := r.value(d.fields(numbers(&d.ids), &d.instances)); err != nil {
		return 0, err
	}
	n, err := p.count(d.instances, string(r.path)+".instances")
	if err != nil {
		return 0, err
	}
	t, counters := d.head.Type, 1
	single := t == perflib2.SingleCounter || t == perflib2.MultiCounters
	if hasIDs(t) {
		counters = len(d.ids)
	}
	switch {
	case t == math.MaxUint32:
		return 0, r.errorAt(syntax, from, "the counter has no type")
	case !hasIDs(t) && len(d.ids) > 0:
		return 0, r.errorAt(perfdump.CodeCount, -1, "%d ids in a result of type %s, which has none", len(d.ids), t)
	case single && n != 1, !single && !hasInstances(t) && n > 0:
		return 0, r.errorAt(perfdump.CodeCount, -1, "%d instances in a result of type %s", n, t)
	}
	at := begin + resultHeaderSize
	if hasIDs(t) {
		ids := pair32(0, len(d.ids))
		for _, id := range d.ids {
			ids = binary.LittleEndian.AppendUint32(ids, id)
		}
		at, err = p.part(r, "ids_size", &d.idsSize, at, at+int64(len(ids)), func(size int64) []byte {
			binary.LittleEndian.PutUint32(ids, uint32(size))
			return ids
		})
		if err != nil {
			return 0, err
		}
	}
	list := at
	if hasInstances(t) {
		at += pairSize
	}
	p.end = max(p.end, at)
	if n > 0 {
		if at, err = p.instances(string(r.path)+".instances", &d, counters, at); err != nil {
			return 0, err
		}
	}
	content := func(size opt) int64 {
		if size.ok {
			return p.end
		}
		return max(p.end, at)
	}
	if hasInstances(t) {
		at, err = p.part(r, "instances_size", &d.instanceSize, list, content(d.instanceSize), func(size int64) []byte { return pair32(size, n) })
		if err != nil {
			return 0, err
		}
	}
	return p.part(r, "size", &d.size, begin, content(d.size), func(size int64) []byte {
		d.head.Size = uint32(size)
		return wire.AppendStruct(nil, &d.head)
	})
}

// instances puts the instances of a result one after another from an offset on.
func (p *setsReader) instances(path string, d *resultDoc, counters int, at int64) (int64, error) {
	r := newReader(p.doc, d.instances, path)
	var in setInstanceDoc
	fields := in.fields(func(r *reader) error {
		return r.array(func(i int) error {
			if i >= counters {
				return r.errorAt(perfdump.CodeCount, -1, "more values than the %d counters of the result", counters)
			}
			v, err := r.readValue()
			in.values = append(in.values, v)
			return err
		})
	}, numbers(&in.dataSizes), numbers(&in.sizes))
	err := r.array(func(int) (err error) {
		in = setInstanceDoc{values: in.values[:0], dataSizes: in.dataSizes[:0], sizes: in.sizes[:0]}
		if err := r.value(fields); err != nil {
			return err
		}
		at, err = p.instance(r, &in, hasInstances(d.head.Type), counters, at)
		return err
	})
	return at, err
}

// instance puts an instance at a place, and returns where the next one begins.
func (p *setsReader) instance(r *reader, in *setInstanceDoc, headed bool, counters int, at int64) (next int64, err error) {
	fits := func(sizes []uint32) bool { return len(sizes) == 0 || len(sizes) == counters }
	switch {
	case len(in.values) != counters || !fits(in.dataSizes) || !fits(in.sizes):
		return 0, r.errorAt(perfdump.CodeCount, -1, "%d values for %d counters, or as many sizes in wire", len(in.values), counters)
	case !headed && (in.named || in.name.kind != textNone):
		return 0, r.errorAt(perfdump.CodeLength, -1, "a name or an id, which the one instance of this type of result does not have")
	}
	if headed {
		name, _ := in.name.append(nil, 0)
		if content := pairSize + int64(len(name)) + 2; !in.size.ok || content <= in.size.v {
			name = append(name, 0, 0)
		}
		at, err = p.part(r, "size", &in.size, at, at+pairSize+int64(len(name)), func(size int64) []byte { return append(pair32(size, in.id), name...) })
		if err != nil {
			return 0, err
		}
	}
	for j := range in.values {
		b, err := in.value(r, j)
		if err != nil {
			return 0, err
		}
		var size opt
		if len(in.sizes) > 0 {
			size = num(in.sizes[j])
		}
		at, err = p.part(r, "sizes", &size, at, at+pairSize+int64(len(b)), func(size int64) []byte { return append(pair32(len(b), size), b...) })
		if err != nil {
			return 0, err
		}
	}
	return at, nil
}

// value returns the bytes of a value. A number whose size is left out has 8.
func (d *setInstanceDoc) value(r *reader, j int) ([]byte, error) {
	v := &d.values[j]
	misfit := func(format string, args ...any) ([]byte, error) {
		return nil, newError(perfdump.CodeLength, -1, element(string(r.path), "values", j), format, args...)
	}
	size := 8
	if v.kind == textHex {
		size = len(v.b)
	}
	if len(d.dataSizes) > 0 {
		size = int(d.dataSizes[j])
	}
	switch {
	case v.kind == textHex && len(v.b) != size:
		return misfit("%d bytes, wire.data_sizes says %d", len(v.b), size)
	case v.kind == textHex:
		return v.b, nil
	case !v.number:
		return misfit("a value is a number or {\"hex\":\"…\"}")
	case size == 8:
		return binary.LittleEndian.AppendUint64(nil, v.v), nil
	case size == 4 && v.v <= math.MaxUint32:
		return binary.LittleEndian.AppendUint32(nil, uint32(v.v)), nil
	default:
		return misfit("%d does not fit the %d bytes of the value", v.v, size)
	}
}

// numbers returns what reads a list of numbers of 32 bits.
func numbers(to *[]uint32) func(*reader) error {
	return func(r *reader) error {
		return r.array(func(int) error {
			var v uint32
			err := r.value(&v)
			*to = append(*to, v)
			return err
		})
	}
}

func (d *resultDoc) readType(r *reader) error {
	if r.dec.PeekKind() == '0' {
		return r.value((*uint32)(&d.head.Type))
	}
	return word(&d.head.Type, func(s string) (perflib2.ResultType, error) {
		i := slices.IndexFunc(resultTypes, func(t perflib2.ResultType) bool { return t.String() == s })
		if i < 0 {
			return 0, errUnknown
		}
		return resultTypes[i], nil
	}, "no type of result is named %s")(r)
}

func (d *setInstanceDoc) readID(r *reader) error {
	null, err := r.null()
	if err != nil || null {
		return err
	}
	d.named = true
	return r.value(&d.id)
}
