package perfdata_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// The "Fine" list of section 8: strict mode takes these without a word.
func TestSpecFine(t *testing.T) {
	base := plain().Build()
	set := func(path string, v int64) []byte { return base.Clone().Set(path, v).Bytes }
	change := func(f func(b *perftest.Block)) []byte {
		b := plain()
		f(b)
		return b.Bytes()
	}
	counters := func(c ...perftest.Counter) []byte {
		return change(func(b *perftest.Block) { b.Objects[1].Counters = c })
	}
	padding := base.Clone()
	for i := base.At("SystemName").End(); i < int(base.Get("HeaderLength")); i++ {
		padding.Bytes[i] = 0xCC
	}
	for _, in := range []string{"object[1].instance[0]", "object[2].instance[2]"} {
		for i := base.At(in + ".Name").End(); i < base.At(in+".block").Off; i++ {
			padding.Bytes[i] = 0xCC
		}
	}
	padding.Set("Padding", 0xCCCCCCCC)
	require.NotEqual(t, base.Bytes, padding.Bytes)

	rows := []struct {
		name  string
		b     []byte
		check func(t *testing.T, blk *perfdata.Block)
	}{
		{name: "a lone header", b: (&perftest.Block{}).Bytes()},
		{name: "zero objects", b: (&perftest.Block{Name: "HOST"}).Bytes(), check: func(t *testing.T, blk *perfdata.Block) {
			require.Zero(t, blk.NumObjects())
			require.Equal(t, "HOST", blk.ComputerName())
		}},
		{name: "zero counters, one block", b: (&perftest.Block{Objects: []perftest.Object{{Title: 2, Single: true}}}).Bytes(), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, 1, blk.Object(0).Len())
			require.Empty(t, blk.Object(0).AppendUint64s(nil))
		}},
		{
			name: "zero counters, one block of nothing but its length",
			b:    (&perftest.Block{Objects: []perftest.Object{{Title: 2, Single: true}}}).Build().Set("object[0].instance[0].block.ByteLength", 4).Bytes,
			check: func(t *testing.T, blk *perfdata.Block) {
				require.Len(t, blk.Object(0).Instance(0).BlockBytes(), 4)
			},
		},
		{name: "zero counters, instances", b: (&perftest.Block{Objects: []perftest.Object{{Title: 2, Instances: []perftest.Instance{{Name: "a"}, {Name: "b"}}}}}).Bytes(), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, []string{"a", "b"}, displayNames(blk.Object(0)))
		}},
		{name: "SystemNameLength 0", b: change(func(b *perftest.Block) { b.Name = "" }), check: func(t *testing.T, blk *perfdata.Block) {
			require.Empty(t, blk.ComputerName())
		}},
		{name: "computer name not right behind the header", b: change(func(b *perftest.Block) { b.NameGap = 8 }), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, "HOST", blk.ComputerName())
		}},
		{name: "HeaderLength longer than needed", b: change(func(b *perftest.Block) { b.HeaderGap = 64 })},
		{name: "longer object headers", b: change(func(b *perftest.Block) {
			for i := range b.Objects {
				b.Objects[i].HeaderExtra = 24
			}
		}), check: wantPlain},
		{name: "object headers longer than all in front of them", b: change(func(b *perftest.Block) {
			for i := range b.Objects {
				b.Objects[i].HeaderExtra = 8192
			}
		}), check: wantPlain},
		{name: "longer definitions", b: change(func(b *perftest.Block) {
			for i := range b.Objects {
				for c := range b.Objects[i].Counters {
					b.Objects[i].Counters[c].Extra = 8
				}
			}
		}), check: wantPlain},
		{name: "longer counter blocks", b: change(func(b *perftest.Block) {
			for i := range b.Objects {
				b.Objects[i].BlockExtra = 128
			}
		}), check: wantPlain},
		{name: "stale bytes behind names", b: change(func(b *perftest.Block) { b.Objects[1].Instances[0].NameStale = 66 }), check: wantPlain},
		{name: "bytes before a name", b: change(func(b *perftest.Block) { b.Objects[1].Instances[0].NameGap = 16 }), check: wantPlain},
		{name: "8 bytes after the definitions", b: change(func(b *perftest.Block) { b.Objects[1].DefinitionGap = 8 }), check: wantPlain},
		{name: "8 bytes after the last instance", b: change(func(b *perftest.Block) { b.Objects[1].Tail = 8 }), check: wantPlain},
		{name: "8 bytes after the last object", b: change(func(b *perftest.Block) { b.Tail = 8 }), check: wantPlain},
		{name: "any padding bytes", b: padding.Bytes, check: wantPlain},
		{name: "children before their parents", b: change(func(b *perftest.Block) { b.Objects[1], b.Objects[2] = b.Objects[2], b.Objects[1] }), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, []string{"first/0", "second/1", "_Total"}, displayNames(blk.Object(1)))
		}},
		{name: "unknown title indexes", b: set("object[1].ObjectNameTitleIndex", 0xFFFF0)},
		{name: "title index 2^32-1", b: set("object[0].ObjectNameTitleIndex", -1)},
		{name: "repeated title indexes of objects", b: set("object[3].ObjectNameTitleIndex", 2), check: func(t *testing.T, blk *perfdata.Block) {
			o, ok := blk.ObjectByIndex(2)
			require.True(t, ok)
			require.Equal(t, blk.Object(0).Offset(), o.Offset())
		}},
		{name: "repeated title indexes of counters", b: set("object[1].counter[1].CounterNameTitleIndex", 6)},
		{name: "shared CounterOffsets", b: counters(perftest.Counter{Title: 6, Type: 0x00010100, Offset: 8}, perftest.Counter{Title: 8, Type: 0x00010000, Offset: 8}, perftest.Counter{Title: 10, Type: 0x00010100, Offset: 8})},
		{name: "descending CounterOffsets", b: counters(perftest.Counter{Title: 6, Type: 0x00010100, Offset: 24}, perftest.Counter{Title: 8, Type: 0x00010000, Offset: 16}, perftest.Counter{Title: 10, Type: 0x00010100, Offset: 8}), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, []uint64{0x1122334455667789, 0x99aabbcd, 11}, blk.Object(1).Instance(0).AppendUint64s(nil))
		}},
		{name: "gaps between values, CounterOffset unaligned", b: counters(perftest.Counter{Title: 6, Type: 0x00010100, Offset: 13}, perftest.Counter{Title: 8, Type: 0x00010000, Offset: 31}), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, []uint64{0x1122334455667789, 0x99aabbcd}, blk.Object(1).Instance(0).AppendUint64s(nil))
		}},
		{name: "another counter where the count of a MULTI type would be", b: counters(
			perftest.Counter{Title: 6, Type: 0x22410500, Offset: 8}, perftest.Counter{Title: 6, Type: 0x42030500, Offset: 24},
			perftest.Counter{Title: 8, Type: 0x00010100, Offset: 16},
		)},
		{name: "object clock 0 and 0 without object timers", b: set("object[2].PerfFreq", 0)},
		{name: "help index not name + 1", b: set("object[1].counter[1].CounterHelpTitleIndex", 339), check: func(t *testing.T, blk *perfdata.Block) {
			require.EqualValues(t, 339, blk.Object(1).Counter(1).CounterHelpTitleIndex)
		}},
		{name: "base with index 0", b: set("object[1].counter[3].CounterNameTitleIndex", 0), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, 3, blk.Object(1).Counter(2).Base())
		}},
		{name: "base with its numerator's index", b: base.Bytes, check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, 3, blk.Object(1).Counter(2).Base())
		}},
		{name: "UniqueID 0", b: set("object[1].instance[0].UniqueID", 0), check: func(t *testing.T, blk *perfdata.Block) {
			require.EqualValues(t, 0, blk.Object(1).Instance(0).UniqueID())
			require.EqualValues(t, 7, blk.Object(1).Instance(1).UniqueID())
			require.EqualValues(t, -1, blk.Object(2).Instance(1).UniqueID())
		}},
		{name: "UniqueID -2^31", b: set("object[1].instance[0].UniqueID", 1<<31)},
		{name: "DefaultObject 0", b: set("DefaultObject", 0)},
		{name: "DefaultObject -1", b: set("DefaultObject", -1), check: func(t *testing.T, blk *perfdata.Block) {
			require.EqualValues(t, -1, blk.DefaultObject)
		}},
		{name: "DefaultObject absent from the block", b: set("DefaultObject", 99999)},
		{name: "unnamed instances", b: change(func(b *perftest.Block) {
			b.Objects[1].Instances[0] = perftest.Instance{Unnamed: true, UniqueID: 5}
			b.Objects[1].Instances[1] = perftest.Instance{Unnamed: true}
		})},
		{name: "duplicate instances", b: change(func(b *perftest.Block) { b.Objects[1].Instances[1].Name = "first" }), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, []string{"first", "first#1"}, displayNames(blk.Object(1)))
		}},
		{name: "names with / # ( )", b: change(func(b *perftest.Block) {
			b.Objects[1].Instances[0].Name, b.Objects[1].Instances[1].Name = "C#/F# (Visual)", `a\b#1`
		}), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, "C#/F# (Visual)", blk.Object(1).Instance(0).Name())
			require.Equal(t, `a\b#1`, blk.Object(1).Instance(1).Name())
		}},
		{name: "NumInstances 0", b: metadata(0), check: wantMetadata},
		{name: "NumInstances -2", b: metadata(-2), check: wantMetadata},
		{name: "NumInstances -3", b: metadata(-3), check: wantMetadata},
		{name: "NODATA with CounterSize 0", b: counters(perftest.Counter{Title: 6, Type: 0x40000200}, perftest.Counter{Title: 8, Type: 0x00010000}), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, perfdata.Absent, blk.Object(1).Instance(0).Value(0).Kind)
			require.Equal(t, []uint64{0, 0x99aabbcd}, blk.Object(1).Instance(0).AppendUint64s(nil))
		}},
		{name: "a 4-byte last value at the end of a block", b: change(func(b *perftest.Block) {
			b.Objects[3].Counters = []perftest.Counter{{Title: 2, Type: 0x00010100}, {Title: 4, Type: 0x00010000, Offset: 4}, {Title: 6, Type: 0x10410400, Offset: 12}}
			b.Objects[2].Counters = []perftest.Counter{{Title: 2, Type: 0x00010000}}
		})},
		{name: "AVERAGE_TIMER with CounterSize 8", b: counters(perftest.Counter{Title: 206, Type: 0x30020400, Size: 8}, perftest.Counter{Title: 206, Type: 0x40030402}), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, []uint64{0x1122334455667789, 0x99aabbcd}, blk.Object(1).Instance(0).AppendUint64s(nil))
		}},
		{name: "both values of PERF_LARGE_RAW_BASE", b: counters(perftest.Counter{Title: 6, Type: 0x20570500}, perftest.Counter{Title: 6, Type: 0x40030500}, perftest.Counter{Title: 8, Type: 0x20570500}, perftest.Counter{Title: 8, Type: 0x40030503}), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, 1, blk.Object(1).Counter(0).Base())
			require.Equal(t, 3, blk.Object(1).Counter(2).Base())
		}},
		{name: "DefaultCounter -1, DefaultCounter the last", b: base.Clone().Set("object[1].DefaultCounter", -1).Set("object[2].DefaultCounter", 1).Bytes},
		{name: "DefaultCounter 0 without counters", b: (&perftest.Block{Objects: []perftest.Object{{Title: 2, Single: true}}}).Bytes()},
		{name: "DefaultScale -7 and 7", b: base.Clone().Set("object[1].counter[1].DefaultScale", -7).Set("object[1].counter[2].DefaultScale", 7).Bytes},
		{name: "DetailLevel 100 to 400", b: base.Clone().Set("object[1].DetailLevel", 200).Set("object[1].counter[0].DetailLevel", 300).Set("object[1].counter[1].DetailLevel", 400).Bytes},
		{name: "parent object absent", b: set("object[2].instance[0].ParentObjectTitleIndex", 4444), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, "0", blk.Object(2).Instance(0).FullName())
		}},
		{name: "object packed to 4 bytes", b: counters(perftest.Counter{Title: 6, Type: 0x00010100, Offset: 4}, perftest.Counter{Title: 8, Type: 0x00010000, Offset: 12})},
		{name: "a whole busy server", b: perftest.Busy(1, perftest.Small)},
		{name: "the same server later", b: perftest.BusyNext(1, perftest.Small)},
		{name: "a wide object", b: perftest.Wide(30, 100)},
		{name: "10 KB of a server", b: perftest.Sized(1, 10<<10)},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			blk := mustBeClean(t, row.b)
			checkTree(t, blk)
			if row.check != nil {
				row.check(t, blk)
			}
		})
	}
}

