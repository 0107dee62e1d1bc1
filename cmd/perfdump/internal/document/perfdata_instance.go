package document

import (
	"fmt"
	"math"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/perfdata"
)

// valueDoc is a value of a document: a number, a text, bytes, or null.
type valueDoc struct {
	bytesOrText
	number bool
	v      uint64
}

func (r *reader) readValue() (v valueDoc, err error) {
	if kind := r.dec.PeekKind(); kind == '{' || kind == '"' || kind == 'n' {
		err = r.value(&v.bytesOrText)
		return v, err
	}
	off := r.offset()
	negative := false
	v.number = true
	negative, v.v, err = r.number("a number, a string, null, or an object with hex")
	if err == nil && negative && v.v > 0 {
		err = r.errorAt(syntax, off, "a negative number; values are unsigned")
	}
	return v, err
}

// readInstances puts the instances one after another from an offset on, and
// returns their end.
func (o *objectReader) readInstances(at int64) (int64, error) {
	if o.instances.empty() {
		return at, nil
	}
	r := newReader(o.doc, o.instances, o.path+".instances")
	var in instanceDoc
	each := func(what string, f func() error) func(*reader) error {
		return func(*reader) error {
			return r.array(func(i int) error {
				if i >= len(o.columns) {
					return r.errorAt(perfdump.CodeCount, -1, "more %s than the %d counters of the object", what, len(o.columns))
				}
				return f()
			})
		}
	}
	fields := in.fields(each("values", func() error {
		v, err := r.readValue()
		in.values = append(in.values, v)
		return err
	}), func(*reader) error {
		in.counted = true
		return each("counts", func() error {
			var n opt
			null, err := r.null()
			if err == nil && !null {
				err = r.value(&n)
			}
			in.counts = append(in.counts, n)
			return err
		})(r)
	})
	err := r.array(func(k int) (err error) {
		in = instanceDoc{values: in.values[:0], counts: in.counts[:0], tree: perfdata.TreeInstance{Values: in.tree.Values[:0]}}
		in.tree.UniqueID = -1
		if err := r.value(fields); err != nil {
			return err
		}
		if !o.numInstances.ok && o.tree.NumInstances == 1 && in.name.given && in.name.kind == textNone {
			o.tree.NumInstances = perfdata.NoInstances
		}
		at, err = o.instance(&in, fmt.Sprintf("instances[%d]", k), at)
		return err
	})
	return at, err
}

// instance puts an instance at a place, and returns its end.
func (o *objectReader) instance(in *instanceDoc, path string, at int64) (int64, error) {
	begin := at
	single := o.tree.NumInstances == perfdata.NoInstances
	if !single {
		size, err := o.instanceName(in, path, at)
		if err != nil {
			return 0, err
		}
		at += size
	} else if in.name.kind != textNone {
		return 0, o.misfit(-1, path+".name", "a name in an object of num_instances -1, whose one set of values has none; it is null there")
	}
	length := in.blockLength.or(o.blockLength)
	switch {
	case length < lengthSize:
		return 0, o.misfit(at-o.start, path+".wire.block_length", "%d, less than the %d bytes of the length itself", length, lengthSize)
	case length > maxLength:
		return 0, o.misfit(-1, path, "the counter block grows over 2 GiB")
	case at+length > o.limit:
		return 0, o.misfit(at-o.start, path, "the counter block of 0x%x bytes runs over the object's end at 0x%x", length, o.limit-o.start)
	}
	in.tree.BlockLength = uint32(length)
	if err := o.values(in, path, at, length); err != nil {
		return 0, err
	}
	if err := o.mapped(o.tree.PutInstance(o.put, int(begin), &in.tree, instanceLevels.Root()), path); err != nil {
		return 0, err
	}
	if !in.length.ok && !single {
		o.c.fillIn(begin, at)
	}
	if !in.blockLength.ok {
		o.c.fillIn(at, at+length)
	}
	return at + length, nil
}

