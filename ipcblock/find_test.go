package ipcblock_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
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
	free := live(0, ipcblock.X64)
	free.State = ipcblock.Free
	mem := &sparse{size: size, noise: noiseMemory(256 << 10)}
	want := map[int64]int{}
	put := func(off int64, b []byte, chunks int) {
		off = off &^ 4095
		mem.put(off, b)
		want[off] = chunks
	}
	put(size/2+1<<20, oneLive(t, ipcblock.X86), 32)
	put(size/2+1<<20+65536, table(t, live(0, ipcblock.X64), live(1, ipcblock.X86)), 32)
	put(size/3, table(t, free, live(1, ipcblock.X64)), 32)
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
		tab, err := ipcblock.Parse(b, ipcblock.Options{Mode: perfdump.Strict})
		require.NoError(t, err)
		require.Equal(t, c.Layout, tab.Layout())
	}
	// The lone chunk takes along the zeros between it and the table.
	require.Equal(t, 2, got[size-65536-4096])
	got[size-65536-4096] = 1
	require.Equal(t, want, got)
	require.True(t, slices.IsSortedFunc(found, func(a, b ipcblock.Candidate) int { return b.Score - a.Score }))
}

// TestFindDeep: copies in heaps are found at any 8 bytes, and by deep search
// alone, however windows and copies meet.
func TestFindDeep(t *testing.T) {
	tab := oneLive(t, ipcblock.X64)
	for _, at := range []int64{8, 4088, 65544, 1<<20 + 2048 + 16, 524288 - 8, 524288 + 65536 - 16, 600064, 655360 - 24, 720896 + 40} {
		mem := &sparse{size: 4 << 20}
		mem.put(at, tab)
		place := 3<<20 + at&0xFF8
		for _, b := range misses(t) {
			mem.put(place, b)
			place += 8192
		}
		for _, deep := range []bool{false, true} {
			found, _, err := ipcblock.Find(mem, mem.size, ipcblock.FindOptions{Deep: deep})
			require.NoError(t, err)
			if !deep && at%2048 != 0 {
				require.Empty(t, found, "%#x", at)
				continue
			}
			require.Len(t, found, 1, "%#x", at)
			require.Equal(t, at, found[0].Offset)
			require.True(t, found[0].Whole())
			if at%2048 == 0 {
				require.Equal(t, 4+1, found[0].Score)
			} else {
				require.Equal(t, 4+1-2, found[0].Score)
			}
		}
		found, _, err := ipcblock.Find(mem, mem.size, ipcblock.FindOptions{Deep: true, Base: 0x10003})
		require.NoError(t, err)
		require.Empty(t, found, "steps are those of addresses")
	}
	mem := &sparse{size: 1 << 20}
	mem.put(77, tab)
	found, _, err := ipcblock.Find(mem, mem.size, ipcblock.FindOptions{Deep: true, Base: 0x10003})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, uint64(0x10050), found[0].Addr)
}

// TestFindAnywhere: behind a header of any length a table is found where every
// byte is looked at, and nowhere else, however windows and tables meet.
func TestFindAnywhere(t *testing.T) {
	tab := oneLive(t, ipcblock.X86)
	places := []int64{1<<20 + 3, 524288 - 5, 524288 + 65536 - 17, 655360 - 29, 720896 + 41, 524288 + 28, 524288 - 28 - 7}
	for at := range int64(40) {
		places = append(places, at)
	}
	for _, at := range places {
		mem := &sparse{size: 4 << 20}
		mem.put(at, tab)
		place := 3<<20 + at&0xFFF
		for _, b := range misses(t) {
			mem.put(place, b)
			place += 8192
		}
		found, _, err := ipcblock.Find(mem, mem.size, ipcblock.FindOptions{Anywhere: true})
		require.NoError(t, err)
		require.Len(t, found, 1, "%#x", at)
		require.Equal(t, at, found[0].Offset)
		require.True(t, found[0].Whole())
		found, _, err = ipcblock.Find(mem, mem.size, ipcblock.FindOptions{Deep: true})
		require.NoError(t, err)
		require.Equal(t, at%8 == 0, len(found) == 1, "%#x", at)
	}
}

