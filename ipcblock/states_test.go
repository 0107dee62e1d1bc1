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
	"github.com/perfdump/perfdump/ipcblock"
)

// TestStates goes through the cases of tables: what one chunk, or what stands
// around it, makes of the whole.
func TestStates(t *testing.T) {
	x86, x64 := oneLive(t, ipcblock.X86), oneLive(t, ipcblock.X64)
	free := live(0, ipcblock.X86)
	free.State = ipcblock.Free
	locked := live(0, ipcblock.X86)
	locked.State = ipcblock.Locked
	early := live(0, ipcblock.X64)
	early.State = ipcblock.Unpublished
	before := live(0, ipcblock.X64)
	before.Values[ipcblock.ProcessID] = 0
	early86 := live(0, ipcblock.X86)
	early86.Values[ipcblock.ProcessID] = 0
	half := make([]byte, 65536)
	copy(half, []byte{3, 0, 0, 0, 9, 0, 0, 0})
	for _, c := range []struct {
		name    string
		data    []byte
		chunk   int
		state   ipcblock.State
		arch    ipcblock.Arch
		codes   string // of the anomalies
		remarks string
		fault   perfdump.Code
	}{
		{name: "live x86", data: x86, state: ipcblock.Live, arch: ipcblock.X86},
		{name: "live x64", data: x64, state: ipcblock.Live, arch: ipcblock.X64},
		{name: "free with stale data", data: table(t, free), state: ipcblock.Free, arch: ipcblock.X86, remarks: "stale"},
		{name: "second live, first free", data: table(t, free, live(1, ipcblock.X64)), chunk: 1, state: ipcblock.Live, arch: ipcblock.X64, remarks: "stale"},
		{name: "locked", data: table(t, locked), state: ipcblock.Locked, arch: ipcblock.X86, remarks: "locked"},
		{name: "locked, half a header", data: half, state: ipcblock.Locked, codes: "version flags-unused num-entries", remarks: "locked"},
		{name: "locked, no entry size", data: put32(table(t, locked), 36, 0), state: ipcblock.Locked, arch: ipcblock.X86, codes: "block-size size-mismatch", remarks: "locked"},
		{name: "unpublished", data: table(t, early), state: ipcblock.Unpublished, arch: ipcblock.X64, remarks: "unpublished"},
		{name: "unpublished, no perf size yet", data: put16(table(t, early), 40, 0), state: ipcblock.Unpublished, arch: ipcblock.X64, remarks: "unpublished"},
		{name: "live, no perf size", data: put16(x64, 40, 0), state: ipcblock.Live, arch: ipcblock.X64, codes: "size-mismatch"},
		{name: "before the first collection", data: table(t, before), state: ipcblock.Live, arch: ipcblock.X64, remarks: "no-gc"},
		{name: "before the first collection, torn", data: put32(table(t, early86), 40+152, 1<<30), state: ipcblock.Live, arch: ipcblock.X86, remarks: "no-gc torn"},
		{name: "all zero", data: make([]byte, 65536), state: ipcblock.Untouched},
		{name: "untouched beside live", data: x86, chunk: 5, state: ipcblock.Untouched},
		{name: "untouched but not zero", data: patched(x86, 2048+100, 1), chunk: 1, state: ipcblock.Untouched, codes: "untouched-bytes"},
		{name: "counter 0, runtime set", data: put32(x86, 0, 0), state: ipcblock.Live, arch: ipcblock.X86, codes: "counter-zero"},
		{name: "counter negative, even", data: put32(x86, 0, 0x80000002), state: ipcblock.Live, arch: ipcblock.X86},
		{name: "counter negative, odd", data: put32(x86, 0, 0xFFFFFFFF), state: ipcblock.Locked, arch: ipcblock.X86, remarks: "locked"},
		{name: "single chunk", data: x64[:2048], state: ipcblock.Live, arch: ipcblock.X64},
		{name: "trailing zeros", data: append(slices.Clone(x64), make([]byte, 100)...), state: ipcblock.Live, arch: ipcblock.X64},
		{name: "trailing bytes", data: append(slices.Clone(x64), 0, 0, 7), state: ipcblock.Live, arch: ipcblock.X64, codes: "trailing-bytes"},
		{name: "cut inside a chunk", data: x64[:3000], state: ipcblock.Live, arch: ipcblock.X64, codes: "partial-chunk"},
		{name: "no entries", data: put32(x86, 28, 0), state: ipcblock.Bad, fault: perfdump.CodeCount},
		{name: "two entries", data: put32(x86, 28, 2), state: ipcblock.Bad, codes: "num-entries", fault: perfdump.CodeLength},
		{name: "entries without end", data: put32(x86, 28, math.MaxUint32), state: ipcblock.Bad, fault: perfdump.CodeCount},
		{name: "as many entries as fit", data: put32(put32(x86, 28, 252), 32, 2048), state: ipcblock.Bad, codes: "num-entries", fault: perfdump.CodeLength},
		{name: "one entry too many", data: put32(x86, 28, 253), state: ipcblock.Bad, fault: perfdump.CodeCount},
		{name: "empty entry", data: put32(put32(put32(x86, 32, math.MaxUint32), 36, 0), 20, 40), state: ipcblock.Live, codes: "after-block"},
		{name: "empty entry with a size", data: put32(x86, 32, math.MaxUint32), state: ipcblock.Live, codes: "empty-entry block-size"},
		{name: "offset 39", data: put32(x86, 32, 39), state: ipcblock.Bad, fault: perfdump.CodeLength},
		{name: "offset 2047", data: put32(x86, 32, 2047), state: ipcblock.Bad, fault: perfdump.CodeLength},
		{name: "offset 0xFFFFFFFE", data: put32(x86, 32, math.MaxUint32-1), state: ipcblock.Bad, fault: perfdump.CodeLength},
		{name: "offset and size overflow", data: put32(put32(x86, 32, 0xFFFFFF00), 36, 0x200), state: ipcblock.Bad, codes: "block-size", fault: perfdump.CodeLength},
		{name: "offset 44", data: put32(x86, 32, 44), state: ipcblock.Live, arch: ipcblock.X86, codes: "size-mismatch entry-offset", remarks: "perf-off torn"},
		{name: "entry and perf size differ", data: put16(x86, 40, 384), state: ipcblock.Bad, fault: perfdump.CodeLength},
		{name: "perf size and entry differ", data: put16(x64, 40, 280), state: ipcblock.Bad, fault: perfdump.CodeLength},
		{name: "entry size wrong", data: put32(x64, 36, 380), state: ipcblock.Live, arch: ipcblock.X64, codes: "block-size size-mismatch"},
		{name: "both sizes unknown", data: put16(put32(x86, 36, 100), 40, 100), state: ipcblock.Live, codes: "block-size unknown-size"},
		{name: "size 280 with flags 3", data: put16(x86, 18, 3), state: ipcblock.Live, arch: ipcblock.X86, codes: "flag-contradiction"},
		{name: "size 384 with flags 7", data: put16(x64, 18, 7), state: ipcblock.Live, arch: ipcblock.X64, codes: "flag-contradiction"},
		{name: "flags not used", data: put16(x64, 18, 2), state: ipcblock.Live, arch: ipcblock.X64, codes: "flags-unused"},
		{name: "version 3", data: put16(x64, 16, 3), state: ipcblock.Live, arch: ipcblock.X64, codes: "version"},
		{name: "version 5", data: put16(x64, 16, 5), state: ipcblock.Live, arch: ipcblock.X64, codes: "version"},
		{name: "reserved", data: put32(x64, 12, 1), state: ipcblock.Live, arch: ipcblock.X64, codes: "reserved"},
		{name: "block of 39", data: put32(x64, 20, 39), state: ipcblock.Bad, fault: perfdump.CodeLength},
		{name: "block of 2048", data: put32(x64, 20, 2048), state: ipcblock.Live, arch: ipcblock.X64, codes: "block-size"},
		{name: "block of 2049", data: put32(x64, 20, 2049), state: ipcblock.Bad, fault: perfdump.CodeLength},
		{name: "bytes behind the block", data: patched(x64, 424, 9), state: ipcblock.Live, arch: ipcblock.X64, codes: "after-block"},
		{name: "padding not zero", data: patched(x64, 44, 1, 2, 3, 4), state: ipcblock.Live, arch: ipcblock.X64},
		{name: "stale and broken", data: put32(table(t, free), 28, 0), state: ipcblock.Free, codes: "num-entries", remarks: "stale"},
		{name: "unpublished and broken", data: put32(table(t, early), 20, 9), state: ipcblock.Unpublished, codes: "block-size", remarks: "unpublished"},
		{name: "counting is off", data: put16(x64, 42, 0), state: ipcblock.Live, arch: ipcblock.X64, remarks: "perf-off"},
		{name: "torn", data: put32(x86, 40+152, 1<<30), state: ipcblock.Live, arch: ipcblock.X86, remarks: "torn"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab, err := ipcblock.Parse(c.data, ipcblock.Options{})
			require.NoError(t, err)
			got := tab.Chunk(c.chunk)
			require.Equal(t, c.state, got.State)
			require.Equal(t, c.arch, got.Arch)
			require.Equal(t, c.arch != ipcblock.NoArch, got.HasPerf())
			require.Equal(t, strings.Fields(c.codes), codes(tab))
			require.Equal(t, strings.Fields(c.remarks), remarks(tab))
			if c.fault != "" {
				require.Equal(t, c.fault, got.Fault().Code)
				require.Equal(t, []*perfdump.FormatError{got.Fault()}, tab.Faults())
				checkError(t, c.data, got.Fault())
			} else {
				require.Empty(t, tab.Faults())
			}
			check(t, c.data, tab)
			_, err = ipcblock.Parse(c.data, ipcblock.Options{Mode: perfdump.Strict})
			if c.codes == "" && c.fault == "" {
				require.NoError(t, err)
			} else {
				checkError(t, c.data, err)
			}
			check(t, c.data, tab.Clone())
		})
	}
}

