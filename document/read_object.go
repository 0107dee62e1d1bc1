package document

import (
	"encoding/binary"
	"math"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
)

// objectReader takes an object and lays it out. Instances are laid out as they
// come where all that this takes stands before them, as it does in documents
// that were not written by hand; else they are kept until the object's end.
type objectReader struct {
	p          *perfDataReader
	d          *decoder
	block      *blockDoc
	depth      int // of the path to the object
	seen, wire fields

	offset         int64
	index          uint32
	help           uint32
	detail         uint32
	defaultCounter int32
	numInstances   int32
	codePage       uint32
	perfTime       int64
	perfFreq       int64
	wires          [objectWireKeys]uint32
	counters       []counterDoc

	kept    kept // the instance at hand
	waiting waiting

	laidOut bool // the header and the definitions are
	header  mark // where the header lies among the runs
	single  bool
	start   int64 // of the object, as all offsets from the end of the block's header
	at      int64 // the end of what is laid out
	limit   int64 // the end of the object, where it is given
	done    int   // instances laid out

	blockLength int64 // of a counter block where none is given
	columns     []column
	pieces      []piece
	piecesOf    int64 // the length of the blocks that pieces is for
	bytes       []byte
}

// counterDoc is a counter definition.
type counterDoc struct {
	seen, wire  fields
	index, help uint32
	typ         countertypes.Type
	size, off   uint32
	scale       int32
	detail      uint32
	wires       [counterWireKeys]uint32
}

// take takes the object at hand of a block.
func (o *objectReader) take(p *perfDataReader, b *blockDoc) error {
	*o = objectReader{p: p, d: p.d, block: b, depth: len(p.d.path), counters: o.counters[:0], kept: o.kept, waiting: waiting{bytes: o.waiting.bytes[:0]}, columns: o.columns, pieces: o.pieces, bytes: o.bytes}
	o.kept.reset()
	o.start = b.end
	if err := o.d.reader.object(objectKeys, &o.seen, o.takeKey); err != nil {
		return err
	}
	return o.close()
}

func (o *objectReader) takeKey(key int) (err error) {
	d := o.d
	switch key {
	case objectOffset:
		var v uint64
		v, err = d.unsigned(maxSize)
		o.offset = int64(v)
	case objectIndex:
		o.index, err = d.u32()
	case objectName:
		err = d.skipName()
	case objectHelp:
		o.help, err = d.u32()
	case objectDetail:
		o.detail, err = d.u32()
	case objectDefaultCounter:
		o.defaultCounter, err = d.i32()
	case objectNumInstances:
		o.numInstances, err = d.i32()
	case objectCodePage:
		o.codePage, err = d.u32()
	case objectPerfTime:
		o.perfTime, err = d.signed(64)
	case objectPerfFreq:
		o.perfFreq, err = d.signed(64)
	case objectWire:
		o.p.explicitly()
		err = d.reader.object(objectWires, &o.wire, func(key int) (err error) {
			o.wires[key], err = d.u32()
			return err
		})
	case objectCounters:
		err = d.array(func(int) error { return o.takeCounter() })
	case objectInstances:
		err = d.array(o.takeInstance)
	}
	return err
}

