package perfdata

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Layout computes every length, count and offset of t and keeps its content: names,
// indexes, types, scales, clocks and values. The result is the canonical form: all parts
// are padded to 8 with zeros, values are in the order of their definitions, the first at 8
// if it takes 8 bytes, otherwise at 4. A CounterSize of 0 becomes the width of the
// counter's type; names given as strings are encoded. Gaps are dropped.
//
// The result encodes to a block that decodes in strict mode, provided that the content is
// valid. Layout fails on names that their code page cannot represent and on objects whose
// instances do not match their NumInstances.
func (t *Tree) Layout() error {
	copy(t.Signature[:], []uint16{'P', 'E', 'R', 'F'})
	t.LittleEndian, t.Version, t.Revision, t.Gaps = 1, 1, 1, nil
	if t.RawSystemName == nil && t.SystemName != "" {
		t.RawSystemName = append(wire.EncodeUTF16(nil, t.SystemName), 0, 0)
	}
	t.SystemNameOffset, t.SystemNameLength = blockSize, uint32(len(t.RawSystemName))
	size := align8(uint64(blockSize + len(t.RawSystemName)))
	t.HeaderLength, t.NumObjectTypes = uint32(size), uint32(len(t.Objects))
	for i := range t.Objects {
		path := levels.Root().At(levelObject, i)
		if err := t.Objects[i].layout(path); err != nil {
			return err
		}
		size += uint64(t.Objects[i].TotalByteLength)
		if size > maxLength {
			return perfdump.NewError(perfdump.CodeLimit, -1, path, "the block exceeds 2 GiB")
		}
	}
	t.TotalByteLength = uint32(size)
	return nil
}

func (o *TreeObject) layout(path perfdump.Path) error {
	single := 0
	switch o.NumInstances {
	case NoInstances:
		single = 1
	case MetadataMulti, MetadataSingle:
	default:
		o.NumInstances, single = int32(len(o.Instances)), len(o.Instances)
	}
	if single != len(o.Instances) {
		return perfdump.NewError(perfdump.CodeCount, -1, path, "%d instances in an object with NumInstances %d", len(o.Instances), o.NumInstances)
	}
	o.HeaderLength, o.NumCounters = objectSize, uint32(len(o.Counters))
	o.DefinitionLength = objectSize + counterSize*uint32(len(o.Counters))
	for j := range o.Counters {
		o.Counters[j].ByteLength = counterSize
	}
	block := o.PlaceValues(nil)
	size := uint64(o.DefinitionLength)
	for k := range o.Instances {
		in := &o.Instances[k]
		in.BlockLength = uint32(block)
		size += block
		if o.NumInstances != NoInstances {
			if err := in.Layout(o.CodePage, path.At(levelInstance, k)); err != nil {
				return err
			}
			size += uint64(in.ByteLength)
		}
		if size > maxLength {
			return perfdump.NewError(perfdump.CodeLimit, -1, path, "the object exceeds 2 GiB")
		}
	}
	o.TotalByteLength = uint32(size)
	return nil
}

// PlaceValues computes the size and the offset of each value in a counter block, and
// returns the length of the block, at most 2 GiB. If given is not nil, it reports which
// sizes and offsets to keep.
func (o *TreeObject) PlaceValues(given func(j int) (size, offset bool)) uint64 {
	off, end := uint64(valuesSize), uint64(valuesSize)
	for j := range o.Counters {
		c := &o.Counters[j]
		var sized, placed bool
		if given != nil {
			sized, placed = given(j)
		}
		if w := c.CounterType.ValueWidth(); c.CounterSize == 0 && w > 0 && !sized {
			c.CounterSize = uint32(w)
		}
		size := uint64(c.CounterSize)
		switch {
		case size == 0:
		case size%8 == 0:
			off = align8(off)
		case size%4 == 0:
			off = (off + 3) &^ 3
		case size%2 == 0:
			off = (off + 1) &^ 1
		}
		if !placed {
			c.CounterOffset = uint32(min(off, maxLength))
		}
		off = uint64(c.CounterOffset) + size
		if size > 0 && c.CounterType.Multi() && !c.CounterType.IsBase() && !o.hasMultiBase(j) {
			off += 4 // its count
		}
		end = max(end, off)
	}
	return align8(end)
}

func (o *TreeObject) hasMultiBase(j int) bool {
	return j+1 < len(o.Counters) && o.Counters[j+1].CounterType.IsBase() && o.Counters[j+1].CounterType.Multi()
}

// Layout encodes the name of an instance and computes the lengths and offsets of its
// definition. path is that of the instance, for the error that its code page cannot
// represent the name.
func (in *TreeInstance) Layout(page uint32, path perfdump.Path) error {
	if in.RawName == nil && in.Name != "" {
		if page == 0 {
			in.RawName = append(wire.EncodeUTF16(nil, in.Name), 0, 0)
		} else {
			p, ok := wire.LookupCodePage(page)
			if !ok {
				return perfdump.NewError(perfdump.CodeSyntax, -1, path, "code page %d is unknown", page)
			}
			raw, ok := p.Encode(nil, in.Name)
			if !ok {
				return perfdump.NewError(perfdump.CodeSyntax, -1, path, "code page %d cannot represent the name %q", page, in.Name)
			}
			in.RawName = append(raw, 0)
		}
	}
	in.NameOffset, in.NameLength = instanceSize, uint32(len(in.RawName))
	size := align8(uint64(instanceSize + len(in.RawName)))
	if size > maxLength {
		return perfdump.NewError(perfdump.CodeLimit, -1, path, "the name exceeds 2 GiB")
	}
	in.ByteLength = uint32(size)
	return nil
}

func align8(n uint64) uint64 { return (n + 7) &^ 7 }
