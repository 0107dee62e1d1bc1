package minidump_test

import (
	"bytes"
	"io"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/minidump"
)

func samples() map[string][]byte {
	padded, wide, x86 := sample(), sample(), sample()
	padded.padded = true
	wide.wide, wide.headerPad, wide.entryPad = true, 3, 1
	x86.arch = minidump.X86
	return map[string][]byte{"plain": sample().bytes(), "padded": padded.bytes(), "wide": wide.bytes(), "x86": x86.bytes()}
}

func TestTruncation(t *testing.T) {
	for name, b := range samples() {
		t.Run(name, func(t *testing.T) {
			for n := range len(b) {
				check(t, b[:n])
			}
		})
	}
}

// A cut dump gives what it has: tolerant mode opens it as soon as the
// directory is there, and says what is missing.
func TestTruncationKeepsWhatIsThere(t *testing.T) {
	d := sample()
	b := d.bytes()
	whole := open(t, b)
	directory := 32 + 12*8
	for n := directory; n < len(b); n++ {
		f := open(t, b[:n])
		require.Positive(t, f.Anomalies().Len(), n)
		_, err := openIn(b[:n], perfdump.Strict)
		require.Error(t, err)
		have := 0
		for r := range f.Ranges() {
			got, want := make([]byte, r.Size), make([]byte, r.Size)
			_, err := f.ReadVA(got, r.VA)
			require.NoError(t, err)
			_, err = whole.ReadVA(want, r.VA)
			require.NoError(t, err)
			require.Equal(t, want, got)
			have += len(got)
		}
		if missing := len(b) - n; missing < 500 {
			require.Equal(t, 300+64+400+500+100+12-missing, have, n)
			require.Equal(t, minidump.CodeMemoryCut, codes(f)[0])
			require.Len(t, collect(t, f.Modules()), 3)
		}
	}
	_, err := openIn(b[:directory-1], perfdump.Tolerant)
	require.ErrorIs(t, err, perfdump.ErrTruncated)
	f, err := openIn(b[:directory-1], perfdump.Salvage)
	require.NoError(t, err)
	require.Len(t, f.Faults(), 1)
	_, err = openIn(b[:31], perfdump.Salvage)
	require.ErrorIs(t, err, perfdump.ErrTruncated)
	_, err = openIn(nil, perfdump.Salvage)
	require.ErrorIs(t, err, perfdump.ErrEmpty)
	_, err = openIn([]byte("MZ"), perfdump.Salvage)
	require.ErrorIs(t, err, perfdump.ErrSignature)
	_, err = minidump.NewFile(bytes.NewReader(nil), -1, minidump.Options{})
	require.ErrorIs(t, err, perfdump.ErrEmpty)
}

func TestMutation(t *testing.T) {
	for name, b := range samples() {
		t.Run(name, func(t *testing.T) {
			if name == "padded" || name == "x86" && (testing.Short() || perftest.Race) {
				t.Skip("the others have its fields")
			}
			meta := len(b) - 1376 // the memory follows
			words := []uint32{0, 1, uint32(len(b)) - 1, uint32(len(b)), 1 << 31, math.MaxUint32}
			for off := 0; off+4 <= meta; off += 4 {
				was := le.Uint32(b[off:])
				for _, w := range words {
					le.PutUint32(b[off:], w)
					check(t, b)
				}
				le.PutUint32(b[off:], was)
			}
			for off := 0; off+8 <= meta; off += 4 {
				was := le.Uint64(b[off:])
				for _, w := range []uint64{math.MaxUint64, math.MaxInt64, math.MaxUint64 - 15} {
					le.PutUint64(b[off:], w)
					check(t, b)
				}
				le.PutUint64(b[off:], was)
			}
		})
	}
}

