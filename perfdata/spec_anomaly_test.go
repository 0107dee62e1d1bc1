package perfdata_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/golden"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// odd is a block with one oddity that tolerant mode tells and strict mode
// refuses.
type odd struct {
	name  string
	code  perfdump.Code
	image *perftest.Image
	at    string          // the struct where it stands, as a path of the image; "" is the header
	path  string          // where the anomaly says it is; at, where empty
	also  []perfdump.Code // what else the oddity causes
	check func(t *testing.T, blk *perfdata.Block)
}

// table of section 8: each row at least once.
func odds() []odd {
	base := plain().Build()
	set := func(path string, v int64) *perftest.Image { return base.Clone().Set(path, v) }
	change := func(f func(b *perftest.Block)) *perftest.Image {
		b := plain()
		f(b)
		return b.Build()
	}
	counters := func(c ...perftest.Counter) *perftest.Image {
		return change(func(b *perftest.Block) { b.Objects[1].Counters = c })
	}
	instance := func(codePage uint32, in perftest.Instance) *perftest.Image {
		return change(func(b *perftest.Block) {
			b.Objects[1].CodePage = codePage
			in.Values = b.Objects[1].Instances[1].Values
			b.Objects[1].Instances[1] = in
		})
	}
	name := func(want string) func(*testing.T, *perfdata.Block) {
		return func(t *testing.T, blk *perfdata.Block) { require.Equal(t, want, blk.Object(1).Instance(1).Name()) }
	}
	absent := func(counter int) func(*testing.T, *perfdata.Block) {
		return func(t *testing.T, blk *perfdata.Block) {
			for _, in := range blk.Object(1).Instances() {
				require.Equal(t, perfdata.Absent, in.Value(counter).Kind)
				_, ok := in.Uint64(counter)
				require.False(t, ok)
			}
		}
	}
	is := func(counter int, kind perfdata.ValueKind, want uint64) func(*testing.T, *perfdata.Block) {
		return func(t *testing.T, blk *perfdata.Block) {
			v := blk.Object(1).Instance(0).Value(counter)
			require.Equal(t, kind, v.Kind)
			require.Equal(t, want, v.Uint)
		}
	}
	base2 := func(counter, want int) func(*testing.T, *perfdata.Block) {
		return func(t *testing.T, blk *perfdata.Block) { require.Equal(t, want, blk.Object(1).Counter(counter).Base()) }
	}
	headerName := base.At("SystemName")

	rows := []odd{
		{name: "flag 0 with a little-endian signature", code: perfdata.CodeFlagContradiction, image: set("LittleEndian", 0)},
		{name: "Version 0", code: perfdata.CodeVersion, image: set("Version", 0)},
		{name: "Version 2", code: perfdata.CodeVersion, image: set("Version", 2)},
		{name: "Revision 2", code: perfdata.CodeVersion, image: set("Revision", 2)},
		{name: "Samba's TotalByteLength", code: perfdata.CodeTotalShort, image: base.Clone().Add("TotalByteLength", -int64(base.Get("HeaderLength")))},
		{name: "TotalByteLength 8 more than there are", code: perfdata.CodeTotalLong, image: base.Clone().Add("TotalByteLength", 8)},
		{name: "TotalByteLength 2^31-1", code: perfdata.CodeTotalLong, image: set("TotalByteLength", 1<<31-1)},
		{name: "SystemNameOffset past the header", code: perfdata.CodeSystemName, image: set("SystemNameOffset", int64(base.Get("HeaderLength")))},
		{name: "SystemNameOffset 2^32-1", code: perfdata.CodeSystemName, image: set("SystemNameOffset", -1)},
		{name: "SystemNameLength past the header", code: perfdata.CodeSystemName, image: set("SystemNameLength", int64(base.Get("HeaderLength"))-88+2)},
		{name: "SystemNameLength 2^32-2", code: perfdata.CodeSystemName, image: set("SystemNameLength", -2)},
		{name: "SystemNameOffset + SystemNameLength wraps", code: perfdata.CodeSystemName, image: set("SystemNameLength", -88)},
		{name: "SystemNameLength odd", code: perfdata.CodeSystemName, image: set("SystemNameLength", int64(headerName.Size)-1)},
		{name: "computer name without NUL", code: perfdata.CodeSystemName, image: set("SystemNameLength", int64(headerName.Size)-2), check: func(t *testing.T, blk *perfdata.Block) {
			require.Equal(t, "HOST", blk.ComputerName())
		}},
		{name: "month 0", code: perfdata.CodeSystemTime, image: set("SystemTime.Month", 0)},
		{name: "month 13", code: perfdata.CodeSystemTime, image: set("SystemTime.Month", 13)},
		{name: "day 0", code: perfdata.CodeSystemTime, image: set("SystemTime.Day", 0)},
		{name: "day 32", code: perfdata.CodeSystemTime, image: set("SystemTime.Day", 32)},
		{name: "30 February", code: perfdata.CodeSystemTime, image: base.Clone().Set("SystemTime.Month", 2).Set("SystemTime.Day", 30)},
		{name: "hour 24", code: perfdata.CodeSystemTime, image: set("SystemTime.Hour", 24)},
		{name: "minute 60", code: perfdata.CodeSystemTime, image: set("SystemTime.Minute", 60)},
		{name: "second 61", code: perfdata.CodeSystemTime, image: set("SystemTime.Second", 61)},
		{name: "millisecond 1000", code: perfdata.CodeSystemTime, image: set("SystemTime.Milliseconds", 1000)},
		{name: "year 0", code: perfdata.CodeSystemTime, image: set("SystemTime.Year", 0)},
		{name: "year 10000", code: perfdata.CodeSystemTime, image: set("SystemTime.Year", 10000)},
		{name: "year 30827", code: perfdata.CodeSystemTime, image: set("SystemTime.Year", 30827)},
		{name: "PerfFreq 0", code: perfdata.CodeFreq, image: set("PerfFreq", 0)},
		{name: "PerfFreq -1", code: perfdata.CodeFreq, image: set("PerfFreq", -1)},
		{name: "PerfFreq of an object with object timers 0", code: perfdata.CodeFreq, image: set("object[1].PerfFreq", 0), at: "object[1]"},
		{name: "PerfFreq of an object with object timers below 0", code: perfdata.CodeFreq, image: set("object[1].PerfFreq", -5), at: "object[1]"},
		{name: "PerfFreq of an object with object timers of the elapsed kind 0", code: perfdata.CodeFreq, at: "object[1]", image: change(func(b *perftest.Block) {
			b.Objects[1].Counters, b.Objects[1].PerfFreq = []perftest.Counter{{Title: 6, Type: 0x30240500}}, 0
		})},
		{name: "PerfFreq of an object with object timers of the rate kind 0", code: perfdata.CodeFreq, at: "object[1]", image: change(func(b *perftest.Block) {
			b.Objects[1].Counters, b.Objects[1].PerfFreq = []perftest.Counter{{Title: 6, Type: 0x20610500}}, 0
		})},
		{name: "NumInstances -4", code: perfdata.CodeNumInstances, image: set("object[1].NumInstances", -4), at: "object[1]", also: []perfdump.Code{perfdata.CodeGap, perfdata.CodeParentRange}, check: opaque},
		{name: "NumInstances -2^31", code: perfdata.CodeNumInstances, image: set("object[1].NumInstances", -1<<31), at: "object[1]", also: []perfdump.Code{perfdata.CodeGap, perfdata.CodeParentRange}, check: opaque},
		{name: "data with NumInstances 0", code: perfdata.CodeNumInstances, image: set("object[1].NumInstances", 0), at: "object[1]", also: []perfdump.Code{perfdata.CodeGap, perfdata.CodeParentRange}, check: opaque},
		{name: "data with NumInstances -2", code: perfdata.CodeNumInstances, image: set("object[1].NumInstances", -2), at: "object[1]", also: []perfdump.Code{perfdata.CodeGap, perfdata.CodeParentRange}, check: opaque},
		{name: "data with NumInstances -3", code: perfdata.CodeNumInstances, image: set("object[1].NumInstances", -3), at: "object[1]", also: []perfdump.Code{perfdata.CodeGap, perfdata.CodeParentRange}, check: opaque},
		{name: "first object off 8", code: perfdata.CodeMisaligned, at: "object[0]", image: shifted(base, 4)},
		{name: "second object off 8", code: perfdata.CodeMisaligned, at: "object[1]", image: change(func(b *perftest.Block) { b.Objects[0].Tail = 4 })},
		{name: "instance off 8", code: perfdata.CodeMisaligned, at: "object[1]", path: "object[1].instance[0]", image: change(func(b *perftest.Block) {
			b.Objects[1].Packed, b.Objects[1].DefinitionGap = true, 2
			b.Objects[1].Instances[0].Name = "abcdefg"
		})},
		{name: "counter block off 8", code: perfdata.CodeMisaligned, at: "object[1]", path: "object[1].instance[0]", image: change(func(b *perftest.Block) {
			b.Objects[1].Packed = true
			b.Objects[1].Instances[0].Name = "abcd"
		})},
		{name: "CounterOffset 0", code: perfdata.CodeValueRange, image: set("object[1].counter[1].CounterOffset", 0), at: "object[1].counter[1]", check: absent(1)},
		{name: "CounterOffset 3", code: perfdata.CodeValueRange, image: set("object[1].counter[1].CounterOffset", 3), at: "object[1].counter[1]", check: absent(1)},
		{name: "value past the block", code: perfdata.CodeValueRange, image: set("object[1].counter[1].CounterOffset", int64(base.Get("object[1].instance[0].block.ByteLength"))-3), at: "object[1].counter[1]", check: absent(1)},
		{name: "CounterOffset at the block's end", code: perfdata.CodeValueRange, image: set("object[1].counter[1].CounterOffset", int64(base.Get("object[1].instance[0].block.ByteLength"))), at: "object[1].counter[1]", check: absent(1)},
		{name: "CounterOffset 2^31", code: perfdata.CodeValueRange, image: set("object[1].counter[1].CounterOffset", 1<<31), at: "object[1].counter[1]", check: absent(1)},
		{name: "CounterOffset 2^32-1", code: perfdata.CodeValueRange, image: set("object[1].counter[1].CounterOffset", -1), at: "object[1].counter[1]", check: absent(1)},
		{name: "CounterOffset + CounterSize wraps", code: perfdata.CodeValueRange, image: set("object[1].counter[1].CounterOffset", -4), at: "object[1].counter[1]", check: absent(1)},
		{name: "DWORD type with CounterSize 8", code: perfdata.CodeSizeMismatch, at: "object[1].counter[0]", check: is(0, perfdata.Uint64, 0x1122334455667789), image: counters(perftest.Counter{Title: 6, Type: 0x00010000, Size: 8})},
		{name: "LARGE type with CounterSize 4", code: perfdata.CodeSizeMismatch, at: "object[1].counter[0]", check: is(0, perfdata.Uint32, 0x55667789), image: counters(perftest.Counter{Title: 6, Type: 0x00010100, Size: 4})},
		{name: "LARGE type with CounterSize 3", code: perfdata.CodeSizeMismatch, at: "object[1].counter[0]", check: is(0, perfdata.Bytes, 0), image: counters(perftest.Counter{Title: 6, Type: 0x00010100, Size: 3})},
		{name: "DWORD type with CounterSize 16", code: perfdata.CodeSizeMismatch, at: "object[1].counter[0]", check: is(0, perfdata.Bytes, 0), image: counters(perftest.Counter{Title: 6, Type: 0x00010000, Size: 16})},
		{name: "DWORD type with CounterSize 0", code: perfdata.CodeSizeMismatch, image: set("object[1].counter[1].CounterSize", 0), at: "object[1].counter[1]", check: absent(1)},
		{name: "CounterSize past the block: the type's width", code: perfdata.CodeSizeMismatch, image: set("object[1].counter[1].CounterSize", 1000), at: "object[1].counter[1]", also: []perfdump.Code{perfdata.CodeValueRange}, check: is(1, perfdata.Uint32, 0x99aabbcd)},
		{name: "CounterSize 2^32-1: the type's width", code: perfdata.CodeSizeMismatch, image: set("object[1].counter[0].CounterSize", -1), at: "object[1].counter[0]", also: []perfdump.Code{perfdata.CodeValueRange}, check: is(0, perfdata.Uint64, 0x1122334455667789)},
		{name: "numerator last", code: perfdata.CodeNoBase, at: "object[1].counter[1]", check: base2(1, -1), image: counters(perftest.Counter{Title: 6, Type: 0x00010000}, perftest.Counter{Title: 8, Type: 0x20020400})},
		{name: "numerator before another counter", code: perfdata.CodeNoBase, at: "object[1].counter[0]", check: base2(0, -1), image: counters(perftest.Counter{Title: 6, Type: 0x20c20400}, perftest.Counter{Title: 8, Type: 0x00010000})},
		{name: "precision timer without base", code: perfdata.CodeNoBase, at: "object[1].counter[0]", check: base2(0, -1), image: counters(perftest.Counter{Title: 6, Type: 0x20570500}, perftest.Counter{Title: 8, Type: 0x00010000})},
		{name: "base two after its numerator", code: perfdata.CodeNoBase, at: "object[1].counter[0]", also: []perfdump.Code{perfdata.CodeStrayBase}, check: base2(0, -1), image: counters(perftest.Counter{Title: 6, Type: 0x30020400}, perftest.Counter{Title: 8, Type: 0x00010000}, perftest.Counter{Title: 6, Type: 0x40030402})},
		{name: "base first", code: perfdata.CodeStrayBase, at: "object[1].counter[0]", image: counters(perftest.Counter{Title: 6, Type: 0x40030402}, perftest.Counter{Title: 8, Type: 0x00010000})},
		{name: "base after no fraction", code: perfdata.CodeStrayBase, at: "object[1].counter[1]", check: base2(0, -1), image: counters(perftest.Counter{Title: 6, Type: 0x10410400}, perftest.Counter{Title: 6, Type: 0x40030403})},
		{name: "two bases", code: perfdata.CodeStrayBase, at: "object[1].counter[2]", check: base2(0, 1), image: counters(perftest.Counter{Title: 6, Type: 0x20020400}, perftest.Counter{Title: 6, Type: 0x40030403}, perftest.Counter{Title: 6, Type: 0x40030403})},
		{name: "NameOffset 23", code: perfdata.CodeNameOffset, image: set("object[1].instance[1].NameOffset", 23), at: "object[1].instance[1]", also: []perfdump.Code{perfdata.CodeNameNUL, perfdata.CodeNameEncoding}},
		{name: "NameOffset 0", code: perfdata.CodeNameOffset, image: set("object[1].instance[1].NameOffset", 0), at: "object[1].instance[1]", also: []perfdump.Code{perfdata.CodeNameNUL, perfdata.CodeNameEncoding}},
		{name: "name without NUL", code: perfdata.CodeNameNUL, at: "object[1].instance[1]", image: instance(0, perftest.Instance{Name: "second", NoNul: true}), check: name("second")},
		{name: "ANSI name without NUL", code: perfdata.CodeNameNUL, at: "object[1].instance[1]", image: instance(1252, perftest.Instance{Name: "second", NoNul: true}), check: name("second")},
		{name: "name with a NUL inside", code: perfdata.CodeNameNUL, at: "object[1].instance[1]", image: instance(0, perftest.Instance{Name: "sec\x00ond"}), check: name("sec")},
		{name: "ANSI name with a NUL inside", code: perfdata.CodeNameNUL, at: "object[1].instance[1]", image: instance(1252, perftest.Instance{Name: "second\x00stale"}), check: name("second")},
		{name: "NameLength odd with CodePage 0", code: perfdata.CodeNameOdd, at: "object[1].instance[1]", image: set("object[1].instance[1].NameLength", 13), also: []perfdump.Code{perfdata.CodeNameNUL}, check: name("second")},
		{name: "name in an unknown code page", code: perfdata.CodeNameEncoding, at: "object[1]", image: change(func(b *perftest.Block) {
			b.Objects[1].CodePage = 12345
			for i := range b.Objects[1].Instances {
				in := &b.Objects[1].Instances[i]
				in.RawName = perftest.UTF16(in.Name)
			}
		}), check: name("second")},
		{name: "name in UTF-16 that should be ANSI", code: perfdata.CodeNameEncoding, at: "object[1].instance[1]", image: instance(1252, perftest.Instance{RawName: perftest.UTF16("second")}), check: name("second")},
		{name: "parent past the last", code: perfdata.CodeParentRange, image: set("object[2].instance[1].ParentObjectInstance", 2), at: "object[2].instance[1]", check: func(t *testing.T, blk *perfdata.Block) {
			_, ok := blk.Object(2).Instance(1).Parent()
			require.False(t, ok)
			require.Equal(t, "1", blk.Object(2).Instance(1).FullName())
		}},
		{name: "parent 2^32-1", code: perfdata.CodeParentRange, image: set("object[2].instance[1].ParentObjectInstance", -1), at: "object[2].instance[1]"},
		{name: "ObjectNameTitle", code: perfdata.CodeTitlePointer, image: set("object[1].ObjectNameTitle", 1), at: "object[1]"},
		{name: "ObjectHelpTitle", code: perfdata.CodeTitlePointer, image: set("object[1].ObjectHelpTitle", -1), at: "object[1]"},
		{name: "CounterNameTitle", code: perfdata.CodeTitlePointer, image: set("object[1].counter[2].CounterNameTitle", 0x10000), at: "object[1].counter[2]"},
		{name: "CounterHelpTitle", code: perfdata.CodeTitlePointer, image: set("object[1].counter[2].CounterHelpTitle", 7), at: "object[1].counter[2]"},
		{name: "DefaultCounter -2", code: perfdata.CodeDefaultCounter, image: set("object[1].DefaultCounter", -2), at: "object[1]"},
		{name: "DefaultCounter past the last", code: perfdata.CodeDefaultCounter, image: set("object[1].DefaultCounter", 5), at: "object[1]"},
		{name: "DefaultCounter a title index", code: perfdata.CodeDefaultCounter, image: set("object[1].DefaultCounter", 6), at: "object[1]"},
		{name: "DefaultScale 8", code: perfdata.CodeScale, image: set("object[1].counter[2].DefaultScale", 8), at: "object[1].counter[2]"},
		{name: "DefaultScale -8", code: perfdata.CodeScale, image: set("object[1].counter[2].DefaultScale", -8), at: "object[1].counter[2]"},
		{name: "DefaultScale -2^31", code: perfdata.CodeScale, image: set("object[1].counter[2].DefaultScale", -1<<31), at: "object[1].counter[2]"},
		{name: "DetailLevel of an object 0", code: perfdata.CodeDetail, image: set("object[1].DetailLevel", 0), at: "object[1]"},
		{name: "DetailLevel of an object 401", code: perfdata.CodeDetail, image: set("object[1].DetailLevel", 401), at: "object[1]"},
		{name: "DetailLevel of a counter 99", code: perfdata.CodeDetail, image: set("object[1].counter[2].DetailLevel", 99), at: "object[1].counter[2]"},
		{name: "DetailLevel of a counter 401", code: perfdata.CodeDetail, image: set("object[1].counter[2].DetailLevel", 401), at: "object[1].counter[2]"},
		{name: "DetailLevel of a counter 2^32-1", code: perfdata.CodeDetail, image: set("object[1].counter[2].DetailLevel", -1), at: "object[1].counter[2]"},
		{name: "CounterType with bit 26", code: perfdata.CodeUnknownType, image: set("object[1].counter[1].CounterType", 0x14410400), at: "object[1].counter[1]"},
		{name: "CounterType with bit 12", code: perfdata.CodeUnknownType, image: set("object[1].counter[1].CounterType", 0x10411400), at: "object[1].counter[1]"},
		{name: "16 bytes after the definitions", code: perfdata.CodeGap, at: "object[1]", image: change(func(b *perftest.Block) { b.Objects[1].DefinitionGap = 16 })},
		{name: "16 bytes after the last instance", code: perfdata.CodeGap, at: "object[1]", image: change(func(b *perftest.Block) { b.Objects[1].Tail = 16 })},
		{name: "16 bytes after the one counter block", code: perfdata.CodeGap, at: "object[0]", image: change(func(b *perftest.Block) { b.Objects[0].Tail = 16 })},
		{name: "16 bytes after the last object", code: perfdata.CodeGap, image: change(func(b *perftest.Block) { b.Tail = 16 })},
	}
	trailing := base.Clone()
	trailing.Bytes = append(trailing.Bytes, "thirteen more"...)
	multi := counters(perftest.Counter{Title: 6, Type: 0x22410500}, perftest.Counter{Title: 6, Type: 0x42030500, Offset: 24})
	multi.Bytes[multi.At("object[1].instance[0].block").Off+16] = 3 // behind the value at 8, and not the 0x99aabbcd of its base
	return append(rows,
		odd{name: "bytes after the block", code: perfdata.CodeTrailingBytes, image: trailing},
		odd{name: "two counts that differ", code: perfdata.CodeMultiCount, image: multi, at: "object[1]", check: func(t *testing.T, blk *perfdata.Block) {
			in := blk.Object(1).Instance(0)
			count, ok := in.Multi(0)
			require.True(t, ok)
			want, ok := in.Uint64(1)
			require.True(t, ok)
			require.EqualValues(t, want, count, "MULTI_BASE wins")
			require.EqualValues(t, uint32(0x99aabbcd), count)
		}},
	)
}

