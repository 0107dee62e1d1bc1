package perfdata

import (
	"bytes"
	"encoding/binary"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// RawName returns the NameLength bytes of the name. They alias the input.
func (in Instance) RawName() []byte {
	if !in.Defined() {
		return nil
	}
	raw := in.object.block.raw[in.off:]
	from := int(wire.U32(raw, 16))
	to := from + int(wire.U32(raw, 20))
	return raw[from:to:to]
}

// Name returns the instance's name, decoded by its object's code page, up to its NUL.
// Invalid characters become U+FFFD; RawName has the original.
func (in Instance) Name() string {
	return string(in.AppendName(nil))
}

// AppendName appends the instance's name to dst. It does not allocate if dst has capacity
// and the name is UTF-16 or ASCII.
func (in Instance) AppendName(dst []byte) []byte {
	raw := in.RawName()
	if len(raw) == 0 {
		return dst
	}
	return in.object.appendName(dst, raw)
}

func (o *Object) appendName(dst, raw []byte) []byte {
	if o.CodePage != 0 {
		dst, _ = nameInPage(dst, raw, o.CodePage)
		return dst
	}
	return wire.AppendUTF16(dst, cutNUL16(raw))
}

// Parent returns the instance that this one belongs to, such as a thread's process. In
// salvage mode there is none if the names of parents exceed the limit.
func (in Instance) Parent() (Instance, bool) {
	if !in.Defined() || in.object.orphans {
		return Instance{}, false
	}
	raw := in.object.block.raw[in.off:]
	title, pos := wire.U32(raw, 4), wire.U32(raw, 8)
	if title == 0 {
		return Instance{}, false
	}
	parent, ok := in.object.parentObject(title)
	if !ok || parent.holes || !parent.inRange(pos) {
		return Instance{}, false
	}
	return parent.Instance(int(pos)), true
}

// parentObject returns the object with the title that an instance of o has for its parent.
func (o *Object) parentObject(title uint32) (*Object, bool) {
	if o.parentAt >= 0 && title == o.parentTitle {
		return &o.block.objects[o.parentAt], true
	}
	return o.block.ObjectByIndex(title)
}

func (o *Object) inRange(pos uint32) bool { return o.NumInstances > 0 && uint64(pos) < uint64(o.Len()) }

// FullName returns the name with its parent's before it: parent/child. The parent's name is
// cut after 1,024 characters, as in PDH.
func (in Instance) FullName() string {
	return string(in.AppendFullName(nil))
}

// AppendFullName appends what FullName returns to dst.
func (in Instance) AppendFullName(dst []byte) []byte {
	return in.AppendName(in.appendParent(dst))
}

// appendParent appends the shown name of the parent and a slash, if there is one.
func (in Instance) appendParent(dst []byte) []byte {
	if parent, ok := in.Parent(); ok {
		dst = append(parent.AppendShownName(dst), '/')
	}
	return dst
}

// parentNames rejects a block in which the names of parents, repeated for each of their
// children, exceed twice the block: in real blocks they take a third of it.
func (d *Decoder) parentNames() *fault {
	blk := d.block
	limit := 2 * d.Limits.MaxValues(len(blk.raw))
	longest, children := 0, 0
	for i := range blk.objects {
		o := &blk.objects[i]
		longest = max(longest, min(int(o.nameMax), maxShownName))
		if o.parentTitle != 0 {
			children += o.Len()
		}
	}
	if longest*children <= limit {
		return nil
	}
	total := 0
	for i := range blk.objects {
		o := &blk.objects[i]
		if o.parentTitle == 0 {
			continue
		}
		for k, in := range o.Instances() {
			if parent, ok := in.Parent(); ok {
				total += min(len(parent.RawName()), maxShownName)
			}
			if total <= limit {
				continue
			}
			err := d.fail(perfdump.CodeLimit, int(in.off)+4, o.Path().At(levelInstance, k).Field("ParentObjectTitleIndex"),
				"the names of parents, repeated for each child, exceed the limit of %d bytes", int64(limit))
			for j := range blk.objects {
				blk.objects[j].orphans = true
			}
			return err
		}
	}
	return nil
}

// parents reports the instances whose parent does not exist.
func (d *Decoder) parents() {
	blk := d.block
	for i := range blk.objects {
		o := &blk.objects[i]
		if o.parentTitle == 0 {
			continue
		}
		o.parentAt = blk.find(o.parentTitle)
		if !o.parentMixed && (o.parentAt < 0 || blk.objects[o.parentAt].inRange(o.parentMax)) {
			continue
		}
		for k, in := range o.Instances() {
			def := in.Definition()
			parent, ok := blk.ObjectByIndex(def.ParentObjectTitleIndex)
			if def.ParentObjectTitleIndex != 0 && ok && !parent.holes && !parent.inRange(def.ParentObjectInstance) {
				d.anomaly(codeParentRange, int(in.off)+8, o.Path().At(levelInstance, k).Field("ParentObjectInstance"),
					"position %d, but the parent object has %d instances", int64(def.ParentObjectInstance), int64(parent.Len()))
			}
		}
	}
}

// plainMax is the length in bytes, without the NUL, up to which names are checked without a
// loop, whose end the processor would mispredict.
const plainMax = 48

// plainMask holds, at each offset, which bytes of plainMax are part of a name.
var plainMask = func() (m [2 * plainMax]byte) {
	for i := range plainMax {
		m[i] = 0xff
	}
	return m
}()

// The unusual characters in four units: those that are not ASCII, and NULs, which borrow
// from the unit above when 1 is subtracted. Other borrows end below them.
const (
	plainOnes = 0x0001_0001_0001_0001
	plainOdd  = 0xff80_ff80_ff80_ff80
)

// plainName reports whether the n bytes at off have the usual form: ASCII in UTF-16 with
// one NUL, at the end.
func plainName(b []byte, off, n int) bool {
	if n%2 != 0 || b[off+n-2]|b[off+n-1] != 0 {
		return false
	}
	n -= 2
	if n > plainMax || off+plainMax > len(b) {
		return plainLong(b[off : off+n])
	}
	w, keep := b[off:off+plainMax:off+plainMax], plainMask[plainMax-n:][:plainMax:plainMax]
	odd := plainWord(w, keep) | plainWord(w[8:], keep[8:]) | plainWord(w[16:], keep[16:])
	if n > plainMax/2 {
		odd |= plainWord(w[24:], keep[24:]) | plainWord(w[32:], keep[32:]) | plainWord(w[40:], keep[40:])
	}
	return odd&plainOdd == 0
}

func plainWord(b, keep []byte) uint64 {
	m := binary.LittleEndian.Uint64(keep)
	w := binary.LittleEndian.Uint64(b) & m
	return w | (w-plainOnes)&m
}

// plainLong checks eight bytes at a time, and the last ones twice.
func plainLong(b []byte) bool {
	if len(b) < 8 {
		for i := 0; i < len(b); i += 2 {
			if b[i]-1 >= 0x7f || b[i+1] != 0 {
				return false
			}
		}
		return true
	}
	last := binary.LittleEndian.Uint64(b[len(b)-8:])
	odd := last | (last - plainOnes)
	for ; len(b) >= 8; b = b[8:] {
		w := binary.LittleEndian.Uint64(b)
		odd |= w | (w - plainOnes)
	}
	return odd&plainOdd == 0
}

// checkName reports what is unusual in a name that is not plain.
func (d *Decoder) checkName(o *Object, raw []byte, off int, path perfdump.Path) {
	if len(raw) > maxText {
		return // its object is rejected, or in salvage mode the instance
	}
	if o.CodePage != 0 {
		d.checkNameInPage(o.CodePage, raw, off, path)
		return
	}
	if len(raw)%2 != 0 {
		d.anomaly(codeNameOdd, off, path, "the UTF-16 name has %d bytes, an odd number", int64(len(raw)))
	}
	nul := wire.IndexNUL16(raw)
	d.checkNUL(nul, len(raw)&^1-2, off, path)
	if !wire.ValidUTF16(cutNUL16(raw)) {
		d.anomaly(codeNameEncoding, off, path, "an unpaired surrogate")
	}
}

func (d *Decoder) checkNameInPage(page uint32, raw []byte, off int, path perfdump.Path) {
	if plainlyUTF16(raw) {
		d.anomaly(codeNameEncoding, off, path, "the name is UTF-16, although the object's code page is %d", int64(page))
		d.checkNUL(wire.IndexNUL16(raw), len(raw)-2, off, path)
		return
	}
	d.checkNUL(bytes.IndexByte(raw, 0), len(raw)-1, off, path)
	if _, decodes := nameInPage(d.scratch[:0], raw, page); !decodes {
		d.anomaly(codeNameEncoding, off, path, "code page %d does not decode the name; read as UTF-16", int64(page))
	}
}

// checkNUL reports if the first NUL, at nul or -1, is not the last character.
func (d *Decoder) checkNUL(nul, last, off int, path perfdump.Path) {
	switch {
	case nul < 0:
		d.anomaly(codeNameNUL, off, path, "no NUL at its end")
	case nul < last:
		d.anomaly(codeNameNUL, off+nul, path, "a NUL after %d of %d bytes; the name is cut there", int64(nul), int64(last))
	}
}

func cutNUL(b []byte) []byte {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return b[:i]
	}
	return b
}

func cutNUL16(b []byte) []byte {
	if i := wire.IndexNUL16(b); i >= 0 {
		return b[:i]
	}
	return b
}
