package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/wire"
)

type named uint32

type header struct {
	Signature [4]uint16 `struc:"[4]uint16,little" span:"utf16" doc:"PERF"`
	Flags     named     `struc:"uint32,little" span:"hex" name:"head.flags"`
	Scale     int32     `struc:"int32,little"`
	Time      uint64    `struc:"uint64,little" span:"filetime"`
	Small     int8      `struc:"int8,little"`
	Pad       [3]uint8  `struc:"[3]uint8,little" span:"pad" name:"-" doc:"alignment"`
	Words     [2]int64  `struc:"[2]int64,little"`
}

const headerSize = 44

// FuzzStructs compares what is loaded and appended from the declaration with
// what struc makes of it.
func FuzzStructs(f *testing.F) {
	f.Add(formattest.Pattern(headerSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < headerSize {
			return
		}
		formattest.Struc(t, b, headerSize, wire.LoadStruct[header])
		var h header
		wire.LoadStruct(&h, b)
		require.Equal(t, append([]byte{1, 2}, b[:headerSize]...), wire.AppendStruct([]byte{1, 2}, &h))
	})
}

func TestLoadStructStopsAtTheLength(t *testing.T) {
	var h header
	require.Panics(t, func() { wire.LoadStruct(&h, make([]byte, 64)[:headerSize-1]) })
}

func TestLayout(t *testing.T) {
	fields, size := wire.Layout(header{})
	require.Equal(t, headerSize, size)
	require.Equal(t, []wire.Field{
		{Name: "Signature", Path: "Signature", Off: 0, Size: 8, Kind: perfdump.KindUTF16, Doc: "PERF"},
		{Name: "Flags", Path: "head.flags", Off: 8, Size: 4, Kind: perfdump.KindHex},
		{Name: "Scale", Path: "Scale", Off: 12, Size: 4, Kind: perfdump.KindInt},
		{Name: "Time", Path: "Time", Off: 16, Size: 8, Kind: perfdump.KindFiletime},
		{Name: "Small", Path: "Small", Off: 24, Size: 1, Kind: perfdump.KindInt},
		{Name: "Pad", Off: 25, Size: 3, Kind: perfdump.KindPadding, Doc: "alignment"},
		{Name: "Words", Path: "Words", Off: 28, Size: 16, Kind: perfdump.KindUint},
	}, fields)

	for name, v := range map[string]any{
		"no byte order": struct{ A uint32 }{},
		"span tag": struct {
			A uint32 `struc:"uint32,little" span:"what"`
		}{},
		"no fixed size": struct {
			A string `struc:"[]byte,little"`
		}{},
	} {
		require.Panics(t, func() { wire.Layout(v) }, name)
	}
}
