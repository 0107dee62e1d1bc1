package ipcblock_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/ipcblock"
)

// sparse is memory of which only some places are not as fill says. It reads
// like gigabytes and takes no room.
type sparse struct {
	size  int64
	at    []int64
	parts [][]byte
	noise []byte // stands every 8 MiB, else there are zeros
}

func (s *sparse) put(off int64, b []byte) {
	s.at = append(s.at, off)
	s.parts = append(s.parts, b)
}

func (s *sparse) ReadAt(p []byte, off int64) (int, error) {
	n := int(min(int64(len(p)), s.size-off))
	clear(p[:n])
	const every = 8 << 20
	for at := off / every * every; len(s.noise) > 0 && at < off+int64(n); at += every {
		paste(p[:n], off, s.noise, at)
	}
	for i, at := range s.at {
		paste(p[:n], off, s.parts[i], at)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func paste(p []byte, off int64, b []byte, at int64) {
	if at >= off+int64(len(p)) || at+int64(len(b)) <= off {
		return
	}
	if at < off {
		b = b[off-at:]
		at = off
	}
	copy(p[at-off:], b)
}

func misses(t testing.TB) map[string][]byte {
	chunk := oneLive(t, ipcblock.X86)[:2048]
	return map[string][]byte{
		"anchor alone":     append(make([]byte, 28), 1, 0, 0, 0, 0x28, 0, 0, 0, 0x18, 1, 0, 0, 0x18, 1, 9, 0),
		"block size":       put32(chunk, 20, 424),
		"entry size":       put32(chunk, 36, 384),
		"perf size":        put16(chunk, 40, 384),
		"offset":           put32(chunk, 32, 44),
		"entries":          put32(chunk, 28, 2),
		"reserved":         put32(chunk, 8, 1),
		"attributes":       put16(chunk, 42, 4),
		"counter 0":        put32(chunk, 0, 0),
		"counter odd":      put32(chunk, 0, 3),
		"public version":   put16(legacy(t, ipcblock.LegacyPublic, ipcblock.X64, 0), 0, 2),
		"public size":      put32(legacy(t, ipcblock.LegacyPublic, ipcblock.X64, 0), 4, 0x134),
		"public entries":   put32(legacy(t, ipcblock.LegacyPublic, ipcblock.X64, 0), 20, 2),
		"public offset":    put32(legacy(t, ipcblock.LegacyPublic, ipcblock.X64, 0), 24, 0),
		"public perf size": put16(legacy(t, ipcblock.LegacyPublic, ipcblock.X86, 0), 28, 384),
	}
}

func TestFindInGigabytes(t *testing.T) {
	size := int64(6 << 30)
	if testing.Short() || perftest.Race {
		size = 256 << 20
	}
	mem := &sparse{size: size, noise: noiseMemory(256 << 10)}
	want := map[int64]int{}
	put := func(off int64, b []byte, chunks int) {
		off = off &^ 4095
		mem.put(off, b)
		want[off] = chunks
	}
	put(size/2+1<<20, oneLive(t, ipcblock.X86), 32)
	put(size/2+1<<20+65536, table(t, live(0, ipcblock.X64), live(1, ipcblock.X86)), 32)
	put(size/3, table(t, in(ipcblock.Free, 0, ipcblock.X64), live(1, ipcblock.X64)), 32)
	put(size/5, legacy(t, ipcblock.LegacyPublic, ipcblock.X86, 0), 1)
	put(size/7, legacy(t, ipcblock.LegacyPublic, ipcblock.X64, 0), 1)
	put(size-65536, oneLive(t, ipcblock.X64), 32)
	put(size-65536-4096, oneLive(t, ipcblock.X64)[:2048], 1)
	// On either side of where windows meet.
	put(1<<20-4096, oneLive(t, ipcblock.X86), 32)
	at := int64(3<<20) + 512
	for _, b := range misses(t) {
		mem.put(at&^4095, b)
		at += 8192
	}
	// A page of a table whose neighbours lie elsewhere.
	page := append(slices.Clone(oneLive(t, ipcblock.X86)[:4096]), 0xAA)
	put(5<<20, page, 2)
	found, dropped, err := ipcblock.Find(mem, size, ipcblock.FindOptions{})
	require.NoError(t, err)
	require.Zero(t, dropped)
	got := map[int64]int{}
	for _, c := range found {
		got[c.Offset] = c.Chunks
		require.Equal(t, uint64(4242), c.PID)
		require.Equal(t, 1, min(c.Live, 1))
		b := make([]byte, c.Size)
		_, err := mem.ReadAt(b, c.Offset)
		require.NoError(t, err)
		tab, err := ipcblock.Parse(b, ipcblock.Options{Options: perfdump.Options{Mode: perfdump.Strict}})
		require.NoError(t, err)
		require.Equal(t, c.Layout, tab.Layout())
	}
	// The lone chunk takes along the zeros between it and the table.
	require.Equal(t, 2, got[size-65536-4096])
	got[size-65536-4096] = 1
	require.Equal(t, want, got)
	require.True(t, slices.IsSortedFunc(found, func(a, b ipcblock.Candidate) int { return b.Score - a.Score }))
}

// TestFindSteps: a table is found at every 2048 bytes, at every 8 by deep
// search, and at every byte where it is told to look anywhere, however windows
// and tables meet.
func TestFindSteps(t *testing.T) {
	places := []int64{
		65544, 1<<20 + 3, 1<<20 + 2048 + 16, 524288 - 8, 524288 - 5, 524288 + 65536 - 16, 524288 + 65536 - 17, 655360 - 24, 655360 - 29,
		720896 + 40, 720896 + 41, 524288 + 28, 524288 - 28 - 7, 2048, 4088,
	}
	for at := range int64(40) {
		places = append(places, at)
	}
	for i, at := range places {
		tab := oneLive(t, ipcblock.X86+ipcblock.Arch(i%2))
		mem := &sparse{size: 4 << 20}
		mem.put(at, tab)
		place := 3<<20 + at&0xFFF
		for _, b := range misses(t) {
			mem.put(place, b)
			place += 8192
		}
		for o, step := range map[*ipcblock.FindOptions]int64{{}: 2048, {Deep: true}: 8, {Anywhere: true}: 1} {
			found, _, err := ipcblock.Find(mem, mem.size, *o)
			require.NoError(t, err)
			if at%step != 0 {
				require.Empty(t, found, "%#x by %d", at, step)
				continue
			}
			require.Len(t, found, 1, "%#x by %d", at, step)
			require.Equal(t, at, found[0].Offset)
			require.True(t, found[0].Whole())
		}
		found, _, err := ipcblock.Find(mem, mem.size, ipcblock.FindOptions{Deep: true, Base: 0x10003})
		require.NoError(t, err)
		require.Len(t, found, map[bool]int{true: 1}[at%8 == 5], "steps are those of addresses")
	}
}

// TestFindCandidates searches small memory: testdata has what is found there.
func TestFindCandidates(t *testing.T) {
	const base = 0x7FF000000000
	x86, x64 := ipcblock.X86, ipcblock.X64
	tab := oneLive(t, x86)
	region := func(r ipcblock.Region) func(uint64) (ipcblock.Region, bool) {
		return func(uint64) (ipcblock.Region, bool) { return r, true }
	}
	mapped := func(start uint64) func(uint64) (ipcblock.Region, bool) {
		return region(ipcblock.Region{Start: start, Mapped: true})
	}
	named := region(ipcblock.Region{Start: 0x50000, Mapped: true, Named: true})
	unpublished := append(make([]byte, 65536), table(t, in(ipcblock.Locked, 0, x64), live(1, x64))...)
	var full []ipcblock.TreeChunk
	for i := range 32 {
		full = append(full, live(i, x86))
	}
	three := table(t, live(0, x64), live(1, x64), live(2, x64))
	damage := func(chunks ...int) []byte {
		b := slices.Clone(three)
		for _, i := range chunks {
			b = put32(b, 2048*i+28, 9)
		}
		return b
	}
	public := legacy(t, ipcblock.LegacyPublic, x64, 0)
	type options = ipcblock.FindOptions
	var all strings.Builder
	search := func(name string, data []byte, o options) {
		fmt.Fprintf(&all, "%s:\n", name)
		found := slices.Collect(ipcblock.ScanBytes(data, o))
		for _, c := range found {
			fmt.Fprintf(&all, "  0x%x at 0x%x: %s %s, %d chunks, 0x%x bytes, %d live, %d stale, process %d, score %d\n",
				c.Offset, c.Addr, c.Layout, c.Arch, c.Chunks, c.Size, c.Live, c.Stale, c.PID, c.Score)
			sum := 0
			for _, r := range c.Reasons() {
				fmt.Fprintf(&all, "    %+d %s\n", r.Points, r.Text)
				sum += r.Points
			}
			require.Equal(t, c.Score, sum)
		}
		if !strings.HasPrefix(name, "damaged") {
			return
		}
		// The same, some windows into what is searched.
		const before = 2 << 20
		mem := &sparse{size: before + int64(len(data))}
		mem.put(before, data)
		for i := range found {
			found[i].Offset += before
		}
		ipcblock.Rank(found)
		o.Base -= before
		later, _, err := ipcblock.Find(mem, mem.size, o)
		require.NoError(t, err)
		require.Equal(t, found, later, name)
	}
	for _, c := range []struct {
		name string
		data []byte
		o    options
	}{
		{"alone", tab[:2048], options{}},
		{"three", tab[:3*2048], options{}},
		{"whole", tab, options{}},
		{"its process", tab, options{PID: 4242}},
		{"another process", tab, options{PID: 4243}},
		{"no process yet", put32(tab, 40+28, 0), options{PID: 4243}},
		{"region", tab, options{Virtual: true, Base: 0x50000, Region: named, PID: 4242}},
		{"not where the region begins", tab, options{Virtual: true, Base: 0x60000, Region: named}},
		{"not aligned", tab, options{Virtual: true, Base: 0x51000}},
		{"heap", tab, options{Virtual: true, Base: 0x50000, Region: region(ipcblock.Region{Private: true})}},
		{"version", put16(tab, 16, 3), options{}},
		{"flags", put16(tab, 18, 5), options{}},
		{"unlikely values", table(t, with(x86, map[string]uint64{"gc.timeInGC": 900, "gc.timeInGCBase": 100})), options{}},
		{"stale", put32(tab, 4, 0), options{PID: 7}},
		{"legacy", public, options{PID: 4242}},
		{"legacy, not published", put16(public, 2, 1), options{PID: 4242}},
		{"the first chunk is not published", unpublished, options{Virtual: true, Base: base}},
		{"physical pages have no base", unpublished, options{}},
		{"a table that does not fit", patched(unpublished, 65536+1000, 1), options{Virtual: true, Base: base}},
		{"damaged, the first", damage(0), options{Virtual: true, Region: mapped(base), Base: base}},
		{"damaged, the second", damage(1), options{Virtual: true, Region: mapped(base), Base: base}},
		{"damaged after those in use", damage(1, 9, 31), options{Virtual: true, Region: mapped(base), Base: base}},
		{"damaged, too many", damage(1, 9, 20, 21, 31), options{Virtual: true, Region: mapped(base), Base: base}},
		{"damaged elsewhere in a region", damage(1), options{Virtual: true, Region: mapped(base - 65536), Base: base}},
		{"damaged, not on 64 KiB", damage(1), options{Virtual: true, Region: mapped(base + 4096), Base: base + 4096}},
		{"damaged and cut", damage(1)[:65535], options{Virtual: true, Region: mapped(base), Base: base}},
		{"damaged, no region is known", damage(1), options{Virtual: true, Base: base}},
		{"candidates do not overlap", append(table(t, full...)[:4096:4096], table(t, full...)...), options{Virtual: true, Base: 0xF000}},
		{"siblings of all states", put16(table(t, live(0, x86), in(ipcblock.Free, 1, x64), in(ipcblock.Unpublished, 2, x86), in(ipcblock.Locked, 3, x86)), 2*2048+40, 0), options{}},
		{"the first live chunk gives the width", table(t, in(ipcblock.Free, 0, x64), live(1, x86), live(2, x64)), options{}},
	} {
		search(c.name, c.data, c.o)
	}
	// A chunk that is not a multiple of 2048 bytes after a boundary of 64 KiB is
	// none of a table that begins there, though a heap's own odd word before it
	// looks like a chunk that is being written.
	for _, at := range []int{0, 2048, 31 * 2048} {
		mem := make([]byte, 65536+2048)
		mem[at] = 0x41
		copy(mem[at+16:], tab[:320])
		search(fmt.Sprintf("after the header of a heap at 0x%x", at), mem, options{Deep: true, Virtual: true, Base: 0x50000})
	}
	// Flags and attributes of every state. A chunk is live where its runtime has
	// a number, all 32 bits of which count.
	for a := x86; a <= x64; a++ {
		b := legacy(t, ipcblock.LegacyPublic, a, 0)
		for n := range uint16(8) {
			search(fmt.Sprintf("public, flags %d", n), put16(b, 2, n), options{})
		}
		for n := range uint16(4) {
			search(fmt.Sprintf("public, attributes %d", n), put16(b, len(b)-a.PerfSize()+2, n), options{})
			search(fmt.Sprintf("chunk, attributes %d", n), put16(oneLive(t, a), 40+2, n), options{})
		}
	}
	for _, id := range []uint32{0, 1, 1 << 8, 1 << 16, 1 << 24, 1 << 31} {
		search(fmt.Sprintf("runtime 0x%x", id), put32(put32(tab, 0, 1<<30), 4, id), options{})
	}
	golden.File(t, "testdata/find.golden", []byte(all.String()))
}

// TestFindLooksBackOverWindows: the first chunk that is published lies in
// another window than the table's first.
func TestFindLooksBackOverWindows(t *testing.T) {
	o := ipcblock.FindOptions{Virtual: true, Base: 0x7FF000008000}
	for _, off := range []int64{0x88000, 0x108000} {
		for i := range 32 {
			mem := &sparse{size: 4 << 20}
			mem.put(off, table(t, live(i, ipcblock.X86)))
			found, _, err := ipcblock.Find(mem, mem.size, o)
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.Equal(t, off, found[0].Offset, i)
			require.True(t, found[0].Whole())
		}
	}
}

// TestFindPublicOnPages: a public block begins a page of addresses, in any
// window and behind any other find, and deep search finds it there as well.
func TestFindPublicOnPages(t *testing.T) {
	const size = 1 << 20
	for i := range 2 * 3 * 11 * 2 * 3 {
		deep, base := i%2 == 0, []uint64{0, 0x7FF000000800, 0x10FF8}[i/2%3]
		page := []int64{0, 1, 15, 111, 112, 127, 128, 143, 144, 160, size/4096 - 2}[i/6%11]
		a, off := ipcblock.X86+ipcblock.Arch(i/66%2), []int64{0, 8, 2048}[i/132]
		mem, first := &sparse{size: size}, int64(-base&4095)
		want, got := []uint64{}, []uint64{}
		if page > 1 { // a chunk before it
			mem.put(first+(page-1)*4096, oneLive(t, a)[:2048])
			want = append(want, base+uint64(first+(page-1)*4096))
		}
		at := first + page*4096 + off
		mem.put(at, legacy(t, ipcblock.LegacyPublic, a, 0))
		if off == 0 {
			want = append(want, base+uint64(at))
		}
		for c, err := range ipcblock.Scan(mem, size, ipcblock.FindOptions{Deep: deep, Base: base}) {
			require.NoError(t, err)
			got = append(got, c.Addr)
		}
		require.Equal(t, want, got, "%v, deep %v, base %#x, page %d, %d after it", a, deep, base, page, off)
	}
}

type failing struct{ io.ReaderAt }

var errDisk = errors.New("disk on fire")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > 300<<10 {
		n, _ := f.ReaderAt.ReadAt(p[:max(0, 300<<10-off)], off)
		return n, errDisk
	}
	return f.ReaderAt.ReadAt(p, off)
}

func TestFindErrors(t *testing.T) {
	mem := append(oneLive(t, ipcblock.X86), make([]byte, 1<<20)...)
	found, _, err := ipcblock.Find(failing{bytes.NewReader(mem)}, int64(len(mem)), ipcblock.FindOptions{})
	require.ErrorIs(t, err, errDisk)
	require.Len(t, found, 1)
	// A reader that ends early is no error.
	found, _, err = ipcblock.Find(bytes.NewReader(mem), 1<<40, ipcblock.FindOptions{})
	require.NoError(t, err)
	require.Len(t, found, 1)
	for n := range 500 {
		for range ipcblock.ScanBytes(mem[:n], ipcblock.FindOptions{Deep: true}) {
			t.Fatal("a chunk that is not all there")
		}
	}
}

func TestFindKeepsTheBest(t *testing.T) {
	var mem []byte
	for i := range 100 {
		c := live(0, ipcblock.X86)
		if i == 70 {
			c.Values[ipcblock.ProcessID] = 9
		}
		mem = append(mem, table(t, c)[:2048]...)
		mem = append(mem, bytes.Repeat([]byte{0xCC}, 2048)...)
	}
	found, dropped, err := ipcblock.Find(bytes.NewReader(mem), int64(len(mem)), ipcblock.FindOptions{Max: 3, PID: 9})
	require.NoError(t, err)
	require.Len(t, found, 3)
	require.Equal(t, 97, dropped)
	require.Equal(t, int64(70*4096), found[0].Offset)
	require.Equal(t, int64(0), found[1].Offset)
}

// TestGuardFindMemory wants a search to take no more than its window.
func TestGuardFindMemory(t *testing.T) {
	skipGuard(t)
	mem := &sparse{size: 64 << 20}
	var m, n int
	allocs := testing.AllocsPerRun(3, func() {
		for range ipcblock.Scan(mem, mem.size, ipcblock.FindOptions{Deep: true}) {
			m++
		}
		n++
	})
	require.Less(t, allocs, 20.0)
}

// TestFindEndsAtTheSize: what lies behind the bytes that are asked for is not
// found, in whichever window they end.
func TestFindEndsAtTheSize(t *testing.T) {
	for _, end := range []int64{64 << 10, 640 << 10, 1 << 20, 2 << 20} {
		mem := &sparse{size: 4 << 20}
		mem.put(end, oneLive(t, ipcblock.X86))
		found, _, err := ipcblock.Find(mem, end, ipcblock.FindOptions{})
		require.NoError(t, err)
		require.Empty(t, found, "%#x", end)
		found, _, err = ipcblock.Find(mem, end+2048, ipcblock.FindOptions{})
		require.NoError(t, err)
		require.Len(t, found, 1, "%#x", end)
	}
}