func TestFindScore(t *testing.T) {
	tab := oneLive(t, ipcblock.X86)
	wild := live(0, ipcblock.X86)
	wild.Values[ipcblock.TimeInGC], wild.Values[ipcblock.TimeInGCBase] = 900, 100
	mapped := func(uint64) (ipcblock.Region, bool) {
		return ipcblock.Region{Start: 0x50000, Mapped: true, Named: true}, true
	}
	for _, c := range []struct {
		name  string
		data  []byte
		o     ipcblock.FindOptions
		score int
	}{
		{"alone", tab[:2048], ipcblock.FindOptions{}, 1},
		{"three", tab[:3*2048], ipcblock.FindOptions{}, 3},
		{"whole", tab, ipcblock.FindOptions{}, 5},
		{"its process", tab, ipcblock.FindOptions{PID: 4242}, 7},
		{"another process", tab, ipcblock.FindOptions{PID: 4243}, 1},
		{"no process yet", put32(tab, 40+28, 0), ipcblock.FindOptions{PID: 4243}, 5},
		{"region", tab, ipcblock.FindOptions{Virtual: true, Base: 0x50000, Region: mapped, PID: 4242}, 12},
		{"not where the region begins", tab, ipcblock.FindOptions{Virtual: true, Base: 0x60000, Region: mapped}, 6},
		{"not aligned", tab, ipcblock.FindOptions{Virtual: true, Base: 0x51000}, 3},
		{"heap", tab, ipcblock.FindOptions{Virtual: true, Base: 0x50000, Region: func(uint64) (ipcblock.Region, bool) { return ipcblock.Region{Private: true}, true }}, 3},
		{"version", put16(tab, 16, 3), ipcblock.FindOptions{}, 4},
		{"flags", put16(tab, 18, 5), ipcblock.FindOptions{}, 4},
		{"out of reason", table(t, wild), ipcblock.FindOptions{}, 4},
		{"stale", put32(tab, 4, 0), ipcblock.FindOptions{PID: 7}, 5},
		{"legacy", legacy(t, ipcblock.LegacyPublic, ipcblock.X64, 0), ipcblock.FindOptions{PID: 4242}, 2},
		{"legacy, not published", put16(legacy(t, ipcblock.LegacyPublic, ipcblock.X64, 0), 2, 1), ipcblock.FindOptions{PID: 4242}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := slices.Collect(ipcblock.ScanBytes(c.data, c.o))
			require.Len(t, found, 1)
			require.Equal(t, c.score, found[0].Score)
			sum := 0
			for _, r := range found[0].Reasons() {
				require.NotEmpty(t, r.Text)
				sum += r.Points
			}
			require.Equal(t, c.score, sum)
		})
	}
}

// TestFindTableWhoseFirstChunkIsNotPublished: the base is found by alignment.
func TestFindTableWhoseFirstChunkIsNotPublished(t *testing.T) {
	locked := live(0, ipcblock.X64)
	locked.State = ipcblock.Locked
	b := table(t, locked, live(1, ipcblock.X64))
	mem := append(make([]byte, 65536), b...)
	o := ipcblock.FindOptions{Virtual: true, Base: 0x7FF000000000}
	found := slices.Collect(ipcblock.ScanBytes(mem, o))
	require.Len(t, found, 1)
	require.Equal(t, int64(65536), found[0].Offset)
	require.Equal(t, 32, found[0].Chunks)
	// Physical pages tell no base: the first published chunk begins it.
	found = slices.Collect(ipcblock.ScanBytes(mem, ipcblock.FindOptions{}))
	require.Len(t, found, 1)
	require.Equal(t, int64(65536+2048), found[0].Offset)
	require.Equal(t, 31, found[0].Chunks)
	// Nor does a table that does not fit.
	found = slices.Collect(ipcblock.ScanBytes(patched(mem, 65536+1000, 1), o))
	require.Len(t, found, 1)
	require.Equal(t, int64(65536+2048), found[0].Offset)
}

