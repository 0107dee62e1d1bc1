package perfdata_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// A decoder that keeps the definitions of blocks before gives what a fresh
// one gives, whatever that block was and wherever its decoding ended.
func TestDecoderForgetsTheBlockBefore(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	var blocks [][]byte
	for seed := range uint64(3) {
		blocks = append(blocks, perftest.Busy(seed, perftest.Small), perftest.BusyNext(seed, perftest.Small), perftest.Sized(seed, 3000))
	}
	for range 600 {
		b := append([]byte(nil), blocks[r.IntN(len(blocks))]...)
		// The first objects, so that most faults meet their definitions.
		for range r.IntN(4) {
			at := r.IntN(min(len(b), 4000)) &^ 3
			b[at] = byte(r.Uint32())
		}
		if r.IntN(8) == 0 {
			b = b[:r.IntN(len(b))]
		}
		blocks = append(blocks, b)
	}
	for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage} {
		d := perfdata.Decoder{Options: perfdump.Options{Mode: mode}}
		buf := make([]byte, 0, 1<<20) // one buffer for all, as readers have
		type given struct {
			block    *perfdata.Block
			counters [][]perfdata.Counter
		}
		var parsed []given // blocks of Parse stay as they are
		for i := range 1500 {
			b := append(buf[:0], blocks[r.IntN(len(blocks))]...)
			fresh := perfdata.Decoder{Options: d.Options}
			want, wantErr := fresh.Decode(b)
			kept, keptErr := perfdata.Parse(slices.Clone(b), d.Options)
			got, gotErr := d.Decode(b)
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(gotErr), i)
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(keptErr), i)
			if wantErr != nil {
				continue
			}
			now := given{block: kept}
			for _, got := range []*perfdata.Block{got, kept} {
				require.Equal(t, fmt.Sprint(want.Anomalies().Kept()), fmt.Sprint(got.Anomalies().Kept()), i)
				require.Equal(t, want.NumObjects(), got.NumObjects(), i)
				for k, o := range want.Objects() {
					counters := slices.Clone(o.Counters())
					now.counters = append(now.counters, counters)
					require.Equal(t, counters, slices.Clone(got.Object(k).Counters()))
					require.Equal(t, o.AppendUint64s(nil), got.Object(k).AppendUint64s(nil))
				}
			}
			if i%20 == 0 {
				parsed = append(parsed, now)
			}
		}
		for _, g := range parsed {
			for k, o := range g.block.Objects() {
				require.Equal(t, g.counters[k], slices.Clone(o.Counters()))
			}
		}
	}
}

// The same definitions are others where the object counts fewer of them.
func TestDecoderCountsDefinitions(t *testing.T) {
	var d perfdata.Decoder
	b := perftest.Wide(5, 4)
	_, err := d.Decode(b)
	require.NoError(t, err)
	binary.LittleEndian.PutUint32(b[binary.LittleEndian.Uint32(b[24:])+32:], 3)
	blk, err := d.Decode(b)
	require.NoError(t, err)
	require.Len(t, blk.Object(0).Counters(), 3)
	require.Len(t, blk.Object(0).AppendUint64s(nil), 3*4)
	require.Equal(t, 1, blk.Anomalies().Len()) // a gap
}

// What a decoder keeps of blocks before does not grow with their number: of
// objects with ever other titles, with and without counters; of definitions
// that are decoded again for each block, for they have an anomaly; of where the
// values are, which is found again where the length of counter blocks differs.
func TestDecoderKeepsLittle(t *testing.T) {
	skipGuard(t)
	build := func(instances, extra int, scale int32) []byte {
		o := perftest.Object{Title: 2, Instances: make([]perftest.Instance, instances), BlockExtra: extra}
		for i := range uint32(500) {
			o.Counters = append(o.Counters, perftest.Counter{Title: 4 + 2*i, Type: 0x10410400, Scale: scale})
		}
		return (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
	}
	for name, c := range map[string]struct {
		rounds uint32
		titles bool // another in each round
		blocks [][]byte
	}{
		"titles":              {2000, true, [][]byte{build(4, 0, 0)}},
		"titles, no counters": {20_000, true, [][]byte{(&perftest.Block{Objects: []perftest.Object{{Title: 2}}}).Bytes()}},
		"odd, few instances":  {2000, false, [][]byte{build(1, 0, 8)}},
		"odd, many instances": {2000, false, [][]byte{build(6, 0, 8)}},
		"lengths":             {2000, false, [][]byte{build(6, 0, 0), build(6, 8, 0)}},
		"odd, lengths":        {2000, false, [][]byte{build(6, 0, 8), build(6, 8, 8)}},
	} {
		d := perfdata.Decoder{Options: perfdump.Options{Limits: perfdump.Limits{Anomalies: 1}}}
		decode := func(n uint32) {
			for _, b := range c.blocks {
				if c.titles {
					binary.LittleEndian.PutUint32(b[binary.LittleEndian.Uint32(b[24:])+12:], 2*n)
				}
				_, err := d.Decode(b)
				require.NoError(t, err)
			}
		}
		decode(1)
		used := perftest.Allocated(func() {
			for n := range c.rounds {
				decode(2 + n)
			}
		})
		require.Less(t, used, uint64(1<<20), name)
		runtime.KeepAlive(&d)
	}
}

// Anomalies of an object's values are reported for each block, also where the
// definitions are those of the block before.
func TestDecoderReportsValuesAgain(t *testing.T) {
	five := make([]perftest.Instance, 5)
	for i := range five {
		five[i] = perftest.Instance{Name: fmt.Sprint(i), Values: []uint64{1, 2, 3, 4}}
	}
	const timer, base = 0x22410500, 0x42030500
	multi := perftest.Object{Title: 2, Instances: five, Counters: []perftest.Counter{
		{Title: 4, Type: timer, Offset: 8}, {Title: 6, Type: base, Offset: 24},
	}}
	one := func(o perftest.Object) *perftest.Image {
		return (&perftest.Block{Objects: []perftest.Object{o}}).Build()
	}
	for code, b := range map[perfdump.Code][]byte{
		"no-base":     one(perftest.Object{Title: 2, Counters: []perftest.Counter{{Title: 4, Type: timer}}, Instances: five}).Bytes,
		"multi-count": one(multi).Bytes,
		"value-range": one(number(2, five...)).Set("object[0].counter[0].CounterOffset", 0).Bytes,
		// As Windows writes it, but without the bytes.
		"size-mismatch": one(perftest.Object{Title: 2, Instances: five, Counters: []perftest.Counter{
			{Title: 4, Type: 0x30020400, Offset: 12}, {Title: 6, Type: 0x40030402, Offset: 8},
		}}).Set("object[0].counter[0].CounterSize", 8).Bytes,
	} {
		var d perfdata.Decoder
		for i := range 3 {
			blk, err := d.Decode(b)
			require.NoError(t, err)
			require.Equal(t, map[perfdump.Code]int{code: 1}, codes(blk), i)
		}
	}
}

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
		d := perfdata.Decoder{Options: perfdump.Options{Mode: mode}}
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
