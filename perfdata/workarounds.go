package perfdata

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// Deviations of known producers from the documentation, and decisions where the public
// sources do not settle a question. docs/perfdata.md lists them.

// bigEndianSignature begins a block with swapped integers, as Samba would marshal it over a
// big-endian RPC. No such capture is known, so it is rejected.
var bigEndianSignature = [8]byte{0, 'P', 0, 'E', 0, 'R', 0, 'F'}

// gapSize is from how many unexplained bytes on a gap is reported. Samba pads up to 8 bytes
// more than needed.
const gapSize = 16

// windowsDiskTimer reports the one contradiction of CounterSize and type in Windows itself:
// the AVERAGE_TIMERs of LogicalDisk and PhysicalDisk have the type of a DWORD and hold
// 64-bit values.
func windowsDiskTimer(c *Counter) bool {
	return c.CounterType == countertypes.PERF_AVERAGE_TIMER && c.CounterSize == 8
}

// samba reports whether TotalByteLength only counts the objects, as Samba writes it: the
// chain of object lengths ends exactly at HeaderLength + TotalByteLength.
func (d *Decoder) samba() bool {
	blk := d.block
	header, total := uint64(blk.HeaderLength), sambaTotal(blk)
	end := header + total
	if header < blockSize || end > uint64(min(len(d.b), maxLength)) || uint64(blk.NumObjectTypes)*objectSize > total {
		return false
	}
	off := header
	for range blk.NumObjectTypes {
		if end-off < objectSize {
			return false
		}
		n := uint64(d.u32(int(off)))
		if n < objectSize || n > end-off {
			return false
		}
		off += n
	}
	return off == end
}

// sambaTotal returns TotalByteLength as Samba means it. Without objects it may be 48, which
// stands for 0.
func sambaTotal(blk *Block) uint64 {
	if blk.NumObjectTypes == 0 && blk.TotalByteLength == 48 {
		return 0
	}
	return uint64(blk.TotalByteLength)
}

// displacement is how many bytes after HeaderLength Wine 8 puts the objects, leaving a gap
// of garbage and cutting as many bytes off the end.
const displacement = blockSize

var errWine = errors.New("the objects begin 88 bytes later, as Wine writes them: use salvage mode to read them")

// wrapWine adds the hint to an error.
func wrapWine(err error) error { return fmt.Errorf("%w; %w", err, errWine) }

// displaced reports whether salvage mode is to look for the objects after Wine's gap, and
// adds the anomaly.
func (d *Decoder) displaced(off int) bool {
	if d.Mode != perfdump.Salvage || d.block.NumObjectTypes == 0 || d.plausible(off) || !d.plausible(off+displacement) {
		return false
	}
	d.anomaly(codeDisplaced, off, d.root, "the objects begin %d bytes after HeaderLength", displacement)
	return true
}

// plausible reports whether there is the header of an object at off. The object may exceed
// the end.
func (d *Decoder) plausible(off int) bool {
	if off > d.end-objectSize {
		return false
	}
	var o ObjectType
	o.load(d.b[off:])
	header, definition := uint64(o.HeaderLength), uint64(o.DefinitionLength)
	return header >= objectSize && header <= definition && definition <= uint64(o.TotalByteLength) &&
		o.TotalByteLength <= maxLength && definition <= uint64(d.end-off) &&
		uint64(o.NumCounters)*counterSize <= definition-header
}

// holdsData reports whether the bytes after the definitions of an object that should have
// none are more than padding. Samba pads by up to 8 bytes even where none are needed; a
// counter block is never all zeros.
func holdsData(b []byte) bool {
	return len(b) >= gapSize || len(b) >= 8 && len(bytes.Trim(b, "\x00")) > 0
}

// nameInPage decodes the name of an instance of an object with a code page. Some providers
// set a page and write UTF-16 anyway, so UTF-16 is tried if the page is unknown, cannot
// decode the name, or the name is plainly UTF-16; ok reports that the page was right.
func nameInPage(dst, raw []byte, page uint32) (name []byte, ok bool) {
	if plainlyUTF16(raw) {
		return wire.AppendUTF16(dst, cutNUL16(raw)), false
	}
	if p, known := wire.LookupCodePage(page); known {
		if out, ok := p.Append(dst, cutNUL(raw)); ok {
			return out, true
		}
	}
	return wire.AppendUTF16(dst, cutNUL16(raw)), false
}

// plainlyUTF16 reports whether a name is UTF-16 despite its code page: even length, two
// final NULs, and NULs as the high bytes of all characters.
func plainlyUTF16(b []byte) bool {
	n := len(b)
	if n < 4 || n%2 != 0 {
		return false
	}
	for i := 1; i < n; i += 2 {
		if b[i] != 0 {
			return false
		}
	}
	return b[n-2] == 0 && b[0] != 0
}
