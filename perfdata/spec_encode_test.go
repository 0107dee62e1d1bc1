package perfdata_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// canonical lays out a block and encodes it.
func canonical(t *testing.T, blk *perfdata.Block) []byte {
	t.Helper()
	tree, ok := blk.Tree()
	require.True(t, ok)
	require.NoError(t, tree.Layout())
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

// Section 4: what the canonical encoder writes decodes in strict mode, to the
// same names and values.
func TestSpecCanonical(t *testing.T) {
	long, packed, unnamed, metadata := plain(), plain(), plain(), plain()
	long.NameGap, long.HeaderGap, long.Tail = 6, 40, 8
	for i := range long.Objects {
		long.Objects[i].HeaderExtra, long.Objects[i].BlockExtra, long.Objects[i].DefinitionGap = 24, 16, 8
		packed.Objects[i].Packed = true
	}
	unnamed.Name = ""
	metadata.Objects[1].Instances, metadata.Objects[1].NumInstances = nil, -2
	metadata.Objects = append(metadata.Objects[:2], metadata.Objects[3])
	for name, b := range map[string][]byte{
		"plain": plain().Bytes(), "long": long.Bytes(), "packed": packed.Bytes(), "metadata": metadata.Bytes(), "unnamed": unnamed.Bytes(),
		"header": (&perftest.Block{}).Bytes(), "busy": perftest.Busy(1, perftest.Small),
	} {
		t.Run(name, func(t *testing.T) {
			blk := mustParse(t, b)
			out := canonical(t, blk)
			again := mustBeClean(t, out)
			require.Equal(t, brief(blk), brief(again))
			require.Equal(t, blk.PerfFreq, again.PerfFreq)
			require.Equal(t, out, canonical(t, again), "the canonical form is its own")
			aligned(t, again)
		})
	}
}

// aligned checks the rules of section 4: parts at multiples of 8, the first
// value at +8 if it takes 8 bytes and else at +4, offsets ascending.
func aligned(t *testing.T, blk *perfdata.Block) {
	t.Helper()
	require.Zero(t, blk.HeaderLength%8)
	for _, o := range blk.Objects() {
		require.Zero(t, o.Offset()%8)
		require.Zero(t, o.TotalByteLength%8)
		require.EqualValues(t, 64, o.HeaderLength)
		if o.NumInstances == -2 || o.NumInstances == -3 {
			require.Equal(t, o.DefinitionLength, o.TotalByteLength)
		}
		last := uint32(0)
		for i, c := range o.Counters() {
			require.EqualValues(t, 40, c.ByteLength)
			if c.CounterSize == 0 {
				continue
			}
			if i == 0 {
				require.Equal(t, max(4, c.CounterSize&8), c.CounterOffset)
			}
			require.Greater(t, c.CounterOffset, last)
			last = c.CounterOffset
		}
		for _, in := range o.Instances() {
			require.Zero(t, in.Offset()%8)
			require.Zero(t, len(in.BlockBytes())%8)
			require.EqualValues(t, len(in.BlockBytes()), binary.LittleEndian.Uint32(in.BlockBytes()))
		}
	}
}

// Real data keeps its meaning when it is laid out.
func TestSpecCanonicalOfCaptures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(captures, "wine", "*-[123].bin"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skipf("there are no captures at %s", captures)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		if blk, err := parseIn(b, 0); err == nil { // else damaged, or a table of names
			count := regexp.MustCompile(`\d+ of `) // of some, it is in bytes that mean nothing
			want, got := brief(blk), brief(mustParse(t, canonical(t, blk)))
			for i := range want {
				want[i], got[i] = count.ReplaceAllString(want[i], ""), count.ReplaceAllString(got[i], "")
			}
			require.Equal(t, want, got, file)
		}
	}
}
