package blg_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
)

var update = flag.Bool("update", false, "write the byte tables of docs/blg.md, the seeds of FuzzBLG and testdata/blg")

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
	dir := filepath.Join("..", "fuzz", "testdata", "fuzz", "FuzzBLG")
	for name, b := range map[string][]byte{
		"plain": plain, "parts": parts, "damaged": damaged, "bare": bare, "cut": parts[:len(parts)-0x500],
		"turned": permuted(plain, 0x400, func(i, n int) int { return (i + n/2) % n }),
	} {
		want := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", b)
		file := filepath.Join(dir, name)
		if *update {
			require.NoError(t, os.MkdirAll(dir, 0o750))
			require.NoError(t, os.WriteFile(file, []byte(want), 0o600))
		}
		got, err := os.ReadFile(file)
		require.NoError(t, err, "run go test ./blg -run Seeds -update")
		require.Equal(t, want, string(got), "run go test ./blg -run Seeds -update")
	}
}
