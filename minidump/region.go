package minidump

import "iter"

// State says what the addresses of a region stand for.
type State uint32

// The states of regions, as VirtualQuery has them.
const (
	Commit  State = 0x1000
	Reserve State = 0x2000
	Free    State = 0x10000
)

// Type says where the memory of a region comes from.
type Type uint32

// The types of regions, as VirtualQuery has them.
const (
	Private Type = 0x20000
	Mapped  Type = 0x40000
	Image   Type = 0x1000000
)

// Region is a stretch of addresses that are alike, whether the dump holds its
// memory or not.
type Region struct {
	Base           uint64
	AllocationBase uint64 // of what was allocated at once, of which this is a part
	Size           uint64
	State          State
	Protect        uint32 // PAGE_* of VirtualQuery
	Type           Type
}

// Regions yields the regions in the order of the list, none where the dump has
// no MemoryInfoList. It reads them from the file; an error of the reader ends
// the sequence.
func (f *File) Regions() iter.Seq2[Region, error] {
	return func(yield func(Region, error) bool) {
		err := f.each(f.regions, memoryInfoSize, func(_, _ int64, b []byte) bool {
			var e memoryInfo
			e.load(b)
			return yield(Region{
				Base: f.Canonical(e.BaseAddress), AllocationBase: f.Canonical(e.AllocationBase), Size: e.RegionSize,
				State: State(e.State), Protect: e.Protect, Type: Type(e.Type),
			}, nil)
		})
		if err != nil {
			yield(Region{}, err)
		}
	}
}

// HasRegions reports whether the dump describes its regions.
func (f *File) HasRegions() bool { return f.regions.n > 0 }

func (f *File) readRegions() error {
	i, b, err := f.head(MemoryInfoListStream, memoryInfoListSize)
	if err != nil || i < 0 {
		return err
	}
	var h memoryInfoList
	h.load(b)
	l, ferr := f.list(i, shape{
		levels: &regionLevels, header: uint64(h.SizeOfHeader), least: memoryInfoListSize, stride: uint64(h.SizeOfEntry), entry: memoryInfoSize,
		n: h.NumberOfEntries, nAt: 8, nName: "NumberOfEntries", hdrName: "SizeOfHeader", strAt: 4, strName: "SizeOfEntry",
	})
	f.regions = l
	return f.fault(ferr)
}
