package minidump

import (
	"errors"
	"io"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// The lists of the streams that are read.
const (
	modules = iota
	memory64
	memory
	regions
	handles
	numLists
)

// list is an array of entries in a stream.
type list struct {
	stream int
	levels *perfdump.Levels
	entry  any   // the struct that entries begin with
	off    int64 // of the first entry
	stride int64
	n      int64 // entries that the file has
}

func (l *list) path(i int64) perfdump.Path {
	return l.levels.Root().At(levelStream, l.stream).At(levelEntry, int(i))
}

// errStop ends each without an error.
var errStop = errors.New("stop")

// each calls fn with the struct at the start of each entry of a list, and its offset, until
// fn returns an error. The struct is valid until fn returns.
func each[T any](f *File, which int, fn func(i, off int64, e *T) error) error {
	l := f.lists[which]
	if l.n == 0 {
		return nil
	}
	e := new(T)
	_, size := wire.Layout(*e)
	w := f.window(listWindow)
	for i := range l.n {
		off := l.off + i*l.stride
		b, err := w.at(off, size)
		if err == nil {
			wire.LoadStruct(e, b)
			err = fn(i, off, e)
		}
		if errors.Is(err, errStop) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// entries yields the result of next for each entry of a list. An error ends the sequence.
func entries[T, V any](f *File, which int, next func(e *T) (V, error)) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		err := each(f, which, func(_, _ int64, e *T) error {
			v, err := next(e)
			if err == nil && !yield(v, nil) {
				err = errStop
			}
			return err
		})
		if err != nil {
			var none V
			yield(none, err)
		}
	}
}

// number is a number in the header of a list, and its field.
type number struct {
	v     uint64
	field string
}

// shape describes a list.
type shape struct {
	levels *perfdump.Levels
	head   any    // the struct that the stream begins with
	entry  any    // that which each entry begins with
	header number // the offset of the entries
	stride number
	n      number
}

// fixed returns a number that is not in the stream.
func fixed(v any) number {
	_, size := wire.Layout(v)
	return number{v: uint64(size)}
}

// readList checks a list against the stream that it is in. In salvage mode a list with an
// error has its readable entries.
func (f *File) readList(which, i int, sh shape) error {
	s := f.streams[i]
	fail := func(code perfdump.Code, n number, text string, args ...any) *perfdump.FormatError {
		fields, _ := wire.Layout(sh.head)
		at := s.Off
		for _, field := range fields {
			if field.Name == n.field {
				at += int64(field.Off)
			}
		}
		return perfdump.NewError(code, at, sh.levels.Root().At(levelStream, i).Field(n.field), text, args...)
	}
	l := &f.lists[which]
	*l = list{stream: i, levels: sh.levels, entry: sh.entry, off: s.Off + int64(sh.header.v), stride: int64(sh.stride.v)}
	least, entry := fixed(sh.head).v, fixed(sh.entry).v
	switch {
	case sh.header.v < least || sh.header.v > uint64(s.Size):
		return f.fault(fail(perfdump.CodeLength, sh.header, "header of 0x%x bytes, outside 0x%x..0x%x", sh.header.v, least, s.Size))
	case sh.n.v == 0:
		return nil
	case sh.stride.v < entry:
		return f.fault(fail(perfdump.CodeLength, sh.stride, "entries of 0x%x bytes, fewer than the required 0x%x", sh.stride.v, entry))
	}
	fit := func(size int64) uint64 { return uint64(max(0, size-int64(sh.header.v))) / sh.stride.v }
	l.n = int64(min(sh.n.v, fit(s.Have)))
	if most := fit(s.Size); sh.n.v > most {
		err := fail(perfdump.CodeCount, sh.n, "%d entries of 0x%x bytes, but the 0x%x bytes of the stream hold only %d", sh.n.v, sh.stride.v, s.Size, most)
		if s.Have < s.Size {
			err = err.Truncated()
		}
		return f.fault(err)
	}
	return nil
}

// simple reads a list that begins with a 32-bit count.
func (f *File) simple(which, i int, b []byte, levels *perfdump.Levels, entry any) error {
	n, stride, header := uint64(wire.U32(b, 0)), fixed(entry), fixed(listHeader{})
	// Breakpad's 64-bit writers put 4 bytes after the count, so that the entries begin on 8
	// bytes. Only the stream's size shows it.
	if size := header.v + 4 + n*stride.v; n > 0 && uint64(f.streams[i].Size) == size {
		f.anomaly(codeListPadding, f.streams[i].Off+listHeaderSize, streamLevels.Root().At(levelStream, i), "4 bytes between the count and the entries")
		header.v += 4
	}
	return f.readList(which, i, shape{
		levels: levels, head: listHeader{}, entry: entry, header: header, stride: stride, n: number{n, "NumberOfEntries"},
	})
}

const (
	listWindow = 64 << 10
	nameWindow = 1 << 10 // names are close together, but need not be
)

// window returns views of a file's bytes, read in blocks.
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

// at returns the n bytes at off, which must be in the file and no more than the window.
// They are valid until the next call.
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
