package document

import (
	"math"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/perfdata"
)

// perfDataReader takes the blocks of a document. Objects are laid out from the
// end of their block's header on, since where that is may stand behind them;
// place moves them at the end.
//
// A document without any wire and gaps is canonical: it is laid out by the
// rules of [perfdata.Tree.Layout] and the lengths and offsets in it do not
// count. Any other is explicit: what it says holds, what it leaves out is as
// the rules have it. Which it is may be known at its end only, so what would
// not hold in an explicit one is kept until then.
type perfDataReader struct {
	d *decoder

	explicit bool
	conflict error // what is wrong once the document is explicit
	// meaningless is what is wrong unless it is.
	meaningless error

	n      int      // blocks taken
	block  blockDoc // the one at hand
	spool  stream   // the others
	object objectReader

	speller speller

	header     [headerSize]byte
	placed     stream // the runs of the blocks' headers
	firsts     stream // where their headers and their objects begin
	hard, soft int64  // the ends of what is said, and of what is filled in
}

// blockDoc is a block without its objects.
type blockDoc struct {
	seen, wire fields

	offset        int64
	bigEndian     bool
	u32           [blockObjects]uint32 // by key
	defaultObject int32
	time          time.Time // system_time; zero where it is null
	perfTime      [3]int64  // from blockPerfTime on: time, frequency, 100 ns
	flag          uint32
	wireTime      perfdata.SystemTime
	wireName      [2]uint32 // length and offset

	name     textKind
	nameText []byte

	objects   int
	end       int64 // of the objects, from that of the header on
	shift     int64 // what the objects' offsets have more than that
	shifted   bool
	skewed    int // the first object whose offset has another shift, from 1 on
	ends      ends
	nameBytes []byte
}

// explicitly notes that the document says how it lies in bytes.
func (p *perfDataReader) explicitly() { p.explicit = true }

// conflicts notes an error that is one in an explicit document alone, and
// returns it where it is one by now.
func (p *perfDataReader) conflicts(err error) error {
	if p.explicit {
		return err
	}
	if p.conflict == nil {
		p.conflict = err
	}
	return nil
}

func (p *perfDataReader) take() error {
	return p.d.array(func(int) error { return p.takeBlock() })
}

func (p *perfDataReader) takeBlock() error {
	d, b := p.d, &p.block
	*b = blockDoc{nameText: b.nameText[:0], nameBytes: b.nameBytes[:0]}
	p.n++
	err := d.reader.object(blockKeys, &b.seen, func(key int) error { return p.takeBlockKey(b, key) })
	if err != nil {
		return err
	}
	b.ends = d.ends
	d.endBlock()
	if err := p.closeBlock(b); err != nil {
		return err
	}
	b.save(&p.spool)
	return d.spool.err
}

func (p *perfDataReader) takeBlockKey(b *blockDoc, key int) (err error) {
	d := p.d
	switch key {
	case blockOffset:
		var v uint64
		v, err = d.unsigned(maxSize)
		b.offset = int64(v)
	case blockLittleEndian:
		var little bool
		little, err = d.boolean()
		b.bigEndian = !little
	case blockVersion, blockRevision, blockTotal, blockHeader, blockNumObjects:
		b.u32[key], err = d.u32()
	case blockDefaultObject:
		b.defaultObject, err = d.i32()
	case blockSystemTime:
		b.time, err = d.time()
	case blockPerfTime, blockPerfFreq, blockPerfTime100:
		b.perfTime[key-blockPerfTime], err = d.signed(64)
	case blockName:
		b.name, b.nameText, err = d.takeText(b.nameText[:0])
	case blockWire:
		p.explicitly()
		err = d.reader.object(blockWireKeys, &b.wire, func(key int) error { return p.takeBlockWire(b, key) })
	case blockObjects:
		err = d.array(func(int) error {
			b.objects++
			return p.object.take(p, b)
		})
	}
	return err
}

