package document

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
)

// place makes the bytes of the chunks and of the gaps between them. What lies
// behind the last chunk is left to assembly.
func (t *ipcReader) place() error {
	t.explicit = t.wires || t.d.hasGaps
	tree := &ipcblock.Tree{Kind: t.layout}
	end := int64(0)
	for i := range t.chunks {
		c := &t.chunks[i]
		if !t.explicit {
			t.canonical(c)
		} else if err := t.explicitly(c); err != nil {
			return err
		}
		tree.Chunks = append(tree.Chunks, c.tree)
		end = max(end, c.end())
	}
	var err error
	if !t.explicit {
		err = tree.Layout()
	} else {
		err = t.gaps(tree, end)
	}
	if err == nil {
		t.bytes, err = tree.AppendBinary(nil)
	}
	return err
}

// end returns a place that nothing of the chunk reaches behind.
func (c *ipcChunkDoc) end() int64 {
	const header, perf, domain = 64, 512, 64
	end := c.offset + header + 8*int64(len(c.tree.Entries))
	if c.tree.Values != nil {
		end = max(end, c.offset+int64(c.tree.PerfOff)+perf)
	}
	if c.tree.AppDomain != nil {
		end = max(end, c.domainOff+domain)
	}
	return max(end, c.offset+int64(c.tree.PathOff)+int64(len(c.tree.RawPath)))
}

// gaps sets the size of a tree whose chunks end at end, and its gaps.
func (t *ipcReader) gaps(tree *ipcblock.Tree, end int64) error {
	d := t.d
	far := max(d.gaps.far, d.zeroGaps.far)
	if t.size = d.size; t.size < 0 {
		t.size = far
		for i := range t.chunks {
			c := &t.chunks[i]
			t.size = max(t.size, c.offset+int64(c.tree.BlockSize), c.offset+int64(c.perfSize))
		}
	}
	switch {
	case max(t.size, far) > maxIPCSize:
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "a file of 0x%x bytes; the limit is 0x%x", max(t.size, far), maxIPCSize)
	case min(t.size, end) > maxIPCEnd:
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "a chunk with bytes up to 0x%x; the limit is 0x%x", end, maxIPCEnd)
	}
	tree.Size = int(min(t.size, end))
	all := make([]byte, tree.Size)
	said := make([]bool, tree.Size)
	pieces := d.gaps.reader()
	for r, index, ok := pieces.next(); ok && r.off < int64(len(all)); r, index, ok = pieces.next() {
		for i, c := range r.b[:min(int64(len(r.b)), int64(len(all))-r.off)] {
			at := r.off + int64(i)
			if said[at] && all[at] != c {
				return misfit(at, gapPath(index), "it says 0x%02x of a byte that is 0x%02x elsewhere", c, all[at])
			}
			all[at], said[at] = c, true
		}
	}
	zeros := joined(d.zeroGaps.all())
	for e, ok := zeros(); ok && e.off < int64(len(all)); e, ok = zeros() {
		for at := e.off; at < min(e.end, int64(len(all))); at++ {
			if all[at] != 0 {
				return misfit(at, "gaps", "a gap of zeros over a byte that is 0x%02x", all[at])
			}
			said[at] = true
		}
	}
	tree.Gaps = []ipcblock.TreeGap{}
	for at := 0; at < len(all); at++ {
		from := at
		for at < len(all) && said[at] {
			at++
		}
		if at > from {
			tree.Gaps = append(tree.Gaps, ipcblock.TreeGap{Off: from, Bytes: all[from:at]})
		}
	}
	return nil
}

// fields gives the bytes of the chunks.
func (t *ipcReader) fields() nextRun {
	given := false
	return func() (run, int, bool) {
		ok := !given && len(t.bytes) > 0
		given = true
		return run{0, t.bytes}, 0, ok
	}
}