func TestABadChunkDoesNotStopTheOthers(t *testing.T) {
	b := put32(table(t, live(0, ipcblock.X86), live(1, ipcblock.X64), live(2, ipcblock.X86)), 2048+28, 0)
	tab := parse(t, b)
	require.Equal(t, ipcblock.Live, tab.Chunk(0).State)
	require.Equal(t, ipcblock.Bad, tab.Chunk(1).State)
	require.Equal(t, ipcblock.Live, tab.Chunk(2).State)
	require.Len(t, tab.Faults(), 1)
	require.Equal(t, "chunk[1].header.numEntries: 0 entries, not 1 (offset 0x81c)", tab.Faults()[0].Error())
	n := 0
	for range tab.Live() {
		n++
	}
	require.Equal(t, 2, n)
	check(t, b, tab)
}

func TestTwoEntriesAreListed(t *testing.T) {
	c := live(0, ipcblock.X86)
	tree := ipcblock.Tree{Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{c}}
	require.NoError(t, tree.Layout())
	ch := &tree.Chunks[0]
	ch.NumEntries, ch.Entries, ch.PerfOff, ch.BlockSize = 2, []ipcblock.Entry{{Offset: 48, Size: 280}, {Offset: 400, Size: 4}}, 48, 320
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	b = patched(b, 400, 1, 2, 3, 4)
	tab := parse(t, b)
	require.Equal(t, []string{"num-entries", "entry-offset", "after-block"}, codes(tab))
	require.Equal(t, uint64(4242), tab.Chunk(0).Uint64(ipcblock.ProcessID))
	require.Equal(t, []byte{1, 2, 3, 4}, tab.Chunk(0).EntryBytes(1))
	require.Nil(t, tab.Chunk(0).EntryBytes(2))
	check(t, b, tab)
}

