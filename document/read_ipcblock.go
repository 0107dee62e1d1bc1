package document

import (
	"cmp"
	"io"
	"math"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
)

const (
	// maxIPCChunks is how many chunks a table has.
	maxIPCChunks = 32
	// maxIPCSize bounds the bytes of a table and what stands behind it.
	maxIPCSize = 256 << 20
)

// ipcReader takes the chunks of a table of IPC control blocks.
type ipcReader struct {
	d      *decoder
	layout ipcblock.Layout
	chunks []ipcChunkDoc
	wires  bool // a chunk has a wire
	bytes  []byte
}

// ipcChunkDoc is a chunk of a document. The offsets in it are those in the
// file.
type ipcChunkDoc struct {
	tree       ipcblock.TreeChunk
	seen       fields
	offset     int64
	attributes uint64
	perfSize   uint64
	domainOff  int64
	pathSize   uint64
	pathKind   textKind
	path       []byte
	fields     []ipcFieldDoc
}

type ipcFieldDoc struct {
	field     ipcblock.Field
	off, size int64
	value     uint64
}

const (
	ipcIndex = iota
	ipcOffset
	ipcState
	ipcArch
	ipcCounter
	ipcRuntimeID
	ipcVersion
	ipcFlags
	ipcBlockSize
	ipcHInstance
	ipcBuildYear
	ipcBuildNumber
	ipcNumEntries
	ipcEntries
	ipcAttributes
	ipcAppDomain
	ipcPath
	ipcWire
	ipcFields
)

var (
	ipcChunkKeys = newKeys("index", "offset", "state", "arch", "counter", "runtime_id", "version", "flags", "block_size", "hinstance",
		"build_year", "build_number", "num_entries", "entries", "attributes", "app_domain", "path", "wire", "fields")
	ipcWireKeys   = newKeys("reserved", "perf_size", "path_offset", "path_size")
	ipcEntryKeys  = newKeys("offset", "size")
	ipcFieldKeys  = newKeys("section", "field", "offset", "size", "value", "category", "counter")
	ipcDomainKeys = newKeys("offset", "mutex", "total_slots", "used_slots", "last_freed_slot", "size_in_bytes",
		"process_name_length_in_bytes", "process_name", "app_domain_list", "lock_invalid")
)

func (t *ipcReader) takeLayout() error {
	d := t.d
	if err := d.text(maxWord); err != nil {
		return err
	}
	layout, err := ipcblock.ParseLayout(string(d.str))
	if err != nil || layout == ipcblock.Auto {
		return d.syntaxError("no layout is named %s; there are sxs, legacy_public, legacy_private and perf", quote(d.str))
	}
	t.layout = layout
	return nil
}

func (t *ipcReader) take() error {
	return t.d.array(func(i int) error {
		if i == maxIPCChunks {
			return t.d.syntaxError("more chunks than the %d of a table", maxIPCChunks)
		}
		c := ipcChunkDoc{tree: ipcblock.TreeChunk{Index: i}, attributes: 1}
		err := t.d.object(ipcChunkKeys, &c.seen, func(key int) error { return t.chunkKey(&c, key) })
		if err != nil {
			return err
		}
		t.wires = t.wires || c.seen.has(ipcWire)
		if c.tree.State != ipcblock.Bad && (c.tree.State != ipcblock.Untouched || !c.seen.has(ipcState)) {
			t.chunks = append(t.chunks, c)
		}
		return nil
	})
}

// number takes an unsigned number that fits its field.
func number[T uint16 | uint32 | uint64](d *decoder, to *T) error {
	v, err := d.unsigned(uint64(^T(0)))
	*to = T(v)
	return err
}

func signed32(d *decoder, to *int32) error {
	v, err := d.signed(32)
	*to = int32(v)
	return err
}

func place(d *decoder, to *int64) error {
	v, err := d.unsigned(maxSize)
	*to = int64(v)
	return err
}

