package detect

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
)

// zeros is an endless input.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// Packed data may grow to 256 MiB, or to 200 times their size.
func TestPackedDataAreBoundedByTheirSize(t *testing.T) {
	pack := func(r io.Reader) *bytes.Buffer {
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		require.NoError(t, err)
		_, err = io.Copy(z, r)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		return &b
	}
	bomb := pack(io.MultiReader(strings.NewReader("6 : x\n"), io.LimitReader(zeros{}, 260<<20)))
	for _, packed := range []*bytes.Buffer{bytes.NewBuffer(bomb.Bytes()), pack(bytes.NewReader(bomb.Bytes()))} {
		_, err := Open("-", Options{Format: Titles, Stdin: packed})
		require.ErrorIs(t, err, perfdump.ErrLimit)
		require.ErrorContains(t, err, "more than the limit of 268435456 bytes; if you trust them, allow more by --max-unpacked SIZE")
	}
	in, err := Open("-", Options{Format: Titles, MaxUnpacked: 300 << 20, Stdin: bomb})
	require.NoError(t, err)
	require.Len(t, in.Data, 260<<20+6)

	for _, c := range []struct {
		read, size int64 // of the packed bytes
		limit      int64
		want       int64
	}{
		{0, -1, 0, 256 << 20},
		{1 << 20, -1, 0, 256 << 20},
		{2 << 20, -1, 0, 400 << 20},
		{0, 2 << 20, 0, 400 << 20},
		{2 << 20, -1, 1000, 1000},
	} {
		l := layer{base: &layer{n: c.read}, size: c.size, limit: c.limit}
		require.Equal(t, c.want, l.most())
	}
}