func TestExtremeValues(t *testing.T) {
	for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
		b := oneLive(t, a)
		at := 40 + ipcblock.PerfAttributes.Offset(a) + 2
		for i := at; i < 40+a.PerfSize(); i++ {
			b[i] = 0xFF
		}
		c := parse(t, b).Chunk(0)
		require.Equal(t, int64(-1), c.Int64(ipcblock.TimeLoading))
		require.Equal(t, uint64(math.MaxUint32), c.Uint64(ipcblock.CCWs))
		p, ok := c.Perf()
		require.True(t, ok)
		require.Equal(t, int64(-1), p.TimeAuthorize)
		if a == ipcblock.X86 {
			require.Equal(t, uint64(math.MaxUint32), p.GCHandles)
			require.Equal(t, uint64(3*math.MaxUint32), c.BytesInAllHeaps())
		} else {
			require.Equal(t, uint64(math.MaxUint64), p.GCHandles)
		}
	}
}

func TestPerfStructHoldsEveryField(t *testing.T) {
	for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
		c := parse(t, oneLive(t, a)).Chunk(0)
		p, ok := c.Perf()
		require.True(t, ok)
		text := fmt.Sprintf("%+v", p)
		for f := range c.Fields() {
			require.Contains(t, text, fmt.Sprintf(":%d", c.Uint64(f)), f)
		}
		require.Equal(t, c.Uint64(ipcblock.StackWalkDepth), uint64(p.StackWalkDepth))
		require.Equal(t, c.Uint64(ipcblock.SinkBlocks), p.SinkBlocks)
		require.Len(t, c.AppendUint64s(nil), 69)
	}
}

