package reference

import (
	"slices"
	"strings"
	"sync"

	"github.com/perfdump/perfdump/pdhpath"
)

var allCounters = sync.OnceValue(func() []Meaning { return append(of(Counter), catalog()...) })

// counterIndex finds counters by object and name in lower case: a page asks for
// hundreds of thousands.
var counterIndex = sync.OnceValue(func() map[[2]string]int {
	index := map[[2]string]int{}
	for i, m := range allCounters() {
		for _, object := range m.Objects {
			index[[2]string{strings.ToLower(object), strings.ToLower(m.Name)}] = i
		}
	}
	return index
})

// OfCounter returns what there is to say of a counter of an object, by their
// English names in any case.
func OfCounter(object, counter string) (Meaning, bool) {
	i, ok := counterIndex()[[2]string{strings.ToLower(generalObject(object)), strings.ToLower(counter)}]
	if !ok {
		return Meaning{}, false
	}
	return allCounters()[i], true
}

// OfObject returns what there is to say of the counters of an object.
func OfObject(name string) (Meaning, bool) {
	return first(of(Object), func(m Meaning) bool { return strings.EqualFold(m.Name, name) })
}

// first returns the first meaning that is right.
func first(all []Meaning, right func(Meaning) bool) (Meaning, bool) {
	if i := slices.IndexFunc(all, right); i >= 0 {
		return all[i], true
	}
	return Meaning{}, false
}

// ofWord returns the counters and objects of a name, or of a counter path.
func ofWord(word string) []Meaning {
	var all []Meaning
	for _, m := range append(of(Object), allCounters()...) {
		if strings.EqualFold(m.Name, word) {
			all = append(all, m)
		}
	}
	if strings.Contains(word, `\`) {
		path, err := pdhpath.Parse(`\` + strings.TrimPrefix(word, `\`))
		if m, ok := OfCounter(path.Object, path.Counter); err == nil && ok {
			all = append(all, m)
		}
	}
	return all
}