// opaque wants object 1 to have no instances and the others theirs.
func opaque(t *testing.T, blk *perfdata.Block) {
	require.Equal(t, 4, blk.NumObjects())
	require.Zero(t, blk.Object(1).Len())
	require.Equal(t, 3, blk.Object(2).Len())
	require.Len(t, blk.Object(1).Counters(), 5)
	v, ok := blk.Object(2).Instance(2).Uint64(0)
	require.True(t, ok)
	require.EqualValues(t, uint64(0x1122334455667788+5), v)
}

// shifted moves all objects n bytes further.
func shifted(m *perftest.Image, n int) *perftest.Image {
	header := int(m.Get("HeaderLength"))
	c := *m
	c.Fields = make(map[string]perftest.Field)
	for path, f := range m.Fields {
		if f.Off >= header {
			f.Off += n
		}
		c.Fields[path] = f
	}
	c.Bytes = append(append(append([]byte(nil), m.Bytes[:header]...), make([]byte, n)...), m.Bytes[header:]...)
	return c.Add("HeaderLength", int64(n)).Add("TotalByteLength", int64(n))
}

func TestSpecAnomaly(t *testing.T) {
	seen := make(map[perfdump.Code]bool)
	var all strings.Builder
	for _, row := range odds() {
		if row.path == "" {
			row.path = row.at
		}
		seen[row.code] = true
		t.Run(string(row.code)+"/"+row.name, func(t *testing.T) {
			b := row.image.Bytes
			blk, err := checkAny(t, b)
			require.NoError(t, err)
			fmt.Fprintf(&all, "%s\n\t%s\n", row.name, strings.Join(told(blk), "\n\t"))
			found := false
			allowed := append([]perfdump.Code{row.code}, row.also...)
			for _, a := range blk.Anomalies().Kept() {
				require.Contains(t, allowed, a.Code, "%s", a)
				if off, ok := begins(row.image, a.Path); ok {
					require.EqualValues(t, off, a.Off, "%s", a)
				}
				if a.Code == row.code && under(a.Path.String(), row.path) && inside(row.image, row.at, a.Off) {
					found = true
				}
			}
			require.True(t, found, "no %s at %q: %q", row.code, row.path, told(blk))
			if row.check != nil {
				row.check(t, blk)
			}

			strict, err := parseIn(b, perfdump.Strict)
			require.Nil(t, strict)
			fe := formatError(t, err)
			require.ErrorIs(t, err, perfdump.ErrAnomaly)
			require.Contains(t, allowed, fe.Code)
			if fe.Code == row.code {
				require.True(t, under(fe.Path, row.path), "path %q, want %q", fe.Path, row.path)
				require.True(t, inside(row.image, row.at, fe.Off), "offset %d: %v", fe.Off, err)
			}

			salvaged, err := parseIn(b, perfdump.Salvage)
			require.NoError(t, err)
			require.Empty(t, salvaged.Faults())
			require.Contains(t, codes(salvaged), row.code)
		})
	}
	if !t.Failed() {
		golden.File(t, filepath.Join("testdata", "anomalies.txt"), []byte(all.String()))
	}
	for _, code := range []perfdump.Code{
		perfdata.CodeFlagContradiction, perfdata.CodeVersion, perfdata.CodeTotalShort, perfdata.CodeTotalLong, perfdata.CodeTrailingBytes,
		perfdata.CodeSystemName, perfdata.CodeSystemTime, perfdata.CodeFreq, perfdata.CodeNumInstances, perfdata.CodeMisaligned, perfdata.CodeValueRange,
		perfdata.CodeSizeMismatch, perfdata.CodeNoBase, perfdata.CodeStrayBase, perfdata.CodeNameOffset, perfdata.CodeNameNUL, perfdata.CodeNameEncoding,
		perfdata.CodeNameOdd, perfdata.CodeParentRange, perfdata.CodeTitlePointer, perfdata.CodeDefaultCounter, perfdata.CodeScale, perfdata.CodeDetail,
		perfdata.CodeUnknownType, perfdata.CodeGap,
	} {
		require.True(t, seen[code], "no case for %s", code)
	}
}

