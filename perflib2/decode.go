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
func Parse(b []byte, o perfdump.Options) (*Block, error) {
	return (&Decoder{Options: o}).Decode(b)
}

// Decoder decodes one block after the other into the same memory, so that it
// allocates nothing once it has met the largest. The zero Decoder is ready.
type Decoder struct {
	perfdump.Options

	block Block
	check checker
	end   int // of the block in the bytes present
	seen  map[uint32]bool
}

// Decode decodes the block at the start of b, as [Parse] does. The block and
// all that was taken from it are valid until the next call; [Block.Clone]
// keeps one.
func (d *Decoder) Decode(b []byte) (*Block, error) {
	blk := &d.block
	blk.anomalies.Reset(d.Limits.MaxAnomalies())
	blk.parts, blk.instances, blk.faults = blk.parts[:0], blk.instances[:0], nil
	d.check = checker{Options: d.Options, anomalies: &blk.anomalies, faults: &blk.faults}
	if err := d.header(b); err != nil {
		return nil, err
	}
	if err := d.results(); err != nil {
		return nil, err
	}
	if n := len(b) - blk.size; n > 0 {
		d.check.anomaly(codeTrailingBytes, blk.size, blockLevels.Root(), "%d bytes behind the block's end", int64(n))
	}
	if d.Mode == perfdump.Strict && blk.anomalies.Len() > 0 {
		return nil, blk.anomalies.Kept()[0].Err()
	}
	return blk, nil
}

// header checks the header and finds where the block ends.
func (d *Decoder) header(b []byte) *perfdump.FormatError {
	blk, root := &d.block, blockLevels.Root()
	switch {
	case len(b) == 0:
		return perfdump.NewError(perfdump.CodeEmpty, 0, root, "no bytes: the answer was empty")
	case len(b) < dataHeaderSize:
		return perfdump.NewError(perfdump.CodeTruncated, 0, root, "%d bytes, fewer than the %d of a block's header", len(b), dataHeaderSize)
	}
	wire.LoadStruct(&blk.DataHeader, b)
	total := uint64(blk.TotalSize)
	d.check.cut = total > uint64(len(b))
	d.end = int(min(total, uint64(len(b))))
	blk.raw, blk.size = b[:len(b):len(b)], d.end
	switch {
	case total < dataHeaderSize:
		return perfdump.NewError(perfdump.CodeLength, 0, root.Field("TotalSize"), "0x%x is less than the %d bytes of the header", total, dataHeaderSize)
	case d.check.cut:
		err := perfdump.NewError(perfdump.CodeLength, 0, root.Field("TotalSize"), "0x%x is past the 0x%x bytes present", total, len(b)).Truncated()
		if err := d.check.pass(err); err != nil {
			return err
		}
	}
	if n := d.end - dataHeaderSize; uint64(blk.NumCounters) > uint64(n/counterHeaderSize) {
		err := d.check.fail(perfdump.CodeCount, 4, root.Field("NumCounters"), "%d counter headers do not fit the 0x%x bytes behind the header", int64(blk.NumCounters), int64(n))
		if err := d.check.pass(err); err != nil {
			return err
		}
	}
	if blk.PerfFreq <= 0 {
		d.check.anomaly(codeFreq, 24, root.Field("PerfFreq"), "a frequency of %d", blk.PerfFreq)
	}
	if !calendar(&blk.SystemTime) {
		d.check.anomaly(codeSystemTime, 32, root.Field("SystemTime"), "no time of a calendar")
	}
	return nil
}

// calendar reports whether a SYSTEMTIME is a time.
func calendar(s *[8]uint16) bool {
	return s[0] >= 1601 && s[0] <= 30827 && s[1] >= 1 && s[1] <= 12 && s[2] <= 6 && s[3] >= 1 && s[3] <= 31 &&
		s[4] <= 23 && s[5] <= 59 && s[6] <= 59 && s[7] <= 999
}

