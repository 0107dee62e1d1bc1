package document

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// perfReader reads the blocks of a document and lays them out by the tree of
// package perfdata.
//
// A document without any wire and gaps is canonical: it is laid out by the
// rules of [perfdata.Tree.Layout], and the lengths and offsets in it do not
// count. Any other is explicit: what it says holds, and what it leaves out is
// as the rules have it.
type perfReader struct {
	*decoder
	c        *canvas
	explicit bool
}

func (d *decoder) perfData(c *canvas) error {
	p := &perfReader{decoder: d, c: c, explicit: d.hasGaps || d.hasWire("blocks")}
	next := int64(0)
	r := d.at("blocks")
	err := r.array(func(i int) (err error) {
		next, err = p.block(r, i, next)
		return err
	})
	if err != nil || !p.explicit { // what no field holds is padding
		return err
	}
	return d.finish(c)
}

// block reads a block and puts it where the one before ends, or where it says.
// It returns where the next one begins unless that says otherwise.
func (p *perfReader) block(r *reader, i int, next int64) (int64, error) {
	b := blockDoc{little: true}
	if err := r.value(b.fields(&b.list)); err != nil {
		return 0, err
	}
	if !b.little && b.flag.or(1) == 1 {
		return 0, r.errorAt(perfdump.CodeBigEndian, -1, "little_endian is false; blocks can only be written in little-endian order")
	}
	t := &b.tree
	words, ticks, err := b.time.resolve(r, b.time100)
	if err != nil {
		return 0, err
	}
	if err := b.encodeName(r); err != nil {
		return 0, err
	}
	base := next
	if p.explicit {
		base = b.offset.or(next)
	} else {
		b.header, b.total, b.number, b.version, b.revision = opt{}, opt{}, opt{}, opt{}, opt{}
	}
	n, nameOff := int64(len(t.RawSystemName)), b.nameOffset.or(headerSize)
	header := int64(headerSize)
	if b.name.kind != textNone {
		header = align8(max(headerSize, nameOff+n))
	}
	header = b.header.or(header)
	objects, err := p.count(b.list, string(r.path)+".objects")
	switch {
	case err != nil:
		return 0, err
	case header < headerSize:
		return 0, r.errorAt(perfdump.CodeLength, base, "header_length %d is less than the %d bytes of a header", header, headerSize)
	case n > 0 && (nameOff < headerSize || nameOff+n > header):
		return 0, r.errorAt(perfdump.CodeLength, base, "system_name, %d bytes at %d, is not between the struct of %d bytes and the header's end at %d", n, nameOff, headerSize, header)
	case base < int64(len(p.c.out)):
		return 0, r.errorAt(perfdump.CodeLength, base, "the block begins at 0x%x, inside the one before, which has bytes up to 0x%x", base, len(p.c.out))
	case b.number.or(objects) != objects:
		return 0, r.errorAt(perfdump.CodeCount, base, "num_object_types is %d, but there are %d objects", b.number.v, objects)
	}
	first := base + header
	end, err := p.objects(r, &b, i, base, first)
	if err != nil {
		return 0, err
	}
	total := b.total.or(end - base)
	if end-base > maxLength {
		return 0, r.errorAt(perfdump.CodeLimit, base, "the block grows over 2 GiB")
	}
	copy(t.Signature[:], []uint16{'P', 'E', 'R', 'F'})
	t.LittleEndian, t.Version, t.Revision = uint32(b.flag.or(1)), uint32(b.version.or(1)), uint32(b.revision.or(1))
	t.TotalByteLength, t.HeaderLength, t.NumObjectTypes = uint32(total), uint32(header), uint32(objects)
	t.SystemNameLength, t.SystemNameOffset = uint32(b.nameLength.or(n)), uint32(nameOff)
	t.PerfFreq, t.PerfTime100nSec, t.SystemTime = b.freq.or(defaultFreq), ticks, words
	raw := wire.AppendStruct(nil, &t.DataBlock)
	for _, field := range []struct {
		off int64
		b   []byte
	}{{0, raw[:padOff]}, {padEnd, raw[padEnd:]}, {nameOff, t.RawSystemName}} {
		if err := p.c.put(base+field.off, field.b); err != nil {
			return 0, err
		}
	}
	if !b.header.ok {
		p.c.fillIn(base, first)
	}
	if !p.explicit { // the padding at the end
		if err := p.c.grow(end); err != nil {
			return 0, err
		}
	}
	return max(end, base+total), nil
}

// encodeName makes the bytes of the computer's name.
func (b *blockDoc) encodeName(r *reader) error {
	raw, ok := b.name.withNUL(0, b.nameLength)
	b.tree.RawSystemName = raw
	if !ok {
		return r.errorAt(perfdump.CodeLength, -1, "system_name takes %d bytes, with the NUL after a text; wire.system_name_length says %d", len(raw), b.nameLength.v)
	}
	return nil
}

// withNUL returns the bytes of a name whose length may be given: a text is followed by a
// NUL, unless the length has no place for it. Where the length is another, it
// returns false and the bytes; where the page does not have the name, false and nil.
func (t *bytesOrText) withNUL(page uint32, length opt) ([]byte, bool) {
	if t.kind == textNone {
		return nil, true
	}
	raw, ok := t.append([]byte{}, page)
	if !ok {
		return nil, false
	}
	n := int64(len(raw))
	if t.kind == textString && length.or(-1) != n && (length.ok || n > 0) {
		raw = append(raw, make([]byte, unit(page))...)
		n = int64(len(raw))
	}
	return raw, length.or(n) == n
}

// objects puts the objects of a block one after another from an offset on, and
// returns their end.
func (p *perfReader) objects(r *reader, b *blockDoc, block int, base, at int64) (int64, error) {
	if b.list.empty() {
		return at, nil
	}
	first := at
	objects := newReader(p.doc, b.list, string(r.path)+".objects")
	err := objects.array(func(j int) error {
		o := &objectReader{perfReader: p, r: objects, start: at, known: p.explicit && b.offset.ok && b.header.ok, path: string(objects.path)}
		err := o.read()
		switch {
		case err != nil:
			return err
		case !p.explicit || o.offset.or(at) == at:
		case at == first:
			return r.errorAt(perfdump.CodeLength, base, "the first object is at 0x%x by its offset, at 0x%x by offset and header_length of the block", o.offset.v, at)
		default:
			return r.errorAt(perfdump.CodeLength, -1, "the offset of blocks[%d].objects[%d] is not where the lengths of the objects before lead", block, j)
		}
		at += o.total
		return nil
	})
	return at, err
}

// defaultFreq is the frequency of every Windows since 10 version 1809.
const defaultFreq = 10_000_000

func align8(n int64) int64 { return (n + 7) &^ 7 }

// The levels of a tree's path as a document names them: in the definitions of
// an object, and in an instance.
var (
	definitionLevels = perfdump.Levels{"", "", "", "counters"}
	instanceLevels   = perfdump.Levels{"", "", "", "values"}
)

// treePath replaces the fields of a path in a tree by those of a document.
var treePath = strings.NewReplacer("CounterBlock.ByteLength", "wire.block_length", "Name", "name", ".Count", "")

// element returns the path of an element of a list.
func element(path, list string, j int) string { return fmt.Sprintf("%s.%s[%d]", path, list, j) }
