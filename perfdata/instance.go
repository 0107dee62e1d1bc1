package perfdata

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Instance is an instance of an object: a name and a set of values. It is a
// small value that refers to its block.
type Instance struct {
	object *Object
	pos    int32
	place
}

// place is the position of an instance in the block's bytes.
type place struct {
	off    uint32 // of the definition, or of the counter block of an unnamed one
	values uint32 // of the counter block
}

// Object returns the object that the instance belongs to.
func (in Instance) Object() *Object { return in.object }

// Position returns the zero-based position among the object's instances.
func (in Instance) Position() int { return int(in.pos) }

// Path names the instance in errors and spans.
func (in Instance) Path() perfdump.Path { return in.object.Path().At(levelInstance, int(in.pos)) }

// Offset returns the offset of the instance in its file.
func (in Instance) Offset() int64 { return in.object.block.base + int64(in.off) }

// Defined reports whether the instance has a definition. The unnamed set of values of an
// object without instances has none.
func (in Instance) Defined() bool { return in.object.NumInstances != NoInstances }

// Definition returns the struct before the instance's name. It is zero, with UniqueID -1,
// for the unnamed set of values of an object without instances.
func (in Instance) Definition() InstanceDefinition {
	def := InstanceDefinition{UniqueID: -1}
	if in.Defined() {
		def.load(in.object.block.raw[in.off:])
	}
	return def
}

// definitionBytes returns the definition with the name and padding, nothing for an unnamed
// set of values.
func (in Instance) definitionBytes() []byte { return in.object.block.raw[in.off:in.values] }

// UniqueID returns the number that identifies the instance, -1 if the name does.
func (in Instance) UniqueID() int32 {
	if !in.Defined() {
		return -1
	}
	return int32(wire.U32(in.object.block.raw, int(in.off)+12))
}

// blockOffset returns the offset of the instance's counter block.
func (in Instance) blockOffset() int { return int(in.values) }

// BlockBytes returns the counter block, beginning with its ByteLength. The bytes alias the
// input.
func (in Instance) BlockBytes() []byte {
	raw, off := in.object.block.raw, in.blockOffset()
	end := off + int(wire.U32(raw, off))
	return raw[off:end:end]
}

// instances reads the instances of o, or its one counter block.
func (d *Decoder) instances(o *Object, path perfdump.Path) *fault {
	blk := d.block
	off := o.off + int(o.DefinitionLength)
	o.instances = span{int32(len(blk.places)), int32(len(blk.places))}
	o.instEnd = off
	misaligned := o.off
	var err *fault
	switch {
	case o.NumInstances > 0:
		var m int
		m, err = d.walk(o, &path)
		misaligned |= m
	case o.NumInstances == NoInstances:
		var n int
		n, err = d.counterBlock(off, o.end, path)
		if err == nil {
			blk.places = append(blk.places, place{uint32(off), uint32(off)})
			o.minBlock, o.instEnd = n, off+n
			misaligned |= off
		}
	case o.NumInstances < MetadataSingle:
		d.anomaly(codeNumInstances, o.off+40, path.Field("NumInstances"), "%d instances; what follows the definitions is not read", int64(o.NumInstances))
	case holdsData(d.b[off:o.end]):
		d.anomaly(codeNumInstances, o.off+40, path.Field("NumInstances"), "%d instances, but %d bytes follow the definitions", int64(o.NumInstances), int64(o.end-off))
	}
	o.instances.to = int32(len(blk.places))
	if misaligned%8 != 0 {
		d.misaligned(o, path)
	}
	if err != nil {
		return err
	}
	if n := o.end - o.instEnd; n >= gapSize && o.Len() > 0 {
		d.anomaly(CodeGap, o.instEnd, path, "%d bytes after the last instance", int64(n))
	}
	return nil
}

