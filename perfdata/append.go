package perfdata

import (
	"encoding/binary"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// maxHole limits the bytes that AppendBinary fills in where a tree has none.
const maxHole = 64 << 10

// AppendBinary appends t to dst with the lengths and offsets in t: those of a decoded
// block, or those computed by [Tree.Layout]. Bytes that nothing in t covers are an error if
// t has Gaps, otherwise zeros. Two parts with different bytes for one position are an
// error, too.
func (t *Tree) AppendBinary(dst []byte) ([]byte, error) {
	var measure painter
	if err := t.paint(&measure); err != nil {
		return nil, err
	}
	if measure.end > measure.sum+maxHole {
		return nil, perfdump.NewError(perfdump.CodeLimit, -1, levels.Root(),
			"lengths and offsets need 0x%x bytes, the tree holds 0x%x", measure.end, measure.sum)
	}
	start := len(dst)
	dst = slices.Grow(dst, measure.end)[:start+measure.end]
	p := painter{canvas: wire.NewCanvas(dst[start:])}
	if err := t.paint(&p); err != nil {
		return nil, err
	}
	if t.Gaps != nil {
		if off := p.canvas.Hole(); off >= 0 {
			return nil, perfdump.NewError(perfdump.CodeLength, int64(off), levels.Root(), "no field and no gap covers the byte")
		}
	}
	return dst, nil
}

// painter writes the parts of a block. Without a canvas it only measures.
type painter struct {
	canvas   *wire.Canvas
	end, sum int
}

func (p *painter) put(off int, b []byte, path perfdump.Path) error {
	p.end = max(p.end, off+len(b))
	p.sum += len(b)
	if off < 0 || off > maxLength-len(b) {
		return perfdump.NewError(perfdump.CodeLength, int64(off), path, "%d bytes at 0x%x are outside the range of a block", len(b), off)
	}
	if p.canvas == nil {
		return nil
	}
	return p.canvas.Put(off, b, path)
}

// header encodes one of the structs of wire.go by its tags.
func (p *painter) header(off int, v any, path perfdump.Path) error {
	return p.put(off, wire.AppendStruct(nil, v), path)
}

func (t *Tree) paint(p *painter) error {
	root := levels.Root()
	if err := p.header(0, &t.DataBlock, root); err != nil {
		return err
	}
	if len(t.RawSystemName) > 0 {
		if err := p.put(int(t.SystemNameOffset), t.RawSystemName, root.Field("SystemName")); err != nil {
			return err
		}
	}
	off := int(t.HeaderLength)
	for i := range t.Objects {
		if err := t.Objects[i].paint(p, off, root.At(levelObject, i)); err != nil {
			return err
		}
		off += int(t.Objects[i].TotalByteLength)
	}
	if t.Gaps == nil {
		p.end = max(p.end, int(min(t.TotalByteLength, maxLength))) // its padding
	}
	for _, g := range t.Gaps {
		if err := p.put(g.Off, g.Bytes, root); err != nil {
			return err
		}
	}
	return nil
}

func (o *TreeObject) paint(p *painter, off int, path perfdump.Path) error {
	if err := o.PutDefinitions(p.put, off, path); err != nil {
		return err
	}
	at := off + int(o.DefinitionLength)
	for k := range o.Instances {
		in := &o.Instances[k]
		if err := o.PutInstance(p.put, at, in, path.At(levelInstance, k)); err != nil {
			return err
		}
		at += in.size(o)
	}
	return nil
}

// size returns the bytes of the definition and the counter block.
func (in *TreeInstance) size(o *TreeObject) int {
	if o.NumInstances == NoInstances {
		return int(in.BlockLength)
	}
	return int(in.ByteLength) + int(in.BlockLength)
}

// Put is called with the bytes of a part of a block and their offset; they are valid until
// it returns.
type Put = func(off int, b []byte, path perfdump.Path) error

// PutDefinitions calls put with the header and the counters of an object at an
// offset. The error is that of put.
func (o *TreeObject) PutDefinitions(put Put, off int, path perfdump.Path) error {
	if err := put(off, wire.AppendStruct(nil, &o.ObjectType), path); err != nil {
		return err
	}
	at := off + int(o.HeaderLength)
	for j := range o.Counters {
		if err := put(at, wire.AppendStruct(nil, &o.Counters[j]), path.At(levelCounter, j)); err != nil {
			return err
		}
		at += int(o.Counters[j].ByteLength)
	}
	return nil
}

// PutInstance calls put with the definition, the name and the values of an instance at an
// offset. The error is that of put, or that the number of values is not that of the
// counters.
func (o *TreeObject) PutInstance(put Put, off int, in *TreeInstance, path perfdump.Path) error {
	if o.NumInstances != NoInstances {
		if err := in.putName(put, off, path); err != nil {
			return err
		}
		off += int(in.ByteLength)
	}
	return in.putValues(put, off, o.Counters, path)
}

func (in *TreeInstance) putName(put Put, off int, path perfdump.Path) error {
	le := binary.LittleEndian
	var def [instanceSize]byte
	le.PutUint32(def[0:], in.ByteLength)
	le.PutUint32(def[4:], in.ParentObjectTitleIndex)
	le.PutUint32(def[8:], in.ParentObjectInstance)
	le.PutUint32(def[12:], uint32(in.UniqueID))
	le.PutUint32(def[16:], in.NameOffset)
	le.PutUint32(def[20:], in.NameLength)
	if err := put(off, def[:], path); err != nil {
		return err
	}
	if len(in.RawName) == 0 {
		return nil
	}
	return put(off+int(in.NameOffset), in.RawName, path.Field("Name"))
}

func (in *TreeInstance) putValues(put Put, off int, counters []CounterDefinition, path perfdump.Path) error {
	if len(in.Values) > len(counters) {
		return perfdump.NewError(perfdump.CodeCount, int64(off), path, "%d values for %d counters", len(in.Values), len(counters))
	}
	var buf [8]byte
	binary.LittleEndian.PutUint32(buf[:], in.BlockLength)
	if err := put(off, buf[:4], path.Field("CounterBlock.ByteLength")); err != nil {
		return err
	}
	for j := range in.Values {
		v, path := &in.Values[j], path.At(levelCounter, j)
		raw := v.Raw
		if raw == nil {
			binary.LittleEndian.PutUint64(buf[:], v.Uint)
			switch v.Kind {
			case Uint32:
				raw = buf[:4]
			case Uint64:
				raw = buf[:8]
			case Absent, Text, Bytes:
				continue
			}
		}
		at := off + int(counters[j].CounterOffset)
		if err := put(at, raw, path); err != nil {
			return err
		}
		if v.Count != nil {
			binary.LittleEndian.PutUint32(buf[:], *v.Count)
			if err := put(at+8, buf[:4], path.Field("Count")); err != nil {
				return err
			}
		}
	}
	return nil
}
