package wire

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
)

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
