package minidump

import (
	"iter"
	"strings"

	"github.com/perfdump/perfdump/internal/wire"
)

// The states and types of regions, as in VirtualQuery.
const (
	commit  = 0x1000
	private = 0x20000
	mapped  = 0x40000
)

// allRegions yields the regions in the order of the list, none if the dump has no
// MemoryInfoList.
func (f *File) allRegions() iter.Seq2[*memoryInfo, error] {
	return entries(f, regions, func(e *memoryInfo) (*memoryInfo, error) {
		e.BaseAddress = f.canonical(e.BaseAddress)
		return e, nil
	})
}

// hasRegions reports whether the dump describes its regions.
func (f *File) hasRegions() bool { return f.lists[regions].n > 0 }

func (f *File) readRegions(i int, b []byte) error {
	var h memoryInfoList
	wire.LoadStruct(&h, b)
	return f.readList(regions, i, shape{
		levels: &regionLevels, head: h, entry: memoryInfo{}, header: number{uint64(h.SizeOfHeader), "SizeOfHeader"},
		stride: number{uint64(h.SizeOfEntry), "SizeOfEntry"}, n: number{h.NumberOfEntries, "NumberOfEntries"},
	})
}

// hasSection reports whether the process has a handle to a section whose name
// ends with suffix.
func (f *File) hasSection(suffix string) (bool, error) {
	for h, err := range f.allHandles() {
		if err != nil || h.kind == "Section" && strings.HasSuffix(h.name, suffix) {
			return err == nil, err
		}
	}
	return false, nil
}

// handle is a handle that the process had open.
type handle struct {
	kind string // Section, Event, File …
	name string // of the object, or ""
}

// allHandles yields the handles in the order of the list, none if the dump has no
// HandleData.
func (f *File) allHandles() iter.Seq2[handle, error] {
	return func(yield func(handle, error) bool) {
		names := f.names()
		entries(f, handles, func(e *handleDescriptor) (h handle, err error) {
			if h.kind, err = names.text(e.TypeNameRva); err == nil {
				h.name, err = names.text(e.ObjectNameRva)
			}
			return h, err
		})(yield)
	}
}

func (f *File) readHandles(i int, b []byte) error {
	var h handleDataHeader
	wire.LoadStruct(&h, b)
	err := f.readList(handles, i, shape{
		levels: &handleLevels, head: h, entry: handleDescriptor{}, header: number{uint64(h.SizeOfHeader), "SizeOfHeader"},
		stride: number{uint64(h.SizeOfDescriptor), "SizeOfDescriptor"}, n: number{uint64(h.NumberOfDescriptors), "NumberOfDescriptors"},
	})
	if err != nil {
		return err
	}
	names := f.names()
	return each(f, handles, func(i, off int64, e *handleDescriptor) error {
		path := f.lists[handles].path(i)
		if err := names.check(e.TypeNameRva, off+8, path.Field("TypeNameRva")); err != nil {
			return err
		}
		return names.check(e.ObjectNameRva, off+12, path.Field("ObjectNameRva"))
	})
}
