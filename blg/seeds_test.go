package blg_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/golden"
)

// TestSeeds holds the corpus of FuzzBLG, which lies where fuzzers look for it,
// to what the writer makes.
func TestSeeds(t *testing.T) {
	small := blg.WriterOptions{BufferSize: 0x400}
	plain := shape{o: small, records: 2, instances: 1}.bytes(t)
	parts := shape{o: blg.WriterOptions{BufferSize: 0x400, Bits32: true}, records: 2, instances: 12}.bytes(t)
	damaged := bytes.Clone(plain)
	copy(damaged[0x848:], make([]byte, 40))
	none := blg.NewWriter(blg.WriterOptions{BufferSize: 0x800})
	none.Sample(noon, sampleSeries(t, noon, 1)...)
	none.Sample(noon+second, blg.NewSeries{Kind: 7, Body: []byte("abc")})
	bare, err := none.Bytes()
	require.NoError(t, err)
	for name, b := range map[string][]byte{
		"plain": plain, "parts": parts, "damaged": damaged, "bare": bare, "cut": parts[:len(parts)-0x500],
		"sets": logBytes(t, setLog(t, true, false)), "sets-behind": logBytes(t, setLog(t, false, false)), "sets-parts": logBytes(t, setLog(t, false, true)),
		"sets-cut": logBytes(t, setLog(t, false, false))[:0x4400], "turned": permuted(plain, 0x400, func(i, n int) int { return (i + n/2) % n }),
	} {
		golden.Seed(t, "FuzzBLG", name, b)
	}
}