// TestFindDamagedTable: where a mapped region begins, some chunks that cannot
// be read do not take a table apart.
func TestFindDamagedTable(t *testing.T) {
	const base = 0x7FF000000000
	mapped := func(start uint64) func(uint64) (ipcblock.Region, bool) {
		return func(uint64) (ipcblock.Region, bool) { return ipcblock.Region{Start: start, Mapped: true}, true }
	}
	tab := table(t, live(0, ipcblock.X64), live(1, ipcblock.X64), live(2, ipcblock.X64))
	damage := func(chunks ...int) []byte {
		b := slices.Clone(tab)
		for _, i := range chunks {
			b = put32(b, 2048*i+28, 9)
		}
		return b
	}
	for _, c := range []struct {
		name   string
		data   []byte
		region func(uint64) (ipcblock.Region, bool)
		base   uint64
		want   []int // chunks of each candidate
		live   int   // of the first
		score  int
	}{
		{"the first", damage(0), mapped(base), base, []int{32}, 2, 4 + 4 + 1},
		{"the second", damage(1), mapped(base), base, []int{32}, 2, 4 + 4 + 1},
		{"behind those in use", damage(1, 9, 31), mapped(base), base, []int{32}, 2, 4 + 4 + 1},
		{"too many", damage(1, 9, 20, 21, 31), mapped(base), base, []int{1, 7}, 1, 4 + 1},
		{"elsewhere in a region", damage(1), mapped(base - 65536), base, []int{1, 30}, 1, 1},
		{"not on 64 KiB", damage(1), mapped(base + 4096), base + 4096, []int{1, 30}, 1, 1},
		{"cut short", damage(1)[:65535], mapped(base), base, []int{1, 29}, 1, 4 + 1},
		{"nobody knows", damage(1), nil, base, []int{1, 30}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := slices.Collect(ipcblock.ScanBytes(c.data, ipcblock.FindOptions{Virtual: true, Base: c.base, Region: c.region}))
			var chunks []int
			for _, f := range found {
				chunks = append(chunks, f.Chunks)
			}
			require.Equal(t, c.want, chunks)
			require.Equal(t, c.live, found[0].Live)
			require.Equal(t, c.score, found[0].Score)
			tab, err := ipcblock.Parse(c.data[found[0].Offset:found[0].Offset+int64(found[0].Size)], ipcblock.Options{})
			require.NoError(t, err)
			require.Len(t, slices.Collect(tab.Live()), c.live)

			// The same, some windows into what is searched.
			const before = 2 << 20
			mem := &sparse{size: before + int64(len(c.data))}
			mem.put(before, c.data)
			for i := range found {
				found[i].Offset += before
			}
			ipcblock.Rank(found)
			later, _, err := ipcblock.Find(mem, mem.size, ipcblock.FindOptions{Virtual: true, Base: c.base - before, Region: c.region})
			require.NoError(t, err)
			require.Equal(t, found, later)
		})
	}
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

// TestFindPublicFlags: a public block is found with the flags of every state
// and of either processor, and without any.
func TestFindPublicFlags(t *testing.T) {
	for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
		for flags := range uint16(8) {
			b := put16(legacy(t, ipcblock.LegacyPublic, a, 0), 2, flags)
			found := slices.Collect(ipcblock.ScanBytes(b, ipcblock.FindOptions{}))
			require.Len(t, found, 1, "%v, flags %d", a, flags)
			require.Equal(t, ipcblock.LegacyPublic, found[0].Layout)
			require.Equal(t, a, found[0].Arch)
		}
	}
}

// TestFindPublicOnPages: a public block begins a page of addresses, in any
// window and behind any other find, and deep search finds it there as well.
func TestFindPublicOnPages(t *testing.T) {
	const size = 1 << 20
	for _, deep := range []bool{false, true} {
		for _, base := range []uint64{0, 0x7FF000000800, 0x10FF8} {
			first := int64(-base & 4095)
			for _, page := range []int64{0, 1, 15, 111, 112, 127, 128, 143, 144, 160, size/4096 - 2} {
				for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
					b := legacy(t, ipcblock.LegacyPublic, a, 0)
					for _, off := range []int64{0, 8, 2048} {
						mem := &sparse{size: size}
						want := []uint64{}
						if page > 1 { // a chunk in front
							mem.put(first+(page-1)*4096, oneLive(t, a)[:2048])
							want = append(want, base+uint64(first+(page-1)*4096))
						}
						at := first + page*4096 + off
						mem.put(at, b)
						if off == 0 {
							want = append(want, base+uint64(at))
						}
						found, _, err := ipcblock.Find(mem, size, ipcblock.FindOptions{Deep: deep, Base: base})
						require.NoError(t, err)
						got := []uint64{}
						for _, c := range found {
							got = append(got, c.Addr)
						}
						slices.Sort(got)
						require.Equal(t, want, got, "%v, deep %v, base %#x, page %d, %d behind it", a, deep, base, page, off)
					}
				}
			}
		}
	}
}