// walk iterates over the instances by their lengths. It returns the offsets of all of them
// and of their blocks, or'ed.
func (d *Decoder) walk(o *Object, path *perfdump.Path) (misaligned int, err *fault) {
	blk, b := d.block, d.b[:o.end]
	p, minBlock := o.off+int(o.DefinitionLength), maxLength
	var parentTitle, parentMax, parentOther, nameMax uint32
	first := len(blk.places)
	blk.places = reserve(blk.places, int(o.NumInstances))
	places := blk.places[first : first+int(o.NumInstances)]
	done := 0
	// Most instances have the same lengths as the previous ones. While the lengths do not
	// change, p depends not on loads but on well predicted branches, so the processor
	// requests the next instances before the lengths of this one have arrived from memory.
	var length, n uint
	for i := range places {
		if p >= d.fetch {
			d.fetchAhead(p)
		}
		left := len(b) - p
		if left < instanceSize+valuesSize {
			err = d.instanceCut(o, p, left, path.At(levelInstance, i))
			break
		}
		def := b[p : p+instanceSize : len(b)]
		if v := uint(wire.U32(def, 0)); v != length {
			length = v
		}
		nameOff, nameLen := uint64(wire.U32(def, 16)), uint64(wire.U32(def, 20))
		if length < instanceSize || length > uint(left) || nameOff+nameLen > uint64(length) {
			err = d.instanceLengths(p, left, path.At(levelInstance, i))
			break
		}
		off := p + int(length)
		if len(b)-off < valuesSize {
			_, err = d.counterBlock(off, len(b), path.At(levelInstance, i))
			break
		}
		if v := uint(wire.U32(b, off)); v != n {
			n = v
		}
		if n < valuesSize || n > uint(len(b)-off) {
			_, err = d.counterBlock(off, len(b), path.At(levelInstance, i))
			break
		}
		if nameOff < instanceSize {
			d.anomaly(codeNameOffset, p+16, path.At(levelInstance, i).Field("NameOffset"), "the name begins at %d, inside the definition", int64(nameOff))
		}
		if nameLen != 0 && !(o.CodePage == 0 && plainName(b, p+int(nameOff), int(nameLen))) {
			d.checkName(o, b[p+int(nameOff):p+int(nameOff+nameLen)], p+int(nameOff), path.At(levelInstance, i).Field("Name"))
		}
		if title := wire.U32(def, 4); title != 0 {
			if parentTitle == 0 {
				parentTitle = title
			}
			parentOther |= title ^ parentTitle
			parentMax = max(parentMax, wire.U32(def, 8))
		}
		nameMax = max(nameMax, uint32(nameLen))
		minBlock = min(minBlock, int(n))
		misaligned |= p | off
		places[i] = place{uint32(p), uint32(off)}
		done++
		p = off + int(n)
	}
	blk.places = blk.places[:first+done]
	o.minBlock, o.instEnd = minBlock, p
	o.parentTitle, o.parentMax, o.parentMixed = parentTitle, parentMax, parentOther != 0
	o.nameMax = nameMax
	return misaligned, err
}

// The errors of an instance are in separate functions: inlined, they would slow down walk.

func (d *Decoder) instanceCut(o *Object, p, left int, path perfdump.Path) *fault {
	f := d.fail(perfdump.CodeLength, p, path, "0x%x bytes remain in the object, too few for an instance", int64(left))
	f.cut = o.end == d.end && d.cut
	return f
}

func (d *Decoder) instanceLengths(p, left int, path perfdump.Path) *fault {
	var def InstanceDefinition
	def.load(d.b[p:])
	if def.ByteLength < instanceSize || uint64(def.ByteLength) > uint64(left) {
		return d.fail(perfdump.CodeLength, p, path.Field("ByteLength"), "instance of 0x%x bytes, but 0x%x remain", int64(def.ByteLength), int64(left))
	}
	return d.fail(perfdump.CodeLength, p+20, path.Field("NameLength"), "name 0x%x past the instance's 0x%x bytes",
		int64(def.NameOffset)+int64(def.NameLength), int64(def.ByteLength))
}

// counterBlock checks the counter block at off and returns its length.
func (d *Decoder) counterBlock(off, end int, path perfdump.Path) (int, *fault) {
	left := end - off
	if left < valuesSize {
		return 0, d.fail(perfdump.CodeLength, off, path.Field("CounterBlock"), "%d bytes remain for a counter block", int64(left))
	}
	n := d.u32(off)
	if n < valuesSize || uint64(n) > uint64(left) {
		return 0, d.fail(perfdump.CodeLength, off, path.Field("CounterBlock.ByteLength"), "counter block of 0x%x bytes, but 0x%x remain", int64(n), int64(left))
	}
	return int(n), nil
}

// misaligned reports, once for each object, the first thing that is not on an 8-byte
// boundary.
func (d *Decoder) misaligned(o *Object, path perfdump.Path) {
	const text = "at 0x%x, not on an 8-byte boundary"
	if o.off%8 != 0 {
		d.anomaly(codeMisaligned, o.off, path, text, int64(o.off))
		return
	}
	for i, in := range o.Instances() {
		block := in.blockOffset()
		switch {
		case in.off%8 != 0:
			d.anomaly(codeMisaligned, int(in.off), path.At(levelInstance, i), text, int64(in.off))
		case block%8 != 0:
			d.anomaly(codeMisaligned, block, path.At(levelInstance, i).Field("CounterBlock"), text, int64(block))
		default:
			continue
		}
		return
	}
}
