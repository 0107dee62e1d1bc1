package ipcblock

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// maxHole limits the bytes that AppendBinary fills in where a tree has none: a whole empty
// table.
const maxHole = tableSize

// AppendBinary appends t to dst with the sizes and offsets in t: those of a decoded table,
// or those computed by [Tree.Layout]. If t has Gaps, a byte that nothing in t covers is an
// error, otherwise it is zero. Two parts with different bytes for one position are an
// error, as is a value too large for its field.
func (t *Tree) AppendBinary(dst []byte) ([]byte, error) {
	sum := 0
	for i := range t.Chunks {
		sum += len(t.Chunks[i].RawPath) + chunkSize + entrySize*len(t.Chunks[i].Entries)
	}
	for _, g := range t.Gaps {
		sum += len(g.Bytes) + max(0, g.Zero)
		if sum < 0 {
			break
		}
	}
	if t.Size < 0 || sum < 0 || t.Size > sum+maxHole {
		return nil, perfdump.NewError(perfdump.CodeLimit, -1, levels.Root(), "the size is 0x%x bytes, but the tree holds 0x%x", t.Size, sum)
	}
	start := len(dst)
	dst = slices.Grow(dst, t.Size)[:start+t.Size]
	canvas := wire.NewCanvas(dst[start:])
	for i := range t.Chunks {
		if err := t.Chunks[i].Put(canvas.Put, t.Kind); err != nil {
			return nil, err
		}
	}
	for _, g := range t.Gaps {
		if err := canvas.Put(g.Off, g.Bytes, levels.Root()); err != nil {
			return nil, err
		}
		if g.Zero < 0 {
			return nil, perfdump.NewError(perfdump.CodeLength, int64(g.Off), levels.Root(), "a gap of %d zeros", g.Zero)
		}
		if err := canvas.Put(g.Off+len(g.Bytes), make([]byte, min(g.Zero, t.Size+1)), levels.Root()); err != nil {
			return nil, err
		}
	}
	if off := canvas.Hole(); off >= 0 && t.Gaps != nil {
		return nil, perfdump.NewError(perfdump.CodeLength, int64(off), levels.Root(), "no field and no gap covers the byte")
	}
	return dst, nil
}

type painter func(off int, b []byte, path perfdump.Path) error

// record writes the fields of a struct of wire.go; padding is left to the gaps.
func (p painter) record(off int, v any, path perfdump.Path) error {
	b := wire.AppendStruct(nil, v)
	fields, _ := wire.Layout(v)
	for i := range fields {
		f := &fields[i]
		if f.Kind == perfdump.KindPadding {
			continue
		}
		if err := p(off+f.Off, b[f.Off:f.Off+f.Size], path); err != nil {
			return err
		}
	}
	return nil
}

// Put calls put with the parts of a chunk of a layout and their offsets in the table.
func (c *TreeChunk) Put(put func(off int, b []byte, path perfdump.Path) error, kind Layout) error {
	p := painter(put)
	if c.Index < 0 || c.Index >= tableChunks {
		return perfdump.NewError(perfdump.CodeCount, -1, c.path(kind), "chunk %d does not exist: a table has %d", c.Index, tableChunks)
	}
	off, path := c.offset(kind), c.path(kind)
	size, err := c.paintHeader(p, kind, off, path)
	if err != nil {
		return err
	}
	for i := range c.Entries {
		if err := p.record(off+size+entrySize*i, c.Entries[i], path.At(levelEntry, i)); err != nil {
			return err
		}
	}
	if err := c.paintPerf(p, off+c.PerfOff, path); err != nil {
		return err
	}
	if c.AppDomain != nil {
		if err := c.paintAppDomain(p, off+c.DomainOff, path); err != nil {
			return err
		}
	}
	return p(off+c.PathOff, c.RawPath, path.Field("path"))
}

// paintHeader returns the size of the header.
func (c *TreeChunk) paintHeader(p painter, kind Layout, off int, path perfdump.Path) (int, error) {
	switch {
	case kind == Bare:
		return 0, nil
	case kind == SxS:
		return headerSize, p.record(off, chunkHeader{
			c.Counter, c.RuntimeID, c.Reserved[0], c.Reserved[1], c.Version, c.Flags, c.BlockSize, c.BuildYear, c.BuildNumber, c.NumEntries,
		}, path)
	case c.Arch == X64:
		return legacySize[X64], p.record(off, legacyHeader64{
			c.Version, c.Flags, c.BlockSize, c.HInstance, c.BuildYear, c.BuildNumber, c.NumEntries,
		}, path)
	}
	if c.HInstance > math.MaxUint32 {
		return 0, tooWide(path.Field("header.hInstance"), c.HInstance, 4)
	}
	return legacySize[X86], p.record(off, legacyHeader32{
		c.Version, c.Flags, c.BlockSize, uint32(c.HInstance), c.BuildYear, c.BuildNumber, c.NumEntries,
	}, path)
}

func tooWide(path perfdump.Path, v uint64, size int) error {
	return perfdump.NewError(perfdump.CodeLength, -1, path, "%d does not fit %d bytes", v, size)
}

func (c *TreeChunk) paintPerf(p painter, off int, path perfdump.Path) error {
	if c.Values == nil {
		return nil
	}
	arch := c.PerfArch()
	if arch == NoArch {
		return perfdump.NewError(perfdump.CodeSyntax, -1, path, "values, but no architecture")
	}
	var buf [8]byte
	for _, f := range c.Fields() {
		v, n := c.Values[f], f.Size(arch)
		if n < 8 && v>>(8*n) != 0 {
			return tooWide(path.Field(fieldPaths()[f]), v, n)
		}
		binary.LittleEndian.PutUint64(buf[:], v)
		if err := p(off+f.Offset(arch), buf[:n], path.Field(fieldPaths()[f])); err != nil {
			return err
		}
	}
	return nil
}

// PerfArch returns the width of the perf block, by its size if that is known: a legacy
// header may have another.
func (c *TreeChunk) PerfArch() Arch {
	for _, e := range c.Entries[:min(1, len(c.Entries))] {
		if a := archOfSize(e.Size); a != NoArch {
			return a
		}
	}
	if a := archOfSize(uint32(min(c.Values[PerfSize], 0xFFFF))); a != NoArch && len(c.Entries) > 0 {
		return a
	}
	return c.Arch
}

func (c *TreeChunk) paintAppDomain(p painter, off int, path perfdump.Path) error {
	d := c.AppDomain
	path = path.Field("appDomain")
	if c.Arch == X64 {
		return p.record(off, *d, path)
	}
	for _, v := range []uint64{d.Mutex, d.ProcessName, d.AppDomainList} {
		if v > math.MaxUint32 {
			return tooWide(path, v, 4)
		}
	}
	return p.record(off, appDomain32{
		uint32(d.Mutex), d.TotalSlots, d.UsedSlots, d.LastFreedSlot, d.SizeInBytes, d.ProcessNameLengthInBytes,
		uint32(d.ProcessName), uint32(d.AppDomainList), d.LockInvalid,
	}, path)
}