func (t *ipcReader) chunkKey(c *ipcChunkDoc, key int) error {
	d, h := t.d, &c.tree.Header
	switch key {
	case ipcIndex:
		v, err := d.unsigned(maxIPCChunks - 1)
		c.tree.Index = int(v)
		return err
	case ipcOffset:
		return place(d, &c.offset)
	case ipcState:
		return t.state(c)
	case ipcArch:
		return t.arch(c)
	case ipcCounter:
		return signed32(d, &h.Counter)
	case ipcRuntimeID:
		return number(d, &h.RuntimeID)
	case ipcVersion:
		return number(d, &h.Version)
	case ipcFlags:
		return number(d, &h.Flags)
	case ipcBlockSize:
		return number(d, &h.BlockSize)
	case ipcHInstance:
		return number(d, &h.HInstance)
	case ipcBuildYear:
		return number(d, &h.BuildYear)
	case ipcBuildNumber:
		return number(d, &h.BuildNumber)
	case ipcNumEntries:
		return number(d, &h.NumEntries)
	case ipcEntries:
		return d.array(func(int) error { return t.entry(c) })
	case ipcAttributes:
		v, err := d.unsigned(math.MaxUint16)
		c.attributes = v
		return err
	case ipcAppDomain:
		return t.appDomain(c)
	case ipcPath:
		var err error
		c.pathKind, c.path, err = d.takeText(c.path)
		return err
	case ipcWire:
		return t.wire(c)
	default:
		return d.array(func(int) error { return t.field(c) })
	}
}

func (t *ipcReader) state(c *ipcChunkDoc) error {
	if err := t.d.text(maxWord); err != nil {
		return err
	}
	state, err := ipcblock.ParseState(string(t.d.str))
	if err != nil {
		return t.d.syntaxError("no state is named %s", quote(t.d.str))
	}
	c.tree.State = state
	return nil
}

func (t *ipcReader) arch(c *ipcChunkDoc) error {
	if null, err := t.d.null(); err != nil || null {
		return err
	}
	if err := t.d.text(maxWord); err != nil {
		return err
	}
	arch, err := ipcblock.ParseArch(string(t.d.str))
	if err != nil || arch == ipcblock.NoArch {
		return t.d.syntaxError("no architecture is named %s; there are x86, x64 and null", quote(t.d.str))
	}
	c.tree.Arch = arch
	return nil
}

func (t *ipcReader) entry(c *ipcChunkDoc) error {
	var e ipcblock.Entry
	var seen fields
	err := t.d.object(ipcEntryKeys, &seen, func(key int) error {
		if key == 0 {
			return number(t.d, &e.Offset)
		}
		return number(t.d, &e.Size)
	})
	c.tree.Entries = append(c.tree.Entries, e)
	return err
}

func (t *ipcReader) appDomain(c *ipcChunkDoc) error {
	a, d := new(ipcblock.AppDomain64), t.d
	c.tree.AppDomain = a
	var seen fields
	return d.object(ipcDomainKeys, &seen, func(key int) error {
		switch key {
		case 0:
			return place(d, &c.domainOff)
		case 1:
			return number(d, &a.Mutex)
		case 7:
			return number(d, &a.ProcessName)
		case 8:
			return number(d, &a.AppDomainList)
		}
		return signed32(d, [...]*int32{
			2: &a.TotalSlots, 3: &a.UsedSlots, 4: &a.LastFreedSlot, 5: &a.SizeInBytes, 6: &a.ProcessNameLengthInBytes, 9: &a.LockInvalid,
		}[key])
	})
}

func (t *ipcReader) wire(c *ipcChunkDoc) error {
	d := t.d
	var seen fields
	return d.object(ipcWireKeys, &seen, func(key int) error {
		switch key {
		case 0:
			return d.array(func(i int) error {
				if i >= len(c.tree.Reserved) {
					return d.syntaxError("more than %d reserved words", len(c.tree.Reserved))
				}
				return number(d, &c.tree.Reserved[i])
			})
		case 1:
			v, err := d.unsigned(math.MaxUint16)
			c.perfSize = v
			return err
		case 2:
			v, err := d.unsigned(maxIPCSize)
			c.tree.PathOff = int(v)
			return err
		default:
			v, err := d.unsigned(maxIPCSize)
			c.pathSize = v
			return err
		}
	})
}

