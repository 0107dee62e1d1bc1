package ipcblock

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Layout computes every size, offset and count of t, and the version, flags and Counter
// that follow from a chunk's state. It keeps the runtime's number, builds, attributes and
// counters, and drops Gaps. A chunk without a state becomes Live; one without Values gets
// counters of 0. Arch must be X86 or X64.
//
//   - SxS: 65,536 bytes; chunk Index is at 2,048 times that.
//   - LegacyPublic: version 3, one entry. Flags are kept: CLR 2.0 has none.
//   - LegacyPrivate: version 2, the seven entries of CLR 4 with an AppDomain block
//     and a path of up to 259 units.
//   - Bare: the perf block of CLR 1.x.
func (t *Tree) Layout() error {
	t.Gaps = nil
	if t.Kind == SxS {
		t.Size = tableSize
		var used [tableChunks]bool
		for i := range t.Chunks {
			c := &t.Chunks[i]
			if c.Index < 0 || c.Index >= tableChunks || used[c.Index] {
				return perfdump.NewError(perfdump.CodeCount, -1, c.path(SxS), "chunk %d is not below %d, or occurs twice", c.Index, tableChunks)
			}
			used[c.Index] = true
			if err := c.layoutChunk(); err != nil {
				return err
			}
		}
		return nil
	}
	if len(t.Chunks) != 1 || t.Kind == Auto || t.Kind > Bare {
		return perfdump.NewError(perfdump.CodeCount, -1, levels.Root(), "%d blocks in a tree of layout %s", len(t.Chunks), t.Kind)
	}
	return t.layoutBlock(&t.Chunks[0])
}

// start sets the fields that all layouts have.
func (c *TreeChunk) start(path perfdump.Path) error {
	if c.Arch != X86 && c.Arch != X64 {
		return perfdump.NewError(perfdump.CodeSyntax, -1, path, "no architecture")
	}
	if c.Values == nil {
		c.Values = new([NumFields]uint64)
	}
	c.Values[PerfSize] = uint64(c.Arch.PerfSize())
	return nil
}

func (c *TreeChunk) layoutChunk() error {
	path := c.path(SxS)
	if err := c.start(path); err != nil {
		return err
	}
	c.Flags = flagUsed
	if c.Arch == X86 {
		c.Flags |= flagX86
	}
	c.Counter &^= 1
	if c.Counter == 0 {
		c.Counter = 2
	}
	switch c.State {
	case Untouched, Live:
		c.State, c.Flags = Live, c.Flags|flagInitialized
	case Locked:
		c.Flags |= flagInitialized
		c.Counter |= 1
	case Free:
		c.Flags |= flagInitialized
		c.RuntimeID = 0
	case Unpublished:
	default:
		return perfdump.NewError(perfdump.CodeSyntax, -1, path, "a chunk in state %s cannot be encoded", c.State)
	}
	if c.State != Free && c.State != Locked && c.RuntimeID == 0 {
		return perfdump.NewError(perfdump.CodeSyntax, -1, path, "state %s requires a runtime", c.State)
	}
	size := uint32(c.Arch.PerfSize())
	c.Version, c.NumEntries, c.BlockSize = 4, 1, perfOffset+size
	c.Entries = []Entry{{perfOffset, size}}
	c.PerfOff, c.AppDomain, c.RawPath, c.HInstance = perfOffset, nil, nil, 0
	return nil
}

func (t *Tree) layoutBlock(c *TreeChunk) error {
	root := levels.Root()
	if err := c.start(root); err != nil {
		return err
	}
	c.Index, c.Counter, c.RuntimeID, c.Reserved = 0, 0, 0, [2]uint32{}
	c.CLR1 = t.Kind == Bare
	if t.Kind == Bare {
		c.Header, c.Entries, c.PerfOff, c.AppDomain, c.RawPath = Header{}, nil, 0, nil, nil
		c.State, t.Size = Live, c.Arch.PerfSize()
		return nil
	}
	header := legacySize[c.Arch]
	sizes := []int{c.Arch.PerfSize()}
	c.Version = 3
	if t.Kind == LegacyPrivate {
		c.Version = 2
		sizes = []int{c.Arch.PerfSize(), 0, appDomainSize[c.Arch], 0, 0, 0, pathSize}
		if c.AppDomain == nil {
			c.AppDomain = new(AppDomain64)
		}
		if err := c.layoutPath(); err != nil {
			return err
		}
	} else {
		c.AppDomain, c.RawPath = nil, nil
	}
	c.Entries, c.NumEntries = c.Entries[:0:0], uint32(len(sizes))
	at := header + entrySize*len(sizes)
	base := entrySize * len(sizes)
	if c.Arch == X86 {
		base += header
	}
	for i, n := range sizes {
		if n == 0 {
			c.Entries = append(c.Entries, Entry{Offset: noOffset})
			continue
		}
		switch i {
		case entryPerf:
			c.PerfOff = at
		case entryAppDomain:
			c.DomainOff = at
		case entryPath:
			c.PathOff = at
		}
		c.Entries = append(c.Entries, Entry{uint32(at - base), uint32(n)})
		at += n
	}
	c.BlockSize, t.Size = uint32(at), at
	switch {
	case c.Flags&flagUsed == 0 && c.State != Unpublished:
		c.State, c.Flags = Live, 0
		return nil
	case c.Arch == X86:
		c.Flags = flagUsed | flagX86
	default:
		c.Flags = flagUsed
	}
	if c.State != Unpublished {
		c.State, c.Flags = Live, c.Flags|flagInitialized
	}
	return nil
}

func (c *TreeChunk) layoutPath() error {
	if c.RawPath == nil {
		c.RawPath = wire.EncodeUTF16(nil, c.Path)
	}
	if wire.IndexNUL16(c.RawPath) < 0 && len(c.RawPath) >= pathSize || len(c.RawPath) > pathSize {
		return perfdump.NewError(perfdump.CodeLimit, -1, levels.Root().Field("path"), "the path has %d bytes, more than %d", len(c.RawPath), pathSize-2)
	}
	c.RawPath = append(c.RawPath, make([]byte, pathSize-len(c.RawPath))...)
	return nil
}
