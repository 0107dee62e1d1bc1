package document

import (
	"math"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock"
)

const (
	// maxIPCChunks is how many chunks a table has.
	maxIPCChunks = 32
	// maxIPCSize bounds the bytes of a table and what stands behind it.
	maxIPCSize = 256 << 20
	// maxIPCEnd bounds those of its chunks. A table has 64 KiB, and 16 bits
	// tell the size of a block.
	maxIPCEnd = 1 << 20
	// maxIPCPath bounds the text of a path: three bytes for two of the file's.
	maxIPCPath = maxIPCEnd * 3 / 2
)

// ipcReader takes the chunks of a table of IPC control blocks.
type ipcReader struct {
	d      *decoder
	layout ipcblock.Layout
	chunks []ipcChunkDoc
	wires  bool // a chunk has a wire

	explicit bool
	bytes    []byte // as far as chunks reach
	size     int64  // of the file, where the document does not give it
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
	negative  bool
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

// value takes the value of a field, whose sign is that of its type.
func value(d *decoder, f *ipcFieldDoc) error {
	neg, v, err := d.number("a number")
	switch {
	case err != nil:
		return err
	case neg && v > 1<<63:
		return d.syntaxError("the number is below -%d", uint64(1)<<63)
	case neg:
		v = -v
	}
	f.value, f.negative = v, neg
	return nil
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
		if err == nil && len(c.path) > maxIPCPath {
			err = d.errorAt(perfdump.CodeLimit, d.offset(), "a path of %d bytes; the limit of what chunks hold is 0x%x", len(c.path), maxIPCEnd)
		}
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
			return value(d, &f)
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
	case f.negative && !field.Signed():
		return d.syntaxError("the field %s cannot be negative", field)
	}
	f.field = field
	c.fields = append(c.fields, f)
	return nil
}
