package document

import (
	"encoding/binary"
	"math"

	"github.com/perfdump/perfdump"
)

// kept holds an instance until it is laid out: nine bytes a value, and the texts.
type kept struct {
	in    instanceDoc
	kinds []valueKind // of the values
	words []uint64    // the numbers, or the places of the texts
	texts []byte
}

// instanceDoc is an instance of a document.
type instanceDoc struct {
	seen, wire fields

	uniqueID              int32
	parentObject, parents uint32
	wires                 [instanceWireKeys]uint32
	name                  textRef
	values, multi         [2]int // places in kept
}

// textRef is a text in kept.texts.
type textRef struct {
	kind     textKind
	from, to int
}

type valueKind uint8

const (
	valueNull valueKind = iota
	valueUint
	valueText
	valueHex
)

func (k *kept) reset() {
	k.in, k.kinds, k.words, k.texts = instanceDoc{}, k.kinds[:0], k.words[:0], k.texts[:0]
}

// maxTexts is how long the texts of an object that are kept can be, whose places
// take half a word each.
const maxTexts = math.MaxUint32

// takeText takes a name or a value that is no number.
func (o *objectReader) takeText() (textRef, error) {
	from := len(o.kept.texts)
	kind, texts, err := o.d.takeText(o.kept.texts)
	o.kept.texts = texts
	if err == nil && uint64(len(texts)) > maxTexts {
		err = o.d.errorAt(perfdump.CodeLimit, o.d.offset(), "the texts of the object grow over 4 GiB")
	}
	return textRef{kind, from, len(texts)}, err
}

func (k *kept) text(t textRef) []byte { return k.texts[t.from:t.to] }

// takeInstance takes an instance and lays it out if the time has come.
func (o *objectReader) takeInstance(int) error {
	d := o.d
	o.kept.reset()
	in := &o.kept.in
	err := d.reader.object(instanceKeys, &in.seen, func(key int) (err error) {
		switch key {
		case instanceName:
			in.name, err = o.takeText()
		case instanceUniqueID:
			in.uniqueID, err = d.i32()
		case instanceParentObject:
			in.parentObject, err = d.u32()
		case instanceParent:
			in.parents, err = d.u32()
		case instanceDisplay:
			err = d.skipName()
		case instanceValues:
			in.values, err = o.takeValues()
		case instanceMulti:
			in.multi, err = o.takeCounts()
		case instanceWire:
			o.p.explicitly()
			err = d.reader.object(instanceWires, &in.wire, func(key int) (err error) {
				in.wires[key], err = d.u32()
				return err
			})
		}
		return err
	})
	if err != nil {
		return err
	}
	if !in.seen.has(instanceUniqueID) {
		in.uniqueID = -1
	}
	if !o.ready() {
		return o.wait()
	}
	if !o.laidOut {
		if err := o.layOut(); err != nil {
			return err
		}
	}
	if err := o.layOutInstance(in); err != nil {
		return err
	}
	o.done++
	return nil
}

// earlyValues is how many values an instance may have before it is known how many
// counters there are.
const earlyValues = 1 << 20

// fits refuses the value i of an instance where there can be none.
func (o *objectReader) fits(i int, what string) error {
	switch known := o.seen.has(objectCounters); {
	case known && i >= len(o.counters):
		return o.d.errorAt(perfdump.CodeCount, -1, "more %s than the object has counters, which is %d", what, len(o.counters))
	case !known && i >= earlyValues:
		return o.d.errorAt(perfdump.CodeLimit, -1, "more than %d %s before the counters that they are of; let the counters stand first", earlyValues, what)
	}
	return nil
}

