package perfdata_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// Rule 3.11: a file may hold several blocks.
func TestSpecSeveralBlocks(t *testing.T) {
	a, b := plain().Bytes(), perftest.Busy(1, perftest.Size{Processes: 4, Threads: 14, Single: 2})
	read := func(file []byte, o perfdump.Options) (blocks []*perfdata.Block, err error) {
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
		blocks, err := read(bytes.Join([][]byte{a, b, a, b}, nil), perfdump.Options{Mode: mode})
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

	// Bytes after the last are kept, and errors say where they are in the file.
	blocks, err := read(bytes.Join([][]byte{a, b, {1, 2, 3}}, nil), perfdump.Options{})
	require.NoError(t, err)
	require.Len(t, blocks, 2)
	require.Equal(t, b, blocks[0].Rest()[:len(b)])
	require.Empty(t, told(blocks[0]))
	require.Equal(t, map[perfdump.Code]int{perfdata.CodeTrailingBytes: 1}, codes(blocks[1]))
	require.Equal(t, string(b)+"\x01\x02\x03", string(blocks[1].Bytes()))

	bad := plain().Build().Set("object[0].TotalByteLength", 0).Bytes
	blocks, err = read(bytes.Join([][]byte{a, bad, b}, nil), perfdump.Options{})
	require.Len(t, blocks, 1)
	require.ErrorIs(t, err, perfdump.ErrLength)
	require.EqualValues(t, len(a)+104, formatError(t, err).Off)

	blocks, err = read(append(bytes.Clone(a), b[:len(b)-10]...), perfdump.Options{})
	require.Len(t, blocks, 1)
	require.ErrorIs(t, err, perfdump.ErrTruncated)

	blocks, err = read(nil, perfdump.Options{})
	require.Empty(t, blocks)
	require.ErrorIs(t, err, perfdump.ErrEmpty)

	// A length that includes the next block, and one that includes bytes that look like one.
	gap := append(bytes.Clone(b[:8]), make([]byte, 24)...)
	for code, c := range map[perfdump.Code]struct{ more, between []byte }{"total-long": {b, nil}, "gap": {gap, gap}} {
		first := append(plain().Build().Add("TotalByteLength", int64(len(c.more))).Bytes, c.between...)
		blk := mustParse(t, append(bytes.Clone(first), b...))
		require.Equal(t, map[perfdump.Code]int{code: 1}, codes(blk))
		require.Equal(t, first, blk.Bytes())
		require.Equal(t, b, blk.Rest())
	}
}

// An instance of a single object has no definition.
func TestSpecSingle(t *testing.T) {
	blk := mustParse(t, plain().Bytes())
	for i, o := range blk.Objects() {
		require.Equal(t, i == 0, o.Single())
		require.Equal(t, i != 0, o.Instance(0).Defined())
	}
	in := blk.Object(0).Instance(0)
	require.EqualValues(t, -1, in.UniqueID())
	require.Empty(t, in.Name())
	require.Empty(t, in.RawName())
	require.Equal(t, perfdata.InstanceDefinition{UniqueID: -1}, in.Definition())
	without := plain()
	without.Objects[0].Single, without.Objects[0].Instances, without.Objects[0].NumInstances = false, nil, -3
	require.True(t, mustBeClean(t, without.Bytes()).Object(0).Single())
}
