package perfdata_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// Rule 3.11: a file may hold several blocks.
func TestSpecSeveralBlocks(t *testing.T) {
	a, b := plain().Bytes(), perftest.Busy(1, perftest.Size{Processes: 4, Threads: 14, Single: 2})
	read := func(file []byte, o perfdata.Options) (blocks []*perfdata.Block, err error) {
		for blk, e := range perfdata.Blocks(file, o) {
			if e != nil {
				require.NoError(t, err, "the sequence goes on after an error")
				require.Nil(t, blk)
				err = e
				continue
			}
			blocks = append(blocks, blk)
		}
		return blocks, err
	}
	for _, mode := range modes {
		blocks, err := read(bytes.Join([][]byte{a, b, a, b}, nil), perfdata.Options{Mode: mode})
		require.NoError(t, err)
		require.Len(t, blocks, 4)
		at := int64(0)
		for i, blk := range blocks { // each its own: all are still valid
			want := mustParse(t, [][]byte{a, b}[i%2])
			require.Equal(t, at, blk.Offset())
			require.Equal(t, want.Bytes(), blk.Bytes())
			require.Empty(t, told(blk))
			for n, o := range blk.Objects() {
				require.Equal(t, at+want.Object(n).Offset(), o.Offset())
				require.Equal(t, want.Object(n).AppendUint64s(nil), o.AppendUint64s(nil))
			}
			checkSpans(t, blk)
			at += int64(len(blk.Bytes()))
		}
	}

	t.Run("Parse gives the first and the rest", func(t *testing.T) {
		file := append(bytes.Clone(a), b...)
		blk := mustParse(t, file)
		require.Equal(t, a, blk.Bytes())
		require.Equal(t, b, blk.Rest())
		require.Empty(t, told(blk))
		require.Nil(t, mustParse(t, blk.Rest()).Rest())
	})
	t.Run("bytes after the last are kept", func(t *testing.T) {
		file := append(append(bytes.Clone(a), b...), 1, 2, 3)
		blocks, err := read(file, perfdata.Options{})
		require.NoError(t, err)
		require.Len(t, blocks, 2)
		require.Empty(t, told(blocks[0]))
		require.Equal(t, map[perfdump.Code]int{perfdata.CodeTrailingBytes: 1}, codes(blocks[1]))
		require.Equal(t, file, append(bytes.Clone(blocks[0].Bytes()), blocks[1].Bytes()...))
	})
	t.Run("a damaged second block", func(t *testing.T) {
		bad := plain().Build().Set("object[0].TotalByteLength", 0).Bytes
		file := bytes.Join([][]byte{a, bad, b}, nil)
		blocks, err := read(file, perfdata.Options{})
		require.Len(t, blocks, 1)
		require.ErrorIs(t, err, perfdump.ErrLength)
		fe := formatError(t, err)
		require.Greater(t, fe.Off, int64(len(a)))
		require.Less(t, fe.Off, int64(len(a)+len(bad)), "the offset is one of the file")
	})
	t.Run("a cut last block", func(t *testing.T) {
		file := append(bytes.Clone(a), b[:len(b)-10]...)
		blocks, err := read(file, perfdata.Options{})
		require.Len(t, blocks, 1)
		require.ErrorIs(t, err, perfdump.ErrTruncated)
	})
	t.Run("a length that runs over the next block", func(t *testing.T) {
		first := plain().Build().Add("TotalByteLength", int64(len(b))).Bytes
		blk := mustParse(t, append(bytes.Clone(first), b...))
		require.Equal(t, map[perfdump.Code]int{perfdata.CodeTotalLong: 1}, codes(blk))
		require.Equal(t, int64(20), blk.Anomalies().Kept()[0].Off)
		require.Equal(t, first, blk.Bytes())
		require.Equal(t, b, blk.Rest())
	})
	t.Run("bytes that look like a block, and one behind them", func(t *testing.T) {
		gap := append(bytes.Clone(b[:8]), make([]byte, 24)...)
		first := append(plain().Build().Add("TotalByteLength", int64(len(gap))).Bytes, gap...)
		blk := mustParse(t, append(bytes.Clone(first), b...))
		require.Equal(t, map[perfdump.Code]int{perfdata.CodeGap: 1}, codes(blk))
		require.Equal(t, first, blk.Bytes())
		require.Equal(t, b, blk.Rest())
	})
	t.Run("no bytes", func(t *testing.T) {
		blocks, err := read(nil, perfdata.Options{})
		require.Empty(t, blocks)
		require.ErrorIs(t, err, perfdump.ErrEmpty)
	})
	t.Run("stopped early", func(t *testing.T) {
		for range perfdata.Blocks(bytes.Repeat(a, 3), perfdata.Options{}) {
			break
		}
	})
}