// instanceName lays out the definition of an instance and its name, and returns
// their size.
func (o *objectReader) instanceName(in *instanceDoc, path string, at int64) (int64, error) {
	t := &in.tree
	if in.name.given && in.name.kind == textNone {
		return 0, o.misfit(-1, path+".name", "null in an object of num_instances %d; an instance without a name has \"\"", o.tree.NumInstances)
	}
	raw, ok := in.name.withNUL(o.tree.CodePage, in.nameLength)
	t.RawName = raw
	switch {
	case !ok && raw == nil:
		return 0, o.misfit(-1, path+".name", "code page %d cannot spell %s; write {\"hex\":\"…\"}", o.tree.CodePage, quote(in.name.b))
	case !ok:
		return 0, o.misfit(at-o.start, path+".name", "%d bytes, with the NUL after a text; wire.name_length says %d; a name of another length needs an instance without wire, in a document without gaps", len(raw), in.nameLength.v)
	}
	if err := t.Layout(o.tree.CodePage, perfdump.Path{}); err != nil {
		return 0, err
	}
	off, length := in.nameOffset.or(int64(t.NameOffset)), in.nameLength.or(int64(t.NameLength))
	size := in.length.or(align8(max(instanceSize, off+length)))
	switch {
	case size < instanceSize:
		return 0, o.misfit(at-o.start, path+".wire.byte_length", "%d, less than the %d bytes of an instance", size, instanceSize)
	case off+length > size:
		return 0, o.misfit(at-o.start, path+".name", "the name ends at 0x%x, past the instance's 0x%x bytes", off+length, size)
	case at+size > o.limit:
		return 0, o.misfit(at-o.start, path, "the instance of 0x%x bytes runs over the object's end at 0x%x", size, o.limit-o.start)
	}
	t.NameOffset, t.NameLength, t.ByteLength = uint32(off), uint32(length), uint32(size)
	return size, nil
}

// values makes the values of a counter block of a length, which is at a place.
func (o *objectReader) values(in *instanceDoc, path string, at, length int64) error {
	if len(in.values) != len(o.columns) {
		return o.fails(perfdump.CodeCount, -1, path+".values", "%d values for %d counters", len(in.values), len(o.columns))
	}
	if in.counted && len(in.counts) != len(o.columns) {
		return o.fails(perfdump.CodeCount, -1, path+".multi", "%d counts for %d counters", len(in.counts), len(o.columns))
	}
	for j := range o.columns {
		off, t, text := o.treeValue(&o.columns[j], &in.values[j], length)
		if text != "" {
			if off >= 0 {
				off += at - o.start
			}
			return o.misfit(off, element(path, "values", j), "%s", text)
		}
		if in.counted && in.counts[j].ok {
			if text := treeCount(in, &o.columns[j], uint32(in.counts[j].v), length, &t); text != "" {
				return o.misfit(-1, element(path, "multi", j), "%s", text)
			}
		}
		in.tree.Values = append(in.tree.Values, t)
	}
	return nil
}

// treeValue makes the value of a counter in a counter block of a length. A text
// says what does not fit, off at which offset in the block, or -1.
func (o *objectReader) treeValue(c *column, v *valueDoc, length int64) (off int64, t perfdata.TreeValue, text string) {
	n, off := c.extent(length), int64(-1)
	wrong := func(format string, args ...any) (int64, perfdata.TreeValue, string) {
		return off, t, fmt.Sprintf(format, args...)
	}
	switch {
	case !v.number && v.kind == textNone:
	case n == 0 && c.size == 0:
		return wrong("the counter has no size, so it has no value but null")
	case n == 0:
		return wrong("the %d bytes at %d are not inside the counter block of %d bytes, so there is no value but null", c.size, c.off, length)
	case v.kind == textHex:
		if t.Raw, t.Kind = v.b, perfdata.Bytes; int64(len(v.b)) != n {
			off = int64(c.off)
			return wrong("%d bytes, the value has %d", len(v.b), n)
		}
	case v.number && c.text:
		return wrong("a number, but the type of the counter is a text; write a string or {\"hex\":\"…\"}")
	case v.number && n == 4:
		if t.Uint, t.Kind = v.v, perfdata.Uint32; v.v > math.MaxUint32 {
			off = int64(c.off)
			return wrong("%d does not fit the 4 bytes of the value", v.v)
		}
	case v.number && n == 8:
		t.Uint, t.Kind = v.v, perfdata.Uint64
	case v.number:
		return wrong("a number, but the value has %d bytes; write {\"hex\":\"…\"}", n)
	case !c.text:
		return wrong("a string, but the type of the counter is no text")
	default:
		raw, ok := encodeText(nil, c.page, v.b)
		if !ok {
			return wrong("code page %d cannot spell %s; write {\"hex\":\"…\"}", c.page, quote(v.b))
		}
		if int64(len(raw)) > n {
			off = int64(c.off)
			return wrong("the text takes %d bytes, the value has %d", len(raw), n)
		}
		t.Raw, t.Kind = append(raw, make([]byte, n-int64(len(raw)))...), perfdata.Text
	}
	return off, t, ""
}

// treeCount gives a value its count, which is that of its MULTI_BASE or the DWORD
// after the value, and returns what does not fit.
func treeCount(in *instanceDoc, c *column, n uint32, length int64, v *perfdata.TreeValue) string {
	switch {
	case c.counts(length):
		v.Count = &n
	case c.base < 0:
		return "the counter has no count"
	}
	if c.base >= 0 {
		if base := in.values[c.base]; base.number && uint32(base.v) != n {
			return fmt.Sprintf("%d, but the MULTI_BASE of the counter is %d", n, base.v)
		}
	}
	return ""
}
