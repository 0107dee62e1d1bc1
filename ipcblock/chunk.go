package ipcblock

import (
	"iter"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Header is the header of a chunk or of a legacy block, in both widths. Fields that do not
// exist are 0: a legacy block has no Counter, no RuntimeID and no Reserved, a chunk no
// HInstance, a bare block nothing.
type Header struct {
	Counter     int32
	RuntimeID   uint32
	Reserved    [2]uint32
	Version     uint16
	Flags       uint16
	BlockSize   uint32
	HInstance   uint64
	BuildYear   uint16
	BuildNumber uint16
	NumEntries  uint32
}

// Chunk is a chunk of a table, or a block of another layout. It is a view.
type Chunk struct {
	Header

	Index  int   // in the table
	Offset int64 // in the input
	State  State
	Arch   Arch // of the perf block, or of a legacy block's header if it has none
	CLR1   bool // written by CLR 1.x: see [PromotedFinalizationGen1]

	raw       []byte // the chunk, or a legacy block up to its BlockSize
	layout    Layout
	width     Arch // of a legacy header
	directory int  // offset of the entries, 0 if there are none
	base      int  // added to the offsets of entries
	perf      int  // offset of the perf block, or -1
	domain    int  // offset of the AppDomain block, or -1
	path      int  // offset of the instance path, or -1
	pathLen   int
	fault     *perfdump.FormatError
}

// Fault returns why c is Bad, nil if it is not.
func (c *Chunk) Fault() *perfdump.FormatError { return c.fault }

// Path returns the path of c: chunk[3] in a table, otherwise the empty one.
func (c *Chunk) Path() perfdump.Path {
	if c.layout == SxS {
		return levels.Root().At(levelChunk, c.Index)
	}
	return levels.Root()
}

// fieldPath returns the path of a field of c: chunk[3].perf.gc.gcHandles.
func (c *Chunk) fieldPath(f Field) perfdump.Path { return c.Path().Field(fieldPaths()[f]) }

var fieldPaths = sync.OnceValue(func() *[NumFields]string {
	p := new([NumFields]string)
	for f := range Field(NumFields) {
		p[f] = "perf." + f.String()
		if f.Section() == "head" {
			p[f] = "perf." + f.Name()
		}
	}
	return p
})

// Bytes returns the bytes of c, including padding. They alias the input.
func (c *Chunk) Bytes() []byte { return c.raw }

// entryCount returns the number of readable entries: none if the chunk is Bad or untouched.
func (c *Chunk) entryCount() int {
	if c.directory == 0 || c.State == Bad {
		return 0
	}
	return int(min(uint64(c.NumEntries), uint64(len(c.raw)-c.directory)/entrySize))
}

// Entries yields the directory.
func (c *Chunk) Entries() iter.Seq2[int, Entry] {
	return func(yield func(int, Entry) bool) {
		for i := range c.entryCount() {
			if !yield(i, c.Entry(i)) {
				return
			}
		}
	}
}

// Entry returns entry i of the directory, which must exist.
func (c *Chunk) Entry(i int) Entry {
	var e Entry
	e.load(c.raw[c.directory+entrySize*i:])
	return e
}

// HasPerf reports whether c has a readable perf block. Its counters can be trusted if c is
// Live, within the limits of [Chunk.Remarks].
func (c *Chunk) HasPerf() bool { return c.perf >= 0 }

// FieldOffset returns the offset of f in the input. c must have a perf block.
func (c *Chunk) FieldOffset(f Field) int64 { return c.Offset + int64(c.perf+f.Offset(c.Arch)) }

// Has reports whether c has f: all fields of a perf block, but only one of [ProcessID] and
// [PromotedFinalizationGen1].
func (c *Chunk) Has(f Field) bool {
	if c.perf < 0 || int(f) >= NumFields {
		return false
	}
	switch f {
	case ProcessID:
		return !c.CLR1
	case PromotedFinalizationGen1:
		return c.CLR1
	default:
		return true
	}
}

// Fields yields the fields of the perf block in memory order, including its first two
// words, or nothing if there is no perf block.
func (c *Chunk) Fields() iter.Seq[Field] { return fields(c.perf >= 0, c.CLR1) }

func fields(perf, clr1 bool) iter.Seq[Field] {
	return func(yield func(Field) bool) {
		if !perf {
			return
		}
		for f := range PromotedFinalizationGen1 {
			if f == ProcessID && clr1 {
				f = PromotedFinalizationGen1
			}
			if !yield(f) {
				return
			}
		}
	}
}

// Uint64 returns the value of f, or 0 if c does not have it. All fields are unsigned except
// the two 64-bit times, for which it returns the bits; see [Chunk.Int64]. It allocates
// nothing.
func (c *Chunk) Uint64(f Field) uint64 {
	if !c.Has(f) {
		return 0
	}
	at := c.perf + f.Offset(c.Arch)
	switch f.Size(c.Arch) {
	case 2:
		return uint64(wire.U16(c.raw, at))
	case 4:
		return uint64(wire.U32(c.raw, at))
	default:
		return wire.U64(c.raw, at)
	}
}

// Int64 returns the value of a field that is [Field.Signed].
func (c *Chunk) Int64(f Field) int64 { return int64(c.Uint64(f)) }

// Attributes returns the attributes of the perf block: bit 1 is set if counters are
// enabled, bit 2 if they are of the machine.
func (c *Chunk) Attributes() uint16 { return uint16(c.Uint64(PerfAttributes)) }

// bytesInAllHeaps returns the value of # Bytes in all Heaps, which no field holds:
// generations 1 and 2 and the large objects. Generation 0 is not included, since its size
// is a budget (docs/ipcblock.md lists who includes it).
func (c *Chunk) bytesInAllHeaps() uint64 {
	return c.Uint64(heaps[0]) + c.Uint64(heaps[1]) + c.Uint64(heaps[2])
}

// AppDomain returns the AppDomain block of a private block, and false if there is none.
// Pointers of a 32-bit block are in the wider struct. Its pointers are only valid in the
// process.
func (c *Chunk) AppDomain() (AppDomain64, bool) {
	var d AppDomain64
	if c.domain < 0 {
		return d, false
	}
	d.load(c.raw[c.domain:], c.width)
	return d, true
}

// InstancePath returns the path of the CLR's module in a private block, up to its NUL, and
// false if it has none.
func (c *Chunk) InstancePath() (string, bool) {
	if c.path < 0 {
		return "", false
	}
	text := c.rawPath()
	if i := wire.IndexNUL16(text); i >= 0 {
		text = text[:i]
	}
	return wire.UTF16(text), true
}

// rawPath returns the path with its padding, nil if there is none. The bytes alias the
// input.
func (c *Chunk) rawPath() []byte {
	if c.path < 0 {
		return nil
	}
	return c.raw[c.path : c.path+c.pathLen]
}

// SameRuntime reports whether a and b may be two captures of one runtime: the same
// architecture and runtime number, and the same process if both have it.
func SameRuntime(a, b *Chunk) bool {
	if a.Arch != b.Arch || a.RuntimeID != b.RuntimeID || a.CLR1 != b.CLR1 {
		return false
	}
	p, q := a.Uint64(ProcessID), b.Uint64(ProcessID)
	return p == q || p == 0 || q == 0
}
