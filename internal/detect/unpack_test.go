package detect

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
	in, err := Open("-", Options{Format: Titles, MaxUnpacked: 300 << 20, MaxText: 300 << 20, Stdin: bomb})
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

// Text that people write is bounded by MaxText, from a file and from a stream;
// text logs and binary inputs are not.
func TestMaxText(t *testing.T) {
	ini := []byte("[info]\ndrivername=App\nsymbolfile=app.h\n[text]\n" + strings.Repeat("A_009_NAME=x\n", 100_000))
	log := []byte("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\Memory\\Pages/sec\"\r\n" + strings.Repeat("\"06/15/2020 12:00:00.000\",\"1\"\r\n", 100))
	for _, c := range []struct {
		b     []byte
		limit int64
		fails bool
	}{
		{ini, int64(len(ini)), false},
		{ini, int64(len(ini)) - 1, true},
		{ini, 100, true},
		{ini, 0, false},
		{log, 100, false},
	} {
		name := filepath.Join(t.TempDir(), "input")
		require.NoError(t, os.WriteFile(name, c.b, 0o600))
		for _, from := range []string{name, "-"} {
			in, err := Open(from, Options{MaxText: c.limit, Stdin: bytes.NewReader(c.b)})
			if c.fails {
				require.ErrorIs(t, err, perfdump.ErrLimit, "%s, %d", from, c.limit)
				assert.ErrorContains(t, err, "--max-text")
				continue
			}
			require.NoError(t, err, "%s, %d", from, c.limit)
			assert.Equal(t, int64(len(c.b)), in.Size())
			require.NoError(t, in.Close())
		}
	}
}
