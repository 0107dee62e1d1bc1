package perfdata_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

func smallServer(n int) []byte {
	size := perftest.Size{Processes: 12, Threads: 40, Multi: 1, Instances: 12, Single: 4}
	return perftest.BusyBlock(uint64(n), size, n%2).Bytes()
}

// A clone shares nothing: neither with the decoder that goes on to decode
// other blocks nor with the bytes, which are overwritten here.
func TestSpecCloneSharesNothing(t *testing.T) {
	salvaged := plain().Build().Set("object[1].instance[1].ByteLength", 0).Bytes
	inputs := [][]byte{smallServer(0), plain().Bytes(), specimens()["odd"].Bytes, salvaged, samba("SAMBA", "a"), smallServer(3)}
	d := perfdata.Decoder{Options: perfdump.Options{Mode: perfdump.Salvage}}
	for i, in := range inputs {
		buffer := bytes.Clone(in)
		blk, err := d.Decode(buffer)
		require.NoError(t, err)
		want := outcome(in, perfdump.Salvage)
		require.Equal(t, want, describe(blk))
		clone := blk.Clone()
		for _, other := range inputs[i:] {
			_, err := d.Decode(other)
			require.NoError(t, err)
		}
		for i := range buffer {
			buffer[i] = 0xEE
		}
		require.Equal(t, want, describe(clone))
		checkBlock(t, clone, in)
		require.Equal(t, want, describe(clone.Clone()))
	}
}

// A block only reads, so many may read it at once; the race detector looks on.
func TestSpecConcurrentReaders(t *testing.T) {
	for _, b := range [][]byte{smallServer(0), specimens()["odd"].Bytes} {
		blk, err := parseIn(b, perfdump.Tolerant)
		require.NoError(t, err)
		want := describe(mustParse(t, b))
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for range 3 {
					if describe(blk) != want {
						t.Error("a reader saw something else")
					}
					for s := range blk.Spans() {
						_ = s.Path.String()
					}
					if tree, ok := blk.Tree(); ok {
						_, _ = tree.AppendBinary(nil)
					}
					_, _ = blk.AppendBinary(nil)
					_ = blk.Clone()
				}
			})
		}
		group.Wait()
	}
}