// Counts and sizes that contradict their stream are errors which name the
// field; salvage has what fits.
func TestContradictions(t *testing.T) {
	find := func(b []byte, kind minidump.StreamType) (entry, off int) {
		for i := range int(le.Uint32(b[8:])) {
			if e := 32 + 12*i; minidump.StreamType(le.Uint32(b[e:])) == kind {
				return e, int(le.Uint32(b[e+8:]))
			}
		}
		panic("no such stream")
	}
	for _, row := range []struct {
		name  string
		kind  minidump.StreamType
		at    int // in the stream, -1 DataSize of the entry
		value uint32
		code  perfdump.Code
		path  string
	}{
		{"modules", minidump.ModuleListStream, 0, math.MaxUint32, perfdump.CodeCount, "stream[2].NumberOfEntries"},
		{"one module too many", minidump.ModuleListStream, 0, 4, perfdump.CodeCount, "stream[2].NumberOfEntries"},
		{"memory", minidump.MemoryListStream, 0, math.MaxUint32, perfdump.CodeCount, "stream[7].NumberOfEntries"},
		{"memory64", minidump.Memory64ListStream, 0, math.MaxUint32, perfdump.CodeCount, "stream[6].NumberOfMemoryRanges"},
		{"memory64, high", minidump.Memory64ListStream, 4, math.MaxUint32, perfdump.CodeCount, "stream[6].NumberOfMemoryRanges"},
		{"regions", minidump.MemoryInfoListStream, 12, 1, perfdump.CodeCount, "stream[3].NumberOfEntries"},
		{"region size", minidump.MemoryInfoListStream, 4, 47, perfdump.CodeLength, "stream[3].SizeOfEntry"},
		{"region size 0", minidump.MemoryInfoListStream, 4, 0, perfdump.CodeLength, "stream[3].SizeOfEntry"},
		{"region header", minidump.MemoryInfoListStream, 0, 15, perfdump.CodeLength, "stream[3].SizeOfHeader"},
		{"region header, long", minidump.MemoryInfoListStream, 0, math.MaxUint32, perfdump.CodeLength, "stream[3].SizeOfHeader"},
		{"handles", minidump.HandleDataStream, 8, math.MaxUint32, perfdump.CodeCount, "stream[4].NumberOfDescriptors"},
		{"handle size", minidump.HandleDataStream, 4, 31, perfdump.CodeLength, "stream[4].SizeOfDescriptor"},
		{"handle size, long", minidump.HandleDataStream, 4, math.MaxUint32, perfdump.CodeCount, "stream[4].NumberOfDescriptors"},
		{"handle header", minidump.HandleDataStream, 0, 0, perfdump.CodeLength, "stream[4].SizeOfHeader"},
		{"system info", minidump.SystemInfoStream, -1, 31, perfdump.CodeLength, "stream[0].DataSize"},
		{"misc info", minidump.MiscInfoStream, -1, 23, perfdump.CodeLength, "stream[1].DataSize"},
		{"handle data", minidump.HandleDataStream, -1, 15, perfdump.CodeLength, "stream[4].DataSize"},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := sample().bytes()
			entry, off := find(b, row.kind)
			at := off + row.at
			if row.at < 0 {
				at = entry + 4
			}
			le.PutUint32(b[at:], row.value)
			for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict} {
				_, err := openIn(b, mode)
				var fe *perfdump.FormatError
				require.ErrorAs(t, err, &fe)
				require.Equal(t, row.code, fe.Code, fe)
				require.Equal(t, row.path, fe.Path)
			}
			f, err := openIn(b, perfdump.Salvage)
			require.NoError(t, err)
			require.Len(t, f.Faults(), 1)
			require.NotEmpty(t, f.Faults()[0].Error())
			check(t, b)
			switch row.kind {
			case minidump.ModuleListStream:
				require.Len(t, collect(t, f.Modules()), 3)
			case minidump.MemoryListStream, minidump.Memory64ListStream:
				require.Equal(t, 6, f.NumRanges())
			default:
			}
		})
	}
}

