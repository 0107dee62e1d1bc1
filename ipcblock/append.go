package ipcblock

import (
	"encoding/binary"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// maxHole bounds the bytes that AppendBinary fills in where a tree says
// nothing about them, beside those that it does hold: a whole empty table.
const maxHole = tableSize

// AppendBinary encodes t behind dst with every size and offset as it stands in
// t: those of a decoded table, or those that [Tree.Layout] computed. Bytes
// that nothing in t accounts for are an error where t has Gaps, and zeros
// where it has none. Two parts that give different bytes for one place are an
// error, too, and so is a value that its field is too narrow for.
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
		return nil, perfdump.NewError(perfdump.CodeLimit, -1, levels.Root(), "a size of 0x%x bytes, of which the tree holds 0x%x", t.Size, sum)
	}
	start := len(dst)
	dst = slices.Grow(dst, t.Size)[:start+t.Size]
	p := painter{wire.NewCanvas(dst[start:])}
	for i := range t.Chunks {
		if err := t.Chunks[i].paint(p, t.Kind); err != nil {
			return nil, err
		}
	}
	for _, g := range t.Gaps {
		if err := p.Put(g.Off, g.Bytes, levels.Root()); err != nil {
			return nil, err
		}
		if err := p.zero(g.Off+len(g.Bytes), g.Zero); err != nil {
			return nil, err
		}
	}
	if off := p.Hole(); off >= 0 && t.Gaps != nil {
		return nil, perfdump.NewError(perfdump.CodeLength, int64(off), levels.Root(), "no field and no gap holds the byte")
	}
	return dst, nil
}

var zeros [chunkSize]byte

// painter paints the parts of a table.
type painter struct{ *wire.Canvas }

func (p painter) zero(off, n int) error {
	if n < 0 {
		return perfdump.NewError(perfdump.CodeLength, int64(off), levels.Root(), "a gap of %d zeros", n)
	}
	for n > 0 {
		k := min(n, len(zeros))
		if err := p.Put(off, zeros[:k], levels.Root()); err != nil {
			return err
		}
		off, n = off+k, n-k
	}
	return nil
}

// header packs one of the structs of wire.go by its tags.
func (p painter) header(off int, v any, path perfdump.Path) error {
	return p.Put(off, wire.AppendStruct(nil, v), path)
}

func (c *TreeChunk) paint(p painter, kind Layout) error {
	if c.Index < 0 || c.Index >= tableChunks {
		return perfdump.NewError(perfdump.CodeCount, -1, c.path(kind), "chunk %d of a table that has %d", c.Index, tableChunks)
	}
	off, path := c.offset(kind), c.path(kind)
	size, err := c.paintHeader(p, kind, off, path)
	if err != nil {
		return err
	}
	for i := range c.Entries {
		if err := p.header(off+size+entrySize*i, &c.Entries[i], path.At(levelEntry, i)); err != nil {
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
	return p.Put(off+c.PathOff, c.RawPath, path.Field("path"))
}

// paintHeader returns the size of what it paints.
func (c *TreeChunk) paintHeader(p painter, kind Layout, off int, path perfdump.Path) (int, error) {
	switch {
	case kind == Bare:
		return 0, nil
	case kind == SxS:
		return headerSize, p.header(off, &chunkHeader{
			Counter: c.Counter, RuntimeID: c.RuntimeID, Reserved1: c.Reserved[0], Reserved2: c.Reserved[1], Version: c.Version, Flags: c.Flags,
			BlockSize: c.BlockSize, BuildYear: c.BuildYear, BuildNumber: c.BuildNumber, NumEntries: c.NumEntries,
		}, path)
	case c.Arch == X64:
		return legacySize64, p.header(off, &legacyHeader64{
			Version: c.Version, Flags: c.Flags, BlockSize: c.BlockSize, HInstance: c.HInstance,
			BuildYear: c.BuildYear, BuildNumber: c.BuildNumber, NumEntries: c.NumEntries,
		}, path)
	}
	if c.HInstance > 0xFFFFFFFF {
		return 0, tooWide(path.Field("header.hInstance"), c.HInstance, 4)
	}
	return legacySize32, p.header(off, &legacyHeader32{
		Version: c.Version, Flags: c.Flags, BlockSize: c.BlockSize, HInstance: uint32(c.HInstance),
		BuildYear: c.BuildYear, BuildNumber: c.BuildNumber, NumEntries: c.NumEntries,
	}, path)
}

func tooWide(path perfdump.Path, v uint64, size int) error {
	return perfdump.NewError(perfdump.CodeLength, -1, path, "%d does not fit %d bytes", v, size)
}

func (c *TreeChunk) paintPerf(p painter, off int, path perfdump.Path) error {
	if c.Values == nil {
		return nil
	}
	arch := c.perfArch()
	if arch == NoArch {
		return perfdump.NewError(perfdump.CodeSyntax, -1, path, "values, but no architecture")
	}
	var buf [8]byte
	for _, f := range c.Fields() {
		v, n := c.Values[f], f.Size(arch)
		if n < 8 && v>>(8*n) != 0 {
			return tooWide(path.Field(fieldPaths[f]), v, n)
		}
		binary.LittleEndian.PutUint64(buf[:], v)
		if err := p.Put(off+f.Offset(arch), buf[:n], path.Field(fieldPaths[f])); err != nil {
			return err
		}
	}
	return nil
}

// perfArch returns the width of the perf block, by its size where that says
// something: a legacy header may have another.
func (c *TreeChunk) perfArch() Arch {
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
	if c.Arch == X64 {
		// The padding comes from the gaps, so the members go by themselves.
		for _, part := range []struct {
			at int
			v  any
		}{
			{0, &struct {
				Mutex uint64   `struc:"uint64,little"`
				Ints  [5]int32 `struc:"[5]int32,little"`
			}{d.Mutex, [5]int32{d.TotalSlots, d.UsedSlots, d.LastFreedSlot, d.SizeInBytes, d.ProcessNameLengthInBytes}}},
			{32, &struct {
				Pointers [2]uint64 `struc:"[2]uint64,little"`
				Invalid  int32     `struc:"int32,little"`
			}{[2]uint64{d.ProcessName, d.AppDomainList}, d.LockInvalid}},
		} {
			if err := p.header(off+part.at, part.v, path.Field("appDomain")); err != nil {
				return err
			}
		}
		return nil
	}
	for _, v := range []uint64{d.Mutex, d.ProcessName, d.AppDomainList} {
		if v > 0xFFFFFFFF {
			return tooWide(path.Field("appDomain"), v, 4)
		}
	}
	return p.header(off, &appDomain32{
		Mutex: uint32(d.Mutex), TotalSlots: d.TotalSlots, UsedSlots: d.UsedSlots, LastFreedSlot: d.LastFreedSlot,
		SizeInBytes: d.SizeInBytes, ProcessNameLengthInBytes: d.ProcessNameLengthInBytes,
		ProcessName: uint32(d.ProcessName), AppDomainList: uint32(d.AppDomainList), LockInvalid: d.LockInvalid,
	}, path.Field("appDomain"))
}