func (o *objectReader) takeCounter() error {
	d := o.d
	if len(o.counters) >= maxLength/counterSize {
		return d.errorAt(perfdump.CodeLimit, -1, "more counters than an object can have")
	}
	o.counters = append(o.counters, counterDoc{})
	c := &o.counters[len(o.counters)-1]
	named := false
	err := d.reader.object(counterKeys, &c.seen, func(key int) (err error) {
		switch key {
		case counterIndex:
			c.index, err = d.u32()
		case counterName:
			err = d.skipName()
		case counterHelp:
			c.help, err = d.u32()
		case counterTypeName:
			if c.seen.has(counterTypeHex) {
				return d.skipName()
			}
			// It may be a word of a later version; that counts only where
			// type_hex does not say it.
			named, err = d.typeName(&c.typ)
		case counterTypeHex:
			c.typ, err = d.typeHex()
		case counterSizeKey:
			c.size, err = d.u32()
		case counterOffset:
			c.off, err = d.u32()
		case counterScale:
			c.scale, err = d.i32()
		case counterDetail:
			c.detail, err = d.u32()
		case counterWire:
			o.p.explicitly()
			err = d.reader.object(counterWires, &c.wire, func(key int) (err error) {
				c.wires[key], err = d.u32()
				return err
			})
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case !c.seen.has(counterTypeHex) && !named:
		return d.syntaxError("the counter has no type that is known; give it by its name, or in hexadecimal as type_hex")
	case !c.seen.has(counterIndex):
		return d.syntaxError("the counter has no index")
	}
	if !c.seen.has(counterHelp) {
		c.help = c.index + 1
	}
	if !c.seen.has(counterDetail) {
		c.detail = defaultDetail
	}
	return nil
}

const defaultDetail = 100 // novice

// typeName takes the name of a counter type, and reports whether it is one.
func (r *reader) typeName(t *countertypes.Type) (bool, error) {
	if null, err := r.null(); err != nil || null {
		return false, err
	}
	if err := r.text(maxWord); err != nil {
		return false, err
	}
	parsed, err := countertypes.Parse(string(r.str))
	if err != nil {
		return false, nil //nolint:nilerr // type_hex may still come
	}
	*t = parsed
	return true, nil
}

// typeHex takes a counter type in hexadecimal.
func (r *reader) typeHex() (countertypes.Type, error) {
	if err := r.text(maxWord); err != nil {
		return 0, err
	}
	s, v := r.str, uint32(0)
	ok := len(s) > 2 && len(s) <= 10 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
	for i := 2; ok && i < len(s); i++ {
		var digit byte
		digit, ok = hexDigit(s[i])
		v = v<<4 | uint32(digit)
	}
	if !ok {
		return 0, r.syntaxError("%s is no type such as 0x21510500", quote(s))
	}
	return countertypes.Type(v), nil
}

// ready reports whether instances can be laid out before the object's end.
func (o *objectReader) ready() bool {
	const need = 1<<objectCounters | 1<<objectCodePage | 1<<objectNumInstances | 1<<objectWire
	return o.seen&need == need
}

// layOut lays out the header and the definitions. The header is filled in at
// the end of the object.
func (o *objectReader) layOut() error {
	d := o.d
	o.laidOut, o.single = true, o.numInstances == -1
	header := o.get(objectWireHeader, objectSize)
	if header < objectSize {
		return o.misfit(0, "wire.header_length", "%d, less than the %d bytes of an object's header", header, objectSize)
	}
	if err := o.placeCounters(); err != nil {
		return err
	}
	if c := d.put(o.start, zeroPage[:objectSize]); c != nil {
		return o.clash(c, "")
	}
	o.header = d.at
	if !o.wire.has(objectWireHeader) {
		d.fillIn(o.start, o.start+header)
	}
	at := o.start + header
	for j := range o.counters {
		c := &o.counters[j]
		length := int64(counterSize)
		if c.wire.has(counterWireLength) {
			length = int64(c.wires[counterWireLength])
		}
		if length < counterSize {
			return o.misfit(at-o.start, counterPath(j)+".wire.byte_length", "%d, less than the %d bytes of a definition", length, counterSize)
		}
		o.bytes = c.raw(o.bytes[:0], length)
		if c := d.put(at, o.bytes); c != nil {
			return o.clash(c, counterPath(j))
		}
		at += length
	}
	definition := o.get(objectWireDefinition, at-o.start)
	if o.start+definition < at {
		return o.misfit(definition, "wire.definition_length", "0x%x, but the definitions end at 0x%x", definition, at-o.start)
	}
	if !o.wire.has(objectWireDefinition) {
		d.fillIn(at, o.start+definition)
	}
	o.at, o.limit = o.start+definition, math.MaxInt64
	if o.wire.has(objectWireTotal) {
		o.limit = o.start + int64(o.wires[objectWireTotal])
	}
	o.piecesOf = -1
	return nil
}

// get returns what wire says, or the value of an object that does not.
func (o *objectReader) get(key int, otherwise int64) int64 {
	if o.wire.has(key) {
		return int64(o.wires[key])
	}
	return otherwise
}

// raw appends the struct of the definition.
func (c *counterDoc) raw(raw []byte, length int64) []byte {
	for _, v := range [...]uint32{
		uint32(length), c.index, c.wires[counterWireNameTitle], c.help, c.wires[counterWireHelpTitle],
		uint32(c.scale), c.detail, uint32(c.typ), c.size, c.off,
	} {
		raw = binary.LittleEndian.AppendUint32(raw, v)
	}
	return raw
}

// placeCounters gives sizes and offsets to the counters that have none, by the
// rules of perfdata.Tree.Layout.
func (o *objectReader) placeCounters() error {
	off, end := int64(lengthSize), int64(lengthSize)
	for j := range o.counters {
		c := &o.counters[j]
		if err := o.placeCounter(j, &off); err != nil {
			return err
		}
		multi := c.typ.Multi() && !c.typ.IsBase() && !o.hasMultiBase(j)
		off = int64(c.off)
		if c.size > 0 {
			off += int64(c.size)
			if multi {
				off += 4 // its count
			}
		}
		end = max(end, off)
	}
	o.blockLength = align8(end)
	o.columns = columnsOf(o.columns, o.codePage, len(o.counters), func(j int) (countertypes.Type, uint32, uint32) {
		c := &o.counters[j]
		return c.typ, c.size, c.off
	})
	return nil
}

func (o *objectReader) placeCounter(j int, off *int64) error {
	c := &o.counters[j]
	explicit := o.p.explicit
	if w := c.typ.ValueWidth(); c.size == 0 && w > 0 && !(explicit && c.seen.has(counterSizeKey)) {
		c.size = uint32(w)
		if c.seen.has(counterSizeKey) {
			if err := o.p.conflicts(o.misfit(-1, counterPath(j)+".size", "0, though the type has %d bytes: such a document needs wire from its first object on", w)); err != nil {
				return err
			}
		}
	}
	switch size := int64(c.size); {
	case size == 0:
	case size%8 == 0:
		*off = align8(*off)
	case size%4 == 0:
		*off = (*off + 3) &^ 3
	case size%2 == 0:
		*off = (*off + 1) &^ 1
	}
	if explicit && c.seen.has(counterOffset) {
		return nil
	}
	if *off > maxLength {
		return o.misfit(-1, counterPath(j), "the counter block grows over 2 GiB")
	}
	if c.seen.has(counterOffset) && int64(c.off) != *off {
		if err := o.p.conflicts(o.misfit(-1, counterPath(j)+".offset", "%d, where an object without wire has it at %d: such a document needs wire from its first object on", c.off, *off)); err != nil {
			return err
		}
	}
	c.off = uint32(*off)
	return nil
}

func (o *objectReader) hasMultiBase(j int) bool {
	return j+1 < len(o.counters) && o.counters[j+1].typ.IsBase() && o.counters[j+1].typ.Multi()
}

// close lays out what is left of the object and fills in its header.
func (o *objectReader) close() error {
	d := o.d
	if !o.seen.has(objectIndex) {
		return d.syntaxError("the object has no index")
	}
	if !o.seen.has(objectHelp) {
		o.help = o.index + 1
	}
	if !o.seen.has(objectDetail) {
		o.detail = defaultDetail
	}
	if err := o.countInstances(); err != nil {
		return err
	}
	if !o.laidOut {
		if err := o.layOut(); err != nil {
			return err
		}
	}
	if err := o.layOutWaiting(); err != nil {
		return err
	}
	total := o.get(objectWireTotal, o.at-o.start)
	if o.at > o.start+total {
		return o.misfit(total, "wire.total_byte_length", "0x%x, but the object has bytes up to 0x%x", total, o.at-o.start)
	}
	if total > maxLength {
		return o.misfit(-1, "", "the object grows over 2 GiB")
	}
	if o.wire.has(objectWireNumCounters) && int(o.wires[objectWireNumCounters]) != len(o.counters) {
		return o.miscount("wire.num_counters", "%d, but there are %d counters", o.wires[objectWireNumCounters], len(o.counters))
	}
	o.fillHeader(total)
	if o.seen.has(objectOffset) {
		shift := o.offset - o.start
		if !o.block.shifted {
			o.block.shift, o.block.shifted = shift, true
		} else if o.block.shift != shift && o.block.skewed == 0 {
			o.block.skewed = o.block.objects
		}
	}
	o.block.end = o.start + total
	return d.spool.err
}

// countInstances finds NumInstances where the document leaves it out and
// judges it where it does not.
func (o *objectReader) countInstances() error {
	n := o.done + o.waiting.n
	if !o.seen.has(objectNumInstances) {
		o.numInstances = int32(n)
		if n == 1 && !o.laidOut && o.waiting.unnamed {
			o.numInstances = -1
		}
		return nil
	}
	want := 0
	switch {
	case o.numInstances == -1:
		want = 1
	case o.numInstances >= 0:
		want = int(o.numInstances)
	}
	if n == want {
		if o.numInstances < -3 {
			o.p.meaningless = o.miscount("num_instances", "%d has no meaning", o.numInstances)
		}
		return nil
	}
	err := o.miscount("num_instances", "%d, but there are %d instances", o.numInstances, n)
	if o.numInstances < 0 || o.p.explicit {
		return err
	}
	o.numInstances = int32(n)
	return o.p.conflicts(err)
}

func (o *objectReader) fillHeader(total int64) {
	le := binary.LittleEndian
	raw := append(o.bytes[:0], zeroPage[:objectSize]...)
	for i, v := range [...]uint32{
		uint32(total),
		uint32(o.definitionLength()),
		uint32(o.get(objectWireHeader, objectSize)),
		o.index, o.wires[objectWireNameTitle], o.help, o.wires[objectWireHelpTitle], o.detail,
		uint32(len(o.counters)), uint32(o.defaultCounter), uint32(o.numInstances), o.codePage,
	} {
		le.PutUint32(raw[4*i:], v)
	}
	le.PutUint64(raw[48:], uint64(o.perfTime))
	le.PutUint64(raw[56:], uint64(o.perfFreq))
	o.bytes = raw
	o.d.runs.patch(o.header, raw)
}

func (o *objectReader) definitionLength() int64 {
	n := o.get(objectWireHeader, objectSize)
	for j := range o.counters {
		if c := &o.counters[j]; c.wire.has(counterWireLength) {
			n += int64(c.wires[counterWireLength])
		} else {
			n += counterSize
		}
	}
	return o.get(objectWireDefinition, n)
}
