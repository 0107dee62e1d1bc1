package perfdata_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// displaced makes of a block what Wine 8.0 makes of it: the objects are 88
// bytes further, the bytes before them are what the caller had there, and the
// last 88 bytes are gone.
func displaced(b []byte) []byte {
	header := binary.LittleEndian.Uint32(b[24:])
	raw := append(bytes.Clone(b[:header]), bytes.Repeat([]byte{0xCC}, 88)...)
	return append(raw, b[header:len(b)-88]...)
}

func TestSpecQuirkWine(t *testing.T) {
	salvage := func(b []byte) *perfdata.Block {
		blk, err := parseIn(b, perfdump.Salvage)
		require.NoError(t, err)
		return blk
	}
	check := func(t *testing.T, raw, repaired []byte) {
		for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict} {
			_, err := parseIn(raw, mode)
			require.ErrorIs(t, err, perfdump.ErrLength)
			require.Contains(t, err.Error(), "88", "the message does not say what a reader can do")
		}
		blk := salvage(raw)
		checkBlock(t, blk, raw)
		require.Contains(t, codes(blk), perfdump.Code("displaced"))
		require.NotZero(t, blk.NumFaults(), "the last object has lost 88 bytes")
		kept := 0
		for i, want := range mustParse(t, repaired).Objects() {
			if want.Offset()+88+int64(want.TotalByteLength) > int64(len(raw)) {
				break // the last 88 bytes belong to it
			}
			kept++
			o := blk.Object(i)
			require.Equal(t, want.ObjectType, o.ObjectType)
			require.Equal(t, want.Offset()+88, o.Offset())
			require.Equal(t, want.AppendUint64s(nil), o.AppendUint64s(nil))
			require.Equal(t, displayNames(want), displayNames(o))
		}
		require.Positive(t, kept)
	}
	check(t, displaced(plain().Bytes()), plain().Bytes())
	// An object of 88 bytes is no gap, and garbage is not displaced.
	b := (&perftest.Block{Objects: []perftest.Object{{Title: 2, DefinitionGap: 24}, number(4, perftest.Instance{Name: "a"})}}).Build()
	require.EqualValues(t, 88, b.Get("object[0].TotalByteLength"))
	require.NotContains(t, codes(salvage(b.Bytes)), perfdump.Code("displaced"))
	require.Equal(t, 2, salvage(b.Bytes).NumObjects())
	require.NotContains(t, codes(salvage(b.Set("object[0].TotalByteLength", 1<<30).Bytes)), perfdump.Code("displaced"))
	for _, name := range []string{"basic-x86_64-1", "inst-x86_64-1"} {
		t.Run(name, func(t *testing.T) {
			check(t, capture(t, "wine/"+name+".raw-wine.bin"), capture(t, "wine/"+name+".bin"))
		})
	}
}

// samba is a block as Samba writes one: TotalByteLength leaves the header out,
// parts are padded by 8 - x mod 8, counters of DWORD types take 8 bytes.
func samba(name string, instances ...string) []byte {
	b := &perftest.Block{Name: name, DefaultObject: -1, Objects: []perftest.Object{
		{Title: 2, Single: true, Counters: counters{{Title: 4, Type: 0x10410400, Size: 8}}, BlockExtra: 8, Instances: []perftest.Instance{{Values: []uint64{77}}}},
		{Title: 6, Counters: counters{{Title: 8, Type: 0x10410400, Size: 8}}, DefinitionGap: 8, Tail: 8},
	}}
	for i, in := range instances {
		b.Objects[1].Instances = append(b.Objects[1].Instances, perftest.Instance{Name: in, NameStale: 8, Values: []uint64{uint64(i)}})
	}
	m := b.Build()
	return m.Add("TotalByteLength", -int64(m.Get("HeaderLength"))).Bytes
}

func TestSpecQuirkSamba(t *testing.T) {
	one, two := samba("SAMBA", "smbd", "nmbd"), samba("TWO", "a")
	blk := mustParse(t, one)
	require.Equal(t, map[perfdump.Code]int{"total-short": 1, "size-mismatch": 2}, codes(blk))
	require.Equal(t, len(one), blk.Size())
	require.Nil(t, blk.Rest())
	require.Equal(t, []string{
		`"SAMBA" [2025 8 1 18 14 13 20 0] 9876543210123: 2 objects, default -1`, "object[0] 2: 4;  = 0x4d", "object[1] 6: 8; smbd = 0x0; nmbd = 0x1",
	}, brief(blk))
	_, err := parseIn(one, perfdump.Strict)
	require.ErrorIs(t, err, perfdump.ErrAnomaly)

	var found []string // the next block begins where the objects end
	for blk, err := range perfdata.Blocks(bytes.Join([][]byte{one, two, plain().Bytes()}, nil), perfdump.Options{}) {
		require.NoError(t, err)
		found = append(found, fmt.Sprint(blk.ComputerName(), blk.Offset()))
	}
	require.Equal(t, []string{"SAMBA0", fmt.Sprint("TWO", len(one)), fmt.Sprint("HOST", len(one)+len(two))}, found)
	for _, total := range []int64{0, 48} { // no objects
		m := (&perftest.Block{Name: "SAMBA"}).Build().Set("TotalByteLength", total)
		blk := mustParse(t, append(m.Bytes, one...))
		require.Equal(t, map[perfdump.Code]int{"total-short": 1}, codes(blk))
		require.Equal(t, m.Bytes, blk.Bytes())
		require.Equal(t, one, blk.Rest())
	}
	m := plain().Build() // the chain ends elsewhere
	_, err = parseIn(m.Add("TotalByteLength", 8-int64(m.Get("HeaderLength"))).Bytes, perfdump.Tolerant)
	require.ErrorIs(t, err, perfdump.ErrLength)
	for _, tail := range []int{0, 1, 3, 4, 63} { // fewer bytes than an object more needs
		m := (&perftest.Block{Name: "SAMBA", Objects: []perftest.Object{{Title: 2, DefinitionGap: 64}}}).Build()
		m.Add("TotalByteLength", int64(tail)-int64(m.Get("HeaderLength"))).Set("NumObjectTypes", 2)
		_, err := checkAny(t, append(m.Bytes, make([]byte, tail)...))
		require.Error(t, err)
	}
	for _, more := range []int64{1, 8, 64, 100, 1000, 1 << 30} { // an object longer than all
		m := (&perftest.Block{Name: "SAMBA", Objects: []perftest.Object{{Title: 2}, {Title: 4}}}).Build()
		m.Add("TotalByteLength", -int64(m.Get("HeaderLength"))).Add("object[0].TotalByteLength", 64+more)
		_, err := checkAny(t, m.Bytes)
		formatError(t, err)
	}
	m = (&perftest.Block{Name: "A HOST WITH A LONG NAME", Objects: []perftest.Object{{Title: 2}}}).Build()
	m.Add("TotalByteLength", -int64(m.Get("HeaderLength"))) // objects shorter than the header
	require.Less(t, m.Get("TotalByteLength"), m.Get("HeaderLength"))
	require.Equal(t, map[perfdump.Code]int{"total-short": 1}, codes(mustParse(t, m.Bytes)))
}
