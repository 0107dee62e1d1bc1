package perftest

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBusyIsDeterministicAndOfAServersSize(t *testing.T) {
	b := Busy(1, Server)
	require.Equal(t, b, Busy(1, Server))
	require.NotEqual(t, b, Busy(2, Server))
	require.Greater(t, len(b), 5<<20)
	require.Less(t, len(b), 10<<20)
	require.EqualValues(t, 120, binary.LittleEndian.Uint32(b[28:]))
	t.Logf("server %d bytes, next %d, small %d", len(b), len(BusyNext(1, Server)), len(Busy(1, Small)))
}

func TestBusyNextIsTheSameServerLater(t *testing.T) {
	old, now := BusyBlock(3, Server, 0), BusyBlock(3, Server, 1)
	require.Len(t, now.Objects, len(old.Objects))
	pids := map[uint64]int{}
	for i, b := range []*Block{old, now} {
		for _, in := range b.Objects[4].Instances {
			pids[in.Values[14]] |= 1 << i
		}
	}
	seen := [4]int{}
	for _, in := range pids {
		seen[in]++
	}
	require.Positive(t, seen[1], "none has ended")
	require.Positive(t, seen[2], "none has begun")
	require.Less(t, seen[1]+seen[2], 60)
	require.Len(t, old.Objects[4].Instances, 300)
	require.Len(t, old.Objects[5].Instances, 4000)
}

func TestStridesEndAtTheEnd(t *testing.T) {
	for name, b := range map[string][]byte{
		"busy": Busy(1, Small), "next": BusyNext(1, Small), "server": Busy(1, Server),
		"sized": Sized(1, 10<<10), "sized 1 MB": Sized(2, 1<<20), "wide": Wide(10, 100),
	} {
		t.Run(name, func(t *testing.T) {
			u32 := func(off int) int { return int(binary.LittleEndian.Uint32(b[off:])) }
			require.Equal(t, len(b), u32(20))
			at := u32(24)
			for range u32(28) {
				end, walk := at+u32(at), at+u32(at+4)
				n := int(int32(binary.LittleEndian.Uint32(b[at+40:])))
				if n == -1 {
					walk += u32(walk)
				}
				for range max(n, 0) {
					walk += u32(walk)
					walk += u32(walk)
				}
				require.Equal(t, end, walk)
				at = end
			}
			require.Equal(t, len(b), at)
		})
	}
}

func TestSizedIsCloseToTheSizeAsked(t *testing.T) {
	for _, n := range []int{10 << 10, 100 << 10, 1 << 20, 10 << 20} {
		got := len(Sized(1, n))
		require.LessOrEqual(t, got, n)
		require.Greater(t, got, n*95/100)
	}
}

func TestImageKnowsWhereFieldsStand(t *testing.T) {
	b := Block{Name: "HOST", Objects: []Object{{
		Title: 230, Counters: []Counter{{Title: 6, Type: 0x10410400}, {Title: 8, Type: 0x10410500}},
		Instances: []Instance{{Name: "a", Values: []uint64{7, 9}}, {Name: "b"}},
	}}}
	m := b.Build()
	require.Equal(t, b.Bytes(), m.Bytes)
	require.EqualValues(t, len(m.Bytes), m.Get("TotalByteLength"))
	require.EqualValues(t, 104, m.Get("HeaderLength"))
	require.EqualValues(t, 2, m.Get("object[0].NumInstances"))
	require.EqualValues(t, 0x10410500, m.Get("object[0].counter[1].CounterType"))
	require.EqualValues(t, 9, m.Get("object[0].instance[0].value[1]"))
	require.EqualValues(t, 5, m.Clone().Set("object[0].instance[0].value[1]", 5).Get("object[0].instance[0].value[1]"))
	require.EqualValues(t, 9, m.Get("object[0].instance[0].value[1]"))
	last := -1
	for _, path := range m.Leaves {
		require.Greater(t, m.At(path).Off, last, path)
		last = m.At(path).Off
	}
}
