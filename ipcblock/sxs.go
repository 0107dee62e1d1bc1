package ipcblock

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// sxs decodes a table, which may be incomplete.
func (d *Decoder) sxs() *perfdump.FormatError {
	t := &d.table
	n := min(len(t.raw)/chunkSize, tableChunks)
	if n == 0 {
		return perfdump.NewError(perfdump.CodeTruncated, int64(len(t.raw)), levels.Root().At(levelChunk, 0),
			"0x%x bytes, fewer than the 0x%x of a chunk", len(t.raw), chunkSize)
	}
	t.chunks = t.store[:n]
	for i := range t.chunks {
		d.chunk(i)
	}
	end := n * chunkSize
	switch {
	case end == tableSize:
		d.trailing(end)
	case end < len(t.raw):
		d.anomaly(codePartialChunk, end, levels.Root().At(levelChunk, n), "only 0x%x of the 0x%x bytes of a chunk", int64(len(t.raw)-end), chunkSize)
	}
	return nil
}

func (d *Decoder) chunk(i int) {
	c, off := &d.table.chunks[i], i*chunkSize
	b := d.table.raw[off : off+chunkSize : off+chunkSize]
	*c = Chunk{Index: i, Offset: int64(off), raw: b, layout: SxS, perf: -1, domain: -1, path: -1}
	if wire.U64(b, 0) == 0 && wire.AllZero(b) {
		return
	}
	h := &c.Header
	h.loadChunk(b)
	path := levels.Root().At(levelChunk, i)
	switch {
	case h.Counter == 0 && h.RuntimeID == 0:
		at := nonZero(b)
		d.anomaly(codeUntouchedBytes, off+at, path, "the chunk was never used, but byte 0x%x of it is not zero", int64(at))
		return
	case h.Counter&1 != 0:
		c.State = Locked
	case h.RuntimeID == 0:
		c.State = Free
	case h.Flags&flagUsed != 0 && h.Flags&flagInitialized == 0:
		c.State = Unpublished
	default:
		c.State = Live
	}
	if h.Counter == 0 {
		d.anomaly(codeCounterZero, off, path.Field("header.counter"), "runtime %d, but the header was never written", int64(h.RuntimeID))
	}
	if h.Reserved[0]|h.Reserved[1] != 0 {
		d.anomaly(codeReserved, off+8, path.Field("header.reserved1"), "reserved words 0x%x and 0x%x are not 0", int64(h.Reserved[0]), int64(h.Reserved[1]))
	}
	if h.Version != 4 {
		d.anomaly(codeVersion, off+16, path.Field("header.version"), "version %d instead of 4", int64(h.Version))
	}
	if h.Flags&flagUsed == 0 {
		d.anomaly(codeFlagsUnused, off+18, path.Field("header.flags"), "flags 0x%x are marked as unused", int64(h.Flags))
	}
	d.entries(c, path, off)
	if c.State == Bad {
		c.Arch, c.perf = NoArch, -1
		return
	}
	d.flags(c, path, off+18)
	if c.BlockSize < perfOffset || c.BlockSize > chunkSize {
		return
	}
	if end := int(c.BlockSize); !wire.AllZero(b[end:]) {
		at := end + nonZero(b[end:])
		d.anomaly(codeAfterBlock, off+at, path, "byte 0x%x is not zero, after the block's end at 0x%x", int64(at), int64(end))
	}
}

// entries checks the directory of a chunk and finds its perf block.
func (d *Decoder) entries(c *Chunk, path perfdump.Path, off int) {
	n := uint64(c.NumEntries)
	directory := headerSize + entrySize*n
	switch {
	case n == 0 || directory > chunkSize:
		d.fault(c, perfdump.CodeCount, codeNumEntries, off+28, path.Field("header.numEntries"), "%d entries instead of 1", int64(n))
		return
	case n > 1:
		d.anomaly(codeNumEntries, off+28, path.Field("header.numEntries"), "%d entries instead of 1", int64(n))
	}
	c.directory = headerSize
	e, first := c.Entry(0), path.At(levelEntry, 0)
	if c.BlockSize < perfOffset || c.BlockSize > chunkSize {
		d.fault(c, perfdump.CodeLength, codeBlockSize, off+20, path.Field("header.blockSize"), "block of 0x%x bytes, outside 0x28..0x800", int64(c.BlockSize))
		return
	}
	if e.Empty() {
		if e.Size != 0 {
			d.anomaly(codeEmptyEntry, off+headerSize+4, first.Field("size"), "an empty entry of 0x%x bytes", int64(e.Size))
		}
		if c.BlockSize != perfOffset {
			d.anomaly(codeBlockSize, off+20, path.Field("header.blockSize"), "block of 0x%x bytes instead of the 0x%x of its header", int64(c.BlockSize), perfOffset)
		}
		return
	}
	if uint64(c.BlockSize) != perfOffset+uint64(e.Size) {
		d.anomaly(codeBlockSize, off+20, path.Field("header.blockSize"), "block of 0x%x bytes instead of the 0x%x of header and entry", int64(c.BlockSize), perfOffset+int64(e.Size))
	}
	if uint64(e.Offset) < directory || uint64(e.Offset)+uint64(e.Size) > chunkSize {
		d.fault(c, perfdump.CodeLength, codeEntryRange, off+headerSize, first.Field("offset"), "0x%x bytes at 0x%x are outside the part of the chunk after its directory", int64(e.Size), int64(e.Offset))
		return
	}
	d.perf(c, int(e.Offset), e.Size, chunkSize, path)
	if e.Offset != perfOffset && c.State != Bad {
		d.anomaly(codeEntryOffset, off+headerSize, first.Field("offset"), "the perf block is at 0x%x instead of 0x28", int64(e.Offset))
	}
}
