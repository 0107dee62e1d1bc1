package minidump_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/minidump"
)

// TestTruncationKeepsWhatIsThere: tolerant mode opens a cut dump as soon as the
// directory is there, and says what is missing.
func TestTruncationKeepsWhatIsThere(t *testing.T) {
	b := sample().bytes()
	whole := open(t, b)
	directory := 32 + 12*8
	for n := directory; n < len(b); n += 3 {
		f := open(t, b[:n])
		require.Positive(t, f.Anomalies().Len(), n)
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
			require.Equal(t, perfdump.Code("memory-cut"), codes(f)[0])
			require.Len(t, collect(t, f.Modules()), 3)
		}
	}
	_, err := openIn(b[:directory-1], perfdump.Tolerant)
	require.ErrorIs(t, err, perfdump.ErrTruncated)
	f, err := openIn(b[:directory-1], perfdump.Salvage)
	require.NoError(t, err)
	require.Len(t, slices.Collect(f.Faults()), 1)
	for text, want := range map[string]error{string(b[:31]): perfdump.ErrTruncated, "": perfdump.ErrEmpty, "MZ": perfdump.ErrSignature} {
		_, err = openIn([]byte(text), perfdump.Salvage)
		require.ErrorIs(t, err, want)
	}
	_, err = minidump.Open(bytes.NewReader(nil), -1, perfdump.Options{})
	require.ErrorIs(t, err, perfdump.ErrEmpty)
}

// TestContradictions: counts and sizes that contradict their stream are errors
// which name the field; salvage has what fits. What is unusual is an anomaly.
// testdata/damage.txt has what tolerant mode says of each.
func TestContradictions(t *testing.T) {
	const module = 128 + 56 + 24 + 4 // the first one
	var out strings.Builder
	for _, c := range []struct {
		name  string
		at    func(b []byte) int
		value uint32
	}{
		{"modules", stream(2, 0), math.MaxUint32},
		{"one module too many", stream(2, 0), 4},
		{"memory", stream(7, 0), math.MaxUint32},
		{"memory64", stream(6, 0), math.MaxUint32},
		{"memory64, high", stream(6, 4), math.MaxUint32},
		{"regions", stream(3, 12), 1},
		{"region size", stream(3, 4), 47},
		{"region size 0", stream(3, 4), 0},
		{"region header", stream(3, 0), 15},
		{"region header, long", stream(3, 0), math.MaxUint32},
		{"handles", stream(4, 8), math.MaxUint32},
		{"handle size", stream(4, 4), 31},
		{"handle size, long", stream(4, 4), math.MaxUint32},
		{"handle header", stream(4, 0), 0},
		{"system info", place(32 + 4), 31},
		{"misc info", place(32 + 12 + 4), 23},
		{"handle data", place(32 + 4*12 + 4), 15},

		{"version", place(4), 0xA792},
		{"a second system info", place(32 + 12*5), 7},
		{"no system info", place(32), 0},
		{"architecture", place(128), 3},
		{"size of misc info", stream(1, 0), 25},
		{"version of a module", place(module + 24), 1},
		{"name at the end", place(module + 20), uint32(len(sample().bytes()) - 3)},
		{"name past the end", place(module + 20), math.MaxUint32},
		{"name of odd length", name(module + 20), 0x23},
		{"name cut", name(module + 20), 0xFFF0},
		{"name too long", name(module + 20), 0xFFFF},
	} {
		b := sample().bytes()
		le.PutUint32(b[c.at(b):], c.value)
		check(t, b)
		f, err := openIn(b, perfdump.Tolerant)
		fmt.Fprintf(&out, "%s: %v\n", c.name, err)
		_, strict := openIn(b, perfdump.Strict)
		require.Error(t, strict)
		if err != nil {
			f, err = openIn(b, perfdump.Salvage)
			require.NoError(t, err)
			fmt.Fprintf(&out, "\tsalvage: %d modules, %d regions, %d handles, %d ranges, faults %v\n", len(collect(t, f.Modules())),
				len(collect(t, f.Regions())), len(collect(t, f.Handles())), len(slices.Collect(f.Ranges())), slices.Collect(f.Faults()))
		}
		for _, a := range f.Anomalies().Kept() {
			fmt.Fprintf(&out, "\t%s: %s\n", a.Code, a)
		}
	}
	golden.File(t, "testdata/damage.txt", []byte(out.String()))
}

func place(off int) func([]byte) int { return func([]byte) int { return off } }

// stream is a place in stream i.
func stream(i, off int) func([]byte) int {
	return func(b []byte) int { return int(le.Uint32(b[32+12*i+8:])) + off }
}

// name is where the name is whose offset is at off.
func name(off int) func([]byte) int { return func(b []byte) int { return int(le.Uint32(b[off:])) } }