// The full server takes too long to be walked value by value in each mode.
func TestSpecFineServer(t *testing.T) {
	for seed := range uint64(3) {
		for _, b := range [][]byte{perftest.Busy(seed, perftest.Server), perftest.BusyNext(seed, perftest.Server), perftest.Sized(seed, 1<<20)} {
			blk, err := perfdata.Parse(b, perfdata.Options{Mode: 1})
			require.NoError(t, err)
			checkSpans(t, blk)
		}
	}
}

// wantPlain wants the values and names of the plain block.
func wantPlain(t *testing.T, blk *perfdata.Block) {
	want := mustParse(t, plain().Bytes())
	require.Equal(t, want.NumObjects(), blk.NumObjects())
	for i, o := range blk.Objects() {
		require.Equal(t, want.Object(i).AppendUint64s(nil), o.AppendUint64s(nil))
		require.Equal(t, displayNames(want.Object(i)), displayNames(o))
	}
}

// metadata is the plain block with an object of definitions alone in it.
func metadata(numInstances int32) []byte {
	b := plain()
	meta := b.Objects[1]
	meta.Title, meta.Instances, meta.NumInstances = 700, nil, numInstances
	b.Objects = append([]perftest.Object{b.Objects[0], meta}, b.Objects[1:]...)
	return b.Bytes()
}

