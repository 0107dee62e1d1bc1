package minidump

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

var layouts = sync.OnceValue(func() (l struct {
	header, directory, system, misc, count, memory64List, regions, handles []wire.Field
	module, memory, memory64, region, handle                               []wire.Field
},
) {
	l.header, _ = wire.Layout(Header{})
	l.directory, _ = wire.Layout(directoryEntry{})
	l.system, _ = wire.Layout(SystemInfo{})
	l.misc, _ = wire.Layout(miscInfo{})
	l.count, _ = wire.Layout(listHeader{})
	l.memory64List, _ = wire.Layout(memory64List{})
	l.regions, _ = wire.Layout(memoryInfoList{})
	l.handles, _ = wire.Layout(handleDataHeader{})
	l.module, _ = wire.Layout(moduleEntry{})
	l.memory, _ = wire.Layout(memoryDescriptor{})
	l.memory64, _ = wire.Layout(memoryDescriptor64{})
	l.region, _ = wire.Layout(memoryInfo{})
	l.handle, _ = wire.Layout(handleDescriptor{})
	return l
})

// Spans yields what each byte of the file means, as [perfdump.Span] says:
// fields of the streams that are read, other streams whole, names, memory, and
// gaps. It sorts what lies about in the file in its own memory first, a part
// of what [NewFile] takes; names that cannot be read for an error of the reader
// are gaps.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		m := merge{size: f.size, yield: yield}
		for _, src := range f.sources() {
			if s, ok := src.next(); ok {
				m.heads, m.sources = append(m.heads, s), append(m.sources, src)
			}
		}
		m.run()
	}
}

// source gives extents in the order of their offsets; ok is false behind the
// last.
type source interface {
	next() (s perfdump.Span, ok bool)
}

// merge puts the sources together. Bytes that several explain come more than
// once, those that none does as a gap.
type merge struct {
	sources []source
	heads   []perfdump.Span // the next of each
	size    int64
	at      int64 // the end of what was covered
	yield   func(perfdump.Span) bool
}

func (m *merge) run() {
	for len(m.heads) > 0 {
		first := 0
		for i := range m.heads {
			if m.heads[i].Off < m.heads[first].Off {
				first = i
			}
		}
		span, ok := m.heads[first], false
		if m.heads[first], ok = m.sources[first].next(); !ok {
			m.heads = slices.Delete(m.heads, first, first+1)
			m.sources = slices.Delete(m.sources, first, first+1)
		}
		span.Size = min(span.Size, m.size-span.Off)
		if span.Size <= 0 {
			continue
		}
		if span.Off > m.at && !m.gap(span.Off) {
			return
		}
		span.Overlap = span.Off < m.at
		m.at = max(m.at, span.Off+span.Size)
		if !m.yield(span) {
			return
		}
	}
	m.gap(m.size)
}

func (m *merge) gap(to int64) bool {
	n := to - m.at
	if n <= 0 {
		return true
	}
	s := perfdump.Span{Off: m.at, Size: n, Kind: perfdump.KindGap, Path: streamLevels.Root(), Note: "in no stream that is read"}
	if n < 8 {
		s.Kind, s.Note = perfdump.KindPadding, ""
	}
	m.at = to
	return m.yield(s)
}

// records gives the fields of n records that follow each other, with gaps
// where the stride leaves room.
type records struct {
	off, stride, n int64
	fields         []wire.Field
	path           func(i int64) perfdump.Path
	i              int64
	j              int
}

func (r *records) next() (perfdump.Span, bool) {
	if r.i >= r.n {
		return perfdump.Span{}, false
	}
	f := &r.fields[r.j]
	s := perfdump.Span{
		Off: r.off + r.i*r.stride + int64(f.Off), Size: int64(f.Size), Kind: f.Kind, Path: r.path(r.i).Field(f.Name),
	}
	if r.j++; r.j == len(r.fields) {
		r.i, r.j = r.i+1, 0
	}
	return s, true
}

// sorted gives extents that order lists by their offsets.
type sorted[T any] struct {
	order []T
	span  func(T) perfdump.Span
}

func (s *sorted[T]) next() (perfdump.Span, bool) {
	if len(s.order) == 0 {
		return perfdump.Span{}, false
	}
	first := s.order[0]
	s.order = s.order[1:]
	return s.span(first), true
}

