package wire

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
)

func TestLoads(t *testing.T) {
	b := []byte{0, 1, 0x82, 3, 0x84, 5, 0x86, 7, 0x88, 9, 0x8A}
	for off := range len(b) - 8 {
		require.Equal(t, binary.LittleEndian.Uint16(b[off:]), U16(b, off))
		require.Equal(t, binary.LittleEndian.Uint32(b[off:]), U32(b, off))
		require.Equal(t, binary.LittleEndian.Uint64(b[off:]), U64(b, off))
	}
}

// A load must not see the spare capacity behind a slice.
func TestLoadsStopAtTheLength(t *testing.T) {
	b := make([]byte, 16)[:7]
	require.Panics(t, func() { U16(b, 6) })
	require.Panics(t, func() { U32(b, 4) })
	require.Panics(t, func() { U64(b, 0) })
	require.NotPanics(t, func() { U16(b, 5); U32(b, 3) })
}

func TestLayout(t *testing.T) {
	type header struct {
		Signature [4]uint16 `struc:"[4]uint16,little" span:"utf16" doc:"PERF"`
		Flags     uint32    `struc:"uint32,little" span:"hex"`
		Scale     int32     `struc:"int32,little"`
		Time      uint64    `struc:"uint64,little" span:"filetime"`
		Small     uint8     `struc:"uint8,little"`
		Pad       [3]uint8  `struc:"[3]uint8,little" span:"pad"`
	}
	fields, size := Layout(header{})
	require.Equal(t, 28, size)
	require.Equal(t, Field{Name: "Signature", Off: 0, Size: 8, Kind: perfdump.KindUTF16, Doc: "PERF"}, fields[0])
	require.Equal(t, Field{Name: "Flags", Off: 8, Size: 4, Kind: perfdump.KindHex}, fields[1])
	require.Equal(t, Field{Name: "Scale", Off: 12, Size: 4, Kind: perfdump.KindInt}, fields[2])
	require.Equal(t, Field{Name: "Time", Off: 16, Size: 8, Kind: perfdump.KindFiletime}, fields[3])
	require.Equal(t, Field{Name: "Small", Off: 24, Size: 1, Kind: perfdump.KindUint}, fields[4])
	require.Equal(t, Field{Name: "Pad", Off: 25, Size: 3, Kind: perfdump.KindPadding}, fields[5])

	require.Panics(t, func() { Layout(struct{ A uint32 }{}) }, "no byte order")
	require.Panics(t, func() {
		Layout(struct {
			A uint32 `struc:"uint32,little" span:"what"`
		}{})
	})
	require.Panics(t, func() {
		Layout(struct {
			A string `struc:"[]byte,little"`
		}{})
	})
}

func TestAllZero(t *testing.T) {
	sizes := []int{len(zeros) - 1, len(zeros), len(zeros) + 1, 2 * len(zeros), 2*len(zeros) + 1}
	for n := range 40 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		b := make([]byte, n)
		if !AllZero(b) {
			t.Errorf("%d zeros", n)
		}
		for i := range b {
			b[i] = 1
			if AllZero(b) {
				t.Errorf("a byte at %d of %d", i, n)
			}
			b[i] = 0
		}
	}
}
