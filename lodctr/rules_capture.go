package lodctr

import (
	"slices"

	"github.com/perfdump/perfdump/titles"
)

// captureRules hold captures to the names.
var captureRules = []rule{
	{Rule{"C01", Warning, "a capture has an object or a counter whose index no table given names", "the titles are of another machine, or damaged"}, checkCaptured},
}

func checkCaptured(x *exam) {
	var given []*titles.Table
	for _, t := range x.tables {
		if t.kind == titles.Counter {
			given = append(given, t.t)
		}
	}
	for _, c := range x.captures {
		all := append(slices.Clone(given), c.own...)
		if len(all) == 0 {
			continue
		}
		names := titles.NewNames(all...)
		for _, index := range sorted(c.objects) {
			if _, ok := names.Lookup(index); !ok {
				x.report(c.name, 0, "object "+names.Name(index), "the object %d has no name", index)
			}
		}
		var lost indexes
		for _, index := range sorted(c.counters) {
			if _, ok := names.Lookup(index); !ok {
				lost.add(index)
			}
		}
		if lost.n > 0 {
			x.report(c.name, 0, "counters", "%s no name: %s", plural(lost.n, "counter has", "counters have"), &lost)
		}
	}
}

func sorted[T any](m map[uint32]T) []uint32 {
	all := make([]uint32, 0, len(m))
	for index := range m {
		all = append(all, index)
	}
	slices.Sort(all)
	return all
}
