package ipcblock_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/ipcblock"
)

// in returns a live chunk of another state.
func in(state ipcblock.State, index int, a ipcblock.Arch) ipcblock.TreeChunk {
	c := live(index, a)
	c.State = state
	return c
}

// with returns the first chunk of a table of which some fields have other values.
func with(a ipcblock.Arch, values map[string]uint64) ipcblock.TreeChunk {
	c := live(0, a)
	for name, v := range values {
		c.Values[field(name)] = v
	}
	return c
}

// TestStates reads inputs that the sweep cannot make, since more than one place
// differs or the rest of the table matters: testdata has what is said of them.
func TestStates(t *testing.T) {
	const x86, x64 = ipcblock.X86, ipcblock.X64
	one86, one64 := oneLive(t, x86), oneLive(t, x64)
	free, early := table(t, in(ipcblock.Free, 0, x86)), table(t, in(ipcblock.Unpublished, 0, x64))
	locked := table(t, in(ipcblock.Locked, 0, x86))
	half := make([]byte, 65536)
	copy(half, []byte{3, 0, 0, 0, 9, 0, 0, 0})
	two := ipcblock.Tree{Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{live(0, x86)}}
	require.NoError(t, two.Layout())
	ch := &two.Chunks[0]
	ch.NumEntries, ch.Entries, ch.PerfOff, ch.BlockSize = 2, []ipcblock.Entry{{Offset: 48, Size: 280}, {Offset: 400, Size: 4}}, 48, 320
	entries, err := two.AppendBinary(nil)
	require.NoError(t, err)

	pub := func(a ipcblock.Arch, flags uint16) []byte { return legacy(t, ipcblock.LegacyPublic, a, flags) }
	priv := func(a ipcblock.Arch) []byte { return legacy(t, ipcblock.LegacyPrivate, a, 1) }
	// CLR 1.x: five entries; debugger, service and class dump are not known.
	clr1 := make([]byte, 20+40+280+36+8)
	for off, v := range map[int]uint32{0: 2, 4: uint32(len(clr1)), 16: 5, 20: 0, 24: 280, 28: 280, 32: 8, 36: 288, 40: 36, 44: math.MaxUint32, 52: math.MaxUint32} {
		le.PutUint32(clr1[off:], v)
	}
	le.PutUint16(clr1[60:], 280)
	unflagged := legacy(t, ipcblock.LegacyPrivate, x64, 0)
	var all strings.Builder
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"free with stale data", free},
		{"second live, first free", table(t, in(ipcblock.Free, 0, x86), live(1, x64))},
		{"locked", locked},
		{"locked, half a header", half},
		{"locked, no entry size", put32(locked, 36, 0)},
		{"unpublished", early},
		{"unpublished, no perf size yet", put16(early, 40, 0)},
		{"before the first collection", table(t, with(x64, map[string]uint64{"gc.processId": 0}))},
		{"before the first collection, torn", put32(table(t, with(x86, map[string]uint64{"gc.processId": 0})), 40+152, 1<<30)},
		{"all zero", make([]byte, 65536)},
		{"untouched but not zero", patched(one86, 2048+100, 1)},
		{"counter negative, even", put32(one86, 0, 0x80000002)},
		{"single chunk", one64[:2048]},
		{"trailing zeros", append(one64[:65536:65536], make([]byte, 100)...)},
		{"trailing bytes", append(one64[:65536:65536], 0, 0, 7)},
		{"cut inside a chunk", one64[:3000]},
		{"two entries", entries},
		{"as many entries as fit", put32(put32(one86, 28, 252), 32, 2048)},
		{"one entry too many", put32(one86, 28, 253)},
		{"empty entry", put32(put32(put32(one86, 32, math.MaxUint32), 36, 0), 20, 40)},
		{"offset 2047", put32(one86, 32, 2047)},
		{"offset and size overflow", put32(put32(one86, 32, 0xFFFFFF00), 36, 0x200)},
		{"both sizes unknown", put16(put32(one86, 36, 100), 40, 100)},
		{"block of 2048", put32(one64, 20, 2048)},
		{"block of 2049", put32(one64, 20, 2049)},
		{"bytes after the block", patched(one64, 424, 9)},
		{"stale and broken", put32(free, 28, 0)},
		{"unpublished and broken", put32(early, 20, 9)},
		{"torn", put32(one86, 40+152, 1<<30)},
		{"a bad chunk between good ones", put32(table(t, live(0, x86), live(1, x64), live(2, x86)), 2048+28, 0)},
		{"all remarks", table(t, with(x86, map[string]uint64{
			"gc.processId": 0, "head.attributes": 0, "gc.timeInGC": 9, "gc.timeInGCBase": 3,
			"loading.classesLoaded.cur": 9, "loading.classesLoaded.total": 3,
		}), in(ipcblock.Free, 1, x64), live(2, x86))},
		{"public, unpublished", put16(pub(x64, 1), 2, 1)},
		{"public, a page of it", append(pub(x64, 0), make([]byte, 4096-416)...)},
		{"public, trailing bytes", append(pub(x64, 0), 1)},
		{"public, running sum", put32(put32(pub(x86, 0), 16, 2), 4, 316)},
		{"public, flag against size", put16(pub(x64, 0), 2, 7)},
		{"public, 32-bit ARM", put32(put16(pub(x86, 1), 2, 3), 20, 20)}, // as a compiler for it would have it
		{"public, the size says nothing, the flag does", append(put32(pub(x64, 1), 4, 424), make([]byte, 8)...)},
		{"public, the size says nothing, nor does the sum", append(put32(pub(x64, 0), 4, 424), make([]byte, 8)...)},
		{"public, unpublished, entry outside", put32(put16(pub(x64, 1), 2, 1), 20+4, 100000)},
		{"private, path without NUL", patched(priv(x86), 392, []byte(strings.Repeat("a\x00", 260))...)},
		{"private, path no UTF-16", patched(priv(x86), 392, 0, 0xD8)},
		{"private, negative slots", put32(priv(x86), 356+4, math.MaxUint32)},
		{"private, more used than slots", put32(priv(x64), 464+12, 17)},
		{"private, size of the list", put32(priv(x64), 464+0x14, 16)},
		{"private, no flags", unflagged},
		{"private, a hole", put32(unflagged, 24+2*8, 400)},
		{"private, a hole at the end", put32(unflagged, 24+6*8+4, 512)},
		{"private, a hole that flags allow", put16(put32(unflagged, 24+6*8+4, 512), 2, 3)},
		{"private, CLR 1.x", clr1},
		{"private, CLR 1.x, running sum", put32(clr1, 28, 281)},
		{"bare x64", bare(t, x64)},
	} {
		fmt.Fprintf(&all, "%s:\n", c.name)
		tab, err := ipcblock.Parse(c.data, ipcblock.Options{})
		if err != nil {
			fmt.Fprintf(&all, "  %v\n", checkError(t, c.data, err))
			for _, layout := range []ipcblock.Layout{ipcblock.LegacyPublic, ipcblock.LegacyPrivate} {
				_, err := ipcblock.Parse(c.data, ipcblock.Options{Layout: layout})
				fmt.Fprintf(&all, "  %s: %v\n", layout, checkError(t, c.data, err))
			}
			continue
		}
		for i, got := range tab.Chunks() {
			if n := tab.NumChunks(); i == 0 || got.State != ipcblock.Untouched {
				fmt.Fprintf(&all, "  %s %d of %d: %s %s, process %d\n", tab.Layout(), i, n, got.State, got.Arch, got.Uint64(ipcblock.ProcessID))
			}
		}
		for _, a := range tab.Anomalies().Kept() {
			fmt.Fprintf(&all, "  %s: %v\n", a.Code, a)
		}
		for a := range tab.Remarks() {
			fmt.Fprintf(&all, "  remark %s: %v\n", a.Code, a)
		}
		for f := range tab.Faults() {
			fmt.Fprintf(&all, "  fault %s: %v\n", f.Code, checkError(t, c.data, f))
		}
		check(t, c.data, tab)
		check(t, c.data, tab.Clone())
		_, err = ipcblock.Parse(c.data, ipcblock.Options{Options: perfdump.Options{Mode: perfdump.Strict}})
		require.Equal(t, tab.Anomalies().Len() == 0 && len(slices.Collect(tab.Faults())) == 0, err == nil, c.name)
	}
	golden.File(t, "testdata/states.golden", []byte(all.String()))
}

