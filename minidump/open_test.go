package minidump_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/minidump"
)

func TestOpen(t *testing.T) {
	d := sample()
	for i := range 4 {
		d.wide = i > 0
		d.headerPad, d.entryPad = []int{0, 0, 12, 3}[i], []int{0, 0, 4, 1}[i]
		f, err := openIn(d.bytes(), perfdump.Strict)
		require.NoError(t, err)
		require.Equal(t, minidump.X64, f.Arch())
		pid, ok := f.PID()
		require.True(t, ok)
		require.Equal(t, uint32(4711), pid)
		require.True(t, f.FullMemory())
		require.Equal(t, time.Unix(1_700_000_000, 0).UTC(), f.Time())

		modules := collect(t, f.Modules())
		require.Len(t, modules, 3)
		require.Equal(t, "clr.dll 4.8.4210.0", modules[1].String())
		require.True(t, modules[1].Runtime() && !modules[0].Runtime())
		require.Equal(t, minidump.FileVersion{1, 2, 3, 4}, modules[0].FileVersion)
		require.Equal(t, uint64(0x140000000), modules[0].Base)
		require.False(t, modules[2].HasVersion)

		got := collect(t, f.Regions())
		for i := range got {
			got[i].AllocationProtect = 0 // which equals Protect
		}
		require.Equal(t, d.regions, got)
		var handles []handle
		for _, h := range collect(t, f.Handles()) {
			handles = append(handles, handle{h[0], h[1]})
		}
		require.Equal(t, d.handles, handles)
		require.Empty(t, slices.Collect(f.Faults()))
	}
}

func TestMemory(t *testing.T) {
	d := sample()
	f := open(t, d.bytes())
	var got [][2]uint64
	for r := range f.Ranges() {
		got = append(got, [2]uint64{r.VA, r.Size})
	}
	// 0x30190 adjoins 0x30000 in memory, not in the file.
	require.Equal(t, [][2]uint64{{0x10000, 500}, {0x101F4, 12}, {0x30000, 400}, {0x30190, 100}, {0x50000, 300}, {0x7FFE0000, 64}}, got)
	runs := slices.Collect(f.Runs())
	require.Len(t, runs, 4)
	require.Equal(t, uint64(512), runs[0].Size)

	b := make([]byte, 600)
	for _, e := range slices.Concat(d.memory, d.memory64) {
		n, err := f.ReadVA(b[:len(e.data)], e.va)
		require.NoError(t, err)
		require.Equal(t, e.data, b[:n])
	}
	n, err := f.ReadVA(b, 0x30000)
	require.ErrorIs(t, err, minidump.ErrNotInDump)
	require.Equal(t, slices.Concat(d.memory64[0].data, d.memory64[2].data), b[:n])
	for _, va := range []uint64{0, 0xFFFF, 0x10200, 0x2FFFF, 0x7FFE0040, ^uint64(0)} {
		n, err = f.ReadVA(b, va)
		require.ErrorIs(t, err, minidump.ErrNotInDump)
		require.Zero(t, n)
		_, ok := f.Offset(va)
		require.False(t, ok)
	}
	_, err = f.ReadVA(nil, 1)
	require.NoError(t, err)

	all, err := io.ReadAll(io.NewSectionReader(f.Reader(runs[1]), 0, 1<<20))
	require.NoError(t, err)
	require.Equal(t, slices.Concat(d.memory64[0].data, d.memory64[2].data), all)
	_, err = f.Reader(minidump.Range{VA: 0x30000, Size: 1000}).ReadAt(b, 0)
	require.ErrorIs(t, err, minidump.ErrNotInDump)
	n, err = f.Reader(runs[0]).ReadAt(b, int64(runs[0].Size))
	require.ErrorIs(t, err, io.EOF)
	require.Zero(t, n, "nothing is read after the end")
	off, ok := f.Offset(0x30191)
	require.True(t, ok)
	require.Equal(t, d.memory64[2].data[1], d.bytes()[off])
}