// behind gives what the gaps hold behind the chunks.
func (t *ipcReader) behind(gaps nextRun) nextRun {
	end := int64(len(t.bytes))
	return func() (run, int, bool) {
		for {
			r, index, ok := gaps()
			if !ok || r.off >= end {
				return r, index, ok
			}
			if r.end() > end {
				return run{end, r.b[end-r.off:]}, index, true
			}
		}
	}
}

// canonical leaves the layout of a chunk to the encoder.
func (t *ipcReader) canonical(c *ipcChunkDoc) {
	c.values()
	switch c.pathKind {
	case textString:
		c.tree.Path = string(c.path)
	case textHex:
		c.tree.RawPath = c.path
	case textNone:
	}
}

func (c *ipcChunkDoc) values() {
	c.tree.Values = new([ipcblock.NumFields]uint64)
	c.tree.Values[ipcblock.PerfSize], c.tree.Values[ipcblock.PerfAttributes] = c.perfSize, c.attributes
	for _, f := range c.fields {
		c.tree.CLR1 = c.tree.CLR1 || f.field == ipcblock.PromotedFinalizationGen1
		c.tree.Values[f.field] = f.value
	}
}

// explicitly puts a chunk where the document says.
func (t *ipcReader) explicitly(c *ipcChunkDoc) error {
	at := int64(0)
	if t.layout == ipcblock.SxS {
		at = int64(c.tree.Index) * 2048
	}
	if c.seen.has(ipcOffset) && c.offset != at {
		return misfit(c.offset, "chunks", "chunk %d of layout %s begins at 0x%x", c.tree.Index, t.layout, at)
	}
	c.offset = at
	c.tree.DomainOff = int(c.domainOff - at)
	switch c.pathKind {
	case textString:
		c.tree.RawPath = wire.EncodeUTF16(nil, string(c.path))
		n := int(c.pathSize) - len(c.tree.RawPath)
		switch {
		case n < 0:
			return misfit(at+int64(c.tree.PathOff), "chunks", "a path of 0x%x bytes, its path_size is 0x%x", len(c.tree.RawPath), c.pathSize)
		case c.pathSize > maxIPCEnd:
			return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "a path of 0x%x bytes; the limit of what chunks hold is 0x%x", c.pathSize, maxIPCEnd)
		}
		c.tree.RawPath = append(c.tree.RawPath, make([]byte, n)...)
	case textHex:
		c.tree.RawPath = c.path
	case textNone:
	}
	if len(c.fields) == 0 {
		return nil
	}
	c.values()
	return c.perf()
}

// perf finds where the perf block begins, and wants all its fields to be where
// they belong.
func (c *ipcChunkDoc) perf() error {
	arch := c.perfArch()
	if arch == ipcblock.NoArch {
		return misfit(c.fields[0].off, "chunks", "fields, but no architecture")
	}
	at := c.fields[0].off - int64(c.fields[0].field.Offset(arch))
	for _, f := range c.fields {
		if f.off != at+int64(f.field.Offset(arch)) || f.size != int64(f.field.Size(arch)) {
			return misfit(f.off, "chunks", "the field %s has 0x%x bytes at 0x%x of the block, which begins at 0x%x", f.field, f.field.Size(arch), f.field.Offset(arch), at)
		}
	}
	if want := len(c.tree.Fields()) - 2; len(c.fields) != want {
		return misfit(at, "chunks", "%d fields of %d; without wire and gaps those left out would be 0", len(c.fields), want)
	}
	c.tree.PerfOff = int(at - c.offset)
	return nil
}

// perfArch is the width of the perf block: by its size, since that of a legacy
// header may be another.
func (c *ipcChunkDoc) perfArch() ipcblock.Arch {
	sizes := []uint64{}
	if len(c.tree.Entries) > 0 {
		sizes = append(sizes, uint64(c.tree.Entries[0].Size), c.perfSize)
	}
	for _, size := range sizes {
		for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
			if size == uint64(a.PerfSize()) {
				return a
			}
		}
	}
	return c.tree.Arch
}
