package minidump

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// maxName is the longest text that a UNICODE_STRING can hold, in bytes.
const maxName = 0xFFFE

// names reads MINIDUMP_STRINGs: a length in bytes and as much UTF-16.
type names struct {
	f *File
	w *window
	// The maximum total of the texts: without a limit, entries that share one long name
	// would cost their product.
	left int64
}

func (f *File) names() *names {
	return &names{f: f, w: f.window(nameWindow), left: f.size + 1<<20}
}

// find returns the readable extent of the text of the string at rva. report is called with
// its anomaly.
func (n *names) find(rva uint32, report func(code perfdump.Code, text string, args ...int64)) (off, size int64, err error) {
	if rva == 0 {
		return 0, 0, nil
	}
	off = int64(rva) + 4
	if off > n.f.size {
		report(codeNameRVA, "name at 0x%x, past the file's 0x%x bytes", int64(rva), n.f.size)
		return 0, 0, nil
	}
	b, err := n.w.at(int64(rva), 4)
	if err != nil {
		return 0, 0, err
	}
	size = int64(wire.U32(b, 0))
	left := n.f.size - off
	if min(size, left)&^1 > n.left && size <= maxName {
		report(codeNameShared, "names share bytes repeatedly: names after 0x%x bytes are left out", n.f.size+1<<20)
		return off, 0, nil
	}
	switch {
	case size > maxName:
		report(codeNameLength, "name of 0x%x bytes, more than 0x%x", size, maxName)
		return off, 0, nil
	case size > left:
		report(codeNameCut, "name of 0x%x bytes, of which the file has 0x%x", size, left)
		size = left
	case size%2 != 0:
		report(codeNameOdd, "name of %d bytes, an odd number", size)
	}
	size &^= 1
	n.left -= size
	return off, size, nil
}

// text returns the string at rva, "" if there is none.
func (n *names) text(rva uint32) (string, error) {
	off, size, err := n.find(rva, func(perfdump.Code, string, ...int64) {})
	if err != nil || size == 0 {
		return "", err
	}
	if size <= int64(len(n.w.buf)) {
		b, err := n.w.at(off, int(size))
		return wire.UTF16(b), err
	}
	b := make([]byte, size)
	err = wire.ReadFull(n.f.r, b, off)
	return wire.UTF16(b), err
}

// check reports the anomaly of the string at rva.
func (n *names) check(rva uint32, at int64, path perfdump.Path) error {
	_, _, err := n.find(rva, func(code perfdump.Code, text string, args ...int64) {
		n.f.anomaly(code, at, path, text, args...)
	})
	return err
}
