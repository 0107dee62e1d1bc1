package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
)

func TestLoads(t *testing.T) {
	b := []byte{0, 1, 0x82, 3, 0x84, 5, 0x86, 7, 0x88, 9, 0x8A}
	for off := range len(b) - 8 {
		require.Equal(t, binary.LittleEndian.Uint16(b[off:]), U16(b, off))
		require.Equal(t, binary.LittleEndian.Uint32(b[off:]), U32(b, off))
		require.Equal(t, binary.LittleEndian.Uint64(b[off:]), U64(b, off))
	}
}

// A load must not see the spare capacity behind a slice.
func TestLoadsStopAtTheLength(t *testing.T) {
	b := make([]byte, 16)[:7]
	require.Panics(t, func() { U16(b, 6) })
	require.Panics(t, func() { U32(b, 4) })
	require.Panics(t, func() { U64(b, 0) })
	require.NotPanics(t, func() { U16(b, 5); U32(b, 3) })
}

func TestAllZero(t *testing.T) {
	sizes := []int{len(zeros) - 1, len(zeros), len(zeros) + 1, 2 * len(zeros), 2*len(zeros) + 1}
	for n := range 40 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		b := make([]byte, n)
		if !AllZero(b) {
			t.Errorf("%d zeros", n)
		}
		for i := range b {
			b[i] = 1
			if AllZero(b) {
				t.Errorf("a byte at %d of %d", i, n)
			}
			b[i] = 0
		}
	}
}

// atEnd is a reader that says with the last bytes already that they are, or
// what went wrong behind them.
type atEnd struct {
	b   []byte
	err error
}

func (r atEnd) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, r.b[min(off, int64(len(r.b))):])
	if off+int64(len(p)) >= int64(len(r.b)) {
		return n, r.err
	}
	return n, nil
}

// TestReadFull: what came whole is no error, whatever the reader says with it;
// a reader that ends early has shrunk; where it stopped is told.
func TestReadFull(t *testing.T) {
	data := []byte("0123456789")
	broken := errors.New("disk on fire")
	for _, c := range []struct {
		r    io.ReaderAt
		off  int64
		n    int
		want error
	}{
		{bytes.NewReader(data), 0, 10, nil},
		{bytes.NewReader(data), 3, 4, nil},
		{bytes.NewReader(data), 10, 0, nil},
		{bytes.NewReader(data), 4, 7, io.ErrUnexpectedEOF},
		{bytes.NewReader(data), 12, 1, io.ErrUnexpectedEOF},
		{atEnd{data, io.EOF}, 0, 10, nil},
		{atEnd{data, broken}, 0, 10, nil},
		{atEnd{data, io.EOF}, 4, 7, io.ErrUnexpectedEOF},
		{atEnd{data, nil}, 4, 7, io.ErrUnexpectedEOF},
		{atEnd{data, broken}, 4, 7, broken},
	} {
		p := make([]byte, c.n)
		err := ReadFull(c.r, p, c.off)
		if c.want == nil {
			require.NoError(t, err)
			require.Equal(t, data[c.off:c.off+int64(c.n)], p)
			continue
		}
		require.ErrorIs(t, err, c.want)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe)
		require.Equal(t, perfdump.CodeIO, fe.Code)
		require.Equal(t, max(c.off, 10), fe.Off)
	}
}

// TestPrefetch asks for any number of bytes, none and the last of a slice
// among them: it changes nothing and reads nothing that is not there.
func TestPrefetch(t *testing.T) {
	b := make([]byte, 1<<12)
	for n := range b {
		Prefetch(b[:n])
		Prefetch(b[len(b)-n:])
	}
	Prefetch(nil)
}
