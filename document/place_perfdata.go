package document

import (
	"encoding/binary"
	"fmt"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

// place puts the blocks at their offsets, now that the whole document is
// known.
func (p *perfDataReader) place() error {
	d := p.d
	p.explicit = p.explicit || d.hasGaps
	if p.explicit && p.conflict != nil {
		return p.conflict
	}
	if !p.explicit && p.meaningless != nil {
		return p.meaningless
	}
	var at, next int64
	blocks, b := p.spool.reader(), &p.block
	for i := range p.n {
		if !b.load(&blocks) {
			break // of an error of the scratch
		}
		d.path = append(d.path[:0], step{key: "blocks", index: -1}, step{index: i})
		base := next
		if p.explicit && b.seen.has(blockOffset) {
			base = b.offset
		}
		var err error
		if at, next, err = p.placeBlock(i, base, at); err != nil {
			return err
		}
	}
	d.path = d.path[:0]
	return d.spool.err
}

// placeBlock lays out the header of a block at base and moves its objects
// behind it. at is the end of the block before. The results are the end of this
// one and where the next one stands unless it says otherwise.
func (p *perfDataReader) placeBlock(i int, base, at int64) (end, next int64, err error) {
	d, b := p.d, &p.block
	nameOff := int64(headerSize)
	if b.wire.has(blockWireNameOffset) {
		nameOff = int64(b.wireName[1])
	}
	nameLen := int64(len(b.nameBytes))
	if b.wire.has(blockWireNameLength) {
		nameLen = int64(b.wireName[0])
	}
	header := align8(max(headerSize, nameOff+int64(len(b.nameBytes))))
	if b.name == textNone {
		header = headerSize
	}
	given := p.explicit && b.seen.has(blockHeader)
	if given {
		header = int64(b.u32[blockHeader])
	}
	switch {
	case header < headerSize:
		return 0, 0, d.errorAt(perfdump.CodeLength, base, "header_length %d is less than the %d bytes of a header", header, headerSize)
	case len(b.nameBytes) > 0 && (nameOff < headerSize || nameOff+int64(len(b.nameBytes)) > header):
		return 0, 0, d.errorAt(perfdump.CodeLength, base, "system_name, %d bytes at %d, is not between the struct of %d bytes and the header's end at %d", len(b.nameBytes), nameOff, headerSize, header)
	case base < at:
		return 0, 0, d.errorAt(perfdump.CodeLength, base, "the block begins at 0x%x, inside the one before, which has bytes up to 0x%x", base, at)
	case p.explicit && b.seen.has(blockNumObjects) && int(b.u32[blockNumObjects]) != b.objects:
		return 0, 0, d.errorAt(perfdump.CodeCount, base, "num_object_types is %d, but there are %d objects", b.u32[blockNumObjects], b.objects)
	case p.explicit && b.skewed > 0:
		return 0, 0, d.errorAt(perfdump.CodeLength, -1, "the offset of %s is not where the lengths of the objects before lead", objectPath(i, b.skewed-1))
	case p.explicit && b.shifted && b.shift != base+header:
		return 0, 0, d.errorAt(perfdump.CodeLength, base, "the first object stands at 0x%x by its offset, at 0x%x by offset and header_length of the block", b.shift, base+header)
	}
	first := base + header
	total := header + b.end
	if total > maxLength {
		return 0, 0, d.errorAt(perfdump.CodeLimit, base, "the block grows over 2 GiB")
	}
	totalField := uint32(total)
	if p.explicit && b.seen.has(blockTotal) {
		totalField = b.u32[blockTotal]
	}
	raw := p.header[:]
	b.header(raw, p.explicit, header, totalField, nameLen, nameOff)
	keep := func(off int64, bytes []byte) {
		p.placed.words(off, int64(len(bytes)))
		p.placed.append(bytes)
		p.hard = max(p.hard, off+int64(len(bytes)))
	}
	keep(base, raw[:padOff])
	keep(base+padEnd, raw[padEnd:])
	if len(b.nameBytes) > 0 {
		keep(base+nameOff, b.nameBytes)
	}
	p.placed.words(noRun, 0)
	for _, e := range []struct{ to, of *int64 }{{&p.hard, &b.ends.runs}, {&p.hard, &b.ends.zeros}, {&p.soft, &b.ends.soft}} {
		if *e.of > 0 {
			*e.to = max(*e.to, first+*e.of)
		}
	}
	if given { // nothing is filled in
		p.firsts.words(first, first)
	} else {
		p.firsts.words(base, first)
		p.soft = max(p.soft, first)
	}
	end = first + b.end
	return end, max(end, base+int64(totalField)), nil
}

// header makes the struct of the block.
func (b *blockDoc) header(raw []byte, explicit bool, header int64, total uint32, nameLen, nameOff int64) {
	le := binary.LittleEndian
	copy(raw, "P\x00E\x00R\x00F\x00")
	flag, version, revision := uint32(1), uint32(1), uint32(1)
	if b.wire.has(blockWireFlag) {
		flag = b.flag
	}
	if explicit && b.seen.has(blockVersion) {
		version = b.u32[blockVersion]
	}
	if explicit && b.seen.has(blockRevision) {
		revision = b.u32[blockRevision]
	}
	for i, v := range []uint32{flag, version, revision, total, uint32(header), uint32(b.objects), uint32(b.defaultObject)} {
		le.PutUint32(raw[8+4*i:], v)
	}
	system, hundred := b.times()
	for i, v := range system {
		le.PutUint16(raw[36+2*i:], v)
	}
	freq := b.perfTime[1]
	if !b.seen.has(blockPerfFreq) {
		freq = defaultFreq
	}
	for i, v := range []int64{b.perfTime[0], freq, hundred} {
		le.PutUint64(raw[56+8*i:], uint64(v))
	}
	le.PutUint32(raw[80:], uint32(nameLen))
	le.PutUint32(raw[84:], uint32(nameOff))
}

// defaultFreq is the frequency of a performance counter of which none is told:
// that of every Windows since 10 version 1809.
const defaultFreq = 10_000_000

const filetimeOfSecond = 10_000_000

// times returns both forms of the block's time. Where one is left out it is
// made of the other.
func (b *blockDoc) times() (system perfdata.SystemTime, hundred int64) {
	hundred = b.perfTime[blockPerfTime100-blockPerfTime]
	if !b.seen.has(blockPerfTime100) && !b.time.IsZero() {
		hundred = wire.Filetime1970 + b.time.Unix()*filetimeOfSecond + int64(b.time.Nanosecond()/100)
	}
	switch {
	case b.wire.has(blockWireTime):
		system = b.wireTime
	case !b.time.IsZero():
		system = perfdata.NewSystemTime(b.time)
	default:
		system = perfdata.NewSystemTime(perfdata.Filetime(hundred))
	}
	return system, hundred
}

func align8(n int64) int64 { return (n + 7) &^ 7 }

// objectPath is the path to an object of the block at hand.
func objectPath(block, object int) string {
	return fmt.Sprintf("blocks[%d].objects[%d]", block, object)
}

func counterPath(j int) string { return fmt.Sprintf("counters[%d]", j) }

func (o *objectReader) instancePath(key string) string {
	path := fmt.Sprintf("instances[%d]", o.done)
	if key != "" {
		path += "." + key
	}
	return path
}

func (o *objectReader) valuePath(j int) string {
	return fmt.Sprintf("instances[%d].values[%d]", o.done, j)
}

func (o *objectReader) countPath(j int) string {
	return fmt.Sprintf("instances[%d].multi[%d]", o.done, j)
}
