package minidump_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/minidump"
)

// block is a published chunk with the counters of a process. A chunk is made
// by the bytes of the specification here, not by package ipcblock.
func block(wide bool, pid uint32) []byte {
	b := make([]byte, 2048)
	size, at, flags := uint32(280), 40+28, uint16(7)
	if wide {
		size, at, flags = 384, 40+56, 3
	}
	le.PutUint32(b, 2)
	le.PutUint32(b[4:], 3)
	le.PutUint16(b[16:], 4)
	le.PutUint16(b[18:], flags)
	le.PutUint32(b[20:], 40+size)
	le.PutUint16(b[24:], 4)
	le.PutUint16(b[26:], 30319)
	le.PutUint32(b[28:], 1)
	le.PutUint32(b[32:], 40)
	le.PutUint32(b[36:], size)
	le.PutUint16(b[40:], uint16(size))
	le.PutUint16(b[42:], 1)
	le.PutUint32(b[at:], pid)
	return b
}

func table(wide bool, pid uint32) []byte {
	return append(block(wide, pid), make([]byte, 62<<10)...)
}

// legacy is a public block of CLR 2.0.
func legacy(pid uint32) []byte {
	b := make([]byte, 416)
	le.PutUint16(b, 3)
	le.PutUint32(b[4:], 416)
	le.PutUint32(b[20:], 1)
	le.PutUint32(b[24:], 24)
	le.PutUint32(b[28:], 384)
	le.PutUint16(b[32:], 384)
	le.PutUint32(b[32+56:], pid)
	return b
}

// nearMisses are chunks with something wrong, all with the anchor.
func nearMisses() [][]byte {
	var all [][]byte
	for _, change := range []func(b []byte){
		func(b []byte) { le.PutUint32(b[20:], 423) },
		func(b []byte) { le.PutUint32(b[36:], 385) },
		func(b []byte) { le.PutUint16(b[40:], 280) },
		func(b []byte) { le.PutUint16(b[42:], 4) },
		func(b []byte) { le.PutUint32(b[0:], 3) },
		func(b []byte) { le.PutUint32(b[0:], 0) },
		func(b []byte) { le.PutUint32(b[8:], 1) },
	} {
		b := block(true, 4711)
		change(b)
		all = append(all, b)
	}
	return all
}

func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := 0; i+8 <= n; i += 8 {
		le.PutUint64(b[i:], r.Uint64())
	}
	return b
}