func TestOddities(t *testing.T) {
	for _, row := range []struct {
		code   perfdump.Code
		change func(b []byte)
		path   string
	}{
		{minidump.CodeVersion, func(b []byte) { le.PutUint16(b[4:], 0xA792) }, "Version"},
		{minidump.CodeDuplicateStream, func(b []byte) { le.PutUint32(b[32+12*5:], 7) }, "stream[5].StreamType"},
		{minidump.CodeNoSystemInfo, func(b []byte) { le.PutUint32(b[32:], 0) }, ""},
		{minidump.CodeArchitecture, func(b []byte) { le.PutUint16(b[128:], 3) }, "stream[0].ProcessorArchitecture"},
		{minidump.CodeStreamShort, func(b []byte) { le.PutUint32(b[128+56:], 25) }, "stream[1].SizeOfInfo"},
		{minidump.CodeVersionInfo, func(b []byte) { le.PutUint32(b[128+56+24+4+24:], 1) }, "stream[2].module[0].VersionSignature"},
		{minidump.CodeNameRVA, func(b []byte) { le.PutUint32(b[128+56+24+4+20:], uint32(len(b))-3) }, "stream[2].module[0].ModuleNameRva"},
		{minidump.CodeNameRVA, func(b []byte) { le.PutUint32(b[128+56+24+4+20:], math.MaxUint32) }, "stream[2].module[0].ModuleNameRva"},
		{minidump.CodeNameOdd, func(b []byte) { b[le.Uint32(b[128+56+24+4+20:])]-- }, "stream[2].module[0].ModuleNameRva"},
		{minidump.CodeNameCut, func(b []byte) { le.PutUint32(b[le.Uint32(b[128+56+24+4+20:]):], 0xFFF0) }, "stream[2].module[0].ModuleNameRva"},
		{minidump.CodeNameLength, func(b []byte) { le.PutUint32(b[le.Uint32(b[128+56+24+4+20:]):], 0xFFFF) }, "stream[2].module[0].ModuleNameRva"},
	} {
		t.Run(string(row.code), func(t *testing.T) {
			b := sample().bytes()
			row.change(b)
			f := open(t, b)
			require.Equal(t, row.code, codes(f)[0])
			require.Equal(t, row.path, f.Anomalies().Kept()[0].Path.String())
			if row.path == "" { // what is not there is told at the count of streams
				require.EqualValues(t, 8, f.Anomalies().Kept()[0].Off)
			}
			_, err := openIn(b, perfdump.Strict)
			require.ErrorIs(t, err, perfdump.ErrAnomaly)
			check(t, b)
		})
	}
}

// Many entries may refer to the same bytes. What that costs stays in
// proportion to the file.
func TestHostileSharing(t *testing.T) {
	const n = 40_000
	name := bytes.Repeat([]byte{'a', 0}, 0x7FFF)
	body := u32(nil, n)
	for range n {
		body = append(body, make([]byte, 108)...)
	}
	b := oneStream(minidump.ModuleListStream, body)
	rva := uint32(len(b))
	for i := range n {
		le.PutUint32(b[44+4+108*i+20:], rva)
	}
	b = append(u32(b, uint32(len(name))), name...)
	start := time.Now()
	f := open(t, b)
	require.Contains(t, codes(f), minidump.CodeNameShared)
	total := 0
	for m, err := range f.Modules() {
		require.NoError(t, err)
		total += len(m.Name)
	}
	require.Less(t, total, len(b)+1<<20)
	require.Less(t, time.Since(start), 20*time.Second)

	// All memory is the whole file, at many addresses.
	body = u32(nil, n)
	for i := range n {
		body = u32(u64(body, uint64(i)<<32), 1<<20, 0)
	}
	b = oneStream(minidump.MemoryListStream, body)
	f = open(t, b)
	require.Contains(t, codes(f), minidump.CodeSharedBytes)
	require.Equal(t, n, f.NumRanges())
}

// oneStream is a dump of a stream and nothing else.
func oneStream(kind minidump.StreamType, body []byte) []byte {
	b := u64(u32(nil, 0x504D444D, 0xA793, 1, 32, 0, 0), 0)
	return append(u32(b, uint32(kind), uint32(len(body)), 44), body...)
}

