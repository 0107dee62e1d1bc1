package minidump

import (
	"io"
	"iter"
)

type MemoryInfo = memoryInfo

const (
	ModuleListStream     = moduleListStream
	MemoryListStream     = memoryListStream
	SystemInfoStream     = systemInfoStream
	Memory64ListStream   = memory64ListStream
	HandleDataStream     = handleDataStream
	MiscInfoStream       = miscInfoStream
	MemoryInfoListStream = memoryInfoListStream
)

// What only searching needs.

func (f *File) Regions() iter.Seq2[MemoryInfo, error] {
	return func(yield func(MemoryInfo, error) bool) {
		for r, err := range f.allRegions() {
			if err != nil {
				yield(MemoryInfo{}, err)
			} else if !yield(*r, nil) {
				return
			}
		}
	}
}

// Handles yields the types and names of handles.
func (f *File) Handles() iter.Seq2[[2]string, error] {
	return func(yield func([2]string, error) bool) {
		for h, err := range f.allHandles() {
			if !yield([2]string{h.kind, h.name}, err) {
				return
			}
		}
	}
}

func (f *File) Runs() iter.Seq[Range]             { return f.runs() }
func (f *File) Canonical(va uint64) uint64        { return f.canonical(va) }
func (f *File) Reader(r Range) io.ReaderAt        { return &memoryReader{f, r} }
func (f *File) HasSection(s string) (bool, error) { return f.hasSection(s) }