// TestLegacy goes through the cases of legacy and bare blocks.
func TestLegacy(t *testing.T) {
	pub := func(a ipcblock.Arch, flags uint16) []byte { return legacy(t, ipcblock.LegacyPublic, a, flags) }
	priv := func(a ipcblock.Arch) []byte { return legacy(t, ipcblock.LegacyPrivate, a, 1) }
	// As a compiler for 32-bit ARM would have it.
	arm := put32(put16(pub(ipcblock.X86, 1), 2, 3), 20, 20)
	// CLR 1.x: five entries; debugger, service and class dump are not known.
	clr1 := make([]byte, 20+40+280+36+8)
	for off, v := range map[int]uint32{0: 2, 4: uint32(len(clr1)), 16: 5, 20: 0, 24: 280, 28: 280, 32: 8, 36: 288, 40: 36, 44: math.MaxUint32, 52: math.MaxUint32} {
		le.PutUint32(clr1[off:], v)
	}
	le.PutUint16(clr1[60:], 280)
	for _, c := range []struct {
		name   string
		data   []byte
		layout ipcblock.Layout
		state  ipcblock.State
		arch   ipcblock.Arch
		codes  string
		err    perfdump.Code
	}{
		{name: "public x86", data: pub(ipcblock.X86, 0), layout: ipcblock.LegacyPublic, state: ipcblock.Live, arch: ipcblock.X86},
		{name: "public x64", data: pub(ipcblock.X64, 0), layout: ipcblock.LegacyPublic, state: ipcblock.Live, arch: ipcblock.X64},
		{name: "public x86 with flags", data: pub(ipcblock.X86, 1), layout: ipcblock.LegacyPublic, state: ipcblock.Live, arch: ipcblock.X86},
		{name: "public x64 with flags", data: pub(ipcblock.X64, 1), layout: ipcblock.LegacyPublic, state: ipcblock.Live, arch: ipcblock.X64},
		{name: "unpublished", data: put16(pub(ipcblock.X64, 1), 2, 1), layout: ipcblock.LegacyPublic, state: ipcblock.Unpublished, arch: ipcblock.X64},
		{name: "a page of it", data: append(pub(ipcblock.X64, 0), make([]byte, 4096-416)...), layout: ipcblock.LegacyPublic, state: ipcblock.Live, arch: ipcblock.X64},
		{name: "trailing bytes", data: append(pub(ipcblock.X64, 0), 1), layout: ipcblock.LegacyPublic, state: ipcblock.Live, arch: ipcblock.X64, codes: "trailing-bytes"},
		{name: "version 9", data: put16(pub(ipcblock.X64, 0), 0, 9), layout: ipcblock.LegacyPublic, state: ipcblock.Live, arch: ipcblock.X64, codes: "version"},
		{name: "running sum", data: put32(put32(pub(ipcblock.X86, 0), 16, 2), 4, 316), layout: ipcblock.LegacyPublic, err: perfdump.CodeSyntax},
		{name: "flag against size", data: put16(pub(ipcblock.X64, 0), 2, 7), layout: ipcblock.LegacyPublic, state: ipcblock.Live, arch: ipcblock.X64, codes: "flag-contradiction"},
		{name: "arm", data: arm, layout: ipcblock.LegacyPublic, state: ipcblock.Live, arch: ipcblock.X86, codes: "flag-contradiction"},
		{name: "size tells nothing, the flag does", data: append(put32(pub(ipcblock.X64, 1), 4, 424), make([]byte, 8)...), layout: ipcblock.LegacyPublic, state: ipcblock.Live, arch: ipcblock.X64},
		{name: "size tells nothing, the sum does not", data: append(put32(pub(ipcblock.X64, 0), 4, 424), make([]byte, 8)...), layout: ipcblock.LegacyPublic, err: perfdump.CodeSyntax},
		{name: "no entry fits", data: put32(pub(ipcblock.X64, 0), 20, 50), layout: ipcblock.LegacyPublic, err: perfdump.CodeCount},
		{name: "entry outside", data: put32(pub(ipcblock.X64, 0), 24, 32), layout: ipcblock.LegacyPublic, err: perfdump.CodeLength},
		{name: "entry in the header", data: put32(pub(ipcblock.X64, 0), 24, 16), layout: ipcblock.LegacyPublic, err: perfdump.CodeLength},
		{name: "entry overflows", data: put32(pub(ipcblock.X86, 0), 20, math.MaxUint32-1), layout: ipcblock.LegacyPublic, err: perfdump.CodeLength},
		{name: "block longer than the file", data: pub(ipcblock.X64, 0)[:415], layout: ipcblock.LegacyPublic, err: perfdump.CodeLength},
		{name: "unpublished, entry outside", data: put32(put16(pub(ipcblock.X64, 1), 2, 1), 20+4, 100000), layout: ipcblock.LegacyPublic, state: ipcblock.Unpublished, arch: ipcblock.X64, codes: "entry-range"},
		{name: "private x86", data: priv(ipcblock.X86), layout: ipcblock.LegacyPrivate, state: ipcblock.Live, arch: ipcblock.X86},
		{name: "private x64", data: priv(ipcblock.X64), layout: ipcblock.LegacyPrivate, state: ipcblock.Live, arch: ipcblock.X64},
		{name: "path without NUL", data: patched(priv(ipcblock.X86), 392, []byte(strings.Repeat("a\x00", 260))...), layout: ipcblock.LegacyPrivate, state: ipcblock.Live, arch: ipcblock.X86, codes: "path-nul"},
		{name: "path no UTF-16", data: patched(priv(ipcblock.X86), 392, 0, 0xD8), layout: ipcblock.LegacyPrivate, state: ipcblock.Live, arch: ipcblock.X86, codes: "path-encoding"},
		{name: "negative slots", data: put32(priv(ipcblock.X86), 356+4, math.MaxUint32), layout: ipcblock.LegacyPrivate, state: ipcblock.Live, arch: ipcblock.X86, codes: "app-domain app-domain"},
		{name: "more used than slots", data: put32(priv(ipcblock.X64), 464+12, 17), layout: ipcblock.LegacyPrivate, state: ipcblock.Live, arch: ipcblock.X64, codes: "app-domain"},
		{name: "size of the list", data: put32(priv(ipcblock.X64), 464+0x14, 16), layout: ipcblock.LegacyPrivate, state: ipcblock.Live, arch: ipcblock.X64, codes: "app-domain"},
		{name: "obsolete with a size", data: put32(priv(ipcblock.X64), 24+8+4, 16), layout: ipcblock.LegacyPrivate, state: ipcblock.Live, arch: ipcblock.X64, codes: "empty-entry"},
		{name: "CLR 1.x private", data: clr1, layout: ipcblock.LegacyPrivate, state: ipcblock.Live, arch: ipcblock.X86},
		{name: "CLR 1.x private, sum broken", data: put32(clr1, 28, 281), layout: ipcblock.LegacyPrivate, err: perfdump.CodeSyntax},
		{name: "bare x86", data: bare(t, ipcblock.X86), layout: ipcblock.Bare, state: ipcblock.Live, arch: ipcblock.X86},
		{name: "bare x64", data: bare(t, ipcblock.X64), layout: ipcblock.Bare, state: ipcblock.Live, arch: ipcblock.X64},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, layout := range []ipcblock.Layout{ipcblock.Auto, c.layout} {
				tab, err := ipcblock.Parse(c.data, ipcblock.Options{Layout: layout})
				if c.err != "" {
					fe := checkError(t, c.data, err)
					if layout != ipcblock.Auto {
						require.Equal(t, c.err, fe.Code)
					}
					continue
				}
				require.NoError(t, err)
				require.Equal(t, c.layout, tab.Layout())
				require.Equal(t, 1, tab.NumChunks())
				require.Equal(t, c.state, tab.Chunk(0).State)
				require.Equal(t, c.arch, tab.Chunk(0).Arch)
				require.Equal(t, strings.Fields(c.codes), codes(tab))
				check(t, c.data, tab)
				check(t, c.data, tab.Clone())
			}
		})
	}
	c := parse(t, arm).Chunk(0)
	require.Equal(t, uint64(4242), c.Uint64(ipcblock.ProcessID))
	require.Equal(t, int64(28), c.PerfOffset())
	require.True(t, parse(t, clr1).Chunk(0).CLR1)
}

