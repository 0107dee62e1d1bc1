package perfdata_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// Section 13: where other programs fail, one subtest an item. What is to be
// seen only in another package says so.
func TestSpecCases(t *testing.T) {
	type objects = []perftest.Object
	type counters = []perftest.Counter
	type instances = []perftest.Instance
	build := func(o ...perftest.Object) *perftest.Image { return (&perftest.Block{Name: "HOST", Objects: o}).Build() }
	single := func(c counters, values ...uint64) perftest.Object {
		return perftest.Object{Title: 2, Single: true, Counters: c, Instances: instances{{Values: values}}}
	}
	read := func(t *testing.T, in perfdata.Instance, counter int, want uint64) {
		t.Helper()
		v, ok := in.Uint64(counter)
		require.True(t, ok)
		require.Equal(t, want, v)
	}
	const dword, large = 0x00010000, 0x00010100
	elsewhere := func(where string) func(*testing.T) {
		return func(t *testing.T) { t.Skip("not to be seen in a block: tested in " + where) }
	}

	cases := []struct {
		name string
		run  func(t *testing.T)
	}{
		{"13.01 NumInstances 0, last or followed by an object", func(t *testing.T) {
			zero := perftest.Object{Title: 10, Counters: counters{{Title: 12, Type: dword}}}
			next := number(20, perftest.Instance{Name: "a", Values: []uint64{64}})
			blk := mustBeClean(t, build(zero, next, zero).Bytes)
			require.Zero(t, blk.Object(0).Len())
			require.Empty(t, blk.Object(0).AppendUint64s(nil))
			require.Equal(t, []uint64{64}, blk.Object(1).AppendUint64s(nil))
			require.Zero(t, blk.Object(2).Len())
		}},
		{"13.02 -2, -3, mixed with full ones", func(t *testing.T) {
			wantMetadata(t, mustBeClean(t, metadata(-2)))
			wantMetadata(t, mustBeClean(t, metadata(-3)))
		}},
		{"13.03 definition ByteLength 48, object HeaderLength 72", func(t *testing.T) {
			b := plain()
			for i := range b.Objects {
				b.Objects[i].HeaderExtra = 8
				for c := range b.Objects[i].Counters {
					b.Objects[i].Counters[c].Extra = 8
				}
			}
			m := b.Build()
			require.EqualValues(t, 48, m.Get("object[1].counter[0].ByteLength"))
			require.EqualValues(t, 72, m.Get("object[1].HeaderLength"))
			wantPlain(t, mustBeClean(t, m.Bytes))
		}},
		{"13.04 CounterOffset past the buffer or in the next object", func(t *testing.T) {
			for _, offset := range []int64{16, 32, 200, 1 << 20, -8} {
				m := build(number(2, perftest.Instance{Name: "a", Values: []uint64{7}}), number(4, perftest.Instance{Name: "b", Values: []uint64{9}}))
				m.Set("object[0].counter[0].CounterOffset", offset)
				blk := mustParse(t, m.Bytes)
				require.Equal(t, map[perfdump.Code]int{perfdata.CodeValueRange: 1}, codes(blk))
				require.Equal(t, perfdata.Absent, blk.Object(0).Instance(0).Value(0).Kind)
				read(t, blk.Object(1).Instance(0), 0, 9)
			}
		}},
		{"13.05 bad signature", func(t *testing.T) {
			for _, mode := range modes {
				_, err := parseIn(append([]byte("PERFPERF"), make([]byte, 200)...), mode)
				require.ErrorIs(t, err, perfdump.ErrSignature)
			}
		}},
		{"13.06 truncation at every length", func(t *testing.T) {
			b := build(number(2, perftest.Instance{Name: "a", Values: []uint64{7}})).Bytes
			for n := range b {
				_, err := checkAny(t, b[:n:n])
				require.Error(t, err)
				require.Equal(t, outcome(b[:n:n], perfdump.Tolerant), outcome(b[:n], perfdump.Tolerant))
			}
		}},
		{"13.07 CounterSize 0 as last counter; text", func(t *testing.T) {
			o := single(counters{{Title: 4, Type: dword}, {Title: 6, Type: 0x00000B00, Size: 12}, {Title: 8, Type: 0x40000200}}, 5)
			o.Instances[0].Raw = map[int][]byte{1: []byte("t\x00e\x00x\x00t\x00\x00\x00")}
			blk := mustBeClean(t, build(o).Bytes)
			in := blk.Object(0).Instance(0)
			require.Equal(t, perfdata.Absent, in.Value(2).Kind)
			require.Equal(t, perfdata.Text, in.Value(1).Kind)
			require.Equal(t, "text", in.Value(1).Text())
			require.Equal(t, []uint64{5, 0, 0}, in.AppendUint64s(nil))
		}},
		{"13.08 AVERAGE_BULK with 4-byte base then a counter; base last in the buffer", func(t *testing.T) {
			c := counters{{Title: 4, Type: 0x40020500}, {Title: 4, Type: 0x40030402}, {Title: 6, Type: dword}}
			blk := mustBeClean(t, build(single(c, 1000, 3, 9)).Bytes)
			require.Equal(t, 1, blk.Object(0).Counter(0).Base())
			require.Equal(t, []uint64{1000, 3, 9}, blk.Object(0).AppendUint64s(nil))
			c[0].Offset, c[1].Offset = 4, 12
			m := build(single(c[:2], 1000, 3))
			require.Equal(t, len(m.Bytes), m.At("object[0].instance[0].value[1]").End())
			blk = mustBeClean(t, m.Bytes)
			read(t, blk.Object(0).Instance(0), blk.Object(0).Counter(0).Base(), 3)
		}},
		{"13.09 CodePage 1252", func(t *testing.T) {
			o := number(2, perftest.Instance{RawName: []byte("caf\xe9\x00")})
			o.CodePage = 1252
			require.Equal(t, "café", mustBeClean(t, build(o).Bytes).Object(0).Instance(0).Name())
		}},
		{"13.10 equal names; parent", func(t *testing.T) {
			blk := mustBeClean(t, build(number(2, perftest.Instance{Name: "a"}, perftest.Instance{Name: "a"}), number(4, perftest.Instance{Name: "p"}),
				number(6, perftest.Instance{Name: "a", ParentTitle: 4})).Bytes)
			require.Equal(t, []string{"a", "a#1"}, displayNames(blk.Object(0)))
			require.Equal(t, []string{"p/a"}, displayNames(blk.Object(2)))
		}},
		{"13.11 counter block ByteLength 0", func(t *testing.T) {
			_, err := checkAny(t, build(number(2, perftest.Instance{Name: "a"}, perftest.Instance{Name: "b"})).Set("object[0].instance[0].block.ByteLength", 0).Bytes)
			require.ErrorIs(t, err, perfdump.ErrLength)
		}},
		{"13.12 object TotalByteLength 0", func(t *testing.T) {
			m := build(perftest.Object{Title: 2}).Set("object[0].TotalByteLength", 0).Set("NumObjectTypes", 1)
			_, err := checkAny(t, m.Bytes)
			require.ErrorIs(t, err, perfdump.ErrLength)
		}},
		{"13.13 huge counts", func(t *testing.T) {
			for _, path := range []string{"NumObjectTypes", "object[0].NumCounters", "object[0].NumInstances"} {
				b := build(number(2, perftest.Instance{Name: "a"})).Set(path, 0x7FFFFFFF).Bytes
				_, err := checkAny(t, b)
				require.ErrorIs(t, err, perfdump.ErrCount)
				var d perfdata.Decoder
				require.Less(t, testing.AllocsPerRun(10, func() { _, _ = d.Decode(b) }), 20.0)
			}
		}},
		{"13.14 value >= 2^63", func(t *testing.T) {
			blk := mustBeClean(t, build(single(counters{{Title: 4, Type: large}}, 1<<63+5)).Bytes)
			read(t, blk.Object(0).Instance(0), 0, 1<<63+5)
			require.Equal(t, []uint64{1<<63 + 5}, blk.Object(0).AppendColumn(nil, 0))
		}},
		{"13.15 name read error", func(t *testing.T) {
			_, err := checkAny(t, build(number(2, perftest.Instance{Name: "a"})).Set("object[0].instance[0].NameOffset", 1000).Bytes)
			require.ErrorIs(t, err, perfdump.ErrLength)
			o := number(2, perftest.Instance{RawName: perftest.UTF16("name")})
			o.CodePage = 1252
			blk := mustParse(t, build(o).Bytes)
			require.Contains(t, codes(blk), perfdata.CodeNameEncoding)
		}},
		{"13.16 PRECISION type, kind ZERO", func(t *testing.T) {
			blk := mustParse(t, build(single(counters{{Title: 4, Type: 0x20570500}, {Title: 4, Type: 0x40030500}, {Title: 6, Type: 0x00000E00}, {Title: 8, Type: dword}}, 1, 2, 0, 4)).Bytes)
			o := blk.Object(0)
			require.Equal(t, 1, o.Counter(0).Base())
			require.Equal(t, -1, o.Counter(1).Base())
			require.Equal(t, []uint64{1, 2, 0, 4}, o.AppendUint64s(nil))
			require.Equal(t, perfdata.Absent, o.Instance(0).Value(2).Kind)
			require.NotContains(t, codes(blk), perfdata.CodeNoBase)
			require.NotContains(t, codes(blk), perfdata.CodeStrayBase)
		}},
		{"13.17 ELAPSED_TIME with object PerfFreq 0", func(t *testing.T) {
			m := build(single(counters{{Title: 4, Type: 0x30240500}}, 5))
			blk := mustParse(t, m.Bytes)
			require.Equal(t, map[perfdump.Code]int{perfdata.CodeFreq: 1}, codes(blk))
			read(t, blk.Object(0).Instance(0), 0, 5)
		}},
		{"13.18 reused result, spare capacity", func(t *testing.T) {
			b := plain().Bytes()
			for _, n := range []int{88, 104, 300, len(b) - 40, len(b) - 1} {
				for _, mode := range modes {
					require.Equal(t, outcome(b[:n:n], mode), outcome(b[:n], mode))
				}
			}
			var d perfdata.Decoder
			blk, err := d.Decode(b)
			require.NoError(t, err)
			want, clone := describe(blk), blk.Clone()
			_, err = d.Decode(smallServer(1))
			require.NoError(t, err)
			require.Equal(t, want, describe(clone))
		}},
		{"13.19 LittleEndian 0", func(t *testing.T) {
			blk := mustParse(t, plain().Build().Set("LittleEndian", 0).Bytes)
			require.Equal(t, map[perfdump.Code]int{perfdata.CodeFlagContradiction: 1}, codes(blk))
			wantPlain(t, blk)
		}},
		{"13.20 base with index 0 or the numerator's index", func(t *testing.T) {
			for _, title := range []uint32{0, 4} {
				c := counters{{Title: 4, Type: 0x20020400}, {Title: title, Type: 0x40030403}}
				blk := mustBeClean(t, build(single(c, 1, 2)).Bytes)
				require.Equal(t, 1, blk.Object(0).Counter(0).Base())
				require.EqualValues(t, title, blk.Object(0).Counter(1).CounterNameTitleIndex)
			}
		}},
		{"13.21 two counters with one title index", func(t *testing.T) {
			blk := mustBeClean(t, build(single(counters{{Title: 4, Type: dword}, {Title: 4, Type: large}}, 1, 2)).Bytes)
			require.Equal(t, []uint64{1, 2}, blk.Object(0).AppendUint64s(nil))
		}},
		{"13.22 parent = last instance", func(t *testing.T) {
			blk := mustBeClean(t, build(number(2, perftest.Instance{Name: "a"}, perftest.Instance{Name: "last"}), number(4, perftest.Instance{Name: "c", ParentTitle: 2, Parent: 1})).Bytes)
			require.Equal(t, "last/c", blk.Object(1).Instance(0).FullName())
		}},
		{"13.23 padding after SYSTEMTIME", func(t *testing.T) {
			blk := mustBeClean(t, build().Set("Padding", 0xCCCCCCCC).Bytes)
			require.EqualValues(t, int64(9_876_543_210_123), blk.PerfTime)
			require.EqualValues(t, 10_000_000, blk.PerfFreq)
			require.EqualValues(t, int64(perftest.DefaultTime), blk.PerfTime100nSec)
		}},
		{"13.24 name not right behind the header", func(t *testing.T) {
			blk := mustBeClean(t, (&perftest.Block{Name: "FAR", NameGap: 24, Objects: objects{number(2)}}).Bytes())
			require.Equal(t, "FAR", blk.ComputerName())
		}},
		{"13.25 real Processor, first value 493225937500", func(t *testing.T) {
			o := perftest.Object{Title: 238, Help: 239, DefaultCounter: 0, Counters: counters{{Title: 6, Type: 0x21510500, Offset: 8}, {Title: 142, Type: 0x20510500, Offset: 16}}}
			o.Instances = instances{{Name: "0", Values: []uint64{493225937500, 1}}, {Name: "_Total", Values: []uint64{15, 2}}}
			read(t, mustBeClean(t, build(o).Bytes).Object(0).Instance(0), 0, 493225937500)
		}},
		{"13.26 single instance, first value at CounterOffset", func(t *testing.T) {
			m := build(single(counters{{Title: 4, Type: dword, Offset: 4}, {Title: 6, Type: dword, Offset: 20}}, 201, 202))
			require.Equal(t, []uint64{201, 202}, mustBeClean(t, m.Bytes).Object(0).AppendUint64s(nil))
		}},
		{"13.27 odd NameLength", func(t *testing.T) {
			blk := mustParse(t, build(number(2, perftest.Instance{Name: "abc"})).Set("object[0].instance[0].NameLength", 7).Bytes)
			require.Contains(t, codes(blk), perfdata.CodeNameOdd)
			require.Equal(t, "abc", blk.Object(0).Instance(0).Name())
			require.Len(t, blk.Object(0).Instance(0).RawName(), 7)
			ansi := number(2, perftest.Instance{Name: "abcd"}) // 5 bytes
			ansi.CodePage = 1252
			require.Equal(t, "abcd", mustBeClean(t, build(ansi).Bytes).Object(0).Instance(0).Name())
		}},
		{"13.28 NameLength 0; a name without its NUL", func(t *testing.T) {
			blk := mustBeClean(t, build(number(2, perftest.Instance{Unnamed: true})).Bytes)
			require.Empty(t, blk.Object(0).Instance(0).Name())
			blk = mustParse(t, build(number(2, perftest.Instance{Name: "whole", NoNul: true})).Bytes)
			require.Equal(t, "whole", blk.Object(0).Instance(0).Name())
			require.Equal(t, map[perfdump.Code]int{perfdata.CodeNameNUL: 1}, codes(blk))
		}},
		{"13.29 NumInstances > 1024", func(t *testing.T) {
			o := number(2)
			for i := range 3000 {
				o.Instances = append(o.Instances, perftest.Instance{Name: fmt.Sprint(i), Values: []uint64{uint64(i)}})
			}
			blk := mustBeClean(t, (&perftest.Block{Objects: objects{o}}).Bytes())
			require.Equal(t, 3000, blk.Object(0).Len())
			read(t, blk.Object(0).Instance(2999), 0, 2999)
		}},
		{"13.30 text counter", func(t *testing.T) {
			o := single(counters{{Title: 4, Type: 0x00010B00, Size: 5}})
			o.Instances[0].Raw = map[int][]byte{0: []byte("text\x00")}
			require.Equal(t, "text", mustBeClean(t, build(o).Bytes).Object(0).Instance(0).Value(0).Text())
		}},
		{"13.31 type test by the whole size field", func(t *testing.T) {
			blk := mustBeClean(t, build(single(counters{{Title: 4, Type: dword}, {Title: 6, Type: large}, {Title: 8, Type: 0x40000200}}, 1, 2)).Bytes)
			in := blk.Object(0).Instance(0)
			require.Equal(t, perfdata.Uint32, in.Value(0).Kind)
			require.Equal(t, perfdata.Uint64, in.Value(1).Kind)
			require.Equal(t, perfdata.Absent, in.Value(2).Kind)
		}},
		{"13.32 DWORD >= 2^31", func(t *testing.T) {
			blk := mustBeClean(t, build(single(counters{{Title: 4, Type: dword}}, 0xFFFFFFFE)).Bytes)
			read(t, blk.Object(0).Instance(0), 0, 0xFFFFFFFE)
		}},
		{"13.33 8-byte values", func(t *testing.T) {
			for _, kind := range []uint32{large, 0x30020400, 0x10410500} {
				blk := mustParse(t, build(single(counters{{Title: 4, Type: kind, Size: 8}}, 9_893_145_397)).Bytes)
				read(t, blk.Object(0).Instance(0), 0, 9_893_145_397)
			}
		}},
		{"13.34 two objects, wanted one second", func(t *testing.T) {
			blk := mustBeClean(t, build(number(238, perftest.Instance{Name: "a", Values: []uint64{1}}), number(2, perftest.Instance{Name: "b", Values: []uint64{2}})).Bytes)
			o, ok := blk.ObjectByIndex(2)
			require.True(t, ok)
			require.Equal(t, []uint64{2}, o.AppendUint64s(nil))
			o, ok = blk.ObjectByIndex(238)
			require.True(t, ok)
			require.Equal(t, []uint64{1}, o.AppendUint64s(nil))
		}},
		{"13.35 unknown object name, empty name table", elsewhere("titles and capture")},
		{"13.36 UniqueID -1", func(t *testing.T) {
			in := mustBeClean(t, build(number(2, perftest.Instance{Name: "a"})).Bytes).Object(0).Instance(0)
			require.EqualValues(t, -1, in.UniqueID())
			require.EqualValues(t, -1, in.Definition().UniqueID)
		}},
		{"13.37 empty answer at first, then data", func(t *testing.T) {
			var d perfdata.Decoder
			for range 2 {
				_, err := d.Decode(nil)
				require.ErrorIs(t, err, perfdump.ErrEmpty)
				blk, err := d.Decode(plain().Bytes())
				require.NoError(t, err)
				wantPlain(t, blk)
			}
		}},
		{"13.38 no such object", func(t *testing.T) {
			for _, b := range [][]byte{build().Bytes, plain().Bytes()} {
				o, ok := mustBeClean(t, b).ObjectByIndex(4711)
				require.False(t, ok)
				require.Nil(t, o)
			}
		}},
		{"13.39 one bad object must not hide the others (corrupt ids: titles)", func(t *testing.T) {
			m := plain().Build().Set("object[1].NumInstances", -7).Set("object[2].counter[0].CounterOffset", 9999)
			blk := mustParse(t, m.Bytes)
			require.Equal(t, 4, blk.NumObjects())
			read(t, blk.Object(3).Instance(0), 0, 0x99aabbcc+6)
			// One whose insides are lost: salvage resyncs at its end.
			m = plain().Build().Set("object[1].counter[0].ByteLength", 0)
			salvaged, err := parseIn(m.Bytes, perfdump.Salvage)
			require.NoError(t, err)
			require.Len(t, salvaged.Faults(), 1)
			last, ok := salvaged.ObjectByIndex(600)
			require.True(t, ok, "the objects behind the bad one are lost")
			read(t, last.Instance(0), 0, 0x99aabbcc+6)
		}},
		{`13.40 site names with "#"`, func(t *testing.T) {
			blk := mustBeClean(t, build(number(2, perftest.Instance{Name: "site#1"}, perftest.Instance{Name: "C# app"}, perftest.Instance{Name: "w3wp"}, perftest.Instance{Name: "w3wp"}, perftest.Instance{Name: "C# app"})).Bytes)
			require.Equal(t, []string{"site#1", "C# app", "w3wp", "w3wp#1", "C# app#1"}, displayNames(blk.Object(0)))
			require.Equal(t, "site#1", blk.Object(0).Instance(0).Name())
		}},
		{"13.41 title index shared by two objects", func(t *testing.T) {
			blk := mustBeClean(t, build(number(2, perftest.Instance{Name: "a", Values: []uint64{1}}), number(2, perftest.Instance{Name: "a", Values: []uint64{2}})).Bytes)
			require.Equal(t, 2, blk.NumObjects())
			read(t, blk.Object(0).Instance(0), 0, 1)
			read(t, blk.Object(1).Instance(0), 0, 2)
			require.Equal(t, []string{"a"}, displayNames(blk.Object(1)))
		}},
		{"13.42 TotalByteLength > bytes returned", func(t *testing.T) {
			b := plain().Build().Add("TotalByteLength", 4096).Bytes
			blk := mustParse(t, bytes.Clone(b))
			require.Equal(t, map[perfdump.Code]int{perfdata.CodeTotalLong: 1}, codes(blk))
			require.Equal(t, len(b), len(blk.Bytes()))
			wantPlain(t, blk)
		}},
		{"13.43 same text for two indexes", elsewhere("titles")},
		{"13.44 all-zero rows, PID 0: values kept (statuses: countertypes)", func(t *testing.T) {
			o := perftest.Object{Title: 230, PerfFreq: 10_000_000, PerfTime: 1, Counters: counters{{Title: 784, Type: dword}, {Title: 684, Type: 0x30240500}}}
			o.Instances = instances{{Name: "Idle"}, {Name: "later", Values: []uint64{4, 1 << 62}}, {Name: "gone"}}
			blk := mustBeClean(t, build(o).Bytes)
			require.Equal(t, []uint64{0, 0, 4, 1 << 62, 0, 0}, blk.Object(0).AppendUint64s(nil))
		}},
		{"13.45 counters x instances", func(t *testing.T) {
			b := product(1000, 1000)
			require.Less(t, len(b), 76<<10)
			_, err := parseIn(b, perfdump.Tolerant)
			require.ErrorIs(t, err, perfdump.ErrLimit)
		}},
		{"13.46 NumInstances -4", func(t *testing.T) {
			blk := mustParse(t, plain().Build().Set("object[1].NumInstances", -4).Bytes)
			require.Contains(t, codes(blk), perfdata.CodeNumInstances)
			opaque(t, blk)
		}},
		{"13.47 renamed titles in a later table", elsewhere("capture")},
	}
	require.Len(t, cases, 47)
	for i, c := range cases {
		require.Equal(t, fmt.Sprintf("13.%02d ", i+1), c.name[:6])
		t.Run(c.name, c.run)
	}
}
