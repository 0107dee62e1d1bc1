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
	// What the texts may come to: without a bound, entries that share one long
	// name would cost their product.
	left int64
}

func (f *File) names() *names {
	return &names{f: f, w: f.window(nameWindow), left: f.size + 1<<20}
}

// find returns where the text of the string at rva stands. What is odd comes
// as a code and what its message tells; the extent is that of what can be
// read.
func (n *names) find(rva uint32) (off, size int64, odd oddity, err error) {
	if rva == 0 {
		return 0, 0, oddity{}, nil
	}
	off = int64(rva) + 4
	if off > n.f.size {
		return 0, 0, oddity{CodeNameRVA, "name at 0x%x, past the file's 0x%x bytes", int64(rva), n.f.size}, nil
	}
	b, err := n.w.at(int64(rva), 4)
	if err != nil {
		return 0, 0, oddity{}, err
	}
	size = int64(wire.U32(b, 0))
	switch {
	case size > maxName:
		return off, 0, oddity{CodeNameLength, "name of 0x%x bytes, more than the 0x%x that one can have", size, maxName}, nil
	case off+size > n.f.size:
		odd = oddity{CodeNameCut, "name of 0x%x bytes, of which the file has 0x%x", size, n.f.size - off}
		size = n.f.size - off
	case size%2 != 0:
		odd = oddity{CodeNameOdd, "name of %d bytes, an odd number", size, 0}
	}
	size &^= 1
	if size > n.left {
		return off, 0, oddity{CodeNameShared, "names share bytes over and over: the rest is left out after 0x%x bytes", n.f.size + 1<<20, 0}, nil
	}
	n.left -= size
	return off, size, odd, nil
}

// text returns the string at rva, "" where there is none.
func (n *names) text(rva uint32) (string, error) {
	off, size, _, err := n.find(rva)
	if err != nil || size == 0 {
		return "", err
	}
	if size <= int64(len(n.w.buf)) {
		b, err := n.w.at(off, int(size))
		return wire.UTF16(b), err
	}
	b := make([]byte, size)
	if err := wire.ReadFull(n.f.r, b, off); err != nil {
		return "", err
	}
	return wire.UTF16(b), nil
}

// check adds the anomaly of the string at rva.
func (n *names) check(rva uint32, at int64, path perfdump.Path) error {
	_, _, odd, err := n.find(rva)
	if odd.code != "" {
		n.f.anomaly(odd.code, at, path, odd.text, odd.a, odd.b)
	}
	return err
}

type oddity struct {
	code perfdump.Code
	text string
	a, b int64
}
