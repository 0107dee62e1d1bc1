package perfdata

import (
	"bytes"
	"iter"
	"slices"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Parse decodes the block at the start of b. The result aliases b, which must
// not change while it is in use. All lengths, counts and offsets are checked;
// the cost is linear in the block and does not depend on what it claims.
//
// The error is a *perfdump.FormatError with the path and offset of the fault. In salvage
// mode there is an error only if nothing could be read; see [Block.Faults].
func Parse(b []byte, o perfdump.Options) (*Block, error) {
	return parse(b, o, 0, 0)
}

// parsers are decoders that give each block away.
var parsers = sync.Pool{New: func() any { return &Decoder{gives: true} }}

// maxShared is the size up to which blocks share their definitions with later ones.
const maxShared = 64 << 10

// parse decodes a block of its own. Small blocks share the definitions that they have in
// common: these never change, since a parser only adds to them.
func parse(b []byte, o perfdump.Options, base int64, index int) (*Block, error) {
	d := parsers.Get().(*Decoder) //nolint:forcetypeassert // of New
	d.Options, d.block, d.once = o, &Block{}, len(b) > maxShared
	if !d.once {
		d.block.counters, d.block.ops = d.shared.counters, d.shared.ops
	}
	blk, err := d.decode(b, base, index)
	if !d.once {
		d.shared.counters, d.shared.ops = d.block.counters, d.block.ops
	}
	d.block, d.b = nil, nil
	parsers.Put(d)
	return blk, err
}

// Blocks decodes consecutive blocks of a file. Each block yielded stays valid. The sequence
// ends with the first error.
func Blocks(b []byte, o perfdump.Options) iter.Seq2[*Block, error] {
	return func(yield func(*Block, error) bool) {
		var base int64
		left := b
		for index := 0; ; index++ {
			blk, err := parse(left, o, base, index)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(blk, nil) || len(blk.rest) == 0 {
				return
			}
			base += int64(len(left) - len(blk.rest))
			left = blk.rest
		}
	}
}

// Decoder decodes one block after the other into the same memory, so that it stops
// allocating once it has decoded the largest. The zero Decoder is ready to use.
type Decoder struct {
	perfdump.Options

	block *Block
	b     []byte // the bytes present
	end   int    // the end of the block in b
	cut   bool   // the block claims more bytes than are present
	root  perfdump.Path
	visit func(*Object)
	fetch int // offset at which to prefetch more bytes; see fetchAhead

	scratch [256]byte               // for names that are only checked
	traits  [typesKept]traitsOfType // of recent types

	once         bool // the next block caches nothing
	known        []knownObject
	knownTitles  map[uint32]int // positions in known
	knownBytes   []byte
	lastKnown    int
	unknown      knownObject
	usedObjects  int // of the previous block
	usedCounters int
	usedBytes    int // of its definitions

	gives  bool // blocks stay valid
	shared struct {
		counters []Counter
		ops      []op
	} // of the blocks given away
}

// Decode decodes the block at the start of b, as [Parse] does. The block and everything
// obtained from it are valid until the next call; use [Block.Clone] to keep a block.
func (d *Decoder) Decode(b []byte) (*Block, error) {
	blk, err := d.decode(b, 0, 0)
	if err != nil {
		return nil, err
	}
	return blk, nil
}

// Visit is Decode that calls f for each object as soon as it has been checked, while its
// bytes are still in the processor's caches, which is faster if f reads the values. An
// object and its bytes are valid until the next call. Errors and anomalies of later parts
// are not known yet when f is called, nor are faults in the references of instances to
// their parents.
func (d *Decoder) Visit(b []byte, f func(*Object)) (*Block, error) {
	d.visit = f
	blk, err := d.Decode(b)
	d.visit = nil
	return blk, err
}

func (d *Decoder) decode(b []byte, base int64, index int) (*Block, error) {
	if d.block == nil {
		d.block = &Block{}
	}
	blk := d.block
	d.keep()
	blk.reset(d.Options, base)
	d.b, d.end, d.cut, d.fetch = b[:len(b):len(b)], len(b), false, 0
	d.root = levels.Root()
	if index > 0 {
		d.root = d.root.At(levelBlock, index)
	}
	if err := d.signature(); err != nil {
		return nil, err
	}
	blk.load(b)
	if index == 0 && followed(b, blk.TotalByteLength) {
		d.root = d.root.At(levelBlock, 0)
	}
	blk.root = d.root
	if err := d.extent(); err != nil {
		return nil, err
	}
	if failed := d.header(); failed != nil {
		if d.Mode != perfdump.Salvage {
			return nil, failed.err()
		}
		blk.faults = append(blk.faults, failed)
	}
	blk.raw = d.b[:d.end]
	off, failed := d.objects()
	if failed != nil {
		if d.Mode != perfdump.Salvage {
			return nil, failed.err()
		}
		blk.faults = append(blk.faults, failed)
	}
	d.tail(off)
	blk.indexTitles()
	if failed := d.parentNames(); failed != nil {
		if d.Mode != perfdump.Salvage {
			return nil, failed.err()
		}
		blk.faults = append(blk.faults, failed)
	}
	d.parents()
	if d.Mode == perfdump.Strict && blk.anomalies.Len() > 0 {
		return nil, blk.anomalies.Kept()[0].Err()
	}
	return blk, nil
}

// signature checks what is needed to read anything else.
func (d *Decoder) signature() error {
	b := d.b
	if len(b) == 0 {
		return perfdump.NewError(perfdump.CodeEmpty, d.block.base, d.root, "the input is empty")
	}
	n := min(len(b), len(signature))
	switch {
	case len(b) >= len(signature) && bytes.Equal(b[:n], bigEndianSignature[:]):
		return d.fail(perfdump.CodeBigEndian, 0, d.root, "the block is big-endian; only little-endian blocks can be read").err()
	case !bytes.Equal(b[:n], signature[:n]):
		return perfdump.NewError(perfdump.CodeSignature, d.block.base, d.root, "not performance data: it begins with % x instead of \"PERF\" in UTF-16", b[:n])
	case len(b) < blockSize:
		return d.fail(perfdump.CodeTruncated, 0, d.root, "%d bytes, fewer than the %d of a block header", int64(len(b)), blockSize).err()
	}
	return nil
}

// extent finds the end of the block.
func (d *Decoder) extent() error {
	blk, present := d.block, min(len(d.b), maxLength)
	header, total := uint64(blk.HeaderLength), uint64(blk.TotalByteLength)
	samba := d.samba()
	d.cut = total > uint64(present) && !samba
	d.end = present
	switch {
	case header < blockSize || header > uint64(present):
		return d.cutFail(perfdump.CodeLength, 24, d.root.Field("HeaderLength"),
			"the offset of the first object is 0x%x, outside 0x%x..0x%x", int64(header), blockSize, int64(present)).err()
	case samba:
		d.end = int(header) + int(sambaTotal(blk))
		d.anomaly(codeTotalShort, 20, d.root.Field("TotalByteLength"),
			"TotalByteLength 0x%x leaves out the header; the block ends at 0x%x", int64(total), int64(d.end))
	case total > maxLength:
		return d.fail(perfdump.CodeLength, 20, d.root.Field("TotalByteLength"), "block of 0x%x bytes, more than a block can have", int64(total)).err()
	case total < header:
		return d.fail(perfdump.CodeLength, 20, d.root.Field("TotalByteLength"),
			"block of 0x%x bytes, less than its header's 0x%x", int64(total), int64(header)).err()
	case d.cut:
		d.anomaly(codeTotalLong, 20, d.root.Field("TotalByteLength"),
			"block of 0x%x bytes, only 0x%x are present", int64(total), int64(present))
	default:
		d.end = int(total)
	}
	return nil
}

// objects reads the objects and returns the end of the last one.
func (d *Decoder) objects() (off int, err *fault) {
	blk := d.block
	off = int(blk.HeaderLength)
	if n := uint64(blk.NumObjectTypes); n*objectSize > uint64(d.end-off) {
		err = d.cutFail(perfdump.CodeCount, 28, d.root.Field("NumObjectTypes"),
			"%d objects need 0x%x bytes, but 0x%x remain", int64(n), int64(n*objectSize), int64(d.end-off))
		if d.Mode != perfdump.Salvage {
			return off, err
		}
		blk.faults = append(blk.faults, err)
	}
	blk.objects = slices.Grow(blk.objects, int(min(uint64(blk.NumObjectTypes), uint64(d.end-off)/objectSize)))
	if d.displaced(off) {
		off += displacement
	}
	for i := uint32(0); i < blk.NumObjectTypes; i++ {
		have := len(blk.objects)
		next, err := d.object(int(i), off)
		if d.visit != nil && len(blk.objects) > have && (err == nil || d.Mode == perfdump.Salvage) {
			d.visit(&blk.objects[have])
		}
		if err == nil {
			off = next
			continue
		}
		if d.Mode != perfdump.Salvage || next <= off {
			return off, err
		}
		blk.faults = append(blk.faults, err)
		off = next
	}
	return off, nil
}

// Blocks are read once and in order. Blocks larger than the processor's caches would wait
// for memory at each step, so their bytes are prefetched 2 KB ahead, 512 at a time:
// processors allow few requests at once, and wait if there are more.
const (
	fetchDistance = 2 << 10
	fetchSize     = 512
)

// fetchAhead prefetches the next bytes. It is called when off reaches d.fetch, which it
// advances.
func (d *Decoder) fetchAhead(off int) {
	from := max(off, d.fetch+fetchDistance)
	if from < d.end {
		wire.Prefetch(d.b[from:min(from+fetchSize, d.end)])
	}
	d.fetch = from + fetchSize - fetchDistance
}

// tail checks what follows the last object, inside the block and after it.
func (d *Decoder) tail(off int) {
	blk := d.block
	if n := d.end - off; n >= gapSize {
		if !d.cut && hasSignature(d.b[off:d.end]) && !hasSignature(d.b[d.end:]) {
			d.anomaly(codeTotalLong, 20, d.root.Field("TotalByteLength"),
				"TotalByteLength 0x%x runs over another block at 0x%x", int64(d.end), int64(off))
			d.end = off
		} else if len(blk.faults) == 0 {
			d.anomaly(CodeGap, off, d.root, "%d bytes after the last object", int64(n))
		}
	}
	blk.size = d.end
	rest := d.b[d.end:]
	switch {
	case len(rest) == 0:
	case hasSignature(rest):
		blk.rest = rest
	default:
		d.anomaly(CodeTrailingBytes, d.end, d.root, "%d bytes after the block's end", int64(len(rest)))
		d.end = len(d.b)
	}
	blk.raw = d.b[:d.end:d.end]
}

// followed reports whether a block of the given length is followed by another one, so that
// paths name the block.
func followed(b []byte, total uint32) bool {
	return total >= blockSize && uint64(total) < uint64(len(b)) && hasSignature(b[total:])
}

func hasSignature(b []byte) bool {
	return bytes.HasPrefix(b, signature[:]) || bytes.HasPrefix(b, bigEndianSignature[:])
}

func (d *Decoder) anomaly(code perfdump.Code, off int, path perfdump.Path, text string, args ...int64) {
	d.block.anomalies.Add(perfdump.NewAnomaly(code, d.block.base+int64(off), path, text, args...))
}

// u32 loads from the block's bytes.
func (d *Decoder) u32(off int) uint32 { return wire.U32(d.b, off) }