// TestMemoryBound opens dumps made of nothing but lists, which have the most
// to be kept, and takes all from them.
func TestMemoryBound(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	const entries = 2 << 20
	list := make([]byte, 0, 16*entries+16)
	list = u32(list, entries)
	for i := range entries {
		list = u32(u64(list, uint64(entries-i)<<13), 16, 44)
	}
	handles := make([]byte, 0, 32*entries/2+16)
	handles = u32(handles, 16, 32, entries/2, 0)
	for range entries / 2 {
		handles = u32(u64(handles, 1), 44, 48, 0, 0, 0, 0)
	}
	for name, b := range map[string][]byte{
		"memory":  oneStream(minidump.MemoryListStream, list),
		"handles": oneStream(minidump.HandleDataStream, handles),
		"count":   u64(oneStream(minidump.Memory64ListStream, u64(nil, 1<<32-1, 0)), 0),
		"streams": u64(u32(nil, 0x504D444D, 0xA793, math.MaxUint32, 0, 0, 0), 0),
	} {
		for _, mode := range modes {
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			peak := before.HeapAlloc
			f, err := openIn(b, mode)
			if err == nil {
				n := 0
				_, _, err := f.Tables(minidump.TableOptions{})
				require.NoError(t, err)
				runtime.ReadMemStats(&after)
				peak = max(peak, after.HeapAlloc)
				for range f.Spans() {
					if n++; n&0x3FFFF == 0 {
						runtime.ReadMemStats(&after)
						peak = max(peak, after.HeapAlloc)
					}
				}
			}
			runtime.ReadMemStats(&after)
			peak = max(peak, after.HeapAlloc)
			require.Less(t, peak-before.HeapAlloc, uint64(64<<20+4*len(b)), "%s, %v", name, mode)
			runtime.KeepAlive(f)
		}
	}
}

// Sizes that come to 2^64 do not lead back into the file.
func TestSizesOverflow(t *testing.T) {
	d := &dump{arch: minidump.X64, memory64: []extent{at(0x1000, []byte("here")), at(0x10000, []byte("lost")), at(0x20000, []byte("gone"))}}
	b := d.bytes()
	sizes := bytes.Index(b, u64(nil, 0x10000, 4)) + 8
	le.PutUint64(b[sizes:], math.MaxUint64-3) // and so the third would be the first
	f := open(t, b)
	require.Contains(t, codes(f), minidump.CodeMemoryCut)
	buf := make([]byte, 4)
	_, err := f.ReadVA(buf, 0x20000)
	require.ErrorIs(t, err, minidump.ErrNotInDump)
	_, err = f.ReadVA(buf, 0x1000)
	require.NoError(t, err)
	require.Equal(t, "here", string(buf))
	check(t, b)
}

func TestManyStreams(t *testing.T) {
	b := u64(u32(nil, 0x504D444D, 0xA793, 5000, 32, 0, 0), 0)
	for i := range uint32(5000) {
		b = u32(b, 0x8000+i, 1, 0)
	}
	_, err := openIn(b, perfdump.Tolerant)
	require.ErrorIs(t, err, perfdump.ErrLimit)
	f, err := openIn(b, perfdump.Salvage)
	require.NoError(t, err)
	n := 0
	for range f.Streams() {
		n++
	}
	require.Equal(t, 4096, n)
}

// What a cut has taken is told to the byte, and a reader may tell of its end
// along with the last bytes.
func TestCutIsCounted(t *testing.T) {
	d := &dump{arch: minidump.X64, memory64: []extent{at(0x1000, make([]byte, 100)), at(0x9000, make([]byte, 50))}}
	b := d.bytes()
	b = b[:len(b)-75]
	r := readerFunc(func(p []byte, off int64) (int, error) {
		n := copy(p, b[off:])
		if off+int64(n) == int64(len(b)) {
			return n, io.EOF
		}
		return n, nil
	})
	f, err := minidump.NewFile(r, int64(len(b)), minidump.Options{})
	require.NoError(t, err)
	require.Equal(t, []perfdump.Code{minidump.CodeMemoryCut}, codes(f))
	require.Contains(t, f.Anomalies().Kept()[0].String(), "stream[1].range[0]: the file ends before 0x4b bytes of memory, in 2 ranges")
	n, err := f.ReadVA(make([]byte, 75), 0x1000)
	require.NoError(t, err)
	require.Equal(t, 75, n)
	require.Equal(t, uint32(0x504D444D), f.Header().Signature)
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