// begins returns where the field that a path names stands, or the first of
// those that are one. What is told of a text may stand within it, or be of
// what says where it is.
func begins(m *perftest.Image, path perfdump.Path) (off int, ok bool) {
	field := path.FieldName()
	if field == "" || field == "Name" || field == "SystemName" {
		return 0, false
	}
	for name, f := range m.Fields {
		if (name == path.String() || strings.HasPrefix(name, path.String()+".")) && (!ok || f.Off < off) {
			off, ok = f.Off, true
		}
	}
	return off, ok
}

// inside reports whether an offset lies in the struct at a path or in what
// belongs to it: the whole object, the instance with its name and block, and
// anywhere for the block itself.
func inside(m *perftest.Image, path string, off int64) bool {
	if path == "" {
		return off >= 0 && off <= int64(len(m.Bytes))
	}
	f := m.At(path)
	end := f.End()
	if f.Size == perftest.ObjectSize {
		end = f.Off + int(m.Get(path+".TotalByteLength"))
	} else if block, ok := m.Fields[path+".block"]; ok {
		end = block.End()
	}
	return off >= int64(f.Off) && off <= int64(end)
}

// What holds for a counter is told once, not once an instance.
func TestSpecAnomalyIsToldOnceForACounter(t *testing.T) {
	o := perftest.Object{Title: 2, Counters: []perftest.Counter{
		{Title: 4, Type: 0x00010000, Size: 8}, {Title: 6, Type: 0x00010000, Offset: 400},
	}}
	for range 500 {
		o.Instances = append(o.Instances, perftest.Instance{Unnamed: true})
	}
	m := (&perftest.Block{Objects: []perftest.Object{o}}).Build()
	m.Set("object[0].counter[1].CounterOffset", 4000)
	blk := mustParse(t, m.Bytes)
	require.Equal(t, map[perfdump.Code]int{perfdata.CodeSizeMismatch: 1, perfdata.CodeValueRange: 1}, codes(blk))
}

