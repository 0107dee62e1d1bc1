package perfdata

import (
	"github.com/perfdump/perfdump/internal/wire"
)

// header tells what is odd in the block's header.
func (d *Decoder) header() {
	blk := &d.block
	if blk.LittleEndian != 1 {
		d.anomaly(CodeFlagContradiction, 8, d.root.Field("LittleEndian"),
			"flag %d, but the signature is little-endian; read by the signature", int64(blk.LittleEndian))
	}
	if blk.Version != 1 || blk.Revision != 1 {
		d.anomaly(CodeVersion, 12, d.root.Field("Version"),
			"version %d revision %d, not 1 and 1", int64(blk.Version), int64(blk.Revision))
	}
	if t, ok := blk.SystemTime.Time(); !ok {
		d.anomaly(CodeSystemTime, 36, d.root.Field("SystemTime"), "no time of a calendar")
	} else if t.Year() > lastYear {
		d.anomaly(CodeSystemTime, 36, d.root.Field("SystemTime"), "a time in the year %d, behind %d", int64(t.Year()), lastYear)
	}
	if blk.PerfFreq <= 0 {
		d.anomaly(CodeFreq, 64, d.root.Field("PerfFreq"), "frequency %d", blk.PerfFreq)
	}
	d.systemName()
}

func (d *Decoder) systemName() {
	blk := &d.block
	off, n := uint64(blk.SystemNameOffset), uint64(blk.SystemNameLength)
	path := d.root.Field("SystemName")
	if n == 0 {
		return
	}
	if off < blockSize || off+n > uint64(blk.HeaderLength) {
		d.anomaly(CodeSystemName, 80, path, "the name's 0x%x bytes at 0x%x are not between the struct and the first object", int64(n), int64(off))
		return
	}
	blk.name = d.b[off : off+n]
	switch {
	case n%2 != 0:
		d.anomaly(CodeSystemName, int(off), path, "odd length %d", int64(n))
	case wire.IndexNUL16(blk.name) < 0:
		d.anomaly(CodeSystemName, int(off), path, "no NUL at its end")
	}
}
