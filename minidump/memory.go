package minidump

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// ErrNotInDump is returned for addresses whose memory the dump does not hold.
var ErrNotInDump = errors.New("the dump does not hold this memory")

// Range is memory that is contiguous in the file.
type Range struct {
	VA   uint64
	Size uint64
	Off  int64 // in the file
}

// last returns the address of the last byte.
func (r Range) last() uint64 { return r.VA + (r.Size - 1) }

// Ranges yields the memory of both lists in the order of addresses. Ranges that adjoin in
// memory and in the file are merged; if ranges overlap, the one that begins first is used.
// What the file does not have is left out.
func (f *File) Ranges() iter.Seq[Range] { return slices.Values(f.ranges) }

// canonical returns va in the form used by ranges: 32-bit addresses are sign-extended in
// some streams and in debuggers.
func (f *File) canonical(va uint64) uint64 { return va & f.arch.mask() }

// find returns the index of the range that holds va, and whether there is one.
func (f *File) find(va uint64) (int, bool) {
	i := sort.Search(len(f.ranges), func(i int) bool { return f.ranges[i].VA > va }) - 1
	return i, i >= 0 && va <= f.ranges[i].last()
}

// Offset returns the offset in the file of the byte at va, and whether the dump has it.
func (f *File) Offset(va uint64) (int64, bool) {
	va = f.canonical(va)
	i, ok := f.find(va)
	if !ok {
		return 0, false
	}
	return f.ranges[i].Off + int64(va-f.ranges[i].VA), true
}

// ReadVA reads len(p) bytes of memory at va, across ranges that adjoin. If it reads fewer,
// the error is [ErrNotInDump] or that of the reader.
func (f *File) ReadVA(p []byte, va uint64) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	va = f.canonical(va)
	i, ok := f.find(va)
	if !ok {
		return 0, ErrNotInDump
	}
	for {
		r := &f.ranges[i]
		skip := va - r.VA
		k := int(min(uint64(len(p)-n), r.Size-skip))
		if err := wire.ReadFull(f.r, p[n:n+k], r.Off+int64(skip)); err != nil {
			var fe *perfdump.FormatError
			if errors.As(err, &fe) {
				n += int(fe.Off - r.Off - int64(skip))
			}
			return n, err
		}
		n += k
		va = r.VA + r.Size
		if n == len(p) {
			return n, nil
		}
		i++
		if i == len(f.ranges) || f.ranges[i].VA != va {
			return n, ErrNotInDump
		}
	}
}

// memoryReader reads the memory of any range. The Off of the range is not
// used. The end of the range is io.EOF, a hole in it [ErrNotInDump].
type memoryReader struct {
	f *File
	r Range
}

func (m *memoryReader) ReadAt(p []byte, off int64) (int, error) {
	if uint64(off) >= m.r.Size {
		return 0, io.EOF
	}
	left := m.r.Size - uint64(off)
	if uint64(len(p)) <= left {
		return m.f.ReadVA(p, m.r.VA+uint64(off))
	}
	n, err := m.f.ReadVA(p[:left], m.r.VA+uint64(off))
	if err == nil {
		err = io.EOF
	}
	return n, err
}

// runs yields contiguous memory: ranges that adjoin are merged, wherever they are in the
// file. Off is that of the first byte.
func (f *File) runs() iter.Seq[Range] {
	return func(yield func(Range) bool) {
		for i := 0; i < len(f.ranges); {
			run := f.ranges[i]
			for i++; i < len(f.ranges) && f.ranges[i].VA == run.VA+run.Size; i++ {
				run.Size += f.ranges[i].Size
			}
			if !yield(run) {
				return
			}
		}
	}
}

func (f *File) readMemory64(i int, b []byte) error {
	var h memory64List
	wire.LoadStruct(&h, b)
	f.memoryBase = h.BaseRva
	return f.readList(memory64, i, shape{
		levels: &rangeLevels, head: h, entry: memoryDescriptor64{}, header: fixed(h), stride: fixed(memoryDescriptor64{}),
		n: number{h.NumberOfMemoryRanges, "NumberOfMemoryRanges"},
	})
}

func (f *File) readMemory(i int, b []byte) error {
	return f.simple(memory, i, b, &rangeLevels, memoryDescriptor{})
}