func TestExtremeValues(t *testing.T) {
	for a, wide := range map[ipcblock.Arch]uint64{ipcblock.X86: math.MaxUint32, ipcblock.X64: math.MaxUint64} {
		b := oneLive(t, a)
		for i := 40 + ipcblock.PerfAttributes.Offset(a) + 2; i < 40+a.PerfSize(); i++ {
			b[i] = 0xFF
		}
		c := parse(t, b).Chunk(0)
		require.Equal(t, int64(-1), c.Int64(field("loading.timeLoading")))
		require.Equal(t, uint64(math.MaxUint32), c.Uint64(field("interop.ccws")))
		require.Equal(t, wide, c.Uint64(field("gc.gcHandles")))
		require.Equal(t, 3*wide, c.Sample(&ipcblock.Counters()[19], nil, nil).First, "bytes in all heaps")
		require.Len(t, all(c), 69)
	}
}

// TestFieldsThatAreNone: a chunk has no field after the last one, and a bare
// block no process id.
func TestFieldsThatAreNone(t *testing.T) {
	for name, b := range samples(t) {
		for _, c := range parse(t, b).Chunks() {
			for _, f := range []ipcblock.Field{ipcblock.Field(ipcblock.NumFields), math.MaxUint8} {
				require.False(t, c.Has(f), name)
				require.Zero(t, c.Uint64(f), name)
				require.Equal(t, fmt.Sprintf("Field(%d)", f), f.String())
			}
			require.Equal(t, c.HasPerf() && !c.CLR1, c.Has(ipcblock.ProcessID), name)
			require.Equal(t, c.HasPerf() && c.CLR1, c.Has(ipcblock.PromotedFinalizationGen1), name)
		}
	}
}