func TestRunningSum(t *testing.T) {
	// A hole of 8 bytes in front of the AppDomain block.
	b := legacy(t, ipcblock.LegacyPrivate, ipcblock.X64, 0)
	require.Empty(t, codes(parse(t, b)))
	tab := parse(t, put32(b, 24+2*8, 400))
	require.Equal(t, "running-sum", codes(tab)[0])
	tab = parse(t, put32(b, 24+6*8+4, 512))
	require.Equal(t, []string{"running-sum"}, codes(tab))
	flagged := put16(put32(b, 24+6*8+4, 512), 2, 3)
	require.Empty(t, codes(parse(t, flagged)))
}

func TestPrivateBlock(t *testing.T) {
	for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
		b := legacy(t, ipcblock.LegacyPrivate, a, 1)
		require.Equal(t, map[ipcblock.Arch]int{ipcblock.X86: 912, ipcblock.X64: 1040}[a], len(b))
		c := parse(t, b).Chunk(0)
		path, ok := c.InstancePath()
		require.True(t, ok)
		require.Equal(t, `C:\Windows\Microsoft.NET\Framework\v4.0.30319\clr.dll`, path)
		d, ok := c.AppDomain()
		require.True(t, ok)
		require.Equal(t, int32(16), d.TotalSlots)
		require.Equal(t, int32(-1), d.LastFreedSlot)
		require.Equal(t, uint64(0x12350000), d.AppDomainList)
		n := 0
		for i, e := range c.Entries() {
			n++
			require.Equal(t, e.Empty(), i != 0 && i != 2 && i != 6)
		}
		require.Equal(t, 7, n)
		require.Empty(t, remarks(parse(t, b)))
	}
	list := le.AppendUint32(nil, 1)
	list = le.AppendUint32(list, 24)
	list = le.AppendUint32(list, 0x1000)
	list = le.AppendUint32(list, 0x2000)
	require.Equal(t, []ipcblock.AppDomainElement64{{ID: 1, NameLengthInBytes: 24, Name: 0x1000, AppDomain: 0x2000}}, ipcblock.AppDomainElements(append(list, 1, 2, 3), ipcblock.X86))
	require.Empty(t, ipcblock.AppDomainElements(list, ipcblock.X64))
	require.Empty(t, ipcblock.AppDomainElements(list, ipcblock.NoArch))
	list = le.AppendUint64(le.AppendUint64(le.AppendUint32(le.AppendUint32(nil, 1), 24), 0x1000), 0x7FF00002000)
	element := ipcblock.AppDomainElement64{ID: 1, NameLengthInBytes: 24, Name: 0x1000, AppDomain: 0x7FF00002000}
	require.Equal(t, []ipcblock.AppDomainElement64{element, element}, ipcblock.AppDomainElements(append(slices.Clone(list), append(list, 9)...), ipcblock.X64))
}

