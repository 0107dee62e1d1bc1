package minidump_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/minidump"
)

var modes = []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage}

func openIn(b []byte, mode perfdump.Mode) (*minidump.File, error) {
	return minidump.NewFile(bytes.NewReader(b), int64(len(b)), minidump.Options{Mode: mode})
}

func open(t *testing.T, b []byte) *minidump.File {
	t.Helper()
	f, err := openIn(b, perfdump.Tolerant)
	require.NoError(t, err)
	return f
}

func collect[T any](t *testing.T, seq func(func(T, error) bool)) []T {
	t.Helper()
	var all []T
	for v, err := range seq {
		require.NoError(t, err)
		all = append(all, v)
	}
	return all
}

func codes(f *minidump.File) []perfdump.Code {
	var codes []perfdump.Code
	for _, a := range f.Anomalies().Kept() {
		codes = append(codes, a.Code)
	}
	return codes
}

func TestOpen(t *testing.T) {
	d := sample()
	for _, variant := range []func(){
		func() {},
		func() { d.wide = true },
		func() { d.headerPad, d.entryPad = 12, 4 },
		func() { d.headerPad, d.entryPad = 3, 1 },
	} {
		variant()
		f, err := openIn(d.bytes(), perfdump.Strict)
		require.NoError(t, err)
		require.Equal(t, minidump.X64, f.Arch())
		pid, ok := f.PID()
		require.True(t, ok)
		require.Equal(t, uint32(4711), pid)
		require.True(t, f.FullMemory())
		require.Equal(t, time.Unix(1_700_000_000, 0).UTC(), f.Time())
		start, ok := f.StartTime()
		require.True(t, ok)
		require.Equal(t, time.Unix(1_600_000_000, 0).UTC(), start)
		system, ok := f.SystemInfo()
		require.True(t, ok)
		require.Equal(t, uint32(19045), system.BuildNumber)
		require.Equal(t, uint16(0x100), system.SuiteMask)

		modules := collect(t, f.Modules())
		require.Len(t, modules, 3)
		require.Equal(t, "clr.dll", modules[1].BaseName())
		require.True(t, modules[1].Runtime())
		require.False(t, modules[0].Runtime())
		require.Equal(t, "4.8.4210.0", modules[1].FileVersion.String())
		require.Equal(t, minidump.FileVersion{1, 2, 3, 4}, modules[0].ProductVersion)
		require.Equal(t, uint64(0x140000000), modules[0].Base)
		require.False(t, modules[2].HasVersion)

		require.Equal(t, d.regions, collect(t, f.Regions()))
		handles := collect(t, f.Handles())
		require.Len(t, handles, 3)
		for i, h := range handles {
			require.Equal(t, d.handles[i].kind, h.Type)
			require.Equal(t, d.handles[i].name, h.Name)
			require.Equal(t, uint64(4*i+4), h.Value)
			require.Equal(t, uint32(0xF0007), h.GrantedAccess)
			require.Equal(t, uint32(65534), h.PointerCount)
		}
		require.Empty(t, f.Faults())
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
	require.Equal(t, len(got), f.NumRanges())
	runs := slices.Collect(f.Runs())
	require.Len(t, runs, 4)
	require.Equal(t, uint64(512), runs[0].Size)

	for _, e := range slices.Concat(d.memory, d.memory64) {
		b := make([]byte, len(e.data))
		n, err := f.ReadVA(b, e.va)
		require.NoError(t, err)
		require.Equal(t, len(b), n)
		require.Equal(t, e.data, b)
	}
	b := make([]byte, 600)
	n, err := f.ReadVA(b, 0x30000)
	require.ErrorIs(t, err, minidump.ErrNotInDump)
	require.Equal(t, 500, n)
	require.Equal(t, slices.Concat(d.memory64[0].data, d.memory64[2].data), b[:n])
	for _, va := range []uint64{0, 0xFFFF, 0x10200, 0x2FFFF, 0x7FFE0040, ^uint64(0)} {
		n, err = f.ReadVA(b, va)
		require.ErrorIs(t, err, minidump.ErrNotInDump)
		require.Zero(t, n)
		_, ok := f.Offset(va)
		require.False(t, ok)
	}
	n, err = f.ReadVA(nil, 1)
	require.NoError(t, err)
	require.Zero(t, n)

	all, err := io.ReadAll(io.NewSectionReader(f.Reader(runs[1]), 0, 1<<20))
	require.NoError(t, err)
	require.Equal(t, b[:500], func() []byte { _, _ = f.ReadVA(b, 0x30000); return all }())
	_, err = f.Reader(minidump.Range{VA: 0x30000, Size: 1000}).ReadAt(b, 0)
	require.ErrorIs(t, err, minidump.ErrNotInDump)
	_, err = f.Reader(runs[0]).ReadAt(b, -1)
	require.Error(t, err)
	n, err = f.Reader(runs[0]).ReadAt(b, int64(runs[0].Size))
	require.ErrorIs(t, err, io.EOF)
	require.Zero(t, n, "nothing is read behind the end")
	off, ok := f.Offset(0x30191)
	require.True(t, ok)
	require.Equal(t, d.memory64[2].data[1], d.bytes()[off])
}

// Ranges that follow each other in memory and in the file are one.
func TestRangesMerge(t *testing.T) {
	d := &dump{arch: minidump.X64, memory64: []extent{at(0x1000, make([]byte, 0x1000)), at(0x2000, make([]byte, 0x800)), at(0x2800, make([]byte, 0x10))}}
	f := open(t, d.bytes())
	require.Equal(t, 1, f.NumRanges())
	require.Empty(t, codes(f))
}

func TestRangesOverlap(t *testing.T) {
	a, b, c := bytes.Repeat([]byte{1}, 100), bytes.Repeat([]byte{2}, 100), bytes.Repeat([]byte{3}, 10)
	d := &dump{arch: minidump.X64, memory64: []extent{at(1050, b), at(1000, a), at(1020, c), at(1000, c)}}
	f := open(t, d.bytes())
	require.Equal(t, []perfdump.Code{minidump.CodeRangeOverlap}, codes(f))
	got := make([]byte, 150)
	_, err := f.ReadVA(got, 1000)
	require.NoError(t, err)
	require.Equal(t, slices.Concat(a, b[50:]), got)
}

func TestSignExtendedAddresses(t *testing.T) {
	const high = 0xFFFFFFFF00000000
	d := &dump{
		arch:     minidump.X86,
		modules:  []module{{base: high | 0x80001000, name: "big.dll"}},
		regions:  []minidump.Region{{Base: high | 0xBFFF0000, Size: 0x10000, State: minidump.Commit, Type: minidump.Mapped}},
		memory64: []extent{at(high|0xBFFF0000, []byte("a table")), at(0x1000, []byte("low"))},
	}
	f, err := openIn(d.bytes(), perfdump.Strict)
	require.NoError(t, err)
	require.Equal(t, uint64(0x80001000), collect(t, f.Modules())[0].Base)
	require.Equal(t, uint64(0xBFFF0000), collect(t, f.Regions())[0].Base)
	b := make([]byte, 7)
	for _, va := range []uint64{0xBFFF0000, high | 0xBFFF0000} {
		_, err = f.ReadVA(b, va)
		require.NoError(t, err)
		require.Equal(t, "a table", string(b))
	}

	// Neither zero nor a sign; and a range past 4 GiB.
	d.memory64 = []extent{at(0x1_00001000, []byte("x")), at(0xFFFFFFFF_00002000, []byte("y")), at(0xFFFFFFFE, []byte("abcd"))}
	f = open(t, d.bytes())
	require.Equal(t, []perfdump.Code{minidump.CodeAddressRange}, codes(f))
	require.Contains(t, f.Anomalies().Kept()[0].String(), "3 ranges")
	n, err := f.ReadVA(b, 0xFFFFFFFE)
	require.ErrorIs(t, err, minidump.ErrNotInDump)
	require.Equal(t, "ab", string(b[:n]))
}

// A range up to the last address, in both widths.
func TestLastAddress(t *testing.T) {
	for _, row := range []struct {
		arch minidump.Arch
		va   uint64
	}{{minidump.X86, 0xFFFFF000}, {minidump.X64, 0xFFFFFFFFFFFFF000}, {minidump.ARM64, 0xFFFFFFFFFFFFF000}} {
		d := &dump{arch: row.arch, memory64: []extent{at(row.va, bytes.Repeat([]byte{9}, 0x1000)), at(0, []byte{1, 2})}}
		f, err := openIn(d.bytes(), perfdump.Strict)
		require.NoError(t, err)
		b := make([]byte, 0x1001)
		n, err := f.ReadVA(b[:0x1000], row.va)
		require.NoError(t, err)
		require.Equal(t, 0x1000, n)
		n, err = f.ReadVA(b, row.va)
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
		require.Equal(t, []perfdump.Code{minidump.CodeListPadding, minidump.CodeListPadding}, codes(f))
		modules := collect(t, f.Modules())
		require.Len(t, modules, n)
		require.Equal(t, "service.exe", modules[0].BaseName())
		b := make([]byte, 300)
		_, err := f.ReadVA(b, 0x50000)
		require.NoError(t, err)
		require.Equal(t, d.memory[0].data, b)
	}
}

func TestNoStreams(t *testing.T) {
	f := open(t, (&dump{noSystem: true}).bytes())
	require.Equal(t, []perfdump.Code{minidump.CodeNoStreams, minidump.CodeNoSystemInfo, minidump.CodeNoMemory}, codes(f))
	require.Equal(t, "unknown", f.Arch().String())
	_, ok := f.PID()
	require.False(t, ok)
	require.False(t, f.HasRegions())
	require.Empty(t, collect(t, f.Modules()))
	require.Empty(t, collect(t, f.Handles()))
	require.Empty(t, collect(t, f.Regions()))
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
		f, err := minidump.NewFile(r, int64(len(b)), minidump.Options{})
		if err != nil {
			require.ErrorIs(t, err, broken)
			require.Nil(t, f)
			continue
		}
		for _, err := range f.Modules() {
			if err != nil {
				require.ErrorIs(t, err, broken)
			}
		}
		for _, err := range f.Handles() {
			if err != nil {
				require.ErrorIs(t, err, broken)
			}
		}
	}
	// A file that has shrunk.
	_, err := minidump.NewFile(bytes.NewReader(b[:100]), int64(len(b)), minidump.Options{})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

type readerFunc func(p []byte, off int64) (int, error)

func (f readerFunc) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

// A File may be used by several at once; the race detector looks on.
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
