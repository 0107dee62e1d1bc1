package perflib2

import (
	"iter"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Block is what a query for counters returned: the clocks and one result for
// each counter header. It is a view over the bytes that it was decoded from;
// all its methods only read and may be called concurrently.
type Block struct {
	DataHeader

	raw       []byte // the block and what trails it
	size      int    // the block alone
	parts     []part
	instances []uint32 // their offsets; those of the values where they have no header
	anomalies perfdump.Anomalies
	faults    []*perfdump.FormatError
}

// part is a result.
type part struct {
	off, size uint32
	ids       uint32 // how many there are
	values    uint32 // offset of what is behind the ids; 0 where nothing was read
	first, n  uint32 // in instances
}

// Bytes returns the bytes of the block and of what trails it. They are the
// input's own.
func (b *Block) Bytes() []byte { return b.raw }

// AppendBinary appends the bytes of the block, those that trail it included,
// to dst. A view is its bytes: to encode something else, take its [Tree].
func (b *Block) AppendBinary(dst []byte) ([]byte, error) { return append(dst, b.raw...), nil }

// Clone returns a copy that shares no memory with b.
func (b *Block) Clone() *Block {
	c := *b
	c.raw = slices.Clone(b.raw)
	c.parts = slices.Clone(b.parts)
	c.instances = slices.Clone(b.instances)
	c.anomalies = b.anomalies.Clone()
	c.faults = slices.Clone(b.faults)
	return &c
}

// Time returns when the block was made, by its PerfTime100ns, and false where
// that holds no time up to the year 9999. SystemTime is left out: in a log it
// is local time.
func (b *Block) Time() (time.Time, bool) {
	const perSecond = 10_000_000
	ticks := b.PerfTime100ns - wire.Filetime1970
	t := time.Unix(ticks/perSecond, ticks%perSecond*100).UTC()
	return t, b.PerfTime100ns > 0 && t.Year() <= 9999
}

// Anomalies returns what is unusual in the block. It belongs to b.
func (b *Block) Anomalies() *perfdump.Anomalies { return &b.anomalies }

// Faults returns the errors that salvage mode skipped, in the order of the
// block, as many as the limit of anomalies allows. In the other modes there are
// none.
func (b *Block) Faults() iter.Seq[*perfdump.FormatError] { return slices.Values(b.faults) }

// Len returns how many results were decoded. It differs from NumCounters only
// in salvage mode.
func (b *Block) Len() int { return len(b.parts) }

// Result returns the result at position i, in the order of the block.
func (b *Block) Result(i int) Result {
	p := &b.parts[i]
	r := Result{block: b, part: p, index: i}
	r.load(b.raw[p.off:])
	return r
}

// Results yields the results in the order of the block.
func (b *Block) Results() iter.Seq2[int, Result] {
	return func(yield func(int, Result) bool) {
		for i := range b.parts {
			if !yield(i, b.Result(i)) {
				return
			}
		}
	}
}

// ResultType says what a [Result] holds.
type ResultType uint32

// The types of results.
const (
	ErrorResult   ResultType = 0 // no values; the status says why
	SingleCounter ResultType = 1 // one value of a counter
	MultiCounters ResultType = 2 // a value of each of several counters
	MultiInstance ResultType = 4 // a value of one counter in each of several instances
	CounterSet    ResultType = 6 // a value of each of several counters in each of several instances
)

var resultTypes = map[ResultType]string{
	ErrorResult: "error", SingleCounter: "single-counter", MultiCounters: "multi-counters", MultiInstance: "multi-instance", CounterSet: "counter-set",
}

// String returns the word of t: "error", "counter-set".
func (t ResultType) String() string { return word(resultTypes, t, "ResultType") }

// hasIDs reports whether the result has the ids of its counters.
func (t ResultType) hasIDs() bool { return t == MultiCounters || t == CounterSet }

// hasInstances reports whether the result has instances with names.
func (t ResultType) hasInstances() bool { return t == MultiInstance || t == CounterSet }

// Result is what a block holds behind one counter header: the answer to one
// query. It is a view into the block.
type Result struct {
	CounterHeader

	block *Block
	part  *part
	index int
}

// NumCounters returns how many counters, and so values of each instance, the
// result has.
func (r Result) NumCounters() int {
	switch {
	case r.Type.hasIDs():
		return int(r.part.ids)
	case r.Type == SingleCounter || r.Type == MultiInstance:
		return 1
	default:
		return 0
	}
}

// ID returns the id of the counter at a position below NumCounters. It is
// [NoID] for the one counter of SingleCounter and MultiInstance: only who asked
// for it knows.
func (r Result) ID(j int) uint32 {
	if !r.Type.hasIDs() {
		return NoID
	}
	return wire.U32(r.ids(), idSize*j)
}

// ids returns the bytes of the ids: none where the block is cut before them.
func (r Result) ids() []byte {
	if r.part.ids == 0 {
		return nil
	}
	from := r.part.off + counterHeaderSize + pairSize
	return r.block.raw[from : from+idSize*r.part.ids]
}

// Offset returns where the result begins in the block.
func (r Result) Offset() int { return int(r.part.off) }

// Path returns the path of the result: counter[0].
func (r Result) Path() perfdump.Path { return blockLevels.Root().At(levelCounter, r.index) }

// Len returns how many instances the result has. Results without instances have
// one, without a name, that holds their values; an [ErrorResult] has none.
func (r Result) Len() int { return int(r.part.n) }

// Instance returns the instance at a position below Len.
func (r Result) Instance(i int) Instance {
	off := int(r.block.instances[int(r.part.first)+i])
	in := Instance{Off: off, raw: r.block.raw[:r.block.size], counters: r.NumCounters()}
	if !r.Type.hasInstances() {
		in.values = off
		return in
	}
	size, id := pair(in.raw[off:])
	in.Named, in.ID = true, id
	in.RawName = r.block.instanceName(off)
	in.values = off + int(align8(size))
	return in
}

// instanceName returns the name of the instance whose header is at off.
func (b *Block) instanceName(off int) []byte {
	return cutNUL(b.raw[off+pairSize : off+int(wire.U32(b.raw, off))])
}

// Instances yields the instances in the order of the result.
func (r Result) Instances() iter.Seq2[int, Instance] {
	return func(yield func(int, Instance) bool) {
		for i := range r.Len() {
			if !yield(i, r.Instance(i)) {
				return
			}
		}
	}
}