func TestBareBlock(t *testing.T) {
	b := bare(t, ipcblock.X86)
	le.PutUint32(b[28:], 777)
	c := parse(t, b).Chunk(0)
	require.True(t, c.CLR1)
	require.Equal(t, uint16(3), c.Attributes())
	require.False(t, c.Has(ipcblock.ProcessID))
	require.Zero(t, c.Uint64(ipcblock.ProcessID))
	require.Equal(t, uint64(777), c.Uint64(ipcblock.PromotedFinalizationGen1))
	require.Equal(t, "perf.gc.promotedFinalizationGen1", c.FieldPath(ipcblock.PromotedFinalizationGen1).String())
	require.Contains(t, slices.Collect(c.Fields()), ipcblock.PromotedFinalizationGen1)
	require.NotContains(t, slices.Collect(c.Fields()), ipcblock.ProcessID)
	for _, cut := range []int{0, 1, 2, 279} {
		_, err := ipcblock.Parse(b[:cut], ipcblock.Options{Layout: ipcblock.Bare})
		checkError(t, b, err)
	}
	long := append(slices.Clone(b), make([]byte, 4096-len(b))...)
	tab, err := ipcblock.Parse(long, ipcblock.Options{Layout: ipcblock.Bare})
	require.NoError(t, err)
	require.Empty(t, codes(tab))
	check(t, long, tab)
}