// Rule 3.9: the signature decides; a big-endian block is refused whatever its
// flag, one byte of the signature off is no signature.
func TestSpecByteOrder(t *testing.T) {
	m := plain().Build()
	for _, flag := range []int64{0, 1, 1 << 24, -1} {
		b := m.Clone().Set("LittleEndian", flag).Bytes
		copy(b, "\x00P\x00E\x00R\x00F")
		for _, mode := range modes {
			_, err := parseIn(b, mode)
			require.ErrorIs(t, err, perfdump.ErrBigEndian, "flag %d, %s", flag, mode)
		}
	}
	blk := mustParse(t, m.Clone().Set("LittleEndian", 0).Bytes)
	require.Equal(t, map[perfdump.Code]int{perfdata.CodeFlagContradiction: 1}, codes(blk))
	wantPlain(t, blk)
}

// Rule 3.3 in one block: instances, none now, one unnamed, metadata alone and
// a count that is none of these.
func TestSpecNumInstances(t *testing.T) {
	counters := []perftest.Counter{{Title: 4, Type: 0x00010000}, {Title: 6, Type: 0x10410500}}
	b := &perftest.Block{Objects: []perftest.Object{
		{Title: 10, Counters: counters, NumInstances: 0},
		{Title: 12, Counters: counters, Single: true, Instances: []perftest.Instance{{Values: []uint64{1, 2}}}},
		{Title: 14, Counters: counters, NumInstances: -2},
		{Title: 16, Counters: counters, Instances: []perftest.Instance{{Name: "a", Values: []uint64{3, 4}}}},
		{Title: 18, Counters: counters, NumInstances: -3},
		{Title: 20, Counters: counters, Instances: []perftest.Instance{{Name: "b", Values: []uint64{5, 6}}, {Unnamed: true, Values: []uint64{7, 8}}}},
		{Title: 22, Counters: counters, NumInstances: 0},
	}}
	blk := mustBeClean(t, b.Bytes())
	values := [][]uint64{nil, {1, 2}, nil, {3, 4}, nil, {5, 6, 7, 8}, nil}
	for i, o := range blk.Objects() {
		require.Equal(t, len(values[i])/2, o.Len(), "object %d", i)
		require.Equal(t, values[i], o.AppendUint64s(nil))
		require.Len(t, o.Counters(), 2)
		require.Equal(t, o.NumInstances == -1 || o.NumInstances == -3, o.Single(), "object %d", i)
	}
	in := blk.Object(1).Instance(0)
	require.False(t, in.Defined())
	require.EqualValues(t, -1, in.UniqueID())
	require.Empty(t, in.Name())
	require.Empty(t, in.RawName())
	require.Equal(t, perfdata.InstanceDefinition{UniqueID: -1}, in.Definition())
	require.True(t, blk.Object(5).Instance(1).Defined())

	b.Objects[2].NumInstances = -4
	odd := mustParse(t, b.Bytes())
	require.Equal(t, map[perfdump.Code]int{perfdata.CodeNumInstances: 1}, codes(odd))
	require.Zero(t, odd.Object(2).Len())
	require.Equal(t, []uint64{5, 6, 7, 8}, odd.Object(5).AppendUint64s(nil))
}

