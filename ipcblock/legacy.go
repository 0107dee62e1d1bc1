package ipcblock

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// The entries of a private block. Their numbers never change.
const (
	entryPerf      = 0
	entryAppDomain = 2
	entryPath      = 6
)

// legacy decodes a public or a private block.
func (d *Decoder) legacy() *perfdump.FormatError {
	t := &d.table
	c, err := d.legacyHeader()
	if err != nil {
		return err
	}
	path := levels.Root()
	if want := map[Layout]uint16{LegacyPublic: 3, LegacyPrivate: 2}[t.layout]; c.Version != want {
		d.anomaly(codeVersion, 0, path.Field("header.version"), "version %d instead of %d", int64(c.Version), int64(want))
	}
	n := uint64(c.NumEntries)
	if left := uint64(len(c.raw) - c.directory); n*entrySize > left {
		d.fault(c, perfdump.CodeCount, codeNumEntries, c.directory-4, path.Field("header.numEntries"), "%d entries in the 0x%x bytes after the header", int64(n), int64(left))
	} else {
		d.legacyEntries(c)
	}
	if c.State == Bad {
		if d.Mode != perfdump.Salvage {
			return t.faults[0]
		}
		c.Arch, c.perf, c.domain, c.path = NoArch, -1, -1, -1
	}
	d.flags(c, path, 2)
	d.trailing(len(c.raw))
	return nil
}

// legacyHeader reads the header in the width of the block.
func (d *Decoder) legacyHeader() (*Chunk, *perfdump.FormatError) {
	t, root := &d.table, levels.Root()
	arch := NoArch
	if len(t.raw) >= legacySize[X86] {
		if arch = legacyArch(t.raw); arch == NoArch {
			return nil, perfdump.NewError(perfdump.CodeSyntax, 4, root.Field("header.blockSize"),
				"a block of 0x%x bytes matches neither width", wire.U32(t.raw, 4))
		}
	}
	if len(t.raw) < legacySize[max(arch, X86)] {
		return nil, perfdump.NewError(perfdump.CodeTruncated, int64(len(t.raw)), root, "0x%x bytes, fewer than those of a header", len(t.raw))
	}
	t.chunks = t.store[:1]
	c := &t.chunks[0]
	*c = Chunk{layout: t.layout, State: Live, Arch: arch, width: arch, directory: legacySize[arch], perf: -1, domain: -1, path: -1}
	c.loadLegacy(t.raw, arch)
	if c.Flags&flagUsed != 0 && c.Flags&flagInitialized == 0 {
		c.State = Unpublished
	}
	switch size := int64(c.BlockSize); {
	case size < int64(c.directory):
		return nil, perfdump.NewError(perfdump.CodeLength, 4, root.Field("header.blockSize"),
			"block of 0x%x bytes, fewer than the 0x%x of its header", size, c.directory)
	case size > int64(len(t.raw)):
		err := perfdump.NewError(perfdump.CodeLength, 4, root.Field("header.blockSize"), "block of 0x%x bytes, only 0x%x are present", size, len(t.raw))
		return nil, err.Truncated()
	}
	c.raw = t.raw[:c.BlockSize:c.BlockSize]
	c.CLR1 = t.layout == LegacyPrivate && c.NumEntries == 5
	return c, nil
}

// legacyArch returns the width of a legacy block: by its size, or by its flag, or by which
// of the two headers has a directory whose offsets add up.
func legacyArch(b []byte) Arch {
	switch wire.U32(b, 4) {
	case publicSize32, privateSize32:
		return X86
	case publicSize64, privateSize64:
		return X64
	}
	if flags := wire.U16(b, 2); flags&flagUsed != 0 {
		if flags&flagX86 != 0 {
			return X86
		}
		return X64
	}
	x86 := addsUp(b, X86, 0)
	x64 := len(b) >= legacySize[X64] && addsUp(b, X64, uint64(legacySize[X64]))
	switch {
	case x86 == x64:
		return NoArch
	case x86:
		return X86
	default:
		return X64
	}
}

// addsUp reports whether the entries after a header are contiguous, from start to the end
// of the block. 32-bit offsets start after the directory; 64-bit offsets include the header
// but not the directory.
func addsUp(b []byte, a Arch, start uint64) bool {
	header := legacySize[a]
	n, size := wire.U32(b, header-4), uint64(wire.U32(b, 4))
	if n == 0 || size > uint64(len(b)) || uint64(header)+entrySize*uint64(n) > size {
		return false
	}
	sum := start
	for i := range int(n) {
		var e Entry
		e.load(b[header+entrySize*i:])
		if e.Empty() {
			continue
		}
		if uint64(e.Offset) != sum {
			return false
		}
		sum += uint64(e.Size)
	}
	return sum-start+uint64(header)+entrySize*uint64(n) == size
}

// entryBase returns the base of the offsets of a legacy block.
func (c *Chunk) entryBase() int {
	base := entrySize * int(c.NumEntries)
	if c.width == X86 && !c.countsHeader() {
		base += legacySize[X86]
	}
	return base
}

// countsHeader reports whether the offsets of a 32-bit block include the header, as they
// would if the compiler's target is not x86.
func (c *Chunk) countsHeader() bool {
	if c.Flags&(flagUsed|flagX86) != flagUsed {
		return false
	}
	for i := range c.NumEntries {
		if e := c.Entry(int(i)); !e.Empty() {
			return e.Offset == uint32(legacySize[X86])
		}
	}
	return false
}

