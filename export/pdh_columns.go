package export

import (
	"cmp"
	"slices"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// PDHColumns returns the series that PDH-CSV has columns for, in the order that
// Windows gives the columns of a log of whole objects: the objects, in each of
// them the instances, in each of them the counters, each as they first appeared.
// An instance that came late so stands behind the others of its object, not at
// the end. Bases, texts, labels without data and types that nobody cooks have
// no column. The input has the order of appearance.
func PDHColumns(series []*capture.Series) []*capture.Series {
	type object struct{ host, object string }
	type instance struct {
		object
		parent, instance string
		index            int
		has, hasParent   bool
	}
	type counter struct {
		object
		counter string
	}
	objects, instances, counters := map[object]int{}, map[instance]int{}, map[counter]int{}
	places := make(map[*capture.Series][3]int, len(series))
	var columns []*capture.Series
	for _, s := range series {
		o := object{s.Host, s.Object}
		places[s] = [3]int{
			place(objects, o),
			place(instances, instance{o, s.Parent, s.Instance, s.InstanceIndex, s.HasInstance, s.HasParent}),
			place(counters, counter{o, s.Counter}),
		}
		if !s.HasType || cooks(s.Type) {
			columns = append(columns, s)
		}
	}
	slices.SortStableFunc(columns, func(a, b *capture.Series) int {
		p, q := places[a], places[b]
		return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]), cmp.Compare(p[2], q[2]))
	})
	return columns
}

// place returns when a key was first met.
func place[K comparable](seen map[K]int, key K) int {
	n, ok := seen[key]
	if !ok {
		n = len(seen)
		seen[key] = n
	}
	return n
}

// cooks reports whether a type ever has a value.
func cooks(t countertypes.Type) bool {
	sample := countertypes.Sample{Type: t}
	switch _, status := countertypes.Cook(&sample, &sample, nil); status {
	case countertypes.StatusUnsupported, countertypes.StatusText, countertypes.StatusNoValue, countertypes.StatusBaseOnly:
		return false
	default:
		return true
	}
}