// At most 1,000 anomalies are kept; the rest is counted.
func TestSpecAnomaliesAreBounded(t *testing.T) {
	o := number(2)
	for range 5000 {
		o.Instances = append(o.Instances, perftest.Instance{Name: "a", NoNul: true})
	}
	blk := mustParse(t, (&perftest.Block{Objects: []perftest.Object{o}}).Bytes())
	require.Len(t, blk.Anomalies().Kept(), 1000)
	require.Equal(t, 5000, blk.Anomalies().Len())
	require.Equal(t, map[perfdump.Code]int{perfdata.CodeNameNUL: 5000}, codes(blk))

	few, err := perfdata.Parse(blk.Bytes(), perfdata.Options{Limits: perfdump.Limits{Anomalies: 3}})
	require.NoError(t, err)
	require.Len(t, few.Anomalies().Kept(), 3)
	require.Equal(t, map[perfdump.Code]int{perfdata.CodeNameNUL: 5000}, codes(few))
}

// Several oddities in one object: each value is read by its own counter's rule,
// one at a time and in bulk.
func TestSpecAnomaliesTogether(t *testing.T) {
	// Both a few counters and so many that runs of equal width form.
	for _, n := range []int{5, 20} {
		o := perftest.Object{Title: 2}
		for c := range n {
			kind := uint32(0x10410500)
			if c%7 == 2 {
				kind = 0x00010000
			}
			o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*c), Type: kind})
		}
		for i := range uint64(9) {
			in := perftest.Instance{Name: "a"}
			for c := range n {
				in.Values = append(in.Values, uint64(c+1)<<20+i)
			}
			o.Instances = append(o.Instances, in)
		}
		base := (&perftest.Block{Objects: []perftest.Object{o}}).Build()
		for odd := range o.Counters {
			for other := range o.Counters {
				if other == odd {
					continue
				}
				m := base.Clone()
				m.Set(fmt.Sprintf("object[0].counter[%d].CounterSize", odd), 0x2534)
				m.Set(fmt.Sprintf("object[0].counter[%d].CounterOffset", other), 0xf64be637)
				blk, err := parseIn(m.Bytes, perfdump.Tolerant)
				require.NoError(t, err)
				for i, in := range blk.Object(0).Instances() {
					where := fmt.Sprintf("%d counters, size of %d, offset of %d, instance %d", n, odd, other, i)
					want := append([]uint64(nil), o.Instances[i].Values...)
					want[other] = 0
					require.Equal(t, perfdata.Absent, in.Value(other).Kind, where)
					for c := range want {
						u, ok := in.Uint64(c)
						require.Equal(t, c != other, ok, where)
						require.Equal(t, want[c], u, where)
					}
					require.Equal(t, want, in.AppendUint64s(nil), where)
					require.Equal(t, want, blk.Object(0).AppendUint64s(nil)[n*i:n*i+n], where)
				}
			}
		}
	}
}