// TestFindAttributes: counters may be on or off, and of one process or of all.
func TestFindAttributes(t *testing.T) {
	for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
		for attributes := range uint16(4) {
			public := legacy(t, ipcblock.LegacyPublic, a, 0)
			for _, b := range [][]byte{
				put16(public, len(public)-a.PerfSize()+2, attributes),
				put16(oneLive(t, a), 40+2, attributes),
			} {
				require.Len(t, slices.Collect(ipcblock.ScanBytes(b, ipcblock.FindOptions{})), 1, "%v, attributes %d", a, attributes)
			}
		}
	}
}

// TestFindCopyBehindHeapHeader: a chunk that does not lie a multiple of 2048
// bytes behind a boundary of 64 KiB is none of a table that begins there, though
// what it lies in looks like one that is being written.
func TestFindCopyBehindHeapHeader(t *testing.T) {
	chunk := oneLive(t, ipcblock.X86)[:320]
	for _, at := range []int{0, 2048, 31 * 2048} {
		mem := make([]byte, 65536+2048)
		mem[at] = 0x41 // the heap's own word, odd as a counter under a writer's lock
		copy(mem[at+16:], chunk)
		found := slices.Collect(ipcblock.ScanBytes(mem, ipcblock.FindOptions{Deep: true, Virtual: true, Base: 0x50000}))
		require.Len(t, found, 1, at)
		require.Equal(t, uint64(0x50010+at), found[0].Addr)
	}
}

// TestFindDoesNotOverlap: what one candidate has taken is not another's.
func TestFindDoesNotOverlap(t *testing.T) {
	full := make([]ipcblock.TreeChunk, 32)
	for i := range full {
		full[i] = live(i, ipcblock.X86)
	}
	all := table(t, full...)
	mem := append(slices.Clone(all[:4096]), all...)
	found := slices.Collect(ipcblock.ScanBytes(mem, ipcblock.FindOptions{Virtual: true, Base: 0xF000}))
	require.Len(t, found, 2)
	require.Equal(t, uint64(0xF000), found[0].Addr)
	require.Equal(t, uint64(0x1F000), found[1].Addr)
	require.Equal(t, 2, found[1].Chunks)
}

func TestFindSiblings(t *testing.T) {
	early := live(2, ipcblock.X86)
	early.State = ipcblock.Unpublished
	locked := live(3, ipcblock.X86)
	locked.State = ipcblock.Locked
	free := live(1, ipcblock.X64)
	free.State = ipcblock.Free
	b := put16(table(t, live(0, ipcblock.X86), free, early, locked), 2*2048+40, 0)
	found := slices.Collect(ipcblock.ScanBytes(b, ipcblock.FindOptions{}))
	require.Len(t, found, 1)
	require.True(t, found[0].Whole())
	require.Equal(t, 1, found[0].Live)
	require.Equal(t, 1, found[0].Stale)
}

// Several runtimes may be in a table, and chunks that were used: the first
// that is published says what it is.
func TestFindArchOfTheFirstLive(t *testing.T) {
	stale := live(0, ipcblock.X64)
	stale.State = ipcblock.Free
	b := table(t, stale, live(1, ipcblock.X86), live(2, ipcblock.X64))
	found := slices.Collect(ipcblock.ScanBytes(b, ipcblock.FindOptions{}))
	require.Len(t, found, 1)
	require.Equal(t, 2, found[0].Live)
	require.Equal(t, ipcblock.X86, found[0].Arch)
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
	for range ipcblock.ScanBytes(mem, ipcblock.FindOptions{}) {
		break
	}
	for range ipcblock.Scan(bytes.NewReader(mem), int64(len(mem)), ipcblock.FindOptions{}) {
		break
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

// TestFindCountsRuntimes: a chunk is live where its runtime has a number, which
// is 32 bits behind the Counter of as many.
func TestFindCountsRuntimes(t *testing.T) {
	for id, live := range map[uint32]int{0: 0, 1: 1, 1 << 8: 1, 1 << 16: 1, 1 << 24: 1, 1 << 31: 1} {
		for _, counter := range []uint32{2, 1 << 30} {
			b := put32(put32(oneLive(t, ipcblock.X86), 0, counter), 4, id)
			found, _, err := ipcblock.Find(bytes.NewReader(b), int64(len(b)), ipcblock.FindOptions{})
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.Equal(t, live, found[0].Live, "runtime %#x, counter %#x", id, counter)
			require.Equal(t, 1-live, found[0].Stale, "runtime %#x, counter %#x", id, counter)
		}
	}
}
