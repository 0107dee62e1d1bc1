package minidump

import (
	"cmp"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Spans yields the meaning of each byte of the file, see [perfdump.Span]: fields of the
// streams that are read, other streams as one span each, names, memory, and gaps. It first
// sorts the names and the memory by offset, in less memory than [Open] needs. Names that
// cannot be read because of an error of the reader are gaps.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		w := wire.NewTiler(yield)
		w.Path, w.Note = streamLevels.Root(), "in no stream that is read"
		var sources []source
		var heads []perfdump.Span // the next of each
		for _, next := range f.sources() {
			if s, ok := next(); ok {
				heads, sources = append(heads, s), append(sources, next)
			}
		}
		for len(heads) > 0 && !w.Done() {
			first := 0
			for i := range heads {
				if heads[i].Off < heads[first].Off {
					first = i
				}
			}
			span, ok := heads[first], false
			if heads[first], ok = sources[first](); !ok {
				heads = slices.Delete(heads, first, first+1)
				sources = slices.Delete(sources, first, first+1)
			}
			span.Size = min(span.Size, f.size-span.Off)
			w.Put(span)
		}
		w.Fill(f.size, w.Path, w.Note)
	}
}

// source returns spans in order of offset; ok is false after the last.
type source func() (s perfdump.Span, ok bool)

// records returns the fields of n records of one struct.
func records(off, stride, n int64, record any, path func(i int64) perfdump.Path) source {
	fields, _ := wire.Layout(record)
	i, j := int64(0), 0
	return func() (perfdump.Span, bool) {
		if i >= n {
			return perfdump.Span{}, false
		}
		f := &fields[j]
		s := perfdump.Span{Off: off + i*stride + int64(f.Off), Size: int64(f.Size), Kind: f.Kind, Path: path(i).Field(f.Name)}
		if j++; j == len(fields) {
			i, j = i+1, 0
		}
		return s, true
	}
}

// sorted returns the spans of the elements of order; empty spans are left out.
func sorted[T any](order []T, span func(T) perfdump.Span) source {
	return func() (perfdump.Span, bool) {
		for len(order) > 0 {
			s := span(order[0])
			order = order[1:]
			if s.Size > 0 {
				return s, true
			}
		}
		return perfdump.Span{}, false
	}
}

func (f *File) sources() []source {
	root := streamLevels.Root()
	sources := []source{
		records(0, 0, 1, f.header, func(int64) perfdump.Path { return root }),
		records(int64(f.header.StreamDirectoryRva), directoryEntrySize, int64(len(f.streams)), directoryEntry{},
			func(i int64) perfdump.Path { return root.At(levelStream, int(i)) }),
	}
	read := make([]bool, len(f.streams))
	for _, k := range streamKinds {
		_, size := wire.Layout(k.head)
		if i := f.stream(k.t); i >= 0 && f.streams[i].Have >= int64(size) {
			read[i] = true
			sources = append(sources, records(f.streams[i].Off, 0, 1, k.head, func(int64) perfdump.Path { return root.At(levelStream, i) }))
		}
	}
	for i := range f.lists {
		if l := &f.lists[i]; l.n > 0 {
			sources = append(sources, records(l.off, l.stride, l.n, l.entry, l.path))
		}
	}
	sources = append(sources, f.otherStreams(read), f.memorySpans())
	sources = append(sources, f.nameSpans(modules, "ModuleName")...)
	sources = append(sources, f.nameSpans(handles, "TypeName")...)
	return append(sources, f.nameSpans(handles, "ObjectName")...)
}

// otherStreams returns the streams that are not read.
func (f *File) otherStreams(read []bool) source {
	var order []int
	for i, s := range f.streams {
		if s.Have > 0 && s.Type != 0 && !read[i] {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(f.streams[a].Off, f.streams[b].Off) })
	return sorted(order, func(i int) perfdump.Span {
		s := f.streams[i]
		return perfdump.Span{
			Off: s.Off, Size: s.Have, Kind: perfdump.KindBytes, Path: streamLevels.Root().At(levelStream, i),
			Note: s.Type.String() + ", not read",
		}
	})
}

// memorySpans returns the ranges of memory.
func (f *File) memorySpans() source {
	order := make([]uint32, 0, len(f.ranges))
	for i := range f.ranges {
		order = append(order, uint32(i))
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(f.ranges[a].Off, f.ranges[b].Off), cmp.Compare(a, b))
	})
	return sorted(order, func(i uint32) perfdump.Span {
		r := f.ranges[i]
		return perfdump.Span{Off: r.Off, Size: int64(r.Size), Kind: perfdump.KindBytes, Path: memoryLevels.Root().At(levelMemory, int(i))}
	})
}

// nameRef is a string and the entry that refers to it.
type nameRef struct{ rva, entry uint32 }

// nameSpans returns the lengths of the strings that the entries of a list refer
// to by the field name+"Rva", and their texts.
func (f *File) nameSpans(which int, name string) []source {
	l := &f.lists[which]
	if l.n == 0 {
		return nil
	}
	fields, size := wire.Layout(l.entry)
	at := fields[slices.IndexFunc(fields, func(f wire.Field) bool { return f.Name == name+"Rva" })].Off
	order := make([]nameRef, 0, l.n)
	w := f.window(listWindow)
	for i := range l.n {
		b, err := w.at(l.off+i*l.stride, size)
		if err != nil {
			break
		}
		if rva := wire.U32(b, at); rva != 0 && int64(rva)+4 <= f.size {
			order = append(order, nameRef{rva, uint32(i)})
		}
	}
	slices.SortFunc(order, func(a, b nameRef) int {
		return cmp.Or(cmp.Compare(a.rva, b.rva), cmp.Compare(a.entry, b.entry))
	})
	texts := f.window(nameWindow)
	return []source{
		sorted(order, func(ref nameRef) perfdump.Span {
			return perfdump.Span{Off: int64(ref.rva), Size: 4, Kind: perfdump.KindUint, Path: l.path(int64(ref.entry)).Field(name + "Length")}
		}),
		sorted(order, func(ref nameRef) perfdump.Span {
			b, err := texts.at(int64(ref.rva), 4)
			if err != nil || wire.U32(b, 0) > maxName {
				return perfdump.Span{}
			}
			return perfdump.Span{
				Off: int64(ref.rva) + 4, Size: int64(wire.U32(b, 0)), Kind: perfdump.KindUTF16, Path: l.path(int64(ref.entry)).Field(name),
			}
		}),
	}
}