// TestInstancePathIsOfPrivateBlocks: no other block has one.
func TestInstancePathIsOfPrivateBlocks(t *testing.T) {
	for name, b := range samples(t) {
		tab := parse(t, b)
		for _, c := range tab.Chunks() {
			path, ok := c.InstancePath()
			require.Equal(t, tab.Layout() == ipcblock.LegacyPrivate, ok, name)
			require.Equal(t, ok, path != "", name)
			require.Equal(t, ok, c.RawInstancePath() != nil, name)
		}
	}
}

// TestEntriesThatAreNone: no directory has an entry in front of the first or
// behind the last.
func TestEntriesThatAreNone(t *testing.T) {
	for name, b := range samples(t) {
		for _, c := range parse(t, b).Chunks() {
			n := 0
			for range c.Entries() {
				n++
			}
			for _, i := range []int{-1, n, n + 1, math.MaxInt} {
				require.Nil(t, c.EntryBytes(i), "%s: %d of %d", name, i, n)
			}
		}
	}
}

// TestRemarksStop: who has seen enough is told no more.
func TestRemarksStop(t *testing.T) {
	early := live(0, ipcblock.X86)
	early.Values[ipcblock.ProcessID], early.Values[ipcblock.PerfAttributes] = 0, 0
	early.Values[ipcblock.TimeInGC], early.Values[ipcblock.TimeInGCBase] = 9, 3
	early.Values[ipcblock.ClassesLoadedCur], early.Values[ipcblock.ClassesLoadedTotal] = 9, 3
	stale := live(1, ipcblock.X64)
	stale.State = ipcblock.Free
	tab := parse(t, table(t, early, stale, live(2, ipcblock.X86)))
	all := remarks(tab)
	require.Equal(t, []string{"perf-off", "no-gc", "torn", "torn", "stale"}, all)
	for n := range all {
		seen := 0
		for range tab.Remarks() {
			if seen++; seen > n {
				break
			}
		}
		require.Equal(t, n+1, seen)
	}
}

// TestFieldsThatAreNone: a number behind the last field is none that a chunk has.
func TestFieldsThatAreNone(t *testing.T) {
	for name, b := range samples(t) {
		for _, c := range parse(t, b).Chunks() {
			for _, f := range []ipcblock.Field{ipcblock.Field(ipcblock.NumFields), ipcblock.Field(ipcblock.NumFields) + 1, math.MaxUint8} {
				require.False(t, c.Has(f), name)
				require.Zero(t, c.Uint64(f), name)
				require.Equal(t, "Field?", f.String())
			}
		}
	}
}