func (t *ipcReader) field(c *ipcChunkDoc) error {
	d := t.d
	var f ipcFieldDoc
	var section, name string
	var seen fields
	err := d.object(ipcFieldKeys, &seen, func(key int) error {
		switch key {
		case 0, 1:
			if err := d.text(maxWord); err != nil {
				return err
			}
			if key == 0 {
				section = string(d.str)
			} else {
				name = string(d.str)
			}
			return nil
		case 2:
			return place(d, &f.off)
		case 3:
			return place(d, &f.size)
		case 4:
			return number(d, &f.value)
		default:
			return d.skipName()
		}
	})
	if err != nil {
		return err
	}
	field, known := ipcblock.FieldByName(section, name)
	switch {
	case !known || field == ipcblock.PerfSize || field == ipcblock.PerfAttributes:
		return d.syntaxError("no field is named %s in the section %s", quote([]byte(name)), quote([]byte(section)))
	case slices.ContainsFunc(c.fields, func(g ipcFieldDoc) bool { return g.field == field }):
		return d.syntaxError("the field %s stands here a second time", field)
	case !seen.has(4):
		return d.syntaxError("the field %s has no value", field)
	}
	f.field = field
	c.fields = append(c.fields, f)
	return nil
}

// place makes the bytes.
func (t *ipcReader) place() error {
	d := t.d
	explicit := t.wires || d.hasGaps
	tree := &ipcblock.Tree{Kind: t.layout}
	for i := range t.chunks {
		c := &t.chunks[i]
		var err error
		if explicit {
			err = t.explicit(c)
		} else {
			t.canonical(c)
		}
		if err != nil {
			return err
		}
		tree.Chunks = append(tree.Chunks, c.tree)
	}
	if !explicit {
		if err := tree.Layout(); err != nil {
			return err
		}
	} else if err := t.gaps(tree); err != nil {
		return err
	}
	var err error
	t.bytes, err = tree.AppendBinary(nil)
	return err
}

// gaps sets the gaps of a tree and its size.
func (t *ipcReader) gaps(tree *ipcblock.Tree) error {
	d := t.d
	tree.Gaps = []ipcblock.TreeGap{}
	slices.SortStableFunc(d.gaps, func(a, b gap) int { return cmp.Compare(a.off, b.off) })
	end := int64(0)
	for i := range d.gaps {
		end = max(end, d.gaps[i].end())
		tree.Gaps = append(tree.Gaps, ipcblock.TreeGap{Off: int(d.gaps[i].off), Bytes: d.gaps[i].b})
	}
	for _, z := range union(d.zeroGap) {
		end = max(end, z.end)
		tree.Gaps = append(tree.Gaps, ipcblock.TreeGap{Off: int(z.off), Zero: int(z.end - z.off)})
	}
	size := d.size
	if size < 0 {
		size = end
		for i := range t.chunks {
			size = max(size, t.chunks[i].offset+int64(t.chunks[i].tree.BlockSize), t.chunks[i].offset+int64(t.chunks[i].perfSize))
		}
	}
	if max(size, end) > maxIPCSize {
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "a file of 0x%x bytes; the limit is 0x%x", max(size, end), maxIPCSize)
	}
	tree.Size = int(size)
	return nil
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

// explicit puts a chunk where the document says.
func (t *ipcReader) explicit(c *ipcChunkDoc) error {
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
		if n < 0 {
			return misfit(at+int64(c.tree.PathOff), "chunks", "a path of 0x%x bytes, its path_size is 0x%x", len(c.tree.RawPath), c.pathSize)
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

func (t *ipcReader) write(w io.Writer) error {
	_, err := w.Write(t.bytes)
	return err
}