// mapMemory makes the map of the memory from both lists.
func (f *File) mapMemory() error {
	f.ranges = make([]Range, 0, f.lists[memory64].n+f.lists[memory].n)
	t := mapBuilder{f: f, list: &f.lists[memory64]}
	off := f.memoryBase
	err := each(f, memory64, func(i, at int64, d *memoryDescriptor64) error {
		t.add(i, at, Range{VA: d.StartOfMemoryRange, Size: d.DataSize, Off: int64(min(off, math.MaxInt64))})
		if off += d.DataSize; off < d.DataSize {
			off = math.MaxUint64
		}
		return nil
	})
	if err != nil {
		return err
	}
	t.report()
	t = mapBuilder{f: f, list: &f.lists[memory]}
	err = each(f, memory, func(i, at int64, d *memoryDescriptor) error {
		t.add(i, at, Range{VA: d.StartOfMemoryRange, Size: uint64(d.DataSize), Off: int64(d.Rva)})
		return nil
	})
	if err != nil {
		return err
	}
	t.report()
	f.arrange()
	return nil
}

// mapBuilder adds the ranges of a list to the map.
type mapBuilder struct {
	f    *File
	list *list

	cut     int64 // ranges that are incomplete in the file
	cutAt   place
	missing uint64

	outside   int64 // ranges outside of the address space
	outsideAt place
}

type place struct{ i, off int64 }

func (t *mapBuilder) add(i, at int64, r Range) {
	if r.Size == 0 {
		return
	}
	mask := t.f.arch.mask()
	high := r.VA &^ mask
	r.VA &= mask
	// High bits are valid if they are a sign extension.
	outside := high != 0 && (high != ^mask || r.VA>>31 == 0)
	if left := mask - r.VA; r.Size-1 > left {
		outside = true
		r.Size = left + 1 // not past 2^64: VA is not 0 then, or the mask is short
	}
	if outside {
		if t.outside++; t.outside == 1 {
			t.outsideAt = place{i, at}
		}
	}
	if have := uint64(max(0, t.f.size-r.Off)); r.Size > have {
		if t.cut++; t.cut == 1 {
			t.cutAt = place{i, at}
		}
		t.missing = min(t.missing+(r.Size-have), math.MaxInt64)
		r.Size = have
	}
	if r.Size > 0 {
		t.f.ranges = append(t.f.ranges, r)
	}
}

// report adds one anomaly for all ranges of a kind, at the first of them.
func (t *mapBuilder) report() {
	if t.outside > 0 {
		t.f.anomaly(codeAddressRange, t.outsideAt.off, t.list.path(t.outsideAt.i).Field("StartOfMemoryRange"),
			"%d ranges from this one on leave the address space", t.outside)
	}
	if t.cut > 0 {
		t.f.anomaly(codeMemoryCut, t.cutAt.off, t.list.path(t.cutAt.i),
			"the file ends before 0x%x bytes of memory, in %d ranges from this one on", int64(t.missing), t.cut)
	}
}

// arrange sorts the map in place and removes overlaps.
func (f *File) arrange() {
	slices.SortFunc(f.ranges, func(a, b Range) int {
		return cmp.Or(cmp.Compare(a.VA, b.VA), cmp.Compare(b.Size, a.Size), cmp.Compare(a.Off, b.Off))
	})
	var overlaps, total uint64
	out := f.ranges[:0]
	for _, r := range f.ranges {
		total = min(total+r.Size, math.MaxInt64)
		if len(out) > 0 {
			prev := &out[len(out)-1]
			if end := prev.last(); r.VA <= end {
				overlaps++
				if r.last() <= end {
					continue
				}
				cut := end - r.VA + 1
				r.VA, r.Off, r.Size = r.VA+cut, r.Off+int64(cut), r.Size-cut
			}
			if r.VA == prev.VA+prev.Size && r.Off == prev.Off+int64(prev.Size) {
				prev.Size += r.Size
				continue
			}
		}
		out = append(out, r)
	}
	f.ranges = out
	root := streamLevels.Root()
	if overlaps > 0 {
		f.anomaly(codeRangeOverlap, f.listOff(), root, "%d ranges overlap others; of two, the one that begins first is read", int64(overlaps))
	}
	if total > uint64(f.size) {
		f.anomaly(codeSharedBytes, f.listOff(), root, "the ranges have 0x%x bytes in a file of 0x%x: some share bytes", int64(total), f.size)
	}
	if len(out) == 0 {
		f.anomaly(codeNoMemory, f.listOff(), root, "the dump holds no memory to search")
	}
}

// listOff returns the offset of the first list of memory, 0 if there is none.
func (f *File) listOff() int64 {
	for _, l := range f.lists[memory64 : memory+1] {
		if l.n > 0 {
			return l.off
		}
	}
	return 0
}