// A value that only the longer blocks of an object hold is absent from the
// shorter ones and there in the others.
func TestSpecValueInLongerBlocksOnly(t *testing.T) {
	o := perftest.Object{Title: 2, Counters: []perftest.Counter{{Title: 4, Type: 0x10410500}, {Title: 6, Type: 0x00010000}}}
	for i := range 12 {
		o.Instances = append(o.Instances, perftest.Instance{Name: fmt.Sprint(i), BlockExtra: i % 4 * 8, Values: []uint64{uint64(i) << 33, uint64(i)}})
	}
	m := (&perftest.Block{Objects: []perftest.Object{o}}).Build()
	mustBeClean(t, m.Bytes)
	at := m.Get("object[0].instance[0].block.ByteLength") // where the shortest blocks end
	blk := mustParse(t, m.Set("object[0].counter[1].CounterOffset", int64(at)+8).Bytes)
	require.Contains(t, codes(blk), perfdata.CodeValueRange)
	require.Len(t, codes(blk), 1)
	for i, in := range blk.Object(0).Instances() {
		v := in.Value(1)
		if i%4 < 2 {
			require.Equal(t, perfdata.Absent, v.Kind, "instance %d", i)
			continue
		}
		require.Equal(t, perfdata.Uint32, v.Kind, "instance %d", i)
		require.EqualValues(t, uint64(0xA5A5A5A5), v.Uint, "instance %d", i)
		u, ok := in.Uint64(0)
		require.True(t, ok)
		require.Equal(t, uint64(i)<<33, u)
	}
}
