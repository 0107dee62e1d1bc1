package perfdata_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// TestVisitSeesWhatDecodeGives holds the objects that are seen on the way
// against those of the block, each with its values.
func TestVisitSeesWhatDecodeGives(t *testing.T) {
	want := parse(t, busy())
	var d perfdata.Decoder
	for range 2 { // the second time by the definitions that are known
		seen := 0
		blk, err := d.Visit(busy(), func(o *perfdata.Object) {
			w := want.Object(seen)
			require.Equal(t, w.ObjectType, o.ObjectType)
			require.True(t, slices.Equal(w.AppendUint64s(nil), o.AppendUint64s(nil)), "%v", o.Path())
			seen++
		})
		require.NoError(t, err)
		require.Equal(t, want.NumObjects(), seen)
		require.Equal(t, want.NumObjects(), blk.NumObjects())
	}
}

// TestVisitOfABadBlock sees the objects before the fault, and in salvage mode
// those that are kept.
func TestVisitOfABadBlock(t *testing.T) {
	b := slices.Clone(perftest.Sized(1, 8<<10))
	good := parse(t, b)
	require.Greater(t, good.NumObjects(), 2)
	binary.LittleEndian.PutUint32(b[good.Object(1).Offset()+32:], 1<<31) // NumCounters
	for _, mode := range []perfdump.Mode{perfdump.Strict, perfdump.Tolerant, perfdump.Salvage} {
		var seen []int
		d := perfdata.Decoder{Options: perfdata.Options{Mode: mode}}
		blk, err := d.Visit(b, func(o *perfdata.Object) { seen = append(seen, o.Position()) })
		if mode != perfdump.Salvage {
			require.ErrorContains(t, err, "object[1]")
			require.Equal(t, []int{0}, seen)
			continue
		}
		require.NoError(t, err)
		var kept []int
		for _, o := range blk.Objects() {
			kept = append(kept, o.Position())
		}
		require.Equal(t, kept, seen)
		require.NotContains(t, seen, 1)
		require.Contains(t, seen, 2)
	}
}
