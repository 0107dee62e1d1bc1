package registry

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// slack is how many bytes a walk may read beyond the size of the hive, since it reads the
// top keys more than once.
const slack = 1 << 20

// walker reads cells. The total that it reads is limited by the size of the hive: in a
// valid one each cell has one owner.
type walker struct {
	h         *Hive
	left      int64 // bytes that may still be read
	values    int   // that may still be taken
	anomalies *perfdump.Anomalies
	faults    *[]*perfdump.FormatError
}

func (h *Hive) walker(anomalies *perfdump.Anomalies, faults *[]*perfdump.FormatError) *walker {
	return &walker{h: h, left: h.size + slack, values: maxValues, anomalies: anomalies, faults: faults}
}

func at(key string) perfdump.Path { return levels.Root().Field(key) }

func (w *walker) anomaly(code perfdump.Code, off int64, key, text string, args ...int64) {
	w.anomalies.Add(perfdump.NewAnomaly(code, off, at(key), text, args...))
}

// fault records err in salvage mode and returns it otherwise. An error of the reader is
// always returned.
func (w *walker) fault(err error) error {
	fe, ok := err.(*perfdump.FormatError) //nolint:errorlint // the walk's own errors, never wrapped
	if err == nil || !ok || w.h.mode != perfdump.Salvage || fe.Code == perfdump.CodeIO {
		return err
	}
	if len(*w.faults) < w.h.limits.MaxAnomalies() {
		*w.faults = append(*w.faults, fe)
	}
	return nil
}

// read returns n bytes at off, which must be in the file.
func (w *walker) read(off, n int64, key string) ([]byte, error) {
	if n > w.left {
		return nil, perfdump.NewError(perfdump.CodeLimit, off, at(key), "the cells in use exceed the 0x%x bytes of the hive: some are shared", w.h.size)
	}
	w.left -= n
	b := make([]byte, n)
	return b, wire.ReadFull(w.h.r, b, off)
}

// link is the reference to a cell, and its own offset.
type link struct {
	ref uint32
	off int64
}

// linkIn returns the reference at i of b, which is at off.
func linkIn(b []byte, i int, off int64) link { return link{wire.U32(b, i), off + int64(i)} }

// cell returns the offset and size of the content of a referenced cell, which must hold at
// least need bytes. An invalid reference is reported at its own offset, since its cell may
// not exist.
func (w *walker) cell(to link, need int64, key, what string) (off, have int64, err error) {
	off = firstBin + int64(to.ref)
	switch {
	case to.ref == noCell:
		return 0, 0, perfdump.NewError(perfdump.CodeLength, to.off, at(key), "%s: the reference to a cell is missing", what)
	case to.ref%8 != 0 || to.ref < binSize:
		return 0, 0, perfdump.NewError(perfdump.CodeLength, to.off, at(key), "%s: 0x%x is not a reference to a cell", what, to.ref)
	case off+8 > w.h.end:
		return 0, 0, w.cut(perfdump.NewError(perfdump.CodeLength, to.off, at(key), "%s: the cell at 0x%x is past the end of the bins at 0x%x", what, off, w.h.end), off+8)
	}
	b, err := w.read(off, 4, key)
	if err != nil {
		return 0, 0, err
	}
	size := int64(int32(wire.U32(b, 0)))
	if size > 0 {
		w.anomaly(codeFreeCell, off, key, "a cell of 0x%x bytes is in use but marked as free", size)
	} else {
		size = -size
	}
	off, have = off+4, size-4
	switch {
	case size < 8:
		return 0, 0, perfdump.NewError(perfdump.CodeLength, off-4, at(key), "%s: a cell of 0x%x bytes", what, size)
	case have > w.h.end-off:
		return 0, 0, w.cut(perfdump.NewError(perfdump.CodeLength, off-4, at(key), "%s: cell of 0x%x bytes, but 0x%x remain", what, size, w.h.end-off+4), off+have)
	case have < need:
		return 0, 0, perfdump.NewError(perfdump.CodeLength, off-4, at(key), "%s: a cell of 0x%x bytes instead of at least 0x%x", what, size, need+4)
	}
	return off, have, nil
}

// cut marks an error that is caused by a file shorter than its header says.
func (w *walker) cut(err *perfdump.FormatError, end int64) *perfdump.FormatError {
	if end > w.h.size && end <= firstBin+int64(w.h.base.Length) {
		return err.Truncated()
	}
	return err
}
