package minidump_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/minidump"
)

// dump makes minidumps. Its memory may be of any size: [dump.file] gives a
// virtual file, in which what no extent covers is zero.
type dump struct {
	arch      minidump.Arch
	noSystem  bool
	pid       uint32
	modules   []module
	memory64  []extent // Memory64List
	memory    []extent // MemoryList
	regions   []minidump.MemoryInfo
	handles   []handle
	wide      bool // handle descriptors of 40 bytes
	padded    bool // 4 bytes behind counts, as Breakpad writes
	headerPad int  // bytes more in headers that give their size
	entryPad  int  // bytes more in entries that give theirs
	other     []byte
}

type module struct {
	base    uint64
	name    string
	version [4]uint16
}

type handle struct {
	kind, name string
}

// extent is memory at va. Where size is more than the data, zeros follow.
type extent struct {
	va, size uint64
	data     []byte
	at       uint64 // of data, within
}

func at(va uint64, data []byte) extent { return extent{va: va, size: uint64(len(data)), data: data} }

// virtual is a file of which most bytes are zero.
type virtual struct {
	size   int64
	chunks []chunk // in order, not overlapping
}

type chunk struct {
	off  int64
	data []byte
}

func (v *virtual) ReadAt(p []byte, off int64) (int, error) {
	if off >= v.size {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), v.size-off))
	clear(p[:n])
	i := sort.Search(len(v.chunks), func(i int) bool { return v.chunks[i].off+int64(len(v.chunks[i].data)) > off })
	for ; i < len(v.chunks) && v.chunks[i].off < off+int64(n); i++ {
		c := v.chunks[i]
		if c.off >= off {
			copy(p[c.off-off:n], c.data)
		} else {
			copy(p[:n], c.data[off-c.off:])
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

var le = binary.LittleEndian

var u16, u32, u64 = perftest.Uint16s, perftest.Uint32s, perftest.Uint64s

// file lays the dump out as dbghelp does: header, directory, streams, strings,
// and the memory last.
func (d *dump) file() *virtual {
	type stream struct {
		kind minidump.StreamType
		body []byte
	}
	var streams []stream
	add := func(kind minidump.StreamType, body []byte) { streams = append(streams, stream{kind, body}) }
	// Strings and memory are put in place once the streams' sizes are known.
	type fix struct {
		stream, at int
		text       string
	}
	var fixes []fix
	text := func(body []byte, s string) []byte {
		if s != "" {
			fixes = append(fixes, fix{len(streams), len(body), s})
		}
		return u32(body, 0)
	}
	count := func(n int) []byte {
		b := u32(nil, uint32(n))
		if d.padded {
			b = u32(b, 0xCCCCCCCC)
		}
		return b
	}
	pad := func(b []byte, n int) []byte { return append(b, make([]byte, n)...) }

	if !d.noSystem {
		b := u16(nil, uint16(d.arch), 6, 0x5E03)
		b = append(b, 8, 1)
		b = u32(b, 10, 0, 19045, 2, 0)
		add(minidump.SystemInfoStream, pad(u16(b, 0x100, 0), 24))
	}
	if d.pid != 0 {
		add(minidump.MiscInfoStream, u32(nil, 24, 3, d.pid, 1_600_000_000, 7, 2))
	}
	if d.modules != nil {
		b := count(len(d.modules))
		for _, m := range d.modules {
			b = u32(u64(b, m.base), 0x10000, 0, 0x5E7D1A2B)
			b = text(b, m.name)
			v := m.version
			if v == [4]uint16{} {
				b = pad(b, 52)
			} else {
				hi, lo := uint32(v[0])<<16|uint32(v[1]), uint32(v[2])<<16|uint32(v[3])
				b = pad(u32(b, 0xFEEF04BD, 0x10000, hi, lo, hi, lo, 0x3F, 0, 0x40004, 2), 12)
			}
			b = pad(b, 32)
		}
		add(minidump.ModuleListStream, b)
	}
	if d.regions != nil {
		b := pad(u64(u32(nil, uint32(16+d.headerPad), uint32(48+d.entryPad)), uint64(len(d.regions))), d.headerPad)
		for _, r := range d.regions {
			b = u32(u64(b, r.BaseAddress, r.AllocationBase), r.Protect, 0)
			b = u32(u64(b, r.RegionSize), r.State, r.Protect, r.Type, 0)
			b = pad(b, d.entryPad)
		}
		add(minidump.MemoryInfoListStream, b)
	}
	if d.handles != nil {
		size := 32
		if d.wide {
			size = 40
		}
		b := pad(u32(nil, uint32(16+d.headerPad), uint32(size+d.entryPad), uint32(len(d.handles)), 0), d.headerPad)
		for i, h := range d.handles {
			b = u64(b, uint64(4*i+4))
			b = text(b, h.kind)
			b = text(b, h.name)
			b = u32(b, 0, 0xF0007, 2, 65534)
			b = pad(b, size-32+d.entryPad)
		}
		add(minidump.HandleDataStream, b)
	}
	if d.other != nil {
		add(3, d.other)
	}
	base64 := -1
	if d.memory64 != nil {
		b := u64(nil, uint64(len(d.memory64)), 0)
		for _, e := range d.memory64 {
			b = u64(b, e.va, e.size)
		}
		base64 = len(streams)
		add(minidump.Memory64ListStream, b)
	}
	list := -1
	if d.memory != nil {
		b := count(len(d.memory))
		for _, e := range d.memory {
			b = u32(u64(b, e.va), uint32(e.size), 0)
		}
		list = len(streams)
		add(minidump.MemoryListStream, b)
	}

	whole := perftest.Dump{Version: 0x6B51A793, Time: 1_700_000_000}
	if d.memory64 != nil {
		whole.Flags = 2
	}
	off := uint32(perftest.DumpHeader(len(streams)))
	for _, s := range streams {
		whole.Streams = append(whole.Streams, perftest.DumpStream{Kind: uint32(s.kind), Body: func(uint32) []byte { return s.body }})
		off += uint32(len(s.body))
	}
	var strings []byte
	for _, f := range fixes {
		le.PutUint32(streams[f.stream].body[f.at:], off+uint32(len(strings)))
		units := utf16.Encode([]rune(f.text))
		strings = u16(u32(strings, uint32(2*len(units))), units...)
		strings = u16(strings, 0)
		for len(strings)%4 != 0 {
			strings = append(strings, 0)
		}
	}
	v := &virtual{size: int64(off) + int64(len(strings))}
	put := func(e extent) {
		if len(e.data) > 0 {
			v.chunks = append(v.chunks, chunk{v.size + int64(e.at), e.data})
		}
		v.size += int64(e.size)
	}
	for i, e := range d.memory {
		entry := len(streams[list].body) - 16*(len(d.memory)-i)
		le.PutUint32(streams[list].body[entry+12:], uint32(v.size))
		put(e)
	}
	if base64 >= 0 {
		le.PutUint64(streams[base64].body[8:], uint64(v.size))
	}
	for _, e := range d.memory64 {
		put(e)
	}
	v.chunks = slices.Insert(v.chunks, 0, chunk{0, append(whole.Bytes(), strings...)})
	return v
}

func (d *dump) bytes() []byte {
	v := d.file()
	b := make([]byte, v.size)
	_, _ = v.ReadAt(b, 0)
	return b
}

// sample has every stream.
func sample() *dump {
	fill := func(n int, seed byte) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = seed + byte(i*7)
		}
		return b
	}
	return &dump{
		arch: minidump.X64,
		pid:  4711,
		modules: []module{
			{0x140000000, `C:\app\service.exe`, [4]uint16{1, 2, 3, 4}},
			{0x7FFA0000000, `C:\Windows\Microsoft.NET\Framework64\v4.0.30319\clr.dll`, [4]uint16{4, 8, 4210, 0}},
			{0x7FFB0000000, `C:\Windows\System32\ntdll.dll`, [4]uint16{}},
		},
		regions: []minidump.MemoryInfo{
			{BaseAddress: 0x10000, AllocationBase: 0x10000, RegionSize: 0x10000, State: 0x1000, Protect: 4, Type: 0x40000},
			{BaseAddress: 0x20000, RegionSize: 0x1000, State: 0x10000, Protect: 1},
			{BaseAddress: 0x30000, AllocationBase: 0x30000, RegionSize: 0x2000, State: 0x1000, Protect: 4, Type: 0x20000},
		},
		handles: []handle{
			{"Section", `\BaseNamedObjects\Cor_CLR_WRITER\Cor_SxSPublic_IPCBlock`},
			{"Event", ""},
			{"", ""},
		},
		memory: []extent{at(0x50000, fill(300, 1)), at(0x7FFE0000, fill(64, 2))},
		memory64: []extent{
			at(0x30000, fill(400, 3)), at(0x10000, fill(500, 4)), at(0x30190, fill(100, 5)), at(0x101F4, fill(12, 6)),
		},
		other: []byte("threads are not read"),
	}
}

