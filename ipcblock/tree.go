package ipcblock

import (
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Tree is a table, or a block of another layout, in owned, editable form. A tree from
// [Table.Tree] encodes to the same bytes. To build one, set chunks, states and values, and
// let [Tree.Layout] compute sizes, offsets and flags.
type Tree struct {
	Kind   Layout
	Size   int // in bytes
	Chunks []TreeChunk
	Gaps   []TreeGap // bytes that no field covers, by offset; nil means zeros
}

// TreeChunk is a chunk of a [Tree]. Untouched and bad chunks are not included: they are
// gaps.
type TreeChunk struct {
	Header

	Index     int // in the table; 0 in the other layouts
	State     State
	Arch      Arch
	CLR1      bool
	Entries   []Entry
	Values    *[NumFields]uint64 // nil if there is no perf block
	PerfOff   int                // of the perf block, from the start of the chunk
	AppDomain *AppDomain64
	DomainOff int
	Path      string // encoded by Layout if RawPath is nil
	RawPath   []byte // with its NUL and padding, at PathOff
	PathOff   int
}

// TreeGap is a run of bytes without a meaning: Bytes, followed by Zero zeros.
type TreeGap struct {
	Off   int
	Bytes []byte
	Zero  int
}

// Tree returns t in owned form, which shares no memory with t. It always encodes to the
// bytes of t: bytes without a meaning are gaps.
func (t *Table) Tree() *Tree {
	tree := &Tree{Kind: t.layout, Size: len(t.raw), Gaps: []TreeGap{}}
	for i := range t.chunks {
		if c := &t.chunks[i]; c.State != Untouched && c.State != Bad {
			tree.Chunks = append(tree.Chunks, c.Tree())
		}
	}
	for s := range t.Spans() {
		if !IsGap(s) {
			continue
		}
		g := TreeGap{Off: int(s.Off)}
		if b := t.raw[s.Off : s.Off+s.Size]; wire.AllZero(b) {
			g.Zero = len(b)
		} else {
			g.Bytes = slices.Clone(b)
		}
		tree.Gaps = append(tree.Gaps, g)
	}
	return tree
}

// Tree returns c in owned form.
func (c *Chunk) Tree() TreeChunk {
	t := TreeChunk{Header: c.Header, Index: c.Index, State: c.State, Arch: c.Arch, CLR1: c.CLR1, PerfOff: c.perf}
	if c.layout != SxS && c.layout != Bare {
		t.Arch = c.width
	}
	for _, e := range c.Entries() {
		t.Entries = append(t.Entries, e)
	}
	if c.perf >= 0 {
		t.Values = new([NumFields]uint64)
		for f := range c.Fields() {
			t.Values[f] = c.Uint64(f)
		}
	}
	if d, ok := c.AppDomain(); ok {
		d.Padding1, d.Padding2 = [4]uint8{}, [4]uint8{} // the gaps have them
		t.AppDomain, t.DomainOff = &d, c.domain
	}
	if c.path >= 0 {
		t.Path, _ = c.InstancePath()
		t.RawPath, t.PathOff = slices.Clone(c.rawPath()), c.path
	}
	return t
}

// Fields returns the fields that c has values for, in memory order.
func (c *TreeChunk) Fields() []Field { return slices.Collect(fields(c.Values != nil, c.CLR1)) }

// offset returns the offset of c in a tree of kind k.
func (c *TreeChunk) offset(k Layout) int {
	if k == SxS {
		return c.Index * chunkSize
	}
	return 0
}

func (c *TreeChunk) path(k Layout) perfdump.Path {
	if k == SxS {
		return levels.Root().At(levelChunk, max(0, c.Index))
	}
	return levels.Root()
}
