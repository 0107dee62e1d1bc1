package minidump_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
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

func openFile(t testing.TB, d *dump) *minidump.File {
	t.Helper()
	v := d.file()
	f, err := minidump.Open(v, v.size, perfdump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	return f
}

// tables searches a dump. What it finds is where it says, and decodes.
func tables(t testing.TB, d *dump, o minidump.TableOptions) []ipcblock.Candidate {
	t.Helper()
	f := openFile(t, d)
	found, dropped, err := f.Tables(o)
	require.NoError(t, err)
	require.Zero(t, dropped)
	for i := range found {
		c := &found[i]
		off, ok := f.Offset(c.Addr)
		require.True(t, ok)
		require.Equal(t, off, c.Offset)
		decode(t, f, c)
	}
	return found
}

func decode(t testing.TB, f *minidump.File, c *ipcblock.Candidate) *ipcblock.Table {
	t.Helper()
	b := make([]byte, c.Size)
	_, err := f.ReadVA(b, c.Addr)
	require.NoError(t, err)
	table, err := ipcblock.Parse(b, ipcblock.Options{Layout: c.Layout})
	require.NoError(t, err)
	return table
}

func addresses(found []ipcblock.Candidate) (all []uint64) {
	for _, c := range found {
		all = append(all, c.Addr)
	}
	return all
}

// TestTables compares what is found in dumps of many forms with
// testdata/tables.txt.
func TestTables(t *testing.T) {
	whole := table(true, 4711)
	withIn := noise(11, 0x10000)
	copy(withIn[0x8000:], block(true, 4711))
	dumps := []struct {
		name string
		d    dump
	}{
		{"another process's table, a heap copy on the grid, and a table of this process", dump{
			regions:  []minidump.MemoryInfo{private(0x100000, 0x20000), mapped(0x200000), mapped(0x300000)},
			memory64: []extent{at(0x100000, append(make([]byte, 0x8000), whole...)), at(0x200000, table(true, 42)), at(0x300000, whole)},
		}},
		{"what looks like a chunk before the section does not move the table", dump{
			regions:  []minidump.MemoryInfo{private(0x100000, 0x10000), mapped(0x110000)},
			memory64: []extent{at(0x100000, append(noise(7, 0x10000-2048), block(true, 1)...)), at(0x110000, whole), at(0x120000, make([]byte, 0x10000))},
		}},
		{"off the grid, and in two ranges that lie apart in the file", dump{
			memory: []extent{at(0x501000, whole[0x1000:]), at(0x900128, block(true, 4711)), at(0x500000, whole[:0x1000]), at(0x700000, legacy(4711))},
		}},
		{"a block within a region is no start of one, and is found once", dump{
			regions: []minidump.MemoryInfo{mapped(0x200000)}, memory64: []extent{at(0x200000, withIn)},
		}},
	}
	// A handle is a reason if it is of a section and the name is right.
	const name = `\BaseNamedObjects\Cor_SxSPublic_IPCBlock`
	for _, handles := range [][]handle{
		nil, {{"Event", "x"}, {"Section", "y"}, {"Section", name}, {"Section", "z"}}, {{"Section", name + "2"}}, {{"Section", ""}}, {{"Event", name}}, {{"", name}},
	} {
		for i, regions := range [][]minidump.MemoryInfo{nil, {mapped(0x200000)}, {private(0x200000, 0x10000)}} {
			dumps = append(dumps, struct {
				name string
				d    dump
			}{fmt.Sprint("handles ", handles, []string{" no regions", " mapped", " private"}[i]), dump{handles: handles, regions: regions, memory64: []extent{at(0x200000, whole)}}})
		}
	}
	// Every architecture, both lists of memory, with and without the regions.
	for _, arch := range []minidump.Arch{minidump.X86, minidump.X64, minidump.ARM64} {
		for i := range 4 {
			va := uint64(0x7FF6_0000_0000)
			if arch == minidump.X86 {
				va = 0xFFFFFFFF_BFFF0000 // sign-extended
			}
			d := dump{arch: arch, memory64: []extent{at(0x10000, noise(3, 0x3000)), at(va, table(arch != minidump.X86, 4711))}}
			if i&1 != 0 {
				d.memory64, d.memory = nil, d.memory64
			}
			if i&2 != 0 {
				d.regions = []minidump.MemoryInfo{private(0x10000, 0x3000), mapped(va)}
			}
			dumps = append(dumps, struct {
				name string
				d    dump
			}{fmt.Sprint(arch, i), d})
		}
	}
	var out strings.Builder
	for _, c := range dumps {
		if c.d.pid = 4711; c.d.arch == 0 && !strings.HasPrefix(c.name, "x86") {
			c.d.arch = minidump.X64
		}
		fmt.Fprintf(&out, "%s\n", c.name)
		for _, f := range tables(t, &c.d, minidump.TableOptions{}) {
			fmt.Fprintf(&out, "\t0x%x: 0x%x bytes, whole %v, %v %v, %d chunks, %d live, process %d, score %d %v\n",
				f.Addr, f.Size, f.Whole(), f.Layout, f.Arch, f.Chunks, f.Live, f.PID, f.Score, f.Reasons())
		}
	}
	golden.File(t, "testdata/tables.txt", []byte(out.String()))
}

// TestTablesAreFoundOnce: a block within a stretch of any size is one candidate,
// and the next stretch is searched, too.
func TestTablesAreFoundOnce(t *testing.T) {
	for _, size := range []uint64{0xA000, 0x20000, 1 << 20, 8 << 20} {
		d := &dump{arch: minidump.X64, pid: 4711}
		want := []uint64{}
		for i := range uint64(3) {
			va := 0x1D0_0000_0000 + i<<32
			d.memory64 = append(d.memory64, extent{va: va, size: size, data: legacy(4711), at: 0x9000})
			want = append(want, va+0x9000)
		}
		require.Equal(t, want, addresses(tables(t, d, minidump.TableOptions{})), "%#x", size)
	}
	// One across the seams of what is searched at once.
	const size = 6 << 20
	memory := noise(8, size)
	var want []uint64
	for _, at := range []int{0, 0x80000 - 2048, 0x90000, 0xF8000, 0x180000, 0x2AF800, size - 0x10000} {
		copy(memory[at:], table(true, 4711))
		want = append(want, 0x10000000+uint64(at))
	}
	d := &dump{arch: minidump.X64, pid: 4711, regions: []minidump.MemoryInfo{private(0x10000000, size)}, memory64: []extent{at(0x10000000, memory)}}
	require.ElementsMatch(t, want, addresses(tables(t, d, minidump.TableOptions{})))
}

// TestTablesOverRanges: a table may lie in ranges of memory that follow each
// other by their addresses and not in the file, at the start of memory of any
// size and within.
func TestTablesOverRanges(t *testing.T) {
	const va = 0x1D0_0000_0000
	tab := slices.Concat(block(true, 4711), block(true, 4711), make([]byte, 60<<10))
	for _, before := range []uint64{0, 0x10000, 0xF0000} {
		for _, cut := range []uint64{0x400, 0x800, 0x1000, 0x8000} {
			first := extent{va: va, size: before + cut, data: tab[:cut], at: before}
			other := extent{va: va + 1<<32, size: 0x3000, data: noise(5, 0x3000)}
			rest := extent{va: va + before + cut, size: 0x110000 - cut, data: tab[cut:]}
			for _, memory := range [][]extent{{first, rest, other}, {first, other, rest}, {rest, other, first}} {
				found := tables(t, &dump{arch: minidump.X64, pid: 4711, memory64: memory}, minidump.TableOptions{})
				require.Equal(t, []uint64{va + before}, addresses(found), "%#x %#x", before, cut)
				require.Equal(t, [2]int{32, 2}, [2]int{found[0].Chunks, found[0].Live})
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
	add := func(r minidump.MemoryInfo, data []byte, at uint64) {
		d.regions = append(d.regions, r)
		d.memory64 = append(d.memory64, extent{va: r.BaseAddress, size: r.RegionSize, data: data, at: at})
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

func TestTablesOfLargeDumps(t *testing.T) {
	const base, small = uint64(0x1D0_0000_0000), uint64(4 << 20)
	gap := uint64(1 << 30)
	if testing.Short() || perftest.Race {
		gap = 1 << 24
	}
	d := full(gap)
	found := tables(t, d, minidump.TableOptions{})
	require.Equal(t, []uint64{base + 2*gap}, addresses(found))
	require.Equal(t, 12, found[0].Score, found[0].Reasons())
	require.Equal(t, uint64(4711), decode(t, openFile(t, d), &found[0]).Chunk(0).Uint64(ipcblock.ProcessID))

	found = tables(t, full(small), minidump.TableOptions{Deep: true})
	require.Equal(t, []uint64{base + 2*small, base + 4*small - 0x20000 + 0x128}, addresses(found))
	require.Less(t, found[1].Score, found[0].Score)
}

func TestTablesMax(t *testing.T) {
	var memory []byte
	for range 50 {
		memory = append(append(memory, table(true, 0)...), noise(9, 0x10000)...)
	}
	d := &dump{arch: minidump.X64, memory64: []extent{at(0x10000, memory)}}
	found, dropped, err := openFile(t, d).Tables(minidump.TableOptions{Max: 7})
	require.NoError(t, err)
	require.Equal(t, 43, dropped)
	require.Equal(t, tables(t, d, minidump.TableOptions{})[:7], found)
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
	f, err := minidump.Open(r, v.size, perfdump.Options{})
	require.NoError(t, err)
	found, _, err := f.Tables(minidump.TableOptions{})
	require.ErrorIs(t, err, broken)
	require.Len(t, found, 1)
	var fe *perfdump.FormatError
	require.ErrorAs(t, err, &fe)
	require.Equal(t, perfdump.CodeIO, fe.Code)
	require.True(t, fe.Off > v.size-3<<20 && fe.Off < v.size)
}

// TestTablesHostile: ranges that all are the same bytes do not cost their
// product, whether they are smaller or larger than a window of the search.
func TestTablesHostile(t *testing.T) {
	b := sameBytes(20_000, 1<<20)
	copy(b[0x8000:], block(true, 1))
	var read int64
	f, err := minidump.Open(readerFunc(func(p []byte, off int64) (int, error) {
		read += int64(len(p))
		return bytes.NewReader(b).ReadAt(p, off)
	}), int64(len(b)), perfdump.Options{})
	require.NoError(t, err)
	read = 0
	_, _, err = f.Tables(minidump.TableOptions{Deep: true})
	require.ErrorIs(t, err, perfdump.ErrLimit)
	require.Less(t, read, 3*int64(len(b))+2<<20)

	f = open(t, sameBytes(160_000, 2_500_000))
	require.Less(t, perftest.Allocated(func() {
		_, _, err = f.Tables(minidump.TableOptions{})
	}), uint64(64<<20))
	require.ErrorIs(t, err, perfdump.ErrLimit)
}

// TestTablesVectors: the vectors of the specification, each at the start of a
// view.
func TestTablesVectors(t *testing.T) {
	names, err := filepath.Glob("../../shared/vectors/ipcblock/*.bin")
	require.NoError(t, err)
	if len(names) == 0 {
		t.Skip("no vectors")
	}
	for _, name := range names {
		want, err := os.ReadFile(name)
		require.NoError(t, err)
		arch := minidump.X64
		if strings.Contains(name, "x86") {
			arch = minidump.X86
		}
		d := &dump{
			arch: arch, regions: []minidump.MemoryInfo{private(0x100000, 0x10000), mapped(0x200000)},
			memory64: []extent{at(0x100000, noise(5, 0x10000)), at(0x200000, want)},
		}
		found := tables(t, d, minidump.TableOptions{})
		require.Equal(t, []uint64{0x200000}, addresses(found), name)
		require.Equal(t, want, decode(t, openFile(t, d), &found[0]).Bytes())
	}
}

// BenchmarkTables searches 256 MiB of noise in 4,096 regions, with a table.
func BenchmarkTables(b *testing.B) {
	d := &dump{arch: minidump.X64, pid: 4711}
	data := noise(1, 64<<10)
	for i := range uint64(4096) {
		va := 0x1D0_0000_0000 + i<<20
		d.regions = append(d.regions, private(va, 64<<10))
		d.memory64 = append(d.memory64, at(va, data))
	}
	d.regions = append(d.regions, mapped(0x7FF6_0000_0000))
	d.memory64 = append(d.memory64, at(0x7FF6_0000_0000, table(true, 4711)))
	raw := d.bytes()
	for name, o := range map[string]minidump.TableOptions{"grid": {}, "deep": {Deep: true}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				found, _, err := open(b, raw).Tables(o)
				if err != nil || len(found) != 1 {
					b.Fatal(len(found), err)
				}
			}
		})
	}
}