// TestHostileSharing: many entries may refer to the same bytes. What that costs
// stays in proportion to the file.
func TestHostileSharing(t *testing.T) {
	const n = 40_000
	name := bytes.Repeat([]byte{'a', 0}, 0x7FFF)
	b := oneStream(minidump.ModuleListStream, append(u32(nil, n), make([]byte, 108*n)...))
	for i := range n {
		le.PutUint32(b[44+4+108*i+20:], uint32(len(b)))
	}
	b = append(u32(b, uint32(len(name))), name...)
	start := time.Now()
	f := open(t, b)
	require.Contains(t, codes(f), perfdump.Code("name-shared"))
	total := 0
	for _, m := range collect(t, f.Modules()) {
		total += len(m.Name)
	}
	require.Less(t, total, len(b)+1<<20)
	require.Less(t, time.Since(start), 20*time.Second)

	f = open(t, sameBytes(n, 1<<20))
	require.Contains(t, codes(f), perfdump.Code("shared-bytes"))
	require.Equal(t, n, len(slices.Collect(f.Ranges())))
}

// TestMemoryBound opens dumps made of nothing but lists, which have the most
// to be kept, and takes all from them.
func TestMemoryBound(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	const entries = 2 << 20
	list := u32(make([]byte, 0, 16*entries+16), entries)
	for i := range entries {
		list = u32(u64(list, uint64(entries-i)<<13), 16, 44)
	}
	handles := u32(make([]byte, 0, 32*entries/2+16), 16, 32, entries/2, 0)
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
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			before, peak := m.HeapAlloc, m.HeapAlloc
			look := func() {
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
			}
			f, err := openIn(b, mode)
			look()
			if err == nil {
				_, _, err := f.Tables(minidump.TableOptions{})
				require.NoError(t, err)
				look()
				n := 0
				for range f.Spans() {
					if n++; n&0x3FFFF == 0 {
						look()
					}
				}
			}
			require.Less(t, peak-before, uint64(64<<20+4*len(b)), "%s, %v", name, mode)
			runtime.KeepAlive(f)
		}
	}
}

// TestSizesOverflow: sizes that come to 2^64 do not lead back into the file.
func TestSizesOverflow(t *testing.T) {
	d := &dump{arch: minidump.X64, memory64: []extent{at(0x1000, []byte("here")), at(0x10000, []byte("lost")), at(0x20000, []byte("gone"))}}
	b := d.bytes()
	sizes := bytes.Index(b, u64(nil, 0x10000, 4)) + 8
	le.PutUint64(b[sizes:], math.MaxUint64-3) // and so the third would be the first
	f := open(t, b)
	require.Contains(t, codes(f), perfdump.Code("memory-cut"))
	buf := make([]byte, 4)
	_, err := f.ReadVA(buf, 0x20000)
	require.ErrorIs(t, err, minidump.ErrNotInDump)
	_, err = f.ReadVA(buf, 0x1000)
	require.NoError(t, err)
	require.Equal(t, "here", string(buf))
	check(t, b)
}

func TestStreams(t *testing.T) {
	b := u64(u32(nil, 0x504D444D, 0xA793, 5000, 32, 0, 0), 0)
	for i := range uint32(5000) {
		b = u32(b, 0x8000+i, 1, 0)
	}
	_, err := openIn(b, perfdump.Tolerant)
	require.ErrorIs(t, err, perfdump.ErrLimit)
	f, err := openIn(b, perfdump.Salvage)
	require.NoError(t, err)
	last := 0
	for i := range f.Streams() {
		last = i
	}
	require.Equal(t, 4095, last)

	f = open(t, (&dump{noSystem: true}).bytes())
	require.Equal(t, []perfdump.Code{"no-streams", "no-system-info", "no-memory"}, codes(f))
	require.Equal(t, "unknown", f.Arch().String())
	_, ok := f.PID()
	require.False(t, ok)
	require.Empty(t, collect(t, f.Modules()))
	require.Empty(t, collect(t, f.Handles()))
	require.Empty(t, collect(t, f.Regions()))
}

// TestCutIsCounted: what a cut has taken is counted to the byte, and a reader may
// return its end along with the last bytes.
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
	f, err := minidump.Open(r, int64(len(b)), perfdump.Options{})
	require.NoError(t, err)
	require.Equal(t, []perfdump.Code{"memory-cut"}, codes(f))
	require.Contains(t, f.Anomalies().Kept()[0].String(), "stream[1].range[0]: the file ends before 0x4b bytes of memory, in 2 ranges")
	n, err := f.ReadVA(make([]byte, 75), 0x1000)
	require.NoError(t, err)
	require.Equal(t, 75, n)
}
