package compare

import (
	"fmt"
	"iter"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/pairing"
	"github.com/perfdump/perfdump/perfdata"
)

// Object compares an object.
type Object struct {
	Change       Change
	Index        uint32 // title index
	Name         string
	Older, Newer *capture.Object // nil if there is none; what the filter rejects counts as there

	Fields   []Field    // of its header; none where a filter is set
	Counters []*Counter // those whose definitions were added, removed or changed

	// How many instances, and how many values that both have and that have
	// changed. Nothing of added or removed objects is counted.
	InstanceCount Count
	ValuesChanged int
	ValuesBoth    int

	partial    bool
	counters   []Counter     // all
	values     []Value       // memory for those of an instance
	pairs      pairing.Pairs // of the instances
	replaced   []bool        // which instances of the newer object have another owner, nil for none
	sameLayout bool          // the same bytes of a counter block are the same values
}

// Objects yields the objects that differ, as far as the filter lets them
// through: those that are gone, those that are new, then those that have
// changed, each in the order of their source.
func (b *Block) Objects() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		if b.Older == nil || b.Newer == nil {
			return
		}
		was, is := b.Older.Block(), b.Newer.Block()
		key := func(b *perfdata.Block) func(int) uint32 {
			return func(i int) uint32 { return b.Object(i).ObjectNameTitleIndex }
		}
		p := pairing.Match(was.NumObjects(), is.NumObjects(), key(was), key(is))
		for i, at := range p.Newer {
			if at >= 0 {
				continue
			}
			if o, ok := b.Older.Object(i); ok && !yield(&Object{Change: Gone, Index: o.Index, Name: o.Name, Older: o}) {
				return
			}
		}
		for i, at := range p.Older {
			if at >= 0 {
				continue
			}
			if o, ok := b.Newer.Object(i); ok && !yield(&Object{Change: New, Index: o.Index, Name: o.Name, Newer: o}) {
				return
			}
		}
		for i, at := range p.Older {
			if at < 0 {
				continue
			}
			if o := b.object(int(at), i); o != nil && !yield(o) {
				return
			}
		}
	}
}

// object compares an object that both have. It returns nil if nothing that
// the filter accepts has changed.
func (b *Block) object(older, newer int) *Object {
	was, okWas := b.Older.Object(older)
	is, okIs := b.Newer.Object(newer)
	if !okWas && !okIs {
		return nil
	}
	o := &Object{Change: Changed, Index: is.Index, Name: is.Name, Older: was, Newer: is, partial: b.partial}
	if !b.partial {
		o.Fields = fields(objectPairs(was.View()), objectPairs(is.View()))
	}
	o.compareCounters()
	if was.Total > 0 || is.Total > 0 {
		o.pairs.Older, o.pairs.Newer, o.replaced = capture.PairInstances(was, is)
		o.count()
	}
	if len(o.Fields)+len(o.Counters) == 0 && !o.InstanceCount.any() {
		return nil
	}
	return o
}

func objectPairs(o *perfdata.Object) []Pair {
	return []Pair{
		{"kind", kindOf(o)},
		{"help_index", uint64(o.ObjectHelpTitleIndex)},
		{"detail_level", uint64(o.DetailLevel)},
		{"default_counter", int64(o.DefaultCounter)},
		{"code_page", uint64(o.CodePage)},
		{"perf_time", o.PerfTime},
		{"perf_freq", o.PerfFreq},
		{"name_title", uint64(o.ObjectNameTitle)},
		{"help_title", uint64(o.ObjectHelpTitle)},
	}
}

// kindOf says what NumInstances means where it is no count.
func kindOf(o *perfdata.Object) string {
	switch n := o.NumInstances; {
	case n >= 0:
		return "instances"
	case n == perfdata.NoInstances:
		return "single"
	case n == perfdata.MetadataMulti:
		return "definitions of instances"
	case n == perfdata.MetadataSingle:
		return "definitions of a single"
	default:
		return fmt.Sprint(n)
	}
}

// Counter compares the definition of a counter.
type Counter struct {
	Change            Change
	*perfdata.Counter // as it is now, or as it was where it is gone
	Name              string
	BaseOf            string // the name of the counter that it is the base of, "" for none
	Fields            []Field

	older, newer         int  // positions, -1 for none
	countOlder, countNew bool // a count follows the value
}