// TestRanges: ranges that follow each other in memory and in the file are one;
// of ranges that overlap, the one that begins first is read.
func TestRanges(t *testing.T) {
	d := &dump{arch: minidump.X64, memory64: []extent{at(0x1000, make([]byte, 0x1000)), at(0x2000, make([]byte, 0x800)), at(0x2800, make([]byte, 0x10))}}
	f := open(t, d.bytes())
	require.Len(t, slices.Collect(f.Ranges()), 1)
	require.Empty(t, codes(f))

	a, b, c := bytes.Repeat([]byte{1}, 100), bytes.Repeat([]byte{2}, 100), bytes.Repeat([]byte{3}, 10)
	d.memory64 = []extent{at(1050, b), at(1000, a), at(1020, c), at(1000, c)}
	f = open(t, d.bytes())
	require.Equal(t, []perfdump.Code{"range-overlap"}, codes(f))
	got := make([]byte, 150)
	_, err := f.ReadVA(got, 1000)
	require.NoError(t, err)
	require.Equal(t, slices.Concat(a, b[50:]), got)
}

func TestAddresses(t *testing.T) {
	const high = 0xFFFFFFFF00000000
	d := &dump{
		arch:     minidump.X86,
		modules:  []module{{base: high | 0x80001000, name: "big.dll"}},
		regions:  []minidump.MemoryInfo{{BaseAddress: high | 0xBFFF0000, RegionSize: 0x10000, State: 0x1000, Type: 0x40000}},
		memory64: []extent{at(high|0xBFFF0000, []byte("a table")), at(0x1000, []byte("low"))},
	}
	f, err := openIn(d.bytes(), perfdump.Strict)
	require.NoError(t, err)
	require.Equal(t, uint64(0x80001000), collect(t, f.Modules())[0].Base)
	require.Equal(t, uint64(0xBFFF0000), collect(t, f.Regions())[0].BaseAddress)
	b := make([]byte, 0x1001)
	for _, va := range []uint64{0xBFFF0000, high | 0xBFFF0000} {
		_, err = f.ReadVA(b[:7], va)
		require.NoError(t, err)
		require.Equal(t, "a table", string(b[:7]))
	}

	// Neither zero nor a sign; and a range past 4 GiB.
	d.memory64 = []extent{at(0x1_00001000, []byte("x")), at(0xFFFFFFFF_00002000, []byte("y")), at(0xFFFFFFFE, []byte("abcd"))}
	f = open(t, d.bytes())
	require.Equal(t, []perfdump.Code{"address-range"}, codes(f))
	require.Contains(t, f.Anomalies().Kept()[0].String(), "3 ranges")
	n, err := f.ReadVA(b, 0xFFFFFFFE)
	require.ErrorIs(t, err, minidump.ErrNotInDump)
	require.Equal(t, "ab", string(b[:n]))

	// A range up to the last address, in both widths.
	for arch, va := range map[minidump.Arch]uint64{minidump.X86: 0xFFFFF000, minidump.X64: 0xFFFFFFFFFFFFF000, minidump.ARM64: 0xFFFFFFFFFFFFF000} {
		d := &dump{arch: arch, memory64: []extent{at(va, bytes.Repeat([]byte{9}, 0x1000)), at(0, []byte{1, 2})}}
		f, err := openIn(d.bytes(), perfdump.Strict)
		require.NoError(t, err)
		_, err = f.ReadVA(b[:0x1000], va)
		require.NoError(t, err)
		n, err = f.ReadVA(b, va)
		require.ErrorIs(t, err, minidump.ErrNotInDump)
		require.Equal(t, 0x1000, n)
		require.Len(t, slices.Collect(f.Runs()), 2)
	}
}

func TestBreakpadPadding(t *testing.T) {
	for n := 1; n <= 2; n++ { // entries of each list
		d := sample()
		d.padded = true
		d.modules, d.memory = d.modules[:n], d.memory[:n]
		f := open(t, d.bytes())
		require.Equal(t, []perfdump.Code{"list-padding", "list-padding"}, codes(f))
		modules := collect(t, f.Modules())
		require.Len(t, modules, n)
		require.Equal(t, "service.exe", modules[0].BaseName())
		b := make([]byte, 300)
		_, err := f.ReadVA(b, 0x50000)
		require.NoError(t, err)
		require.Equal(t, d.memory[0].data, b)
	}
}

