package ipcblock

import (
	"slices"
	"sort"
	"sync"

	"github.com/perfdump/perfdump/countertypes"
)

// Counter is one of the 80 perfmon counters over a perf block.
type Counter struct {
	Name     string
	Category string // the perfmon object: ".NET CLR Memory"
	Field    Field  // the field that it shows; for # Bytes in all Heaps the first one
	Index    int    // relative to the first counter of the CLR; even
	Symbol   string // in the registration of the counters
	Scale    int8   // power of ten for graphs
	Note     string // what its name does not say, or ""

	kind kind
}

// Derived reports whether c is computed from several fields.
func (c *Counter) Derived() bool { return c.Symbol == "" }

// IsBase reports whether c is only the base of the counter before it.
func (c *Counter) IsBase() bool { return c.kind == base }

// Type returns the counter type of c. Counters over pointer-sized fields have a wider type
// in a 64-bit block.
func (c *Counter) Type(a Arch) countertypes.Type {
	wide := a == X64 && c.Field.Size(a) == 8
	switch c.kind {
	case rate:
		if wide {
			return countertypes.PERF_COUNTER_BULK_COUNT
		}
		return countertypes.PERF_COUNTER_COUNTER
	case timer:
		return countertypes.PERF_COUNTER_TIMER
	case fraction:
		return countertypes.PERF_RAW_FRACTION
	case base:
		return countertypes.PERF_RAW_BASE
	default:
		if wide {
			return countertypes.PERF_COUNTER_LARGE_RAWCOUNT
		}
		return countertypes.PERF_COUNTER_RAWCOUNT
	}
}

// Fields returns the fields that c is computed from: its field, and the base or the other
// addends.
func (c *Counter) Fields() []Field {
	switch {
	case c.Derived():
		return slices.Clone(heaps)
	case c.kind == fraction:
		return []Field{c.Field, c.Field + 1}
	default:
		return []Field{c.Field}
	}
}

// Counters returns the 80 counters in the order of their indexes, in which the counters of
// a category are together and a base follows its fraction. The slice is shared and must not
// be changed.
func Counters() []Counter { return counterTable() }

var counterTable = sync.OnceValue(func() []Counter {
	all := []Counter{{
		Name: "# Bytes in all Heaps", Category: categories["gc"], Field: heaps[0], Index: 40, Scale: -6,
		Note: "computed: generations 1 and 2 and the large objects",
	}}
	for f := range fieldTable {
		for _, c := range fieldTable[f].counters {
			all = append(all, Counter{c.name, categories[fieldTable[f].section], Field(f), c.index, c.symbol, c.scale, c.note, c.kind})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Index < all[j].Index })
	return all
})

var countersByField = sync.OnceValue(func() (all [NumFields][]*Counter) {
	table := counterTable()
	for i := range table {
		if c := &table[i]; !c.Derived() {
			all[c.Field] = append(all[c.Field], c)
		}
	}
	return all
})
