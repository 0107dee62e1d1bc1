package minidump

import (
	"github.com/perfdump/perfdump"
)

// list is an array in a stream.
type list struct {
	stream int
	levels *perfdump.Levels
	off    int64 // of the first entry
	stride int64
	n      int64 // entries that the file has
}

func (l *list) path(i int64) perfdump.Path {
	return l.levels.Root().At(levelStream, l.stream).At(levelEntry, int(i))
}

// each calls fn with the first need bytes of every entry and where they stand,
// until it returns false. The bytes are valid until fn returns.
func (f *File) each(l list, need int, fn func(i, off int64, b []byte) bool) error {
	if l.n == 0 {
		return nil
	}
	w := f.window(listWindow)
	for i := range l.n {
		off := l.off + i*l.stride
		b, err := w.at(off, need)
		if err != nil {
			return err
		}
		if !fn(i, off, b) {
			return nil
		}
	}
	return nil
}

// shape is what a stream says of the list in it.
type shape struct {
	levels  *perfdump.Levels
	header  uint64 // where the entries begin
	least   uint64 // what the header must have
	stride  uint64
	entry   uint64 // what an entry must have
	n       uint64
	nAt     int64 // where in the stream these stand
	nName   string
	hdrAt   int64
	hdrName string
	strAt   int64
	strName string
}

// list checks a list against the stream that it is in. Where it returns an
// error, the list has the entries that can be had nevertheless.
func (f *File) list(i int, sh shape) (list, *perfdump.FormatError) {
	s := f.streams[i]
	root := sh.levels.Root().At(levelStream, i)
	l := list{stream: i, levels: sh.levels, stride: int64(sh.stride)}
	if sh.header < sh.least || sh.header > uint64(s.Size) {
		return l, perfdump.NewError(perfdump.CodeLength, s.Off+sh.hdrAt, root.Field(sh.hdrName),
			"header of 0x%x bytes, outside 0x%x..0x%x", sh.header, sh.least, s.Size)
	}
	l.off = s.Off + int64(sh.header)
	if sh.n == 0 {
		return l, nil
	}
	if sh.stride < sh.entry {
		return l, perfdump.NewError(perfdump.CodeLength, s.Off+sh.strAt, root.Field(sh.strName),
			"entries of 0x%x bytes, fewer than the 0x%x that they need", sh.stride, sh.entry)
	}
	l.n = int64(min(sh.n, entries(s.Have, sh)))
	if fit := entries(s.Size, sh); sh.n > fit {
		err := perfdump.NewError(perfdump.CodeCount, s.Off+sh.nAt, root.Field(sh.nName),
			"%d entries of 0x%x bytes, the stream's 0x%x bytes have room for %d", sh.n, sh.stride, s.Size, fit)
		if s.Have < s.Size {
			err = err.Truncated()
		}
		return l, err
	}
	return l, nil
}

// entries returns how many entries lie in the first size bytes of a stream.
func entries(size int64, sh shape) uint64 {
	if uint64(size) < sh.header {
		return 0
	}
	return (uint64(size) - sh.header) / sh.stride
}