// Rule 3.5: the parent's name in the parent's code page, one level only.
func TestSpecParents(t *testing.T) {
	b := &perftest.Block{Objects: []perftest.Object{
		number(40, perftest.Instance{Name: "leaf", ParentTitle: 30, Parent: 1}, perftest.Instance{Name: "orphan", ParentTitle: 99}, perftest.Instance{Name: "free", Parent: 5}),
		number(30, perftest.Instance{Name: "first"}, perftest.Instance{RawName: []byte("caf\xe9\x00"), ParentTitle: 20}),
		number(20, perftest.Instance{Name: "root"}),
		number(30, perftest.Instance{Name: "x"}, perftest.Instance{Name: "the second object of that title"}),
	}}
	b.Objects[1].CodePage = 1252
	blk := mustBeClean(t, b.Bytes())
	require.Equal(t, "café/leaf", blk.Object(0).Instance(0).FullName())
	require.Equal(t, "root/café", blk.Object(1).Instance(1).FullName())
	parent, ok := blk.Object(0).Instance(0).Parent()
	require.True(t, ok)
	require.Equal(t, "café", parent.Name())
	require.Equal(t, blk.Object(1).Instance(1).Offset(), parent.Offset())
	_, ok = blk.Object(0).Instance(1).Parent()
	require.False(t, ok)
	require.Equal(t, []string{"café/leaf", "orphan", "free"}, displayNames(blk.Object(0)))

	t.Run("its own parent", func(t *testing.T) {
		b := &perftest.Block{Objects: []perftest.Object{number(2, perftest.Instance{Name: "a", ParentTitle: 2}, perftest.Instance{Name: "b", ParentTitle: 2})}}
		blk := mustParse(t, b.Bytes())
		require.Equal(t, "a/a", blk.Object(0).Instance(0).FullName())
		require.Equal(t, "a/b", blk.Object(0).Instance(1).FullName())
	})
	t.Run("a parent without instances", func(t *testing.T) {
		b := &perftest.Block{Objects: []perftest.Object{number(2, perftest.Instance{Name: "a", ParentTitle: 4}), number(4)}}
		blk := mustParse(t, b.Bytes())
		require.Equal(t, map[perfdump.Code]int{perfdata.CodeParentRange: 1}, codes(blk))
		require.Equal(t, "a", blk.Object(0).Instance(0).FullName())
	})
}

// Rule 3.6: equal full names are numbered in block order, without regard to
// case; the raw name stays.
func TestSpecDuplicates(t *testing.T) {
	names := []string{"svchost", "Idle", "SVCHOST", "w3wp", "svchost", "idle", "w3wp#1", "", ""}
	o := number(230)
	for _, name := range names {
		o.Instances = append(o.Instances, perftest.Instance{Name: name})
	}
	child := number(232,
		perftest.Instance{Name: "0", ParentTitle: 230}, perftest.Instance{Name: "0", ParentTitle: 230, Parent: 4},
		perftest.Instance{Name: "0", ParentTitle: 230, Parent: 2}, perftest.Instance{Name: "0", ParentTitle: 230, Parent: 3})
	blk := mustBeClean(t, (&perftest.Block{Objects: []perftest.Object{o, child}}).Bytes())
	require.Equal(t, []string{"svchost", "Idle", "SVCHOST#1", "w3wp", "svchost#2", "idle#1", "w3wp#1"}, displayNames(blk.Object(0))[:7])
	require.Equal(t, []string{"svchost/0", "svchost/0#1", "SVCHOST/0#2", "w3wp/0"}, displayNames(blk.Object(1)))
	for i, in := range blk.Object(0).Instances() {
		require.Equal(t, names[i], in.Name())
		require.Equal(t, names[i], in.FullName())
	}
}