// results reads the results. A result whose own size is sound is skipped
// in salvage mode when something is wrong in it; the whole instances before
// that are kept.
func (d *Decoder) results() *perfdump.FormatError {
	blk, off := &d.block, dataHeaderSize
	blk.parts = slices.Grow(blk.parts, int(min(uint64(blk.NumCounters), uint64(d.end-off)/counterHeaderSize)))
	for i := 0; uint32(i) < blk.NumCounters; i++ {
		path := blockLevels.Root().At(levelCounter, i)
		if d.end-off < counterHeaderSize {
			return d.check.pass(d.check.fail(perfdump.CodeLength, off, path, "0x%x bytes are left, fewer than the %d of a counter header", d.end-off, counterHeaderSize))
		}
		var h CounterHeader
		h.load(blk.raw[off:])
		end, err := d.extent(off, h.Size, counterHeaderSize, d.end, path, "Size", 8)
		if err != nil && (d.Mode != perfdump.Salvage || h.Size < counterHeaderSize) {
			return d.check.pass(err)
		}
		if err != nil { // the block was cut in this result
			end = d.end
			_ = d.check.pass(err)
		}
		blk.parts = append(blk.parts, part{off: uint32(off), size: uint32(end - off), first: uint32(len(blk.instances))})
		p := &blk.parts[len(blk.parts)-1]
		err = d.result(h, p, end, path)
		p.n = uint32(len(blk.instances)) - p.first
		if err != nil {
			if err := d.check.pass(err); err != nil {
				return err
			}
		}
		off = end
	}
	d.check.slack(off, d.end, blockLevels.Root())
	return nil
}

// extent checks the size of a structure at off that must end by limit. It
// returns where the next one begins.
func (d *Decoder) extent(off int, size uint32, least, limit int, path perfdump.Path, field string, at int) (int, *perfdump.FormatError) {
	next, err := d.check.sized(off, size, least, limit, path.Field(field), off+at)
	if err == nil && size%8 != 0 {
		d.check.anomaly(codeMisaligned, off+at, path.Field(field), "%d is no multiple of 8", int64(size))
	}
	return next, err
}

// result reads what belongs to a counter header.
func (d *Decoder) result(h CounterHeader, p *part, end int, path perfdump.Path) *perfdump.FormatError {
	off := int(p.off)
	if h.Reserved != 0 {
		d.check.anomaly(codeReserved, off+12, path.Field("Reserved"), "0x%x, not 0", int64(h.Reserved))
	}
	if h.Status != 0 && h.Type != ErrorResult {
		d.check.anomaly(codeStatus, off, path.Field("Status"), "status 0x%x, and yet values", int64(h.Status))
	}
	off += counterHeaderSize
	var err *perfdump.FormatError
	counters := 1
	switch h.Type {
	case ErrorResult:
		d.check.slack(off, end, path)
		return nil
	case SingleCounter, MultiInstance:
	case MultiCounters, CounterSet:
		if off, err = d.ids(off, end, p, path); err != nil {
			return err
		}
		counters = int(p.ids)
	default:
		d.check.anomaly(codeResultType, off-12, path.Field("Type"), "type %d is not known; its %d bytes are kept", int64(h.Type), int64(end-off))
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
		d.check.slack(off, end, path)
	}
	return err
}

// ids reads the ids of the counters.
func (d *Decoder) ids(off, end int, p *part, path perfdump.Path) (int, *perfdump.FormatError) {
	if err := d.check.need(off, end, pairSize, path, "before the ids"); err != nil {
		return 0, err
	}
	raw := d.block.raw
	size, n := pair(raw[off:])
	next, err := d.extent(off, size, pairSize, end, path, "MultiCounters.Size", 0)
	if err != nil {
		return 0, err
	}
	if room := int(size) - pairSize; uint64(n) > uint64(room/idSize) {
		return 0, d.check.fail(perfdump.CodeCount, off+4, path.Field("MultiCounters.NumCounters"), "%d ids do not fit 0x%x bytes", n, room)
	}
	p.ids = n
	from := off + pairSize
	d.check.slack(from+idSize*int(p.ids), next, path)
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
			d.check.anomaly(codeDuplicateID, off+at, path.At(levelID, at/idSize), "id %d again; the first one counts", int64(id))
			return
		}
		d.seen[id] = true
	}
}