// wantMetadata wants object 1 to have definitions alone and the others their values.
func wantMetadata(t *testing.T, blk *perfdata.Block) {
	require.Equal(t, 5, blk.NumObjects())
	require.Zero(t, blk.Object(1).Len())
	require.Empty(t, blk.Object(1).AppendUint64s(nil))
	require.Empty(t, displayNames(blk.Object(1)))
	require.Len(t, blk.Object(1).Counters(), 5)
	require.Equal(t, []string{"first", "second"}, displayNames(blk.Object(2)))
	require.Equal(t, []string{"first/0", "second/1", "_Total"}, displayNames(blk.Object(3)))
	v, ok := blk.Object(4).Instance(0).Uint64(0)
	require.True(t, ok)
	require.EqualValues(t, uint64(0x99aabbcc+6), v)
}

// The count behind a MULTI value is there where its 4 bytes are within the
// counter block, and not where one of them is not.
func TestSpecCountAtTheEnd(t *testing.T) {
	o := perftest.Object{Title: 2, Single: true, Packed: true, BlockExtra: 4, Counters: []perftest.Counter{
		{Title: 4, Type: uint32(countertypes.PERF_100NSEC_MULTI_TIMER)},
	}}
	m := (&perftest.Block{Objects: []perftest.Object{o}}).Build() // 4 of the length, 8 of the value, 4 of the count
	require.Empty(t, told(mustParse(t, m.Bytes)))
	o.BlockExtra = 3
	m = (&perftest.Block{Objects: []perftest.Object{o}}).Build()
	require.Contains(t, codes(mustParse(t, m.Bytes)), perfdata.CodeNoBase)
}
