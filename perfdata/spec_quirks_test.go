package perfdata_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// displaced makes of a block what Wine 8.0 makes of it: the objects stand 88
// bytes further, the bytes before them are what the caller had there, and the
// last 88 bytes are gone.
func displaced(b []byte) []byte {
	header := binary.LittleEndian.Uint32(b[24:])
	raw := append([]byte(nil), b[:header]...)
	raw = append(raw, bytes.Repeat([]byte{0xCC}, 88)...)
	return append(raw, b[header:len(b)-88]...)
}

func TestSpecQuirkWine(t *testing.T) {
	check := func(t *testing.T, raw, repaired []byte) {
		for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict} {
			_, err := parseIn(raw, mode)
			require.ErrorIs(t, err, perfdump.ErrLength)
			require.Contains(t, err.Error(), "88", "the message does not tell what a reader can do")
		}
		blk, err := parseIn(raw, perfdump.Salvage)
		require.NoError(t, err)
		checkBlock(t, blk, raw)
		require.Contains(t, codes(blk), perfdata.CodeDisplaced)
		require.NotEmpty(t, blk.Faults(), "the last object has lost 88 bytes")
		whole := mustParse(t, repaired)
		kept := 0
		for i, want := range whole.Objects() {
			if want.Offset()+88+int64(want.TotalByteLength) > int64(len(raw)) {
				break // the last 88 bytes belong to it
			}
			kept++
			require.Less(t, i, blk.NumObjects())
			o := blk.Object(i)
			require.Equal(t, want.ObjectType, o.ObjectType)
			require.Equal(t, want.Offset()+88, o.Offset())
			require.Equal(t, want.AppendUint64s(nil), o.AppendUint64s(nil))
			for j, in := range o.Instances() {
				require.Equal(t, want.Instance(j).RawName(), in.RawName())
			}
		}
		require.Positive(t, kept)
	}
	t.Run("made", func(t *testing.T) {
		b := plain().Bytes()
		check(t, displaced(b), b)
	})
	for _, name := range []string{"basic-x86_64-1", "inst-x86_64-1"} {
		t.Run(name, func(t *testing.T) {
			check(t, capture(t, "wine/"+name+".raw-wine.bin"), capture(t, "wine/"+name+".bin"))
		})
	}
	t.Run("no provider", func(t *testing.T) {
		blk := mustParse(t, capture(t, "wine/empty-global-x86_64-1.bin"))
		require.Zero(t, blk.NumObjects())
	})
	t.Run("an object of 88 bytes is not a gap", func(t *testing.T) {
		b := (&perftest.Block{Objects: []perftest.Object{
			{Title: 2, DefinitionGap: 24, NumInstances: 0},
			{Title: 4, Counters: []perftest.Counter{{Title: 6, Type: 0x00010000}}, Single: true, Instances: []perftest.Instance{{Values: []uint64{7}}}},
		}}).Build()
		require.EqualValues(t, 88, b.Get("object[0].TotalByteLength"))
		blk, err := parseIn(b.Bytes, perfdump.Salvage)
		require.NoError(t, err)
		require.NotContains(t, codes(blk), perfdata.CodeDisplaced)
		require.Equal(t, 2, blk.NumObjects())
		require.EqualValues(t, 2, blk.Object(0).ObjectNameTitleIndex)
	})
	t.Run("garbage is not displaced", func(t *testing.T) {
		b := plain().Build()
		b.Set("object[0].TotalByteLength", 1<<30)
		blk, err := parseIn(b.Bytes, perfdump.Salvage)
		if err == nil {
			require.NotContains(t, codes(blk), perfdata.CodeDisplaced)
		}
	})
}

// samba is a block as Samba writes one: TotalByteLength leaves the header out,
// parts are padded by 8 - x mod 8, counters of DWORD types take 8 bytes.
func samba(name string, instances ...string) []byte {
	b := &perftest.Block{Name: name, DefaultObject: -1, Objects: []perftest.Object{
		{Title: 2, Single: true, Counters: []perftest.Counter{{Title: 4, Type: 0x10410400, Size: 8}}, BlockExtra: 8, Instances: []perftest.Instance{{Values: []uint64{77}}}},
		{Title: 6, Counters: []perftest.Counter{{Title: 8, Type: 0x10410400, Size: 8}}, DefinitionGap: 8, Tail: 8},
	}}
	for i, in := range instances {
		b.Objects[1].Instances = append(b.Objects[1].Instances, perftest.Instance{Name: in, NameStale: 8, Values: []uint64{uint64(i)}})
	}
	m := b.Build()
	return m.Add("TotalByteLength", -int64(m.Get("HeaderLength"))).Bytes
}