// Rules 3.4 and 3.8: the texts of names and values in all their code pages.
func TestSpecTexts(t *testing.T) {
	for page, row := range map[uint32]struct {
		raw  string
		want string
	}{
		1252:  {"caf\xe9 \x80\x00", "café €"},
		1251:  {"\xcf\xf0\xee\xf6\xe5\xf1\xf1\x00", "Процесс"},
		932:   {"\x8e\xa9\x93\xae\x00", "自動"},
		936:   {"\xbc\xe0\xbf\xd8\x00", "监控"},
		437:   {"\x81ber\x00", "über"},
		65001: {"\xc3\xbcber \xe6\xbc\xa2\x00", "über 漢"},
		20127: {"plain\x00", "plain"},
		0:     {"\x22\x6f\x3d\xd8\x00\xde\x00\x00", "漢😀"},
	} {
		t.Run(fmt.Sprint(page), func(t *testing.T) {
			o := number(2, perftest.Instance{RawName: []byte(row.raw)})
			o.CodePage = page
			blk := mustBeClean(t, (&perftest.Block{Objects: []perftest.Object{o}}).Bytes())
			require.Equal(t, row.want, blk.Object(0).Instance(0).Name())
			require.Equal(t, row.raw, string(blk.Object(0).Instance(0).RawName()))
		})
	}
	text := func(kind uint32, page uint32, raw string, option uint32) string {
		o := perftest.Object{
			Title: 2, CodePage: page, Counters: []perftest.Counter{{Title: 4, Type: kind, Size: len(raw)}},
			Single: true, Instances: []perftest.Instance{{Raw: map[int][]byte{0: []byte(raw)}}},
		}
		blk, err := perfdata.Parse((&perftest.Block{Objects: []perftest.Object{o}}).Bytes(), perfdata.Options{CodePage: option})
		require.NoError(t, err)
		v := blk.Object(0).Instance(0).Value(0)
		require.Equal(t, perfdata.Text, v.Kind)
		require.Equal(t, raw, string(v.Raw))
		return v.Text()
	}
	const unicode, ascii = 0x00000B00, 0x00010B00
	require.Equal(t, "ab", text(unicode, 0, "a\x00b\x00\x00\x00c\x00", 0), "up to the first NUL")
	require.Equal(t, "ab", text(unicode, 0, "a\x00b\x00", 0), "a missing NUL is fine")
	require.Equal(t, "ab", text(unicode, 0, "a\x00b\x00c", 0), "an odd last byte is dropped")
	require.Equal(t, "ab", text(unicode, 1252, "a\x00b\x00", 0), "the code page is not for UTF-16")
	require.Equal(t, "é", text(ascii, 0, "\xe9\x00x", 0), "the default page is 1252")
	require.Equal(t, "й", text(ascii, 0, "\xe9", 1251), "the option")
	require.Equal(t, "й", text(ascii, 1251, "\xe9", 1252), "the object's page")
	require.Equal(t, "é", text(ascii, 54321, "\xe9", 0), "an unknown page")
	require.Empty(t, text(unicode, 0, "\x00\x00", 0))
	require.Empty(t, text(unicode, 0, "a", 0))
	// Texts of 4 and 8 bytes are texts, not numbers.
	require.Equal(t, "four", text(ascii, 0, "four", 0))
	require.Equal(t, "eight by", text(ascii, 0, "eight by", 0))
}

// Times at the offsets of section 1.
func TestSpecTimes(t *testing.T) {
	b := &perftest.Block{PerfTime100nSec: 132_289_892_439_880_000, PerfTime: -5, PerfFreq: 3_579_545}
	m := b.Build()
	blk := mustBeClean(t, m.Bytes)
	at, ok := blk.Time()
	require.True(t, ok)
	require.Equal(t, time.Unix(132_289_892_43-11_644_473_600, 988_000_000).UTC(), at)
	require.EqualValues(t, -5, blk.PerfTime)
	require.EqualValues(t, 3_579_545, blk.PerfFreq)
	require.EqualValues(t, int64(132_289_892_439_880_000), blk.PerfTime100nSec)
	// 13.23: what stands in the padding after the SYSTEMTIME shows nowhere.
	other := mustBeClean(t, m.Clone().Set("Padding", -1).Bytes)
	moment, ok := other.Time()
	require.True(t, ok)
	require.Equal(t, at, moment)
	require.Equal(t, blk.PerfTime, other.PerfTime)
}