func (o *objectReader) takeValues() (place [2]int, err error) {
	k, d := &o.kept, o.d
	place[0] = len(k.kinds)
	err = d.array(func(i int) error {
		if err := o.fits(i, "values"); err != nil {
			return err
		}
		c, err := d.peek()
		switch {
		case err != nil:
			return err
		case c == '{', c == '"', c == 'n':
			text, err := o.takeText()
			k.kinds = append(k.kinds, [...]valueKind{textNone: valueNull, textString: valueText, textHex: valueHex}[text.kind])
			k.words = append(k.words, uint64(text.from)<<32|uint64(text.to))
			return err
		}
		neg, v, err := d.number("a number, a string, null, or an object with hex")
		if err == nil && neg && v > 0 {
			return d.syntaxError("a negative number; values are unsigned")
		}
		k.kinds = append(k.kinds, valueUint)
		k.words = append(k.words, v)
		return err
	})
	place[1] = len(k.kinds)
	return place, err
}

// takeCounts takes the counts of multi-counters.
func (o *objectReader) takeCounts() (place [2]int, err error) {
	k, d := &o.kept, o.d
	place[0] = len(k.kinds)
	err = d.array(func(i int) error {
		if err := o.fits(i, "counts"); err != nil {
			return err
		}
		null, err := d.null()
		switch {
		case err != nil:
			return err
		case null:
			k.kinds, k.words = append(k.kinds, valueNull), append(k.words, 0)
			return nil
		}
		v, err := d.u32()
		k.kinds, k.words = append(k.kinds, valueUint), append(k.words, uint64(v))
		return err
	})
	place[1] = len(k.kinds)
	return place, err
}

func (o *objectReader) layOutInstance(in *instanceDoc) error {
	d := o.d
	if o.single {
		if in.name.kind != textNone {
			return o.misfit(-1, o.instancePath("name"), "a name in an object of num_instances -1, whose one set of values has none; it is null there")
		}
	} else if err := o.layOutName(in); err != nil {
		return err
	}
	length := o.blockLength
	if in.wire.has(instanceWireBlock) {
		length = int64(in.wires[instanceWireBlock])
	}
	switch {
	case length < lengthSize:
		return o.misfit(o.at-o.start, o.instancePath("wire.block_length"), "%d, less than the %d bytes that tell it", length, lengthSize)
	case length > maxLength:
		return o.misfit(-1, o.instancePath(""), "the counter block grows over 2 GiB")
	case o.at+length > o.limit:
		return o.misfit(o.at-o.start, o.instancePath(""), "the counter block of 0x%x bytes runs over the object's end at 0x%x", length, o.limit-o.start)
	}
	if c := d.put32(o.at, uint32(length)); c != nil {
		return o.clash(c, o.instancePath(""))
	}
	if err := o.layOutValues(in, length); err != nil {
		return err
	}
	if !in.wire.has(instanceWireBlock) {
		d.fillIn(o.at, o.at+length)
	}
	d.settle()
	o.at += length
	return nil
}