func openFile(t *testing.T, d *dump) *minidump.File {
	t.Helper()
	v := d.file()
	f, err := minidump.NewFile(v, v.size, minidump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	return f
}

func tables(t *testing.T, f *minidump.File, o minidump.TableOptions) []ipcblock.Candidate {
	t.Helper()
	found, dropped, err := f.Tables(o)
	require.NoError(t, err)
	require.Zero(t, dropped)
	for i := range found {
		c := &found[i]
		off, ok := f.Offset(c.Addr)
		require.True(t, ok)
		require.Equal(t, off, c.Offset)
		_, err := f.Table(c, ipcblock.Options{})
		require.NoError(t, err)
	}
	return found
}

func mapped(va uint64) minidump.Region {
	return minidump.Region{Base: va, AllocationBase: va, Size: 0x10000, State: minidump.Commit, Protect: 4, Type: minidump.Mapped}
}

func private(va, size uint64) minidump.Region {
	return minidump.Region{Base: va, AllocationBase: va, Size: size, State: minidump.Commit, Protect: 4, Type: minidump.Private}
}

// TestTablesAreFoundOnce: a block within a stretch of any size is one candidate,
// and the next stretch is searched as well.
func TestTablesAreFoundOnce(t *testing.T) {
	for _, size := range []uint64{0xA000, 0x20000, 1 << 20, 8 << 20} {
		d := &dump{arch: minidump.X64, pid: 4711}
		want := []uint64{}
		for i := range uint64(3) {
			va := 0x1D0_0000_0000 + i<<32
			d.memory64 = append(d.memory64, extent{va: va, size: size, data: legacy(4711), at: 0x9000})
			want = append(want, va+0x9000)
		}
		var got []uint64
		for _, c := range tables(t, openFile(t, d), minidump.TableOptions{}) {
			got = append(got, c.Addr)
		}
		require.Equal(t, want, got, "%#x", size)
	}
}

// TestTablesOverRanges: a table may lie in ranges of memory that follow each
// other by their addresses and not in the file, at the start of memory of any
// size and within.
func TestTablesOverRanges(t *testing.T) {
	const va = 0x1D0_0000_0000
	tab := append(block(true, 4711), block(true, 4711)...)
	tab = append(tab, make([]byte, 60<<10)...)
	for _, before := range []uint64{0, 0x10000, 0xF0000} {
		for _, cut := range []uint64{0x400, 0x800, 0x1000, 0x8000} {
			first := extent{va: va, size: before + cut, data: tab[:cut], at: before}
			other := extent{va: va + 1<<32, size: 0x3000, data: noise(5, 0x3000)}
			rest := extent{va: va + before + cut, size: 0x110000 - cut, data: tab[cut:]}
			for _, memory := range [][]extent{{first, rest, other}, {first, other, rest}, {rest, other, first}} {
				found := tables(t, openFile(t, &dump{arch: minidump.X64, pid: 4711, memory64: memory}), minidump.TableOptions{})
				require.Len(t, found, 1, "%#x %#x", before, cut)
				require.Equal(t, va+before, found[0].Addr)
				require.Equal(t, 32, found[0].Chunks)
				require.Equal(t, 2, found[0].Live)
			}
		}
	}
}

// full is a dump of gigabytes with a table among much that is none.
func full(gap uint64) *dump {
	const base = 0x1D0_0000_0000
	d := &dump{
		arch: minidump.X64, pid: 4711,
		handles: []handle{{"Event", "x"}, {"Section", `\Sessions\1\BaseNamedObjects\Cor_SxSPublic_IPCBlock`}},
	}
	add := func(r minidump.Region, data []byte, at uint64) {
		d.regions = append(d.regions, r)
		d.memory64 = append(d.memory64, extent{va: r.Base, size: r.Size, data: data, at: at})
	}
	add(private(base, gap), noise(1, 1<<20), gap/2)
	for i, b := range nearMisses() {
		add(mapped(base+gap+uint64(i)<<16), b, 0)
	}
	add(mapped(base+2*gap), table(true, 4711), 0)
	// A copy in the heap, at 8 bytes.
	add(private(base+3*gap, gap), table(true, 4711), gap-0x20000+0x128)
	add(private(base+4*gap, 0x10000), noise(2, 0x10000), 0)
	return d
}

func TestTables(t *testing.T) {
	gap := uint64(1 << 30)
	if testing.Short() || perftest.Race {
		gap = 1 << 24
	}
	d := full(gap)
	f := openFile(t, d)
	if gap == 1<<30 {
		require.Greater(t, f.Size(), int64(2<<30))
	}
	for _, o := range []minidump.TableOptions{{}, {Quick: true}} {
		found := tables(t, f, o)
		require.Len(t, found, 1, "%+v", found)
		require.Equal(t, uint64(0x1D0_0000_0000)+2*gap, found[0].Addr)
		require.Equal(t, 12, found[0].Score, found[0].Reasons())
		require.Equal(t, ipcblock.X64, found[0].Arch)
		require.Equal(t, 1, found[0].Live)
		table, err := f.Table(&found[0], ipcblock.Options{Mode: perfdump.Strict})
		require.NoError(t, err)
		require.Equal(t, uint64(4711), table.Chunk(0).Uint64(ipcblock.ProcessID))
	}
}

func TestTablesDeep(t *testing.T) {
	const gap = 4 << 20
	found := tables(t, openFile(t, full(gap)), minidump.TableOptions{Deep: true})
	require.Len(t, found, 2, "%+v", found)
	require.Equal(t, uint64(0x1D0_0000_0000)+2*gap, found[0].Addr)
	require.Equal(t, uint64(0x1D0_0000_0000)+4*gap-0x20000+0x128, found[1].Addr)
	require.Less(t, found[1].Score, found[0].Score)
}

// A handle tells of the table if it is of a section and the name is right.
func TestTablesNamed(t *testing.T) {
	const name = `\BaseNamedObjects\Cor_SxSPublic_IPCBlock`
	for _, c := range []struct {
		handles []handle
		named   bool
	}{
		{nil, false},
		{[]handle{{"Section", name}}, true},
		{[]handle{{"Event", "x"}, {"Section", "y"}, {"Section", name}, {"Section", "z"}}, true},
		{[]handle{{"Section", name + "2"}}, false},
		{[]handle{{"Section", ""}}, false},
		{[]handle{{"Event", name}}, false},
		{[]handle{{"", name}}, false},
	} {
		d := &dump{arch: minidump.X64, pid: 4711, handles: c.handles, memory64: []extent{at(0x200000, table(true, 4711))}}
		for _, regions := range [][]minidump.Region{nil, {mapped(0x200000)}, {private(0x200000, 0x10000)}} {
			d.regions = regions
			found := tables(t, openFile(t, d), minidump.TableOptions{})
			require.Len(t, found, 1)
			got := slices.ContainsFunc(found[0].Reasons(), func(r ipcblock.Reason) bool { return strings.Contains(r.Text, "handle to a section") })
			heap := len(regions) > 0 && regions[0].Type == minidump.Private
			require.Equal(t, c.named && !heap, got, "%v %v", c.handles, regions)
		}
	}
}

// Every architecture, both lists of memory, with and without the regions.
func TestTablesForms(t *testing.T) {
	for _, arch := range []minidump.Arch{minidump.X86, minidump.X64, minidump.ARM64} {
		for _, regions := range []bool{false, true} {
			for _, list := range []bool{false, true} {
				va := uint64(0x7FF6_0000_0000)
				if arch == minidump.X86 {
					va = 0xFFFFFFFF_BFFF0000 // sign-extended
				}
				e := []extent{at(0x10000, noise(3, 0x3000)), at(va, table(arch != minidump.X86, 4711))}
				d := &dump{arch: arch, pid: 4711}
				if d.memory64 = e; list {
					d.memory64, d.memory = nil, e
				}
				score := 7
				if regions {
					d.regions, score = []minidump.Region{private(0x10000, 0x3000), mapped(va)}, 11
				}
				f := openFile(t, d)
				found := tables(t, f, minidump.TableOptions{})
				require.Len(t, found, 1)
				require.Equal(t, f.Canonical(va), found[0].Addr)
				require.Equal(t, score, found[0].Score, "%v %v %v", arch, regions, found[0].Reasons())
				require.Equal(t, found, tables(t, f, minidump.TableOptions{Quick: true}))
			}
		}
	}
}

// The memory of another process's table, a heap copy on the grid, and a table
// of this process: the last is the one to be trusted.
func TestTablesRanking(t *testing.T) {
	d := &dump{
		arch: minidump.X64, pid: 4711,
		regions: []minidump.Region{private(0x100000, 0x20000), mapped(0x200000), mapped(0x300000)},
		memory64: []extent{
			at(0x100000, append(make([]byte, 0x8000), table(true, 4711)...)), at(0x200000, table(true, 42)), at(0x300000, table(true, 4711)),
		},
	}
	found := tables(t, openFile(t, d), minidump.TableOptions{})
	require.Len(t, found, 3)
	require.Equal(t, uint64(0x300000), found[0].Addr)
	require.Equal(t, uint64(4711), found[0].PID)
	require.Equal(t, uint64(42), func() uint64 {
		if found[1].Addr == 0x200000 {
			return found[1].PID
		}
		return found[2].PID
	}())
}

// What looks like a chunk in front of the section does not move the table.
func TestTablesBeginAtRegions(t *testing.T) {
	front := append(noise(7, 0x10000-2048), block(true, 1)...)
	d := &dump{
		arch: minidump.X64, pid: 4711,
		regions:  []minidump.Region{private(0x100000, 0x10000), mapped(0x110000)},
		memory64: []extent{at(0x100000, front), at(0x110000, table(true, 4711)), at(0x120000, make([]byte, 0x10000))},
	}
	found := tables(t, openFile(t, d), minidump.TableOptions{})
	require.Len(t, found, 2)
	require.Equal(t, uint64(0x110000), found[0].Addr)
	require.Equal(t, 0x10000, found[0].Size)
	require.Equal(t, uint64(0x10F800), found[1].Addr)
	require.Equal(t, 0x800, found[1].Size)
}

// Ranges of memory that begin off the grid are tried, and a table may be in
// two ranges that lie apart in the file.
func TestTablesInParts(t *testing.T) {
	whole := table(true, 4711)
	d := &dump{
		arch: minidump.X64, pid: 4711,
		memory: []extent{
			at(0x501000, whole[0x1000:]), at(0x900128, block(true, 4711)), at(0x500000, whole[:0x1000]), at(0x700000, legacy(4711)),
		},
	}
	f := openFile(t, d)
	found := tables(t, f, minidump.TableOptions{})
	require.Len(t, found, 3)
	require.Equal(t, uint64(0x500000), found[0].Addr)
	require.True(t, found[0].Whole())
	require.Equal(t, ipcblock.LegacyPublic, found[1].Layout)
	require.Equal(t, uint64(0x700000), found[1].Addr)
	require.Equal(t, uint64(0x900128), found[2].Addr)
}

// Tables deep in a stretch longer than what is searched at once, one across
// its seams.
func TestTablesAcrossPieces(t *testing.T) {
	const size = 6 << 20
	memory := noise(8, size)
	var want []uint64
	for _, at := range []int{0, 0x80000 - 2048, 0x90000, 0xF8000, 0x180000, 0x2AF800, size - 0x10000} {
		copy(memory[at:], table(true, 4711))
		want = append(want, 0x10000000+uint64(at))
	}
	d := &dump{arch: minidump.X64, pid: 4711, regions: []minidump.Region{private(0x10000000, size)}, memory64: []extent{at(0x10000000, memory)}}
	var got []uint64
	for _, c := range tables(t, openFile(t, d), minidump.TableOptions{}) {
		got = append(got, c.Addr)
	}
	require.ElementsMatch(t, want, got)
}

func TestTablesMax(t *testing.T) {
	var memory []byte
	for range 50 {
		memory = append(append(memory, table(true, 0)...), noise(9, 0x10000)...)
	}
	d := &dump{arch: minidump.X64, memory64: []extent{at(0x10000, memory)}}
	f := openFile(t, d)
	found, dropped, err := f.Tables(minidump.TableOptions{Max: 7})
	require.NoError(t, err)
	require.Len(t, found, 7)
	require.Equal(t, 43, dropped)
	all := tables(t, f, minidump.TableOptions{})
	require.Equal(t, all[:7], found)
}

func TestTablesReaderError(t *testing.T) {
	broken := errors.New("disk on fire")
	d := &dump{arch: minidump.X64, memory64: []extent{at(0x10000, table(true, 0)), {va: 0x20000000, size: 16 << 20}, {va: 0x40000000, size: 8 << 20}}}
	v := d.file()
	r := readerFunc(func(p []byte, off int64) (int, error) {
		if off+int64(len(p)) > v.size-1<<20 {
			return 0, broken
		}
		return v.ReadAt(p, off)
	})
	f, err := minidump.NewFile(r, v.size, minidump.Options{})
	require.NoError(t, err)
	found, _, err := f.Tables(minidump.TableOptions{})
	require.ErrorIs(t, err, broken)
	require.Len(t, found, 1)
	var fe *perfdump.FormatError
	require.ErrorAs(t, err, &fe)
	require.Equal(t, perfdump.CodeIO, fe.Code)
	require.Greater(t, fe.Off, v.size-3<<20)
	require.Less(t, fe.Off, v.size)
}

// Ranges that all are the whole file do not cost their product.
func TestTablesHostile(t *testing.T) {
	const n = 20_000
	body := u32(nil, n)
	for i := range n {
		body = u32(u64(body, uint64(i)<<32), 1<<20, 0)
	}
	b := oneStream(minidump.MemoryListStream, body)
	copy(b[0x8000:], block(true, 1))
	f, err := openIn(b, perfdump.Tolerant)
	require.NoError(t, err)
	var read int64
	counted := readerFunc(func(p []byte, off int64) (int, error) {
		read += int64(len(p))
		return bytes.NewReader(b).ReadAt(p, off)
	})
	f, err = minidump.NewFile(counted, f.Size(), minidump.Options{})
	require.NoError(t, err)
	read = 0
	_, _, err = f.Tables(minidump.TableOptions{Deep: true})
	require.ErrorIs(t, err, perfdump.ErrLimit)
	require.Less(t, read, 3*int64(len(b))+2<<20)
}

// Ranges that are larger than a window of the search, and all the same bytes,
// cost nothing each once the search has read what it may.
func TestTablesHostileLong(t *testing.T) {
	const n = 160_000
	body := u32(nil, n)
	for i := range n {
		body = u32(u64(body, uint64(i)<<32), 2_500_000, 0)
	}
	f, err := openIn(oneStream(minidump.MemoryListStream, body), perfdump.Tolerant)
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err = f.Tables(minidump.TableOptions{})
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, perfdump.ErrLimit)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
}