// counterKey identifies a counter. A base has what its counter has, too: many
// have no title index of their own.
type counterKey struct {
	title, ofTitle uint32
	typ, ofType    countertypes.Type
}

// owners returns for each counter the position of the one that it is the base
// of, -1 for none.
func owners(o *perfdata.Object) []int {
	of := make([]int, len(o.Counters()))
	for j := range of {
		of[j] = -1
	}
	for j := range of {
		if base := o.Counter(j).Base(); base >= 0 {
			of[base] = j
		}
	}
	return of
}

func counterKeys(o *perfdata.Object, of []int, types bool) func(int) counterKey {
	return func(j int) counterKey {
		c := o.Counter(j)
		k := counterKey{title: c.CounterNameTitleIndex, typ: c.CounterType}
		if of[j] >= 0 {
			owner := o.Counter(of[j])
			k.ofTitle, k.ofType = owner.CounterNameTitleIndex, owner.CounterType
		}
		if !types {
			// The mark keeps bases apart from the counters whose index they repeat.
			k.typ, k.ofType = 0, 0
			if of[j] >= 0 {
				k.typ = 1
			}
		}
		return k
	}
}

// compareCounters matches the counters by all of their keys, then those that are
// left by title indexes alone.
func (o *Object) compareCounters() {
	older, newer := o.Older.View(), o.Newer.View()
	ofOlder, ofNewer := owners(older), owners(newer)
	p := pairing.Match(len(ofOlder), len(ofNewer), counterKeys(older, ofOlder, true), counterKeys(newer, ofNewer, true))
	pairing.Rest(&p, counterKeys(older, ofOlder, false), counterKeys(newer, ofNewer, false))
	o.sameLayout = len(ofOlder) == len(ofNewer) && older.CodePage == newer.CodePage
	o.counters = make([]Counter, 0, len(ofNewer))
	for j, at := range p.Newer {
		if at < 0 {
			o.counters = append(o.counters, Counter{Change: Gone, Counter: older.Counter(j), Name: o.Older.CounterName(j), BaseOf: baseOf(o.Older, ofOlder[j]), older: j, newer: -1})
		}
	}
	for j, at := range p.Older {
		c := Counter{Change: New, Counter: newer.Counter(j), Name: o.Newer.CounterName(j), BaseOf: baseOf(o.Newer, ofNewer[j]), older: int(at), newer: j}
		if at >= 0 {
			was := older.Counter(int(at))
			c.countOlder, c.countNew = countFollows(was), countFollows(c.Counter)
			c.Change, c.Fields = Same, fields(counterPairs(was), counterPairs(c.Counter))
			if len(c.Fields) > 0 {
				c.Change = Changed
			}
			o.sameLayout = o.sameLayout && int(at) == j && c.Change == Same && was.CounterOffset == c.CounterOffset
		}
		o.counters = append(o.counters, c)
	}
	for i := range o.counters {
		c := &o.counters[i]
		if c.Change != Same && (c.older >= 0 && o.Older.Shows(-1, c.older) || c.newer >= 0 && o.Newer.Shows(-1, c.newer)) {
			o.Counters = append(o.Counters, c)
		}
	}
}

func baseOf(o *capture.Object, counter int) string {
	if counter < 0 {
		return ""
	}
	return o.CounterName(counter)
}

func counterPairs(c *perfdata.Counter) []Pair {
	return []Pair{
		{"type", c.CounterType},
		{"size", uint64(c.CounterSize)},
		{"scale", int64(c.DefaultScale)},
		{"detail_level", uint64(c.DetailLevel)},
		{"help_index", uint64(c.CounterHelpTitleIndex)},
		{"name_title", uint64(c.CounterNameTitle)},
		{"help_title", uint64(c.CounterHelpTitle)},
	}
}

// countFollows reports whether c is a multi-counter whose count follows its
// value, and is not in a separate counter.
func countFollows(c *perfdata.Counter) bool {
	return c.CounterType.Multi() && !c.CounterType.IsBase() && c.Base() < 0
}