// layOutName lays out the definition of an instance and its name.
func (o *objectReader) layOutName(in *instanceDoc) error {
	d := o.d
	name := asIs(o.kept.text(in.name))
	lengthGiven, length := in.wire.has(instanceWireNameLength), int64(in.wires[instanceWireNameLength])
	switch in.name.kind {
	case textNone:
		if in.seen.has(instanceName) {
			return o.misfit(-1, o.instancePath("name"), "null in an object of num_instances %d; an instance without a name has \"\"", o.numInstances)
		}
	case textHex:
		if lengthGiven && length != name.n {
			return o.misfit(o.at-o.start, o.instancePath("name"), "%d bytes, wire.name_length says %d", name.n, length)
		}
	case textString:
		raw, ok := o.p.spell(o.codePage, name.raw, lengthGiven, length)
		switch {
		case raw.n == 0 && !ok:
			return o.misfit(-1, o.instancePath("name"), "code page %d cannot spell %s; write {\"hex\":\"…\"}", o.codePage, quote(name.raw))
		case !ok:
			return o.misfit(o.at-o.start, o.instancePath("name"), "%d bytes with its NUL, wire.name_length says %d; a name of another length needs an instance without wire, in a document without gaps", raw.n, length)
		}
		name = raw
	}
	if !lengthGiven {
		length = name.n
	}
	off := int64(instanceSize)
	if in.wire.has(instanceWireNameOffset) {
		off = int64(in.wires[instanceWireNameOffset])
	}
	size := align8(max(instanceSize, off+length))
	if in.wire.has(instanceWireLength) {
		size = int64(in.wires[instanceWireLength])
	}
	switch {
	case size < instanceSize:
		return o.misfit(o.at-o.start, o.instancePath("wire.byte_length"), "%d, less than the %d bytes of an instance", size, instanceSize)
	case off+length > size:
		return o.misfit(o.at-o.start, o.instancePath("name"), "the name ends at 0x%x, past the instance's 0x%x bytes", off+length, size)
	case o.at+size > o.limit:
		return o.misfit(o.at-o.start, o.instancePath(""), "the instance of 0x%x bytes runs over the object's end at 0x%x", size, o.limit-o.start)
	}
	var def [instanceSize]byte
	for i, v := range [...]uint32{uint32(size), in.parentObject, in.parents, uint32(in.uniqueID), uint32(off), uint32(length)} {
		binary.LittleEndian.PutUint32(def[4*i:], v)
	}
	if c := d.put(o.at, def[:]); c != nil {
		return o.clash(c, o.instancePath(""))
	}
	if c := d.putSpelled(o.at+off, &name); c != nil {
		return o.clash(c, o.instancePath("name"))
	}
	if !in.wire.has(instanceWireLength) {
		d.fillIn(o.at, o.at+size)
	}
	o.at += size
	return nil
}

// layOutValues lays out the values of a counter block of a length.
func (o *objectReader) layOutValues(in *instanceDoc, length int64) error {
	d, k := o.d, &o.kept
	kinds, words := k.kinds[in.values[0]:in.values[1]], k.words[in.values[0]:in.values[1]]
	counts, countWords := k.kinds[in.multi[0]:in.multi[1]], k.words[in.multi[0]:in.multi[1]]
	if len(kinds) != len(o.counters) {
		return o.miscount(o.instancePath("values"), "%d values for %d counters", len(kinds), len(o.counters))
	}
	if !in.seen.has(instanceMulti) {
		counts = nil
	} else if len(counts) != len(o.counters) {
		return o.miscount(o.instancePath("multi"), "%d counts for %d counters", len(counts), len(o.counters))
	}
	if length != o.piecesOf {
		o.pieces, o.piecesOf = pieces(o.pieces, o.columns, length), length
	}
	var buf [8]byte
	for _, p := range o.pieces {
		j, n := p.counter, int(p.end-p.off)
		var c *clash
		switch {
		case p.count && (counts == nil || counts[j] == valueNull):
		case p.count:
			binary.LittleEndian.PutUint32(buf[:], uint32(countWords[j]))
			c = d.put(o.at+p.off, buf[:4])
		case kinds[j] == valueNull:
		case kinds[j] == valueUint && (n == 4 || n == 8) && !o.columns[j].text:
			if n == 4 && words[j] > math.MaxUint32 {
				return o.misfit(o.at+p.off-o.start, o.valuePath(j), "%d does not fit the 4 bytes of the value", words[j])
			}
			binary.LittleEndian.PutUint64(buf[:], words[j])
			c = d.put(o.at+p.off, buf[:n])
		case kinds[j] == valueHex:
			raw := k.texts[words[j]>>32 : words[j]&math.MaxUint32]
			if len(raw) != n {
				return o.misfit(o.at+p.off-o.start, o.valuePath(j), "%d bytes, the value has %d", len(raw), n)
			}
			c = d.put(o.at+p.off, raw)
		case kinds[j] == valueText && o.columns[j].text:
			var err error
			if c, err = o.layOutText(j, o.at+p.off, n, k.texts[words[j]>>32:words[j]&math.MaxUint32]); err != nil {
				return err
			}
		default:
			return o.wrongValue(j, n, kinds[j])
		}
		if c != nil {
			return o.clash(c, o.valuePath(j))
		}
	}
	return o.checkAbsent(kinds, words, counts, countWords, length)
}

