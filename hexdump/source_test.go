package hexdump_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/hexdump"
)

// shut gives no bytes from an offset on.
type shut struct {
	io.ReaderAt
	from int64
}

var errShut = errors.New("shut")

func (s *shut) ReadAt(b []byte, off int64) (int, error) {
	if off+int64(len(b)) <= s.from {
		return s.ReaderAt.ReadAt(b, off)
	}
	n, _ := s.ReaderAt.ReadAt(b[:max(0, min(int64(len(b)), s.from-off))], off)
	return n, errShut
}

// What is read here and there is shown as it is where all bytes are at hand.
func TestOpenAtShowsTheSame(t *testing.T) {
	dump, err := os.ReadFile("../testdata/minidump/service_x64.dmp")
	require.NoError(t, err)
	table, err := os.ReadFile("../testdata/ipcblock/sxs_x64.bin")
	require.NoError(t, err)
	memory := bytes.Repeat([]byte("memory all around"), 40_000)
	memory = append(append(make([]byte, 8192), table...), memory...)
	for _, format := range []string{"minidump", "memory", "carve", ""} {
		b := memory
		if format == "minidump" {
			b = dump
		}
		whole, doc := hexdump.Raw(b, "no format"), hexdump.RawAt(bytes.NewReader(b), int64(len(b)), "no format")
		if format != "" {
			ok := false
			whole = hexdump.Open(format, b, hexdump.Input{})
			doc, ok = hexdump.OpenAt(format, bytes.NewReader(b), int64(len(b)), hexdump.Input{})
			require.True(t, ok, format)
		}
		middle := hexdump.Range{From: 5000, To: int64(len(b)) - 77}
		for _, o := range []hexdump.Options{{}, {All: true}, {Range: middle}, {Width: 100, Color: true}, {All: true, Width: 80}} {
			var want, got strings.Builder
			folded, err := hexdump.Write(&want, whole, o)
			require.NoError(t, err)
			n, err := hexdump.Write(&got, doc, o)
			require.NoError(t, err)
			require.Equal(t, folded, n, format)
			require.True(t, want.String() == got.String(), "%s, %+v", format, o)
		}
		require.Equal(t, whole.Err(), doc.Err())
	}
	_, ok := hexdump.OpenAt("perfdata", bytes.NewReader(memory), int64(len(memory)), hexdump.Input{})
	require.False(t, ok)
}

// What cannot be read any more ends the dump with the error of the reader.
func TestReadersThatFail(t *testing.T) {
	b := bytes.Repeat([]byte{0xA5}, 1<<20)
	for _, from := range []int64{0, 15, 300_000} {
		doc := hexdump.RawAt(&shut{bytes.NewReader(b), from}, int64(len(b)), "")
		var out strings.Builder
		_, err := hexdump.Write(&out, doc, hexdump.Options{All: true})
		require.ErrorIs(t, err, errShut)
		require.Less(t, strings.Count(out.String(), "\n"), len(b)/16)
	}
	var out strings.Builder
	_, err := hexdump.Write(&out, hexdump.RawAt(bytes.NewReader(b[:99]), 1000, ""), hexdump.Options{All: true})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF, "it is shorter than it was")
}