// instances reads the instances of a result.
func (d *Decoder) instances(off, end, counters int, path perfdump.Path) (int, *perfdump.FormatError) {
	if err := d.check.need(off, end, pairSize, path, "before the instances"); err != nil {
		return 0, err
	}
	blk := &d.block
	size, n := pair(blk.raw[off:])
	next, err := d.extent(off, size, pairSize, end, path, "MultiInstances.TotalSize", 0)
	switch {
	case err != nil && d.Mode == perfdump.Salvage && size >= pairSize:
		next = end
		_ = d.check.pass(err)
	case err != nil:
		return 0, err
	}
	if room := next - off - pairSize; uint64(n) > uint64(room/pairSize) {
		err := d.check.fail(perfdump.CodeCount, off+4, path.Field("MultiInstances.NumInstances"), "%d instances do not fit 0x%x bytes", n, room)
		if d.Mode != perfdump.Salvage {
			return 0, err
		}
		_ = d.check.pass(err)
	}
	off += pairSize
	blk.instances = slices.Grow(blk.instances, int(min(uint64(n), uint64(next-off)/pairSize)))
	for i := 0; uint32(i) < n; i++ {
		at, err := d.instance(off, next, counters, path.At(levelInstance, i))
		if err != nil {
			return 0, err
		}
		// The size of its header bounds the name; what is less cannot be too long.
		if size := wire.U32(blk.raw, off); size <= maxName || len(blk.instanceName(off)) <= maxName {
			blk.instances = append(blk.instances, uint32(off))
		} else if err := d.check.pass(d.check.fail(perfdump.CodeLimit, off+pairSize, path.At(levelInstance, i).Field("Name"),
			"0x%x bytes, more than the 0x%x that a name can have", len(blk.instanceName(off)), maxName)); err != nil {
			return 0, err
		}
		off = at
	}
	d.check.slack(off, next, path)
	return next, nil
}

// instance reads an instance and its values and returns where the next one
// begins.
func (d *Decoder) instance(off, end, counters int, path perfdump.Path) (int, *perfdump.FormatError) {
	if err := d.check.need(off, end, pairSize, path, "of an instance's header"); err != nil {
		return 0, err
	}
	raw := d.block.raw
	size, _ := pair(raw[off:])
	next, err := d.extent(off, size, pairSize, end, path, "Size", 0)
	if err != nil {
		return 0, err
	}
	name := raw[off+pairSize : off+int(size)]
	if n := checkName(name, off+pairSize, path.Field("Name"), d.check.anomalies); n >= 0 {
		d.check.slack(off+pairSize+n, off+int(size), path)
	}
	return d.values(next, end, counters, path)
}

// checkName reports what is unusual in a name and returns its length with its NUL,
// or -1 where it has none.
func checkName(b []byte, off int, path perfdump.Path, to *perfdump.Anomalies) int {
	n := wire.IndexNUL16(b)
	if n < 0 {
		to.Add(perfdump.NewAnomaly(codeNameNUL, int64(off), path, "the name has no NUL in its %d bytes", int64(len(b))))
	} else {
		b = b[:n]
		n += 2
	}
	if !wire.ValidUTF16(b) {
		to.Add(perfdump.NewAnomaly(codeNameEncoding, int64(off), path, "the name is not valid UTF-16"))
	}
	return n
}

// values reads the values of an instance and returns where they end.
func (d *Decoder) values(off, end, counters int, path perfdump.Path) (int, *perfdump.FormatError) {
	raw := d.block.raw
	for j := range counters {
		if end-off < pairSize {
			return 0, d.check.fail(perfdump.CodeLength, off, path.At(levelValue, j), "0x%x bytes are left, fewer than the %d of a value's header", end-off, pairSize)
		}
		var h counterData
		h.DataSize, h.Size = pair(raw[off:])
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
		return d.check.fail(perfdump.CodeLength, off, path.Field("DataSize"), "0x%x is past the 0x%x bytes of the value", h.DataSize, h.Size-pairSize)
	}
	d.check.slack(off+pairSize+int(h.DataSize), next, path)
	return nil
}
