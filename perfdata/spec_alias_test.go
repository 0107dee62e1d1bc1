package perfdata_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

func smallServer(n int) []byte {
	size := perftest.Size{Processes: 12, Threads: 40, Multi: 1, Instances: 12, Single: 4}
	return perftest.BusyBlock(uint64(n), size, n%2).Bytes()
}

// A clone shares nothing: neither with the decoder that goes on to decode
// other blocks nor with the bytes, which are overwritten here.
func TestSpecCloneSharesNothing(t *testing.T) {
	inputs := [][]byte{smallServer(0), plain().Bytes(), specimens()["odd"].Bytes, samba("SAMBA", "a"), smallServer(3)}
	var d perfdata.Decoder
	for i, in := range inputs {
		buffer := bytes.Clone(in)
		blk, err := d.Decode(buffer)
		require.NoError(t, err)
		want := describe(mustParse(t, in))
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
		checkTree(t, clone)
		again := clone.Clone()
		require.Equal(t, want, describe(again))
	}
}

// A salvaged block with its faults can be kept as well.
func TestSpecCloneOfASalvagedBlock(t *testing.T) {
	b := plain().Build().Set("object[1].instance[1].ByteLength", 0).Bytes
	d := perfdata.Decoder{Options: perfdata.Options{Mode: perfdump.Salvage}}
	blk, err := d.Decode(bytes.Clone(b))
	require.NoError(t, err)
	want, clone := describe(blk), blk.Clone()
	require.NotEmpty(t, clone.Faults())
	_, err = d.Decode(smallServer(1))
	require.NoError(t, err)
	require.Equal(t, want, describe(clone))
}

// A decoder that has met other blocks, longer and damaged ones, decodes the
// next as a new one would: nothing of theirs is left.
func TestSpecDecoderForgets(t *testing.T) {
	inputs := [][]byte{smallServer(0), nil, plain().Bytes(), []byte("garbage"), specimens()["odd"].Bytes, (&perftest.Block{}).Bytes()}
	for _, m := range []*perftest.Image{
		plain().Build().Set("object[2].instance[2].block.ByteLength", 0),
		plain().Build().Set("object[1].counter[3].ByteLength", 0),
		plain().Build().Set("object[3].TotalByteLength", 1<<20),
	} {
		inputs = append(inputs, m.Bytes)
	}
	inputs = append(inputs, smallServer(1)[:2000], samba("SAMBA", "a", "b"), displaced(plain().Bytes()))
	for _, mode := range modes {
		d := perfdata.Decoder{Options: perfdata.Options{Mode: mode}}
		for i := range inputs {
			for _, in := range [][]byte{inputs[i], inputs[(i+3)%len(inputs)], inputs[(i*7+1)%len(inputs)]} {
				blk, err := d.Decode(in)
				require.NotEqual(t, err == nil, blk == nil)
				got := ""
				if err != nil {
					fe := formatError(t, err)
					got = fmt.Sprintf("%s %d %s: %v", fe.Code, fe.Off, fe.Path, err)
				} else {
					got = describe(blk)
				}
				require.Equal(t, outcome(in, mode), got, "%s", mode)
			}
		}
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

// In steady state decoding and reading in bulk allocates nothing.
func TestSpecDecodeAllocatesNothing(t *testing.T) {
	for name, pair := range map[string][2][]byte{
		"header": {(&perftest.Block{Name: "HOST"}).Bytes(), (&perftest.Block{}).Bytes()},
		"plain":  {plain().Bytes(), samba("SAMBA", "smbd")},
		"small":  {perftest.Busy(1, perftest.Small), perftest.BusyNext(1, perftest.Small)},
		"server": {perftest.Busy(1, perftest.Server), perftest.BusyNext(1, perftest.Server)},
	} {
		t.Run(name, func(t *testing.T) {
			for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Salvage} {
				d := perfdata.Decoder{Options: perfdata.Options{Mode: mode}}
				values, text := make([]uint64, 0, 1<<20), make([]byte, 0, 1<<16)
				i := 0
				allocs := testing.AllocsPerRun(6, func() {
					blk, err := d.Decode(pair[i%2])
					if err != nil {
						panic(err)
					}
					i++
					for n := range blk.NumObjects() {
						o := blk.Object(n)
						values = o.AppendUint64s(values[:0])
						for at := range o.Len() {
							text = o.Instance(at).AppendFullName(text[:0])
							values = o.Instance(at).AppendUint64s(values[:0])
						}
					}
				})
				require.Zero(t, allocs, "%s", mode)
			}
		})
	}
}
