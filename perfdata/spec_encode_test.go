package perfdata_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// canonical lays a block out anew and encodes it.
func canonical(t *testing.T, blk *perfdata.Block) []byte {
	t.Helper()
	tree, ok := blk.Tree()
	require.True(t, ok)
	require.NoError(t, tree.Layout())
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

// meansTheSame compares names, fields that mean something, and values.
func meansTheSame(t *testing.T, want, got *perfdata.Block) {
	t.Helper()
	require.Equal(t, want.ComputerName(), got.ComputerName())
	require.Equal(t, want.SystemTime, got.SystemTime)
	require.Equal(t, []int64{want.PerfTime, want.PerfFreq, want.PerfTime100nSec}, []int64{got.PerfTime, got.PerfFreq, got.PerfTime100nSec})
	require.Equal(t, want.NumObjects(), got.NumObjects())
	for i, o := range want.Objects() {
		p := got.Object(i)
		require.Equal(t, o.ObjectNameTitleIndex, p.ObjectNameTitleIndex)
		require.Equal(t, o.NumInstances, p.NumInstances)
		require.Equal(t, o.CodePage, p.CodePage)
		require.Equal(t, o.Len(), p.Len())
		require.Equal(t, len(o.Counters()), len(p.Counters()))
		for c := range o.Counters() {
			require.Equal(t, o.Counter(c).CounterType, p.Counter(c).CounterType)
			require.Equal(t, o.Counter(c).CounterNameTitleIndex, p.Counter(c).CounterNameTitleIndex)
			require.Equal(t, o.Counter(c).Base(), p.Counter(c).Base())
		}
		for j, in := range o.Instances() {
			other := p.Instance(j)
			require.Equal(t, in.FullName(), other.FullName())
			require.Equal(t, in.UniqueID(), other.UniqueID())
			for c, v := range in.Values() {
				w := other.Value(c)
				require.Equal(t, v.Kind, w.Kind, "object %d counter %d", i, c)
				require.Equal(t, v.Uint, w.Uint)
				require.Equal(t, string(v.Raw), string(w.Raw))
			}
		}
	}
}

// Section 4: what the canonical encoder writes decodes in strict mode.
func TestSpecCanonical(t *testing.T) {
	long := plain()
	long.NameGap, long.HeaderGap, long.Tail = 6, 40, 8
	for i := range long.Objects {
		long.Objects[i].HeaderExtra, long.Objects[i].BlockExtra, long.Objects[i].DefinitionGap = 24, 16, 8
	}
	packed := plain()
	for i := range packed.Objects {
		packed.Objects[i].Packed = true
	}
	for name, b := range map[string][]byte{
		"plain": plain().Bytes(), "long": long.Bytes(), "packed": packed.Bytes(), "metadata": metadata(-2), "header": (&perftest.Block{}).Bytes(),
		"busy": perftest.Busy(1, perftest.Small), "ansi without name": func() []byte { b := plain(); b.Name = ""; return b.Bytes() }(),
	} {
		t.Run(name, func(t *testing.T) {
			blk := mustParse(t, b)
			out := canonical(t, blk)
			again := mustBeClean(t, out)
			meansTheSame(t, blk, again)
			require.Equal(t, out, canonical(t, again), "the canonical form is its own")
			aligned(t, again)
		})
	}
}

// aligned holds the rules of section 4: parts at multiples of 8, the first
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
				first := uint32(4)
				if c.CounterSize == 8 {
					first = 8
				}
				require.Equal(t, first, c.CounterOffset)
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

// Real and odd data keeps its meaning when it is laid out anew.
func TestSpecCanonicalOfCaptures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(captures, "*", "*-[123].bin"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skipf("there are no captures at %s", captures)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		blk, err := parseIn(b, perfdump.Tolerant)
		if err != nil {
			continue // damaged, or a table of names
		}
		if filepath.Base(filepath.Dir(file)) != "wine" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			meansTheSame(t, blk, mustParse(t, canonical(t, blk)))
		})
	}
}
