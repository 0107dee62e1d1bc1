package ipcblock

import (
	"iter"
	"time"

	"github.com/perfdump/perfdump/countertypes"
)

// Interval returns the clocks of two captures that are d apart. The shared memory contains
// no time and no frequency, so the caller must supply the interval.
func Interval(d time.Duration) (older, newer countertypes.Clocks) {
	const freq = int64(time.Second)
	older = countertypes.Clocks{PerfFreq: freq, ObjectFreq: freq}
	n := uint64(max(d, 0))
	newer = countertypes.Clocks{PerfTime: n, ObjectTime: n, Time100ns: n / 100, PerfFreq: freq, ObjectFreq: freq}
	return older, newer
}

// Sample returns the raw sample of a counter of c. clocks are those of the capture; without
// them no rate can be computed. The clock switches of o apply. Both may be nil.
//
// Its Status is StatusInvalidData if c has no counters, or is not published yet. The
// counters of free and locked chunks are stale, see [Chunk.State]. It allocates nothing.
func (c *Chunk) Sample(k *Counter, clocks *countertypes.Clocks, o *countertypes.Options) countertypes.Sample {
	s := countertypes.Sample{Type: k.Type(c.Arch), Size: uint32(k.Field.Size(c.Arch)), DefaultScale: k.Scale}
	if c.perf < 0 || c.State == Unpublished || !c.Has(k.Field) {
		s.Status = countertypes.StatusInvalidData
		return s
	}
	if k.Derived() {
		s.First = c.bytesInAllHeaps()
	} else {
		s.First = c.Uint64(k.Field)
	}
	if clocks == nil {
		clocks = &countertypes.Clocks{}
	}
	var fromBase bool
	if s.Second, s.TimeBase, fromBase = s.Type.Tuple(clocks, o); fromBase {
		s.Second = c.Uint64(k.Field + 1)
	}
	return s
}

// Cooked is the value that perfmon shows for a counter.
type Cooked struct {
	*Counter
	Value  float64
	Status countertypes.Status
}

// Cook yields all counters except the bases, in the order of [Counters]. older is a capture
// of the same runtime, taken interval before c, or nil. A counter whose base is 0 has no
// value. o may be nil.
func (c *Chunk) Cook(older *Chunk, interval time.Duration, o *countertypes.Options) iter.Seq[Cooked] {
	return func(yield func(Cooked) bool) {
		before, now := Interval(interval)
		table := counterTable()
		for i := range table {
			k := &table[i]
			if k.IsBase() {
				continue
			}
			var a *countertypes.Sample
			var old countertypes.Sample
			if older != nil {
				old = older.Sample(k, &before, o)
				a = &old
			}
			b := c.Sample(k, &now, o)
			v, status := countertypes.Cook(a, &b, o)
			if !yield(Cooked{k, v, status}) {
				return
			}
		}
	}
}