func cooked(c, older *ipcblock.Chunk, d time.Duration) map[string]ipcblock.Cooked {
	all := map[string]ipcblock.Cooked{}
	for k := range c.Cook(older, d, nil) {
		all[k.Category+`\`+k.Name] = k
	}
	return all
}

func TestCook(t *testing.T) {
	for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
		first := live(0, a)
		second := live(0, a)
		second.Values[ipcblock.AllocatedBytes] += 5000
		second.Values[ipcblock.ExceptionsThrown] += 30
		old, now := parse(t, table(t, first)).Chunk(0), parse(t, table(t, second)).Chunk(0)
		one := cooked(now, nil, 0)
		require.Len(t, one, 77)
		require.InDelta(t, 25, one[`.NET CLR Memory\% Time in GC`].Value, 0)
		require.InDelta(t, 12.5, one[`.NET CLR Security\% Time in RT checks`].Value, 0)
		jit := one[`.NET CLR Jit\% Time in Jit`]
		require.InDelta(t, 150, jit.Value, 0)
		require.Contains(t, jit.Note, "no share of time")
		heaps := one[`.NET CLR Memory\# Bytes in all Heaps`]
		require.InDelta(t, float64(now.BytesInAllHeaps()), heaps.Value, 0)
		require.True(t, heaps.Derived())
		require.Equal(t, []ipcblock.Field{ipcblock.Gen1HeapSize, ipcblock.Gen2HeapSize, ipcblock.LargeObjectHeapSize}, heaps.Fields())
		require.Equal(t, countertypes.StatusNeedsSecondSample, one[`.NET CLR Memory\Allocated Bytes/sec`].Status)
		two := cooked(now, old, 10*time.Second)
		require.InDelta(t, 500, two[`.NET CLR Memory\Allocated Bytes/sec`].Value, 0)
		require.InDelta(t, 3, two[`.NET CLR Exceptions\# of Exceps Thrown / sec`].Value, 0)
		require.Equal(t, countertypes.StatusNegativeDelta, cooked(old, now, time.Second)[`.NET CLR Memory\Allocated Bytes/sec`].Status)
		require.Equal(t, countertypes.StatusZeroDenominator, cooked(now, old, 0)[`.NET CLR Memory\Allocated Bytes/sec`].Status)
		require.True(t, ipcblock.SameRuntime(old, now))

		for _, f := range []ipcblock.Field{ipcblock.TimeInGCBase, ipcblock.TimeInJitBase, ipcblock.TimeRTChecksBase} {
			second.Values[f] = 0
		}
		none := cooked(parse(t, table(t, second)).Chunk(0), nil, 0)
		for _, name := range []string{`.NET CLR Memory\% Time in GC`, `.NET CLR Jit\% Time in Jit`, `.NET CLR Security\% Time in RT checks`} {
			require.Equal(t, countertypes.StatusZeroDenominator, none[name].Status, name)
		}
	}
	early := live(0, ipcblock.X64)
	early.State = ipcblock.Unpublished
	for _, k := range cooked(parse(t, table(t, early)).Chunk(0), nil, 0) {
		require.NotEqual(t, countertypes.StatusOK, k.Status)
	}
	x86, x64 := parse(t, oneLive(t, ipcblock.X86)).Chunk(0), parse(t, oneLive(t, ipcblock.X64)).Chunk(0)
	require.False(t, ipcblock.SameRuntime(x86, x64))
	fresh := live(0, ipcblock.X64)
	fresh.Values[ipcblock.ProcessID] = 0
	require.True(t, ipcblock.SameRuntime(parse(t, table(t, fresh)).Chunk(0), x64), "before its first collection")
	require.True(t, ipcblock.SameRuntime(x64, parse(t, table(t, fresh)).Chunk(0)))
	fresh.Values[ipcblock.ProcessID] = 4243
	require.False(t, ipcblock.SameRuntime(parse(t, table(t, fresh)).Chunk(0), x64))
	fresh.Values[ipcblock.ProcessID], fresh.RuntimeID = 4242, 9
	require.False(t, ipcblock.SameRuntime(parse(t, table(t, fresh)).Chunk(0), x64))
	require.Equal(t, countertypes.StatusTypeMismatch, cooked(x64, x86, time.Second)[`.NET CLR Memory\Allocated Bytes/sec`].Status)
	k, ok := ipcblock.CounterByName(".NET CLR Memory", "# Bytes in all Heaps")
	require.True(t, ok)
	require.Equal(t, 40, k.Index)
	require.Equal(t, countertypes.PERF_COUNTER_RAWCOUNT, k.Type(ipcblock.X86))
	require.Equal(t, countertypes.PERF_COUNTER_LARGE_RAWCOUNT, k.Type(ipcblock.X64))
	_, ok = ipcblock.CounterByName("x", "y")
	require.False(t, ok)
}

func TestWords(t *testing.T) {
	for l := ipcblock.Auto; l <= ipcblock.Bare; l++ {
		got, err := ipcblock.ParseLayout(l.String())
		require.NoError(t, err)
		require.Equal(t, l, got)
	}
	for s := ipcblock.Untouched; s <= ipcblock.Bad; s++ {
		got, err := ipcblock.ParseState(s.String())
		require.NoError(t, err)
		require.Equal(t, s, got)
	}
	for a := ipcblock.NoArch; a <= ipcblock.X64; a++ {
		got, err := ipcblock.ParseArch(a.String())
		require.NoError(t, err)
		require.Equal(t, a, got)
	}
	_, err := ipcblock.ParseLayout("x")
	require.Error(t, err)
	_, err = ipcblock.ParseState("x")
	require.Error(t, err)
	_, err = ipcblock.ParseArch("arm")
	require.Error(t, err)
	require.Equal(t, "Layout(9)", ipcblock.Layout(9).String())
	require.Equal(t, "State(9)", ipcblock.State(9).String())
	_, ok := ipcblock.FieldByName("gc", "nothing")
	require.False(t, ok)
}