func (p *perfDataReader) takeBlockWire(b *blockDoc, key int) (err error) {
	d := p.d
	switch key {
	case blockWireFlag:
		b.flag, err = d.u32()
	case blockWireTime:
		n := 0
		err = d.array(func(i int) error {
			if n++; n > len(b.wireTime) {
				return d.syntaxError("a SYSTEMTIME has 8 words")
			}
			v, err := d.unsigned(math.MaxUint16)
			b.wireTime[i] = uint16(v)
			return err
		})
		if err == nil && n < len(b.wireTime) {
			err = d.syntaxError("%d words; a SYSTEMTIME has 8", n)
		}
	default:
		b.wireName[key-blockWireNameLength], err = d.u32()
	}
	return err
}

// i32 takes a number of 32 bits with a sign.
func (r *reader) i32() (int32, error) {
	v, err := r.signed(32)
	return int32(v), err
}

// time takes a time of RFC 3339, or null.
func (r *reader) time() (time.Time, error) {
	if null, err := r.null(); err != nil || null {
		return time.Time{}, err
	}
	if err := r.text(maxWord); err != nil {
		return time.Time{}, err
	}
	t, err := time.Parse(time.RFC3339Nano, string(r.str))
	t = t.UTC()
	switch {
	case err != nil:
		return t, r.syntaxError("%s is no time such as 2020-03-18T19:05:41.123Z", quote(r.str))
	case t.Nanosecond()%1e6 != 0:
		return t, r.syntaxError("%s is finer than a millisecond", quote(r.str))
	case t.Year() < 1601:
		return t, r.syntaxError("%s is before 1601, which no SYSTEMTIME is", quote(r.str))
	}
	return t, nil
}

// closeBlock judges what is known of a block when all its keys have been
// taken.
func (p *perfDataReader) closeBlock(b *blockDoc) error {
	d := p.d
	if b.bigEndian && (!b.wire.has(blockWireFlag) || b.flag == 1) {
		return d.errorAt(perfdump.CodeBigEndian, -1, "little_endian is false; blocks are written in little-endian order alone")
	}
	if b.wire.has(blockWireTime) && b.seen.has(blockSystemTime) {
		t, ok := b.wireTime.Time()
		if ok = ok && t.Year() <= 9999; ok != !b.time.IsZero() || ok && !t.Equal(b.time) {
			return d.contradiction("system_time is not the time of wire.system_time; change both, or leave the latter out")
		}
	}
	return p.spellName(b)
}

// contradiction is an error of values that do not agree.
func (r *reader) contradiction(format string, args ...any) error {
	return r.errorAt(perfdump.CodeLength, -1, format, args...)
}

// spellName makes the bytes of the computer's name.
func (p *perfDataReader) spellName(b *blockDoc) error {
	d := p.d
	given, n := b.wire.has(blockWireNameLength), int64(b.wireName[0])
	switch b.name {
	case textNone:
		return nil
	case textHex:
		b.nameBytes = append(b.nameBytes, b.nameText...)
		if given && n != int64(len(b.nameBytes)) {
			return d.contradiction("system_name has %d bytes, wire.system_name_length says %d", len(b.nameBytes), n)
		}
		return nil
	case textString:
	}
	raw, ok := p.spell(0, b.nameText, given, n)
	if !ok {
		return d.contradiction("system_name takes %d bytes with its NUL, wire.system_name_length says %d", raw.n, n)
	}
	b.nameBytes = slices.Grow(b.nameBytes, int(raw.n))
	for part := range raw.parts() {
		b.nameBytes = append(b.nameBytes, part...)
	}
	return nil
}

// spell makes the bytes of a name of which the length may be given: the text,
// and a NUL unless the length leaves none out. Where the length is neither, it
// returns false and the bytes with a NUL; where the page cannot spell the name,
// false and none.
func (p *perfDataReader) spell(page uint32, name []byte, given bool, n int64) (spelled, bool) {
	raw, ok := p.speller.spelled(page, name)
	switch {
	case !ok:
		return spelled{}, false
	case given && n == raw.n, !given && raw.n == 0:
		return raw, true
	}
	raw.fill(unit(page))
	return raw, !given || n == raw.n
}
