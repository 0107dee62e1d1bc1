package perflib2

import (
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Parse decodes the block at the start of b. The result aliases b, which must
// not change while it is in use. All lengths and counts are checked; the cost is
// linear in the block and does not depend on what it claims.
//
// The error is a *perfdump.FormatError with the path and offset of the fault.
// In salvage mode it is given only where nothing could be had; see
// [Block.Faults].
func Parse(b []byte, o Options) (*Block, error) {
	return (&Decoder{Options: o}).Decode(b)
}

// Decoder decodes one block after the other into the same memory, so that it
// allocates nothing once it has met the largest. The zero Decoder is ready.
type Decoder struct {
	Options

	block Block
	end   int  // of the block in the bytes present
	cut   bool // the block claims more bytes than are present
	seen  map[uint32]bool
}

// Decode decodes the block at the start of b, as [Parse] does. The block and
// all that was taken from it are valid until the next call; [Block.Clone]
// keeps one.
func (d *Decoder) Decode(b []byte) (*Block, error) {
	blk := &d.block
	blk.anomalies.Reset(d.Limits.MaxAnomalies())
	blk.parts, blk.instances, blk.faults = blk.parts[:0], blk.instances[:0], faults{}
	if err := d.header(b); err != nil {
		return nil, err
	}
	if err := d.results(); err != nil {
		return nil, err
	}
	if n := len(b) - blk.size; n > 0 {
		d.anomaly(CodeTrailingBytes, blk.size, blockLevels.Root(), "%d bytes behind the block's end", int64(n))
	}
	if d.Mode == perfdump.Strict && blk.anomalies.Len() > 0 {
		return nil, blk.anomalies.Kept()[0].Err()
	}
	return blk, nil
}

// header checks the header and finds where the block ends.
func (d *Decoder) header(b []byte) error {
	blk, root := &d.block, blockLevels.Root()
	switch {
	case len(b) == 0:
		return perfdump.NewError(perfdump.CodeEmpty, 0, root, "no bytes: the answer was empty")
	case len(b) < dataHeaderSize:
		return perfdump.NewError(perfdump.CodeTruncated, 0, root, "%d bytes, fewer than the %d of a block's header", len(b), dataHeaderSize)
	}
	blk.load(b)
	total := uint64(blk.TotalSize)
	d.cut = total > uint64(len(b))
	d.end = int(min(total, uint64(len(b))))
	blk.raw, blk.size = b[:len(b):len(b)], d.end
	switch {
	case total < dataHeaderSize:
		return perfdump.NewError(perfdump.CodeLength, 0, root.Field("TotalSize"), "0x%x is less than the %d bytes of the header", total, dataHeaderSize)
	case d.cut:
		err := perfdump.NewError(perfdump.CodeLength, 0, root.Field("TotalSize"), "0x%x is past the 0x%x bytes present", total, len(b)).Truncated()
		if err := d.pass(err); err != nil {
			return err
		}
	}
	if n := d.end - dataHeaderSize; uint64(blk.NumCounters) > uint64(n/counterHeaderSize) {
		err := d.fail(perfdump.CodeCount, 4, root.Field("NumCounters"), "%d counter headers do not fit the 0x%x bytes behind the header", int64(blk.NumCounters), int64(n))
		if err := d.pass(err); err != nil {
			return err
		}
	}
	if blk.PerfFreq <= 0 {
		d.anomaly(CodeFreq, 24, root.Field("PerfFreq"), "a frequency of %d", blk.PerfFreq)
	}
	if !calendar(&blk.SystemTime) {
		d.anomaly(CodeSystemTime, 32, root.Field("SystemTime"), "no time of a calendar")
	}
	return nil
}

// calendar reports whether a SYSTEMTIME is a time.
func calendar(s *[8]uint16) bool {
	return s[0] >= 1601 && s[0] <= 30827 && s[1] >= 1 && s[1] <= 12 && s[2] <= 6 && s[3] >= 1 && s[3] <= 31 &&
		s[4] <= 23 && s[5] <= 59 && s[6] <= 59 && s[7] <= 999
}

// pass keeps an error aside in salvage mode and returns it in the others.
func (d *Decoder) pass(err *perfdump.FormatError) error {
	if d.Mode != perfdump.Salvage {
		return err
	}
	d.block.faults.add(err, d.Limits.MaxAnomalies())
	return nil
}

// fail makes an error. The end of a cut file causes what does not fit in it.
// Errors that would only be counted are not made.
func (d *Decoder) fail(code perfdump.Code, off int, path perfdump.Path, text string, args ...any) *perfdump.FormatError {
	if len(d.block.faults.kept) >= d.Limits.MaxAnomalies() {
		return &countedOnly
	}
	err := perfdump.NewError(code, int64(off), path, text, args...)
	if d.cut {
		err = err.Truncated()
	}
	return err
}

func (d *Decoder) anomaly(code perfdump.Code, off int, path perfdump.Path, text string, args ...int64) {
	d.block.anomalies.Add(perfdump.NewAnomaly(code, int64(off), path, text, args...))
}

// results reads the results. A result whose own size is sound is passed over
// in salvage mode when something is wrong in it; the whole instances before
// that are kept.
func (d *Decoder) results() error {
	blk, off := &d.block, dataHeaderSize
	blk.parts = slices.Grow(blk.parts, int(min(uint64(blk.NumCounters), uint64(d.end-off)/counterHeaderSize)))
	for i := 0; uint32(i) < blk.NumCounters; i++ {
		path := blockLevels.Root().At(levelCounter, i)
		if d.end-off < counterHeaderSize {
			return d.pass(d.fail(perfdump.CodeLength, off, path, "0x%x bytes are left, fewer than the %d of a counter header", d.end-off, counterHeaderSize))
		}
		var h CounterHeader
		h.load(blk.raw[off:])
		end, err := d.extent(off, h.Size, counterHeaderSize, d.end, path, "Size", 8)
		if err != nil && (d.Mode != perfdump.Salvage || h.Size < counterHeaderSize) {
			return d.pass(err)
		}
		if err != nil { // the block was cut in this result
			end = d.end
			_ = d.pass(err)
		}
		blk.parts = append(blk.parts, part{off: uint32(off), size: uint32(end - off), first: uint32(len(blk.instances))})
		p := &blk.parts[len(blk.parts)-1]
		err = d.result(h, p, end, path)
		p.n = uint32(len(blk.instances)) - p.first
		if err != nil {
			if err := d.pass(err); err != nil {
				return err
			}
		}
		off = end
	}
	d.slack(off, d.end, blockLevels.Root())
	return nil
}

// extent checks the size of a structure at off that must end by limit. It
// returns where the next one begins.
func (d *Decoder) extent(off int, size uint32, least, limit int, path perfdump.Path, field string, at int) (int, *perfdump.FormatError) {
	switch {
	case uint64(size) < uint64(least):
		return 0, d.fail(perfdump.CodeLength, off+at, path.Field(field), "0x%x is less than the %d bytes of the header", size, least)
	case uint64(size) > uint64(limit-off):
		return 0, d.fail(perfdump.CodeLength, off+at, path.Field(field), "0x%x is past the 0x%x bytes that are left", size, limit-off)
	case size%8 != 0:
		d.anomaly(CodeMisaligned, off+at, path.Field(field), "%d is no multiple of 8", int64(size))
	}
	return int(min(uint64(off)+align8(size), uint64(limit))), nil
}

// slack notes bytes at the end of a structure that nothing explains.
func (d *Decoder) slack(off, end int, path perfdump.Path) {
	if end-off >= 8 {
		d.anomaly(CodeSizeMismatch, off, path, "%d bytes that nothing explains", int64(end-off))
	}
}

// result reads what belongs to a counter header.
func (d *Decoder) result(h CounterHeader, p *part, end int, path perfdump.Path) *perfdump.FormatError {
	off := int(p.off)
	if h.Reserved != 0 {
		d.anomaly(CodeReserved, off+12, path.Field("Reserved"), "0x%x, not 0", int64(h.Reserved))
	}
	if h.Status != 0 && h.Type != ErrorResult {
		d.anomaly(CodeStatus, off, path.Field("Status"), "status 0x%x, and yet values", int64(h.Status))
	}
	off += counterHeaderSize
	var err *perfdump.FormatError
	counters := 1
	switch h.Type {
	case ErrorResult:
		d.slack(off, end, path)
		return nil
	case SingleCounter, MultiInstance:
	case MultiCounters, CounterSet:
		if off, err = d.ids(off, end, p, path); err != nil {
			return err
		}
		counters = int(p.ids)
	default:
		d.anomaly(CodeResultType, off-12, path.Field("Type"), "type %d is not known; its %d bytes are kept", int64(h.Type), int64(end-off))
		return nil
	}
	p.values = uint32(off)
	if h.Type.hasInstances() {
		off, err = d.instances(off, end, counters, path)
	} else {
		from := off
		if off, err = d.values(off, end, counters, path); err == nil {
			d.block.instances = append(d.block.instances, uint32(from))
		}
	}
	if err == nil {
		d.slack(off, end, path)
	}
	return err
}

// ids reads the ids of the counters.
func (d *Decoder) ids(off, end int, p *part, path perfdump.Path) (int, *perfdump.FormatError) {
	if end-off < pairSize {
		return 0, d.fail(perfdump.CodeLength, off, path, "0x%x bytes are left, fewer than the %d before the ids", end-off, pairSize)
	}
	raw := d.block.raw
	var h multiCounters
	h.load(raw[off:])
	next, err := d.extent(off, h.Size, pairSize, end, path, "MultiCounters.Size", 0)
	if err != nil {
		return 0, err
	}
	if room := int(h.Size) - pairSize; uint64(h.NumCounters) > uint64(room/idSize) {
		return 0, d.fail(perfdump.CodeCount, off+4, path.Field("MultiCounters.NumCounters"), "%d ids do not fit 0x%x bytes", h.NumCounters, room)
	}
	p.ids = h.NumCounters
	from := off + pairSize
	d.slack(from+idSize*int(p.ids), next, path)
	d.duplicates(raw[from:from+idSize*int(p.ids)], from, path)
	return next, nil
}

// duplicates notes an id that is given twice. Ids that rise, as all that were
// seen do, need no memory.
func (d *Decoder) duplicates(ids []byte, off int, path perfdump.Path) {
	rising := true
	for at := idSize; at < len(ids); at += idSize {
		rising = rising && wire.U32(ids, at-idSize) < wire.U32(ids, at)
	}
	if rising {
		return
	}
	if d.seen == nil {
		d.seen = make(map[uint32]bool)
	}
	clear(d.seen)
	for at := 0; at < len(ids); at += idSize {
		id := wire.U32(ids, at)
		if d.seen[id] {
			d.anomaly(CodeDuplicateID, off+at, path.At(levelID, at/idSize), "id %d again; the first one counts", int64(id))
			return
		}
		d.seen[id] = true
	}
}

// instances reads the instances of a result.
func (d *Decoder) instances(off, end, counters int, path perfdump.Path) (int, *perfdump.FormatError) {
	if end-off < pairSize {
		return 0, d.fail(perfdump.CodeLength, off, path, "0x%x bytes are left, fewer than the %d before the instances", end-off, pairSize)
	}
	blk := &d.block
	var h multiInstances
	h.load(blk.raw[off:])
	next, err := d.extent(off, h.TotalSize, pairSize, end, path, "MultiInstances.TotalSize", 0)
	switch {
	case err != nil && d.Mode == perfdump.Salvage && h.TotalSize >= pairSize:
		next = end
		_ = d.pass(err)
	case err != nil:
		return 0, err
	}
	if room := next - off - pairSize; uint64(h.NumInstances) > uint64(room/pairSize) {
		err := d.fail(perfdump.CodeCount, off+4, path.Field("MultiInstances.NumInstances"), "%d instances do not fit 0x%x bytes", h.NumInstances, room)
		if d.Mode != perfdump.Salvage {
			return 0, err
		}
		_ = d.pass(err)
	}
	off += pairSize
	blk.instances = slices.Grow(blk.instances, int(min(uint64(h.NumInstances), uint64(next-off)/pairSize)))
	for i := 0; uint32(i) < h.NumInstances; i++ {
		at, err := d.instance(off, next, counters, path.At(levelInstance, i))
		if err != nil {
			return 0, err
		}
		blk.instances = append(blk.instances, uint32(off))
		off = at
	}
	d.slack(off, next, path)
	return next, nil
}

// instance reads an instance and its values and returns where the next one
// begins.
func (d *Decoder) instance(off, end, counters int, path perfdump.Path) (int, *perfdump.FormatError) {
	if end-off < pairSize {
		return 0, d.fail(perfdump.CodeLength, off, path, "0x%x bytes are left, fewer than the %d of an instance's header", end-off, pairSize)
	}
	raw := d.block.raw
	var h instanceHeader
	h.load(raw[off:])
	next, err := d.extent(off, h.Size, pairSize, end, path, "Size", 0)
	if err != nil {
		return 0, err
	}
	name := raw[off+pairSize : off+int(h.Size)]
	if n := checkName(name, off+pairSize, path.Field("Name"), &d.block.anomalies); n >= 0 {
		d.slack(off+pairSize+n, off+int(h.Size), path)
	}
	return d.values(next, end, counters, path)
}

// checkName notes what is odd in a name and returns its length with its NUL,
// or -1 where it has none.
func checkName(b []byte, off int, path perfdump.Path, to *perfdump.Anomalies) int {
	n := wire.IndexNUL16(b)
	if n < 0 {
		to.Add(perfdump.NewAnomaly(CodeNameNUL, int64(off), path, "the name has no NUL in its %d bytes", int64(len(b))))
	} else {
		b = b[:n]
		n += 2
	}
	if !wire.ValidUTF16(b) {
		to.Add(perfdump.NewAnomaly(CodeNameEncoding, int64(off), path, "the name is not valid UTF-16"))
	}
	return n
}

// values reads the values of an instance and returns where they end.
func (d *Decoder) values(off, end, counters int, path perfdump.Path) (int, *perfdump.FormatError) {
	raw := d.block.raw
	for j := range counters {
		if end-off < pairSize {
			return 0, d.fail(perfdump.CodeLength, off, path.At(levelValue, j), "0x%x bytes are left, fewer than the %d of a value's header", end-off, pairSize)
		}
		var h counterData
		h.load(raw[off:])
		size, room := align8(h.Size), uint64(end-off)
		if h.Size%8 != 0 || uint64(h.Size) > room || uint64(h.DataSize)+pairSize > uint64(h.Size) || size-uint64(h.DataSize) >= 16 {
			if err := d.value(h, off, end, path.At(levelValue, j)); err != nil {
				return 0, err
			}
		}
		off += int(min(size, room))
	}
	return off, nil
}

// value looks closer at a value that is not as all others are.
func (d *Decoder) value(h counterData, off, end int, path perfdump.Path) *perfdump.FormatError {
	next, err := d.extent(off, h.Size, pairSize, end, path, "Size", 4)
	if err != nil {
		return err
	}
	if uint64(h.DataSize) > uint64(h.Size)-pairSize {
		return d.fail(perfdump.CodeLength, off, path.Field("DataSize"), "0x%x is past the 0x%x bytes of the value", h.DataSize, h.Size-pairSize)
	}
	d.slack(off+pairSize+int(h.DataSize), next, path)
	return nil
}