func TestReaderErrors(t *testing.T) {
	b := sample().bytes()
	broken := errors.New("disk on fire")
	for fail := range 40 {
		n := 0
		r := readerFunc(func(p []byte, off int64) (int, error) {
			if n++; n > fail {
				return 0, broken
			}
			return bytes.NewReader(b).ReadAt(p, off)
		})
		f, err := minidump.Open(r, int64(len(b)), perfdump.Options{})
		if err != nil {
			require.ErrorIs(t, err, broken)
			require.Nil(t, f)
			continue
		}
		for _, err := range f.Modules() {
			require.True(t, err == nil || errors.Is(err, broken))
		}
		for _, err := range f.Handles() {
			require.True(t, err == nil || errors.Is(err, broken))
		}
	}
	// A file that has shrunk.
	_, err := minidump.Open(bytes.NewReader(b[:100]), int64(len(b)), perfdump.Options{})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// TestConcurrentReaders: a File may be used by several at once; the race
// detector looks on.
func TestConcurrentReaders(t *testing.T) {
	b := sample().bytes()
	f := open(t, b)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { walk(t, b, f) })
		all.Go(func() { _, _, _ = f.Tables(minidump.TableOptions{}) })
	}
	all.Wait()
}

// TestSpansThatAreNoFields: streams that are not read are one span each, of two
// of one type the second, and those of type 0 not at all; then come memory and
// what lies between.
func TestSpansThatAreNoFields(t *testing.T) {
	entry := func(i int) int { return 32 + 12*i }
	for name, c := range map[string]struct {
		change func(b []byte)
		want   []string
	}{
		"threads":            {func([]byte) {}, []string{"0x328+20 stream[5] ThreadList, not read"}},
		"a second of a type": {func(b []byte) { b[entry(5)] = 7 }, []string{"0x328+20 stream[5] SystemInfo, not read"}},
		"unused":             {func(b []byte) { b[entry(5)] = 0 }, []string{"0x328+20  in no stream that is read"}},
		"in another order": {func(b []byte) {
			b[entry(1)], b[entry(4)] = 3, 6
			for i := 4; i < 12; i++ {
				b[entry(1)+i], b[entry(5)+i] = b[entry(5)+i], b[entry(1)+i]
			}
		}, []string{"0xb8+24 stream[5] ThreadList, not read", "0x2b8+112 stream[4] Exception, not read", "0x328+20 stream[1] ThreadList, not read"}},
	} {
		b := sample().bytes()
		c.change(b)
		f := open(t, b)
		formattest.Cover(t, f.Spans(), 0, int64(len(b)))
		want := slices.Concat([]string{"0xa0+24  in no stream that is read"}, c.want, []string{"0x528+300 memory[4] ", "0x654+64 memory[5] ", "0x694+400 memory[2] ", "0x824+500 memory[0] ", "0xa18+100 memory[3] ", "0xa7c+12 memory[1] "})
		var got []string
		for s := range f.Spans() {
			if s.Off < 0x3b0 && s.Path.FieldName() == "" || s.Off >= 0x528 { // between them are the names
				got = append(got, fmt.Sprintf("%#x+%d %s %s", s.Off, s.Size, s.Path, s.Note))
			}
		}
		require.Equal(t, want, got, name)
	}
	// What says to be longer than any name is none: its length is explained, and
	// no text.
	const module = "stream[2].module[0].ModuleName"
	for size, want := range map[uint32]bool{0xFFFE: true, 0xFFFF: false, 1 << 31: false} {
		b := sample().bytes()
		le.PutUint32(b[le.Uint32(b[128+56+24+4+20:]):], size)
		got := map[string]bool{}
		for s := range open(t, b).Spans() {
			got[s.Path.String()] = true
		}
		require.True(t, got[module+"Length"])
		require.Equal(t, want, got[module], "0x%x", size)
	}
}

// TestSequencesStop breaks off each sequence of a dump at every place.
func TestSequencesStop(t *testing.T) {
	f := open(t, sample().bytes())
	formattest.Stops(t, formattest.Firsts(f.Streams()))
	formattest.Stops(t, formattest.Firsts(f.Modules()))
	formattest.Stops(t, formattest.Firsts(f.Handles()))
	formattest.Stops(t, formattest.Firsts(f.Regions()))
	formattest.Stops(t, f.Ranges(), f.Runs())
	formattest.Stops(t, f.Spans())
}

func TestWords(t *testing.T) {
	for arch, want := range map[minidump.Arch]string{
		minidump.X86: "x86", minidump.X64: "x64", minidump.ARM64: "arm64", minidump.ARM: "arm", minidump.IA64: "ia64",
		minidump.UnknownArch: "unknown", 0x8003: "arch-32771",
	} {
		require.Equal(t, want, arch.String())
	}
	require.Equal(t, "ModuleList", minidump.ModuleListStream.String())
	require.Equal(t, "0x4767", minidump.StreamType(0x4767).String())
}
