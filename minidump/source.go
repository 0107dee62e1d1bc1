package minidump

import (
	"io"

	"github.com/perfdump/perfdump/internal/wire"
)

const (
	listWindow = 64 << 10
	nameWindow = 1 << 10 // names stand close together, but need not
)

// window gives views of a file's bytes, read some at a time.
type window struct {
	r    io.ReaderAt
	size int64
	buf  []byte
	off  int64
	n    int
}

func (f *File) window(size int64) *window {
	return &window{r: f.r, size: f.size, buf: make([]byte, min(size, f.size))}
}

// at returns the n bytes at off, which the caller knows to be in the file, and
// n not to be more than the window. They are valid until the next call.
func (w *window) at(off int64, n int) ([]byte, error) {
	if off < w.off || off+int64(n) > w.off+int64(w.n) {
		w.off, w.n = off, int(min(int64(len(w.buf)), w.size-off))
		if err := wire.ReadFull(w.r, w.buf[:w.n], off); err != nil {
			w.n = 0
			return nil, err
		}
	}
	i := int(off - w.off)
	return w.buf[i : i+n : i+n], nil
}
