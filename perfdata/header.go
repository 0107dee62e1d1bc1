package perfdata

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// header checks the block's header apart from its lengths.
func (d *Decoder) header() *fault {
	blk := d.block
	if blk.LittleEndian != 1 {
		d.anomaly(codeFlagContradiction, 8, d.root.Field("LittleEndian"),
			"the flag is %d, but the signature is little-endian; the signature is used", int64(blk.LittleEndian))
	}
	if blk.Version != 1 || blk.Revision != 1 {
		d.anomaly(codeVersion, 12, d.root.Field("Version"),
			"version %d revision %d instead of 1 and 1", int64(blk.Version), int64(blk.Revision))
	}
	if t, ok := blk.SystemTime.Time(); !ok {
		d.anomaly(codeSystemTime, 36, d.root.Field("SystemTime"), "not a valid time")
	} else if t.Year() > lastYear {
		d.anomaly(codeSystemTime, 36, d.root.Field("SystemTime"), "a time in the year %d, after %d", int64(t.Year()), lastYear)
	}
	if blk.PerfFreq <= 0 {
		d.anomaly(codeFreq, 64, d.root.Field("PerfFreq"), "frequency %d", blk.PerfFreq)
	}
	return d.systemName()
}

func (d *Decoder) systemName() *fault {
	blk := d.block
	off, n := uint64(blk.SystemNameOffset), uint64(blk.SystemNameLength)
	path := d.root.Field("SystemName")
	if n == 0 {
		return nil
	}
	if off < blockSize || off+n > uint64(blk.HeaderLength) {
		d.anomaly(codeSystemName, 80, path, "the 0x%x bytes of the name at 0x%x are not between the header and the first object", int64(n), int64(off))
		return nil
	}
	if n > maxText {
		return d.fail(perfdump.CodeLimit, 80, d.root.Field("SystemNameLength"), "0x%x bytes, more than the 0x%x that a text can have", int64(n), maxText)
	}
	blk.name = d.b[off : off+n]
	switch {
	case n%2 != 0:
		d.anomaly(codeSystemName, int(off), path, "odd length %d", int64(n))
	case wire.IndexNUL16(blk.name) < 0:
		d.anomaly(codeSystemName, int(off), path, "no NUL at its end")
	}
	return nil
}