func TestSpecQuirkSamba(t *testing.T) {
	one := samba("SAMBA", "smbd", "nmbd")
	blk := mustParse(t, one)
	require.Equal(t, map[perfdump.Code]int{perfdata.CodeTotalShort: 1, perfdata.CodeSizeMismatch: 2}, codes(blk))
	require.Equal(t, len(one), blk.Size())
	require.Nil(t, blk.Rest())
	require.EqualValues(t, -1, blk.DefaultObject)
	v := blk.Object(0).Instance(0).Value(0)
	require.Equal(t, perfdata.Uint64, v.Kind)
	require.EqualValues(t, 77, v.Uint)
	require.Equal(t, []string{"smbd", "nmbd"}, displayNames(blk.Object(1)))
	_, err := parseIn(one, perfdump.Strict)
	require.ErrorIs(t, err, perfdump.ErrAnomaly)

	t.Run("the next block begins at the sum", func(t *testing.T) {
		file := bytes.Join([][]byte{one, samba("TWO", "a"), plain().Bytes()}, nil)
		var names []string
		var at []int64
		for blk, err := range perfdata.Blocks(file, perfdata.Options{}) {
			require.NoError(t, err)
			names, at = append(names, blk.ComputerName()), append(at, blk.Offset())
		}
		require.Equal(t, []string{"SAMBA", "TWO", "HOST"}, names)
		require.Equal(t, []int64{0, int64(len(one)), int64(len(one) + len(samba("TWO", "a")))}, at)
	})
	t.Run("no objects", func(t *testing.T) {
		for _, total := range []int64{0, 48} { // both say 0
			m := (&perftest.Block{Name: "SAMBA"}).Build().Set("TotalByteLength", total)
			blk := mustParse(t, m.Bytes)
			require.Equal(t, map[perfdump.Code]int{perfdata.CodeTotalShort: 1}, codes(blk))
			require.Equal(t, len(m.Bytes), blk.Size())
			n := 0
			for _, err := range perfdata.Blocks(append(m.Bytes, one...), perfdata.Options{}) {
				require.NoError(t, err)
				n++
			}
			require.Equal(t, 2, n)
		}
	})
	t.Run("not when the chain ends elsewhere", func(t *testing.T) {
		m := plain().Build()
		m.Add("TotalByteLength", -int64(m.Get("HeaderLength"))+8)
		_, err := parseIn(m.Bytes, perfdump.Tolerant)
		require.ErrorIs(t, err, perfdump.ErrLength)
	})
	t.Run("an object more than there is room for", func(t *testing.T) {
		for _, tail := range []int{0, 1, 3, 4, 63} {
			m := (&perftest.Block{Name: "SAMBA", Objects: []perftest.Object{{Title: 2, DefinitionGap: 64}}}).Build()
			m.Add("TotalByteLength", int64(tail)-int64(m.Get("HeaderLength"))).Set("NumObjectTypes", 2)
			m.Bytes = append(m.Bytes, make([]byte, tail)...)
			_, err := checkAny(t, m.Bytes)
			require.Error(t, err)
		}
	})
	t.Run("an object longer than all", func(t *testing.T) {
		for _, more := range []int64{1, 8, 64, 100, 1000, 1 << 30} {
			m := (&perftest.Block{Name: "SAMBA", Objects: []perftest.Object{{Title: 2}, {Title: 4}}}).Build()
			m.Add("TotalByteLength", -int64(m.Get("HeaderLength"))).Add("object[0].TotalByteLength", 64+more)
			_, err := checkAny(t, m.Bytes)
			formatError(t, err)
		}
	})
	t.Run("objects shorter than the header", func(t *testing.T) { // the sum is below HeaderLength
		m := (&perftest.Block{Name: "A HOST WITH A LONG NAME", Objects: []perftest.Object{{Title: 2}}}).Build()
		m.Add("TotalByteLength", -int64(m.Get("HeaderLength")))
		require.Less(t, m.Get("TotalByteLength"), m.Get("HeaderLength"))
		blk := mustParse(t, m.Bytes)
		require.Equal(t, map[perfdump.Code]int{perfdata.CodeTotalShort: 1}, codes(blk))
		require.Equal(t, 1, blk.NumObjects())
	})
}

// ESE rounds every counter to 8, starts at 8, pads all objects to the largest
// block and leaves stale bytes behind names.
func TestSpecQuirkESE(t *testing.T) {
	b := &perftest.Block{Name: "ESE"}
	for i := range uint32(4) {
		o := perftest.Object{Title: 2 + 20*i, BlockExtra: int(8 * (4 - i))}
		for c := range i + 1 {
			o.Counters = append(o.Counters, perftest.Counter{Title: 4 + 20*i + 2*c, Type: 0x00010000, Offset: int(8 + 8*c)})
		}
		o.Instances = []perftest.Instance{{Name: "lsass/NTDSA", NameStale: 40, Values: []uint64{11, 12, 13, 14}}, {Name: "_Total", NameStale: 50, Values: []uint64{21, 22, 23, 24}}}
		b.Objects = append(b.Objects, o)
	}
	blk := mustBeClean(t, b.Bytes())
	for i, o := range blk.Objects() {
		require.Equal(t, []uint64{11, 12, 13, 14}[:i+1], o.Instance(0).AppendUint64s(nil))
		require.Equal(t, []uint64{21, 22, 23, 24}[:i+1], o.Instance(1).AppendUint64s(nil))
		require.Equal(t, []string{"lsass/NTDSA", "_Total"}, displayNames(o))
	}
}

// Event 1016: one bad provider shifts all that comes after it.
func TestSpecQuirkMisalignment(t *testing.T) {
	want := mustParse(t, plain().Bytes())
	for n := 1; n < 8; n++ {
		b := plain()
		b.Objects[0].Tail = n
		blk := mustParse(t, b.Bytes())
		require.Contains(t, codes(blk), perfdata.CodeMisaligned)
		for i, o := range blk.Objects() {
			require.Equal(t, want.Object(i).AppendUint64s(nil), o.AppendUint64s(nil), "%d bytes off", n)
			require.Equal(t, displayNames(want.Object(i)), displayNames(o), "%d bytes off", n)
		}
	}
}