func (d *Decoder) legacyEntries(c *Chunk) {
	n, root := int(c.NumEntries), levels.Root()
	data := c.directory + entrySize*n
	c.base = c.entryBase()
	sum := int64(data - c.base)
	summed := c.Flags&flagUsed == 0
	for i := range n {
		e, at, path := c.Entry(i), c.directory+entrySize*i, root.At(levelEntry, i)
		if e.Empty() {
			if e.Size != 0 {
				d.anomaly(codeEmptyEntry, at+4, path.Field("size"), "an empty entry of 0x%x bytes", int64(e.Size))
			}
			continue
		}
		off := uint64(e.Offset) + uint64(c.base)
		if off < uint64(data) || off+uint64(e.Size) > uint64(len(c.raw)) {
			d.fault(c, perfdump.CodeLength, codeEntryRange, at, path.Field("offset"), "0x%x bytes at 0x%x are outside the part of the block after its directory", int64(e.Size), int64(off))
			if c.State == Bad {
				return
			}
			summed = false
			continue
		}
		if summed && int64(e.Offset) != sum {
			d.anomaly(codeRunningSum, at, path.Field("offset"), "the offset is 0x%x, but the entries before it add up to 0x%x", int64(e.Offset), sum)
			summed = false
		}
		sum += int64(e.Size)
		d.legacyEntry(c, i, int(off), e.Size)
		if c.State == Bad {
			return
		}
	}
	if summed && sum+int64(c.base) != int64(len(c.raw)) {
		d.anomaly(codeRunningSum, 4, root.Field("header.blockSize"), "the last entry ends at 0x%x, but the block at 0x%x", sum+int64(c.base), int64(len(c.raw)))
	}
}

// legacyEntry reads the target of an entry, whose bytes are present.
func (d *Decoder) legacyEntry(c *Chunk, i, off int, size uint32) {
	root := levels.Root()
	switch {
	case i == entryPerf:
		width := c.width
		d.perf(c, off, size, len(c.raw), root)
		if c.perf < 0 || c.State == Bad {
			c.Arch = width
		}
	case c.layout != LegacyPrivate:
	case i == entryAppDomain:
		if want := appDomainSize[c.width]; int(size) != want {
			if !c.CLR1 {
				d.anomaly(codeUnknownSize, c.directory+entrySize*i+4, root.At(levelEntry, i).Field("size"), "the AppDomain block has 0x%x bytes instead of 0x%x", int64(size), int64(want))
			}
			return
		}
		c.domain = off
		d.appDomain(c)
	case i == entryPath && size >= 2:
		c.path, c.pathLen = off, int(size)&^1
		text := c.raw[off : off+c.pathLen]
		end := wire.IndexNUL16(text)
		if end < 0 {
			d.anomaly(codePathNUL, off, root.Field("path"), "no NUL in %d units", int64(c.pathLen/2))
			end = c.pathLen
		}
		if !wire.ValidUTF16(text[:end]) {
			d.anomaly(codePathEncoding, off, root.Field("path"), "the path is not UTF-16: it has an unpaired surrogate")
		}
	}
}

func (d *Decoder) appDomain(c *Chunk) {
	a, _ := c.AppDomain()
	element := int64(elementSize[c.width])
	note := func(at int, name, text string, args ...int64) {
		d.anomaly(codeAppDomain, c.domain+at, levels.Root().Field("appDomain."+name), text, args...)
	}
	w := c.width.pointerSize()
	switch {
	case a.TotalSlots < 0:
		note(w, "totalSlots", "%d slots", int64(a.TotalSlots))
	case a.UsedSlots < 0:
		note(w+4, "usedSlots", "%d slots in use", int64(a.UsedSlots))
	case a.UsedSlots > a.TotalSlots:
		note(w+4, "usedSlots", "%d slots in use of %d", int64(a.UsedSlots), int64(a.TotalSlots))
	}
	if int64(a.SizeInBytes) != int64(a.TotalSlots)*element {
		note(w+12, "sizeInBytes", "the list has %d bytes, but its slots need %d", int64(a.SizeInBytes), int64(a.TotalSlots)*element)
	}
	if a.ProcessNameLengthInBytes < 0 {
		note(w+16, "processNameLengthInBytes", "a name of %d bytes", int64(a.ProcessNameLengthInBytes))
	}
}

// bare decodes a perf block without a header.
func (d *Decoder) bare() *perfdump.FormatError {
	t, root := &d.table, levels.Root()
	if len(t.raw) < 2 {
		return perfdump.NewError(perfdump.CodeTruncated, int64(len(t.raw)), root.Field("perf.size"), "no perf block in 0x%x bytes", len(t.raw))
	}
	size := wire.U16(t.raw, 0)
	arch := archOfSize(uint32(size))
	switch {
	case arch == NoArch:
		return perfdump.NewError(perfdump.CodeLength, 0, root.Field("perf.size"), "no perf block has 0x%x bytes", size)
	case int(size) > len(t.raw):
		return perfdump.NewError(perfdump.CodeLength, 0, root.Field("perf.size"), "perf block of 0x%x bytes, only 0x%x are present", size, len(t.raw)).Truncated()
	}
	t.chunks = t.store[:1]
	t.chunks[0] = Chunk{layout: Bare, State: Live, Arch: arch, width: arch, CLR1: true, raw: t.raw[:size:size], domain: -1, path: -1}
	d.trailing(int(size))
	return nil
}