// layOutText lays out a text value of n bytes.
func (o *objectReader) layOutText(j int, at int64, n int, text []byte) (*clash, error) {
	raw, ok := o.p.speller.spelled(o.columns[j].page, text)
	switch {
	case !ok:
		return nil, o.misfit(-1, o.valuePath(j), "code page %d cannot spell %s; write {\"hex\":\"…\"}", o.columns[j].page, quote(text))
	case raw.n > int64(n):
		return nil, o.misfit(at-o.start, o.valuePath(j), "the text takes %d bytes, the value has %d", raw.n, n)
	}
	// One value is put at once: the next one may begin inside it.
	zeros := int64(n) - raw.n
	if zeros <= shortZero {
		raw.fill(int(zeros))
		zeros = 0
	}
	c := o.d.putSpelled(at, &raw)
	if c == nil && zeros > 0 {
		o.d.putZeros(at+raw.n, zeros)
	}
	return c, nil
}

func (o *objectReader) wrongValue(j, n int, kind valueKind) error {
	if o.columns[j].text {
		return o.misfit(-1, o.valuePath(j), "a number, but the type of the counter is a text; write a string or {\"hex\":\"…\"}")
	}
	if kind == valueText {
		return o.misfit(-1, o.valuePath(j), "a string, but the type of the counter is no text")
	}
	return o.misfit(-1, o.valuePath(j), "a number, but the value has %d bytes; write {\"hex\":\"…\"}", n)
}

// checkAbsent wants null where the counter block has no room, and counts that
// agree with their MULTI_BASE.
func (o *objectReader) checkAbsent(kinds []valueKind, words []uint64, counts []valueKind, countWords []uint64, length int64) error {
	for j := range o.columns {
		c := &o.columns[j]
		if kinds[j] != valueNull && c.extent(length) == 0 {
			if c.size == 0 {
				return o.misfit(-1, o.valuePath(j), "the counter has no size, so it has no value but null")
			}
			return o.misfit(-1, o.valuePath(j), "the %d bytes at %d are not inside the counter block of %d bytes, so there is no value but null", c.size, c.off, length)
		}
		if counts == nil || counts[j] == valueNull {
			continue
		}
		if c.base >= 0 && kinds[c.base] == valueUint && uint32(words[c.base]) != uint32(countWords[j]) {
			return o.misfit(-1, o.countPath(j), "%d, but the MULTI_BASE of the counter is %d", countWords[j], words[c.base])
		}
		if c.base < 0 && !c.counts(length) {
			return o.misfit(-1, o.countPath(j), "the counter has no count")
		}
	}
	return nil
}

// The errors of what is laid out have the place in the file where it is known,
// else -1, and the path of the document.

func (o *objectReader) misfit(off int64, path, format string, args ...any) error {
	return o.fails(perfdump.CodeLength, off, path, format, args...)
}

func (o *objectReader) miscount(path, format string, args ...any) error {
	return o.fails(perfdump.CodeCount, -1, path, format, args...)
}

func (o *objectReader) clash(c *clash, path string) error {
	return o.misfit(c.off-o.start, path, "0x%02x for a byte that is 0x%02x by another value", c.want, c.was)
}

// fails makes an error for an offset in the object.
func (o *objectReader) fails(code perfdump.Code, off int64, path, format string, args ...any) error {
	b := o.block
	const known = 1<<blockOffset | 1<<blockHeader
	if off >= 0 && b.seen&known == known && o.p.explicit {
		off += b.offset + int64(b.u32[blockHeader]) + o.start
	} else {
		off = -1
	}
	err := perfdump.NewError(code, off, perfdump.Path{}, format, args...)
	err.Path = objectPath(o.p.n-1, b.objects-1)
	if path != "" {
		err.Path += "." + path
	}
	return err
}