// samples are its forms.
func samples() map[string][]byte {
	padded, wide, x86 := sample(), sample(), sample()
	padded.padded = true
	wide.wide, wide.headerPad, wide.entryPad = true, 3, 1
	x86.arch = minidump.X86
	return map[string][]byte{"plain": sample().bytes(), "padded": padded.bytes(), "wide": wide.bytes(), "x86": x86.bytes()}
}

// oneStream is a dump of a stream and nothing else.
func oneStream(kind minidump.StreamType, body []byte) []byte {
	b := u64(u32(nil, 0x504D444D, 0xA793, 1, 32, 0, 0), 0)
	return append(u32(b, uint32(kind), uint32(len(body)), 44), body...)
}

// sameBytes is a dump of n ranges of memory that all are its first bytes.
func sameBytes(n int, size uint32) []byte {
	body := u32(nil, uint32(n))
	for i := range n {
		body = u32(u64(body, uint64(i)<<32), size, 0)
	}
	return oneStream(minidump.MemoryListStream, body)
}

func mapped(va uint64) minidump.MemoryInfo {
	return minidump.MemoryInfo{BaseAddress: va, AllocationBase: va, RegionSize: 0x10000, State: 0x1000, Protect: 4, Type: 0x40000}
}

func private(va, size uint64) minidump.MemoryInfo {
	return minidump.MemoryInfo{BaseAddress: va, AllocationBase: va, RegionSize: size, State: 0x1000, Protect: 4, Type: 0x20000}
}

func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := 0; i+8 <= n; i += 8 {
		le.PutUint64(b[i:], r.Uint64())
	}
	return b
}

var modes = []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage}

func openIn(b []byte, mode perfdump.Mode) (*minidump.File, error) {
	return minidump.Open(bytes.NewReader(b), int64(len(b)), perfdump.Options{Mode: mode})
}

func open(t testing.TB, b []byte) *minidump.File {
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

func codes(f *minidump.File) (codes []perfdump.Code) {
	for _, a := range f.Anomalies().Kept() {
		codes = append(codes, a.Code)
	}
	return codes
}

type readerFunc func(p []byte, off int64) (int, error)

func (f readerFunc) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }
