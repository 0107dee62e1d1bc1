package hexview_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/detect"
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
	memory := append(rawImage(t), bytes.Repeat([]byte("memory all around"), 40_000)...)
	for format, b := range map[detect.Format][]byte{detect.Minidump: serviceDump(t), detect.Memory: memory, detect.Carve: memory} {
		f := formats.Of(format)
		whole, doc := f.Show(b, hexview.Input{}), f.Show(nil, hexview.Input{At: bytes.NewReader(b), Size: int64(len(b))})
		middle := hexview.Range{From: 5000, To: int64(len(b)) - 77}
		for _, o := range []hexview.Options{{}, {All: true}, {Range: middle}, {Width: 100, Color: true}, {All: true, Width: 80}} {
			var want, got strings.Builder
			folded, err := hexview.Write(&want, whole, o)
			require.NoError(t, err)
			n, err := hexview.Write(&got, doc, o)
			require.NoError(t, err)
			require.Equal(t, folded, n, format)
			require.True(t, want.String() == got.String(), "%s, %+v", format, o)
		}
		require.Equal(t, whole.Err, doc.Err)
	}
}

// What cannot be read any more ends the dump with the error of the reader.
func TestReadersThatFail(t *testing.T) {
	b := bytes.Repeat([]byte{0xA5}, 1<<20)
	for _, from := range []int64{0, 15, 300_000} {
		doc := hexview.Raw(nil, hexview.Input{At: &shut{bytes.NewReader(b), from}, Size: int64(len(b))}, "")
		var out strings.Builder
		_, err := hexview.Write(&out, doc, hexview.Options{All: true})
		require.ErrorIs(t, err, errShut)
		require.Less(t, strings.Count(out.String(), "\n"), len(b)/16)
	}
	var out strings.Builder
	_, err := hexview.Write(&out, hexview.Raw(nil, hexview.Input{At: bytes.NewReader(b[:99]), Size: 1000}, ""), hexview.Options{All: true})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF, "it is shorter than it was")
}