func (f *File) sources() []source {
	l := layouts()
	one := func(i int) func(int64) perfdump.Path {
		return func(int64) perfdump.Path { return streamLevels.Root().At(levelStream, i) }
	}
	sources := []source{
		&records{off: 0, n: 1, fields: l.header, path: func(int64) perfdump.Path { return streamLevels.Root() }},
		&records{
			off: int64(f.header.StreamDirectoryRva), stride: directoryEntrySize, n: int64(len(f.streams)), fields: l.directory,
			path: func(i int64) perfdump.Path { return streamLevels.Root().At(levelStream, int(i)) },
		},
	}
	read := make([]bool, len(f.streams))
	for _, s := range []struct {
		t      StreamType
		fields []wire.Field
		size   int64
	}{
		{SystemInfoStream, l.system, systemInfoSize},
		{MiscInfoStream, l.misc, miscInfoSize},
		{ModuleListStream, l.count, listHeaderSize},
		{MemoryListStream, l.count, listHeaderSize},
		{Memory64ListStream, l.memory64List, memory64ListSize},
		{MemoryInfoListStream, l.regions, memoryInfoListSize},
		{HandleDataStream, l.handles, handleDataSize},
	} {
		if i := f.stream(s.t); i >= 0 && f.streams[i].Have >= s.size {
			read[i] = true
			sources = append(sources, &records{off: f.streams[i].Off, n: 1, fields: s.fields, path: one(i)})
		}
	}
	for _, s := range []struct {
		list   list
		fields []wire.Field
	}{
		{f.modules, l.module}, {f.memory[0], l.memory64}, {f.memory[1], l.memory}, {f.regions, l.region}, {f.handles, l.handle},
	} {
		if s.list.n > 0 {
			sources = append(sources, &records{off: s.list.off, stride: s.list.stride, n: s.list.n, fields: s.fields, path: s.list.path})
		}
	}
	sources = append(sources, f.otherStreams(read), f.memorySpans())
	return append(sources, f.nameSpans()...)
}

// otherStreams gives the streams that are not read.
func (f *File) otherStreams(read []bool) source {
	var order []int
	for i, s := range f.streams {
		if s.Have > 0 && s.Type != 0 && !read[i] {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(f.streams[a].Off, f.streams[b].Off) })
	return &sorted[int]{order, func(i int) perfdump.Span {
		s := f.streams[i]
		return perfdump.Span{
			Off: s.Off, Size: s.Have, Kind: perfdump.KindBytes, Path: streamLevels.Root().At(levelStream, i),
			Note: s.Type.String() + ", not read",
		}
	}}
}

// memorySpans gives the ranges of memory.
func (f *File) memorySpans() source {
	order := make([]uint32, 0, len(f.ranges))
	for i := range f.ranges {
		order = append(order, uint32(i))
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(f.ranges[a].Off, f.ranges[b].Off), cmp.Compare(a, b))
	})
	return &sorted[uint32]{order, func(i uint32) perfdump.Span {
		r := f.ranges[i]
		return perfdump.Span{Off: r.Off, Size: int64(r.Size), Kind: perfdump.KindBytes, Path: memoryLevels.Root().At(levelMemory, int(i))}
	}}
}

// nameRef is a string and the entry that refers to it.
type nameRef struct{ rva, entry uint32 }

// nameSpans gives the strings that modules and handles refer to, each with its
// length.
func (f *File) nameSpans() []source {
	var sources []source
	for _, s := range []struct {
		list list
		size int
		at   int // where in an entry the offset stands
		name string
	}{
		{f.modules, moduleSize, 20, "ModuleName"},
		{f.handles, handleDescriptorSize, 8, "TypeName"},
		{f.handles, handleDescriptorSize, 12, "ObjectName"},
	} {
		if s.list.n == 0 {
			continue
		}
		order := make([]nameRef, 0, s.list.n)
		_ = f.each(s.list, s.size, func(i, _ int64, b []byte) bool {
			if rva := wire.U32(b, s.at); rva != 0 && int64(rva)+4 <= f.size {
				order = append(order, nameRef{rva, uint32(i)})
			}
			return true
		})
		slices.SortFunc(order, func(a, b nameRef) int {
			return cmp.Or(cmp.Compare(a.rva, b.rva), cmp.Compare(a.entry, b.entry))
		})
		sources = append(sources,
			&sorted[nameRef]{order, func(ref nameRef) perfdump.Span {
				return perfdump.Span{
					Off: int64(ref.rva), Size: 4, Kind: perfdump.KindUint, Path: s.list.path(int64(ref.entry)).Field(s.name + "Length"),
				}
			}},
			&texts{list: s.list, name: s.name, order: order, w: f.window(nameWindow)})
	}
	return sources
}

// texts gives the texts of strings whose lengths can be.
type texts struct {
	list  list
	name  string
	order []nameRef
	w     *window
}

func (t *texts) next() (perfdump.Span, bool) {
	for len(t.order) > 0 {
		ref := t.order[0]
		t.order = t.order[1:]
		b, err := t.w.at(int64(ref.rva), 4)
		if err != nil {
			continue
		}
		size := int64(wire.U32(b, 0))
		if size == 0 || size > maxName {
			continue
		}
		return perfdump.Span{
			Off: int64(ref.rva) + 4, Size: size, Kind: perfdump.KindUTF16, Path: t.list.path(int64(ref.entry)).Field(t.name),
		}, true
	}
	return perfdump.Span{}, false
}