// The vectors of the specification, each at the start of a view.
func TestTablesVectors(t *testing.T) {
	names, err := filepath.Glob("../../shared/vectors/ipcblock/*.bin")
	require.NoError(t, err)
	if len(names) == 0 {
		t.Skip("no vectors")
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, err := os.ReadFile(name)
			require.NoError(t, err)
			arch := minidump.X64
			if bytes.Contains([]byte(name), []byte("x86")) {
				arch = minidump.X86
			}
			d := &dump{
				arch: arch, regions: []minidump.Region{private(0x100000, 0x10000), mapped(0x200000)},
				memory64: []extent{at(0x100000, noise(5, 0x10000)), at(0x200000, want)},
			}
			f := openFile(t, d)
			found := tables(t, f, minidump.TableOptions{})
			require.Len(t, found, 1)
			require.Equal(t, uint64(0x200000), found[0].Addr)
			require.Equal(t, len(want), found[0].Size)
			table, err := f.Table(&found[0], ipcblock.Options{})
			require.NoError(t, err)
			require.Equal(t, want, table.Bytes())
		})
	}
}

// A block within a region is no start of one, and is found once.
func TestTablesWithinRegions(t *testing.T) {
	memory := noise(11, 0x10000)
	copy(memory[0x8000:], block(true, 4711))
	d := &dump{arch: minidump.X64, pid: 4711, regions: []minidump.Region{mapped(0x200000)}, memory64: []extent{at(0x200000, memory)}}
	f := openFile(t, d)
	require.Empty(t, tables(t, f, minidump.TableOptions{Quick: true}))
	found := tables(t, f, minidump.TableOptions{})
	require.Len(t, found, 1)
	require.Equal(t, uint64(0x208000), found[0].Addr)
}

// A quick search looks where shared memory begins: in regions that are mapped
// and begin on 64 KiB, whether or not that is so of others.
func TestTablesQuickly(t *testing.T) {
	for _, c := range []struct {
		region minidump.Region
		found  int
	}{{mapped(0x200000), 1}, {mapped(0x201000), 0}, {private(0x200000, 0x10000), 0}, {private(0x201000, 0x10000), 0}} {
		memory := make([]byte, 0x10000)
		copy(memory, block(true, 4711))
		d := &dump{arch: minidump.X64, pid: 4711, regions: []minidump.Region{c.region}, memory64: []extent{at(c.region.Base, memory)}}
		require.Len(t, tables(t, openFile(t, d), minidump.TableOptions{Quick: true}), c.found, "%+v", c.region)
	}
}
