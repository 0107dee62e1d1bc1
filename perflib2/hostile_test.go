package perflib2_test

import (
	"bytes"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perflib2"
)

// TestHostileMemory: what makes the most of each byte stays within four times
// the input, all allocations counted.
func TestHostileMemory(t *testing.T) {
	const size = 8 << 20
	fill := func(head []byte, unit []byte) []byte {
		b := append(bytes.Clone(head), bytes.Repeat(unit, (size-len(head))/len(unit))...)
		le.PutUint32(b, uint32(len(b)))
		return b
	}
	empty := encode(t)
	instances := fill(encode(t, perflib2.TreeResult{Type: perflib2.CounterSet, IDs: nil}), append(u32(8), u32(0)...))
	le.PutUint32(instances[4:], 1)
	le.PutUint32(instances[48+8:], uint32(len(instances)-48))
	le.PutUint32(instances[48+24:], uint32(len(instances)-48-24))
	le.PutUint32(instances[48+28:], uint32(len(instances)-48-32)/8)
	ids := encode(t, perflib2.TreeResult{Type: perflib2.CounterSet, IDs: make([]uint32, size/4)})
	errors := fill(empty, append(append(u32(0xE8), u32(0)...), append(u32(16), u32(0)...)...))
	le.PutUint32(errors[4:], uint32(len(errors)-48)/16)
	bad := fill(empty, append(append(u32(0), u32(1)...), append(u32(16), u32(1)...)...))
	le.PutUint32(bad[4:], uint32(len(bad)-48)/16)
	reg := parseRegistration(t, smallSet(t))
	for name, b := range map[string][]byte{"instances": instances, "ids": ids, "errors": errors, "faults": bad} {
		for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Salvage} {
			used := perftest.Allocated(func() {
				blk, err := perflib2.Parse(b, perfdump.Options{Mode: mode})
				if err != nil {
					return
				}
				var s perflib2.Sampler
				for _, r := range blk.Results() {
					s.Reset(reg, r, nil)
				}
				for range blk.Spans() {
				}
			})
			require.Less(t, used, uint64(4*size), "%s, %s", name, mode)
		}
	}
	counters := make([]perflib2.TreeCounter, size/(48+8+4))
	for i := range counters {
		counters[i] = counter(uint32(i), 0, "x")
	}
	b := register(t, counters...)
	used := perftest.Allocated(func() {
		_, err := perflib2.ParseRegistration(b, perfdump.Options{})
		require.NoError(t, err)
	})
	require.Less(t, used, uint64(64<<20+4*len(b)))
}

func TestConcurrentReaders(t *testing.T) {
	blk, reg := parse(t, samples(t)["several-headers"]), parseRegistration(t, smallSet(t))
	want, wantSet := show(blk), showSet(reg)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var s perflib2.Sampler
			for _, r := range blk.Results() {
				s.Reset(reg, r, nil)
			}
			formattest.Tile(t, blk.Spans(), 0, int64(len(blk.Bytes())))
			for range reg.Spans() {
			}
			if !slices.Equal(want, show(blk)) || showSet(reg) != wantSet {
				t.Error("a reader saw something else")
			}
		})
	}
	wg.Wait()
}
