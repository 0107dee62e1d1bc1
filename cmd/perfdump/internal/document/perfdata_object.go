package document

import (
	"fmt"
	"math"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

// objectReader reads an object and puts it on the canvas.
type objectReader struct {
	*perfReader
	objectDoc
	r     *reader // of the list of objects
	start int64   // of the object in the file
	known bool    // that this is where it will be
	path  string

	lengths       []opt // of the definitions
	sized, placed []bool
	columns       []column
	blockLength   int64 // where none is given
	limit         int64 // the end of the object, where it is given
	total         int64
}

const defaultDetail = 100 // novice

func (o *objectReader) read() error {
	if err := o.r.value(o.fields(&o.counters, &o.instances)); err != nil {
		return err
	}
	if !o.index.ok {
		return o.r.syntaxError("the object has no index")
	}
	t := &o.tree
	t.ObjectNameTitleIndex = uint32(o.index.v)
	t.ObjectHelpTitleIndex, t.DetailLevel = uint32(o.help.or(int64(t.ObjectNameTitleIndex+1))), uint32(o.detail.or(defaultDetail))
	if !o.counters.empty() {
		r := newReader(o.doc, o.counters, o.path+".counters")
		if err := r.array(func(int) error { return o.readCounter(r) }); err != nil {
			return err
		}
	}
	if err := o.countInstances(); err != nil {
		return err
	}
	at, err := o.layOut()
	if err != nil {
		return err
	}
	if at, err = o.readInstances(at); err != nil {
		return err
	}
	o.total = o.totalLength.or(at - o.start)
	switch {
	case at > o.start+o.total:
		return o.misfit(o.total, "wire.total_byte_length", "0x%x, but the object has bytes up to 0x%x", o.total, at-o.start)
	case o.total > maxLength:
		return o.misfit(-1, "", "the object grows over 2 GiB")
	case o.numCounters.ok && int(o.numCounters.v) != len(t.Counters):
		return o.fails(perfdump.CodeCount, -1, "wire.num_counters", "%d, but there are %d counters", o.numCounters.v, len(t.Counters))
	}
	t.TotalByteLength, t.NumCounters = uint32(o.total), uint32(len(t.Counters))
	return o.mapped(t.PutDefinitions(o.put, int(o.start), definitionLevels.Root()), "")
}

func (o *objectReader) readCounter(r *reader) error {
	var c counterDoc
	at := r.offset()
	if err := r.value(c.fields()); err != nil {
		return err
	}
	if !c.typed && c.typeName.ok { // it may be a word of a later version; type_hex says it then
		t, err := countertypes.Parse(c.typeName.s)
		c.CounterType, c.typed = t, err == nil
	}
	switch {
	case !c.typed:
		return r.errorAt(syntax, at, "the counter has no known type; give its name, or type_hex in hexadecimal")
	case !c.index.ok:
		return r.errorAt(syntax, at, "the counter has no index")
	}
	def := c.CounterDefinition
	def.CounterNameTitleIndex = uint32(c.index.v)
	def.CounterHelpTitleIndex, def.DetailLevel = uint32(c.help.or(int64(def.CounterNameTitleIndex+1))), uint32(c.detail.or(defaultDetail))
	def.CounterSize, def.CounterOffset, def.ByteLength = uint32(c.size.v), uint32(c.offset.v), uint32(c.length.or(counterSize))
	o.tree.Counters = append(o.tree.Counters, def)
	o.lengths = append(o.lengths, c.length)
	o.sized, o.placed = append(o.sized, o.explicit && c.size.ok), append(o.placed, o.explicit && c.offset.ok)
	return nil
}

// countInstances finds NumInstances where the document leaves it out, and
// checks it where it does not.
func (o *objectReader) countInstances() error {
	n, err := o.count(o.instances, o.path+".instances")
	if err != nil {
		return err
	}
	t := &o.tree
	t.NumInstances = int32(o.numInstances.or(n))
	if !o.numInstances.ok {
		return nil // if the only one has the name null, it is -1
	}
	want := int64(max(t.NumInstances, 0))
	if t.NumInstances == perfdata.NoInstances {
		want = 1
	}
	switch {
	case n != want && (t.NumInstances < 0 || o.explicit):
		return o.fails(perfdump.CodeCount, -1, "num_instances", "%d, but there are %d instances", t.NumInstances, n)
	case t.NumInstances < perfdata.MetadataSingle && !o.explicit:
		return o.fails(perfdump.CodeCount, -1, "num_instances", "%d has no meaning", t.NumInstances)
	case n != want:
		t.NumInstances = int32(n)
	}
	return nil
}

// layOut places the counters and their values, and returns where the instances
// begin.
func (o *objectReader) layOut() (int64, error) {
	t := &o.tree
	header := o.headerLength.or(objectSize)
	if header < objectSize {
		return 0, o.misfit(0, "wire.header_length", "%d, less than the %d bytes of an object's header", header, objectSize)
	}
	o.blockLength = int64(t.PlaceValues(func(j int) (bool, bool) { return o.sized[j], o.placed[j] }))
	o.columns = columnsOf(nil, t.CodePage, len(t.Counters), func(j int) (countertypes.Type, uint32, uint32) {
		c := &t.Counters[j]
		return c.CounterType, c.CounterSize, c.CounterOffset
	})
	at := o.start + header
	for j, length := range o.lengths {
		if length.or(counterSize) < counterSize {
			return 0, o.misfit(at-o.start, fmt.Sprintf("counters[%d].wire.byte_length", j), "%d, less than the %d bytes of a definition", length.v, counterSize)
		}
		at += length.or(counterSize)
	}
	definition := o.definitionLength.or(at - o.start)
	if o.start+definition < at {
		return 0, o.misfit(definition, "wire.definition_length", "0x%x, but the definitions end at 0x%x", definition, at-o.start)
	}
	t.HeaderLength, t.DefinitionLength = uint32(header), uint32(definition)
	if !o.headerLength.ok {
		o.c.fillIn(o.start, o.start+header)
	}
	if !o.definitionLength.ok {
		o.c.fillIn(at, o.start+definition)
	}
	o.limit = math.MaxInt64
	if o.totalLength.ok {
		o.limit = o.start + o.totalLength.v
	}
	return o.start + definition, nil
}

// put puts a part of the tree on the canvas.
func (o *objectReader) put(off int, b []byte, path perfdump.Path) error {
	err := o.c.put(int64(off), b)
	if err == nil {
		return nil
	}
	fe := wire.AsFormatError(err)
	fe.Path = path.String()
	return fe
}

// mapped returns an error of put with its path in the document, below a part
// of the object.
func (o *objectReader) mapped(err error, path string) error {
	if err == nil {
		return nil
	}
	fe := wire.AsFormatError(err)
	if fe.Path != "" && path != "" {
		path += "."
	}
	path += treePath.Replace(fe.Path)
	if fe.Code != perfdump.CodeLength {
		return o.fails(fe.Code, -1, path, "%s", fe.Message())
	}
	return o.misfit(fe.Off-o.start, path, "%s", fe.Message())
}

// misfit is an error of the bytes of the object, at an offset in it or -1.
func (o *objectReader) misfit(off int64, path, format string, args ...any) error {
	return o.fails(perfdump.CodeLength, off, path, format, args...)
}

func (o *objectReader) fails(code perfdump.Code, off int64, path, format string, args ...any) error {
	if off >= 0 && o.known {
		off += o.start
	} else {
		off = -1
	}
	if path != "" {
		path = "." + path
	}
	return newError(code, off, o.path+path, format, args...)
}
