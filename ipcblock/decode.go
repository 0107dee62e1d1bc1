package ipcblock

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Options say how shared memory is decoded. The zero value is tolerant, with the default
// limits, and detects the layout.
type Options struct {
	perfdump.Options

	Layout Layout // Auto detects it
}

// Parse decodes a copy of one section: a table, a legacy block or a bare perf
// block. The result aliases b, which must not change while it is in use. The cost
// is linear in b.
//
// The error is a *perfdump.FormatError with the path and offset of the fault. Except in
// strict mode, a chunk of a table that fails its checks does not affect the others, see
// [Table.Faults]. In salvage mode an invalid legacy block is not an error either.
func Parse(b []byte, o Options) (*Table, error) {
	d := &Decoder{Options: o}
	return d.Decode(b)
}

// Decoder decodes one copy after the other into the same memory, so that it allocates
// nothing if there are no errors. The zero Decoder is ready to use.
type Decoder struct {
	Options

	table  Table
	strict *perfdump.FormatError // the first fault or anomaly
}

// Decode decodes b, as [Parse] does. The table and everything obtained from it are valid
// until the next call; use [Table.Clone] to keep one.
func (d *Decoder) Decode(b []byte) (*Table, error) {
	t := &d.table
	t.reset(d.Options, b)
	d.strict = nil
	if len(b) == 0 {
		return nil, perfdump.NewError(perfdump.CodeEmpty, 0, levels.Root(), "the input is empty")
	}
	if t.layout = d.Layout; t.layout == Auto {
		if t.layout = detectLayout(b, int64(len(b))); t.layout == Auto {
			return nil, unknown(b)
		}
	}
	var err *perfdump.FormatError
	switch t.layout {
	case SxS:
		err = d.sxs()
	case Bare:
		err = d.bare()
	default:
		err = d.legacy()
	}
	if err == nil && d.Mode == perfdump.Strict {
		err = d.strict
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func unknown(b []byte) error {
	root := levels.Root()
	if len(b) < chunkSize && beginsLayout(b) {
		return perfdump.NewError(perfdump.CodeTruncated, int64(len(b)), root,
			"%d bytes, fewer than those of a chunk or a block", len(b))
	}
	return perfdump.NewError(perfdump.CodeSignature, 0, root, "not an IPC block: it begins with % x", b[:min(len(b), 8)])
}

// beginsLayout reports whether b, which is too short, begins like one of the layouts.
func beginsLayout(b []byte) bool {
	var head [44]byte
	copy(head[:], b)
	switch {
	case len(b) < 4:
		return true
	case len(b) >= 20 && wire.U16(head[:], 16) == 4 && wire.U64(head[:], 8) == 0:
		return true
	case len(b) < 20 && len(b) >= 16 && wire.U64(head[:], 8) == 0:
		return true
	case archOfSize(uint32(wire.U16(head[:], 0))) != NoArch && wire.U16(head[:], 2) <= 3:
		return true
	}
	version, flags := wire.U16(head[:], 0), wire.U16(head[:], 2)
	return (version == 2 || version == 3) && flags <= 7
}

func (d *Decoder) anomaly(code perfdump.Code, off int, path perfdump.Path, text string, args ...int64) {
	a := perfdump.NewAnomaly(code, int64(off), path, text, args...)
	d.table.anomalies.Add(a)
	if d.strict == nil && d.Mode == perfdump.Strict {
		d.strict = a.Err()
	}
}

// fault records that a chunk cannot be read. If the chunk is not live, that is only an
// anomaly with code minor, and the chunk has no perf block.
func (d *Decoder) fault(c *Chunk, code, minor perfdump.Code, off int, path perfdump.Path, text string, args ...int64) {
	if c.State != Live {
		d.anomaly(minor, off, path, text, args...)
		return
	}
	err := perfdump.NewAnomaly(code, int64(off), path, text, args...).Err()
	c.State, c.fault = Bad, err
	d.table.faults = append(d.table.faults, err)
	if d.strict == nil && d.Mode == perfdump.Strict {
		d.strict = err
	}
}

// nonZero returns the position of the first byte of b that is not zero.
func nonZero(b []byte) int {
	for i, c := range b {
		if c != 0 {
			return i
		}
	}
	return -1
}

// trailing checks the bytes after the end. Zeros are usual: sections are whole pages.
func (d *Decoder) trailing(end int) {
	if rest := d.table.raw[end:]; !wire.AllZero(rest) {
		d.anomaly(codeTrailingBytes, end+nonZero(rest), levels.Root(), "0x%x bytes after the end at 0x%x are not all zero", int64(len(rest)), int64(end))
	}
}

// perf finds the perf block at off of c's bytes. size is the size in its entry; limit is
// the end of the available bytes.
func (d *Decoder) perf(c *Chunk, off int, size uint32, limit int, path perfdump.Path) {
	inner, at := uint32(0), int(c.Offset)+off
	if off+2 <= limit {
		inner = uint32(wire.U16(c.raw, off))
	}
	outer, declared := archOfSize(size), archOfSize(inner)
	switch {
	case outer != NoArch && declared != NoArch && outer != declared:
		d.fault(c, perfdump.CodeLength, codeSizeMismatch, at, path.Field("perf.size"), "the size is 0x%x in the entry, but 0x%x in the perf block", int64(size), int64(inner))
		return
	case outer == NoArch && declared == NoArch:
		d.anomaly(codeUnknownSize, at, path.Field("perf.size"), "neither 0x%x nor 0x%x is the size of a perf block", int64(size), int64(inner))
		return
	case outer == NoArch:
		outer = declared
		if off+outer.PerfSize() > limit {
			d.fault(c, perfdump.CodeLength, codeEntryRange, at, path.Field("perf.size"), "0x%x bytes end past 0x%x", int64(inner), int64(limit))
			return
		}
		d.anomaly(codeSizeMismatch, at, path.Field("perf.size"), "the size is 0x%x in the entry, but 0x%x in the perf block", int64(size), int64(inner))
	case declared == NoArch && (inner != 0 || c.State != Unpublished && c.layout != LegacyPrivate):
		d.anomaly(codeSizeMismatch, at, path.Field("perf.size"), "the size is 0x%x in the entry, but 0x%x in the perf block", int64(size), int64(inner))
	}
	c.Arch, c.perf = outer, off
}

// flags compares the header's flag with the layout that was detected by size.
func (d *Decoder) flags(c *Chunk, path perfdump.Path, off int) {
	if c.Flags&flagUsed == 0 || c.Arch == NoArch {
		return
	}
	switch x86 := c.Flags&flagX86 != 0; {
	case x86 && c.Arch == X64:
		d.anomaly(codeFlagContradiction, off, path.Field("header.flags"), "flags 0x%x indicate x86, but the sizes x64", int64(c.Flags))
	case !x86 && c.Arch == X86:
		d.anomaly(codeFlagContradiction, off, path.Field("header.flags"), "flags 0x%x do not indicate x86, but the sizes are those of 32 bits, as on 32-bit ARM", int64(c.Flags))
	}
}
