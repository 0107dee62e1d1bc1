package document

import (
	"encoding/binary"
	"slices"

	"github.com/perfdump/perfdump"
)

// waiting are instances that wait for the end of their object, packed: they
// take about as many bytes as in the document, or fewer.
type waiting struct {
	n       int
	unnamed bool // the first one has null for a name
	bytes   []byte
}

// wait packs the instance at hand.
func (o *objectReader) wait() error {
	k, w := &o.kept, &o.waiting
	if w.n == 0 {
		w.unnamed = k.in.seen.has(instanceName) && k.in.name.kind == textNone
	}
	w.n++
	w.bytes = k.pack(w.bytes)
	if cap(k.texts) > largeText {
		k.texts = nil // it is there twice
	}
	if uint64(len(w.bytes)) > maxTexts {
		return o.d.errorAt(perfdump.CodeLimit, o.d.offset(), "the instances of the object grow over 4 GiB")
	}
	return nil
}

// largeText is the size of a text whose memory is not worth keeping.
const largeText = 64 << 10

// layOutWaiting lays out the instances that wait.
func (o *objectReader) layOutWaiting() error {
	w, texts := &o.waiting, o.kept.texts
	o.kept.texts = w.bytes
	for rest := 0; w.n > 0; w.n-- {
		rest = o.kept.unpack(rest)
		if err := o.layOutInstance(&o.kept.in); err != nil {
			return err
		}
		o.done++
	}
	o.kept.texts, w.bytes = texts, w.bytes[:0]
	return nil
}

// pack appends the instance to dst: what was seen of it, in the order of the
// keys, numbers as varints, texts by kind and length.
func (k *kept) pack(dst []byte) []byte {
	in := &k.in
	dst = binary.AppendUvarint(dst, uint64(in.seen))
	if in.seen.has(instanceName) {
		dst = k.packText(append(dst, byte(in.name.kind)), in.name.from, in.name.to)
	}
	if in.seen.has(instanceUniqueID) {
		dst = binary.AppendVarint(dst, int64(in.uniqueID))
	}
	if in.seen.has(instanceParentObject) {
		dst = binary.AppendUvarint(dst, uint64(in.parentObject))
	}
	if in.seen.has(instanceParent) {
		dst = binary.AppendUvarint(dst, uint64(in.parents))
	}
	if in.seen.has(instanceValues) {
		dst = k.packValues(dst, in.values)
	}
	if in.seen.has(instanceMulti) {
		dst = k.packValues(dst, in.multi)
	}
	if in.seen.has(instanceWire) {
		dst = binary.AppendUvarint(dst, uint64(in.wire))
		for key, v := range in.wires {
			if in.wire.has(key) {
				dst = binary.AppendUvarint(dst, uint64(v))
			}
		}
	}
	return dst
}

func (k *kept) packText(dst []byte, from, to int) []byte {
	dst = binary.AppendUvarint(dst, uint64(to-from))
	return append(dst, k.texts[from:to]...)
}

func (k *kept) packValues(dst []byte, place [2]int) []byte {
	dst = binary.AppendUvarint(dst, uint64(place[1]-place[0]))
	for i := place[0]; i < place[1]; i++ {
		kind, word := k.kinds[i], k.words[i]
		dst = append(dst, byte(kind))
		switch kind {
		case valueNull:
		case valueUint:
			dst = binary.AppendUvarint(dst, word)
		case valueText, valueHex:
			dst = k.packText(dst, int(word>>32), int(uint32(word)))
		}
	}
	return dst
}

// unpack makes the instance at from in k.texts the one at hand, whose texts stay
// where they are, and returns where the next one begins.
func (k *kept) unpack(from int) int {
	p := unpacker{k.texts, from}
	k.kinds, k.words = k.kinds[:0], k.words[:0]
	k.in = instanceDoc{seen: fields(p.uvarint()), uniqueID: -1}
	in := &k.in
	if in.seen.has(instanceName) {
		in.name.kind = textKind(p.byte())
		in.name.from, in.name.to = p.text()
	}
	if in.seen.has(instanceUniqueID) {
		in.uniqueID = int32(p.varint())
	}
	if in.seen.has(instanceParentObject) {
		in.parentObject = uint32(p.uvarint())
	}
	if in.seen.has(instanceParent) {
		in.parents = uint32(p.uvarint())
	}
	if in.seen.has(instanceValues) {
		in.values = k.unpackValues(&p)
	}
	if in.seen.has(instanceMulti) {
		in.multi = k.unpackValues(&p)
	}
	if in.seen.has(instanceWire) {
		in.wire = fields(p.uvarint())
		for key := range in.wires {
			if in.wire.has(key) {
				in.wires[key] = uint32(p.uvarint())
			}
		}
	}
	return p.at
}

func (k *kept) unpackValues(p *unpacker) (place [2]int) {
	n, from := int(p.uvarint()), len(k.kinds)
	k.kinds, k.words = slices.Grow(k.kinds, n), slices.Grow(k.words, n)
	for range n {
		kind, word := valueKind(p.byte()), uint64(0)
		switch kind {
		case valueNull:
		case valueUint:
			word = p.uvarint()
		case valueText, valueHex:
			a, b := p.text()
			word = uint64(a)<<32 | uint64(b)
		}
		k.kinds, k.words = append(k.kinds, kind), append(k.words, word)
	}
	return [2]int{from, from + n}
}

// unpacker reads what was packed.
type unpacker struct {
	b  []byte
	at int
}

func (p *unpacker) byte() byte {
	p.at++
	return p.b[p.at-1]
}

func (p *unpacker) uvarint() uint64 {
	v, n := binary.Uvarint(p.b[p.at:])
	p.at += n
	return v
}

func (p *unpacker) varint() int64 {
	v, n := binary.Varint(p.b[p.at:])
	p.at += n
	return v
}

func (p *unpacker) text() (from, to int) {
	n := int(p.uvarint())
	from = p.at
	p.at += n
	return from, p.at
}