func TestCook(t *testing.T) {
	const rate = `.NET CLR Memory\Allocated Bytes/sec`
	cooked := func(c, older *ipcblock.Chunk, d time.Duration) map[string]ipcblock.Cooked {
		all := map[string]ipcblock.Cooked{}
		for k := range c.Cook(older, d, nil) {
			all[k.Category+`\`+k.Name] = k
		}
		return all
	}
	chunk := func(c ipcblock.TreeChunk) *ipcblock.Chunk { return parse(t, table(t, c)).Chunk(0) }
	ratios := map[string]float64{`.NET CLR Memory\% Time in GC`: 25, `.NET CLR Security\% Time in RT checks`: 12.5, `.NET CLR Jit\% Time in Jit`: 150}
	for a, typ := range map[ipcblock.Arch]countertypes.Type{ipcblock.X86: countertypes.PERF_COUNTER_RAWCOUNT, ipcblock.X64: countertypes.PERF_COUNTER_LARGE_RAWCOUNT} {
		second := live(0, a)
		second.Values[field("gc.allocatedBytes")] += 5000
		second.Values[field("exceptions.thrown")] += 30
		old, now := chunk(live(0, a)), chunk(second)
		one, two := cooked(now, nil, 0), cooked(now, old, 10*time.Second)
		require.Len(t, one, 77)
		for name, v := range ratios {
			require.InDelta(t, v, one[name].Value, 0, name)
		}
		heaps := one[`.NET CLR Memory\# Bytes in all Heaps`]
		require.True(t, heaps.Derived())
		require.Equal(t, 40, heaps.Index)
		require.Equal(t, typ, heaps.Type(a))
		sum := uint64(0)
		for _, f := range heaps.Fields() {
			sum += now.Uint64(f)
		}
		require.InDelta(t, float64(sum), heaps.Value, 0)
		require.Equal(t, countertypes.StatusNeedsSecondSample, one[rate].Status)
		require.InDelta(t, 500, two[rate].Value, 0)
		require.InDelta(t, 3, two[`.NET CLR Exceptions\# of Exceps Thrown / sec`].Value, 0)
		require.Equal(t, countertypes.StatusNegativeDelta, cooked(old, now, time.Second)[rate].Status)
		require.Equal(t, countertypes.StatusZeroDenominator, cooked(now, old, 0)[rate].Status)

		for _, f := range []string{"gc.timeInGCBase", "jit.timeInJitBase", "security.timeRTChecksBase"} {
			second.Values[field(f)] = 0
		}
		none := cooked(chunk(second), nil, 0)
		for name := range ratios {
			require.Equal(t, countertypes.StatusZeroDenominator, none[name].Status, name)
		}
	}
	for _, k := range cooked(chunk(in(ipcblock.Unpublished, 0, ipcblock.X64)), nil, 0) {
		require.NotEqual(t, countertypes.StatusOK, k.Status)
	}
	x64, x86 := chunk(live(0, ipcblock.X64)), chunk(live(0, ipcblock.X86))
	require.Equal(t, countertypes.StatusTypeMismatch, cooked(x64, x86, time.Second)[rate].Status)
	fresh, other, restarted := live(0, ipcblock.X64), live(0, ipcblock.X64), live(0, ipcblock.X64)
	fresh.Values[ipcblock.ProcessID], other.Values[ipcblock.ProcessID], restarted.RuntimeID = 0, 4243, 9
	for c, same := range map[*ipcblock.Chunk]bool{x64: true, x86: false, chunk(fresh): true, chunk(other): false, chunk(restarted): false} {
		require.Equal(t, same, ipcblock.SameRuntime(c, x64))
		require.Equal(t, same, ipcblock.SameRuntime(x64, c))
	}
}

// TestWords: each word is parsed to what it is the word of, and no other.
func TestWords(t *testing.T) {
	for n := range 10 {
		layout, err1 := ipcblock.ParseLayout(ipcblock.Layout(n).String())
		state, err2 := ipcblock.ParseState(ipcblock.State(n).String())
		require.Equal(t, n <= int(ipcblock.Bare), err1 == nil && layout == ipcblock.Layout(n))
		require.Equal(t, n <= int(ipcblock.Bad), err2 == nil && state == ipcblock.State(n))
	}
	for a := ipcblock.NoArch; a <= ipcblock.X64; a++ {
		got, err := ipcblock.ParseArch(a.String())
		require.NoError(t, err)
		require.Equal(t, a, got)
	}
	_, err := ipcblock.ParseArch("arm")
	_, ok := ipcblock.FieldByName("gc", "nothing")
	require.Error(t, err)
	require.False(t, ok)
}
