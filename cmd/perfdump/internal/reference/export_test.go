package reference

import (
	"cmp"
	"slices"
)

// All returns every meaning of a source in the order of its numbers, or of its
// words.
func All(source Source) []Meaning {
	var all []Meaning
	for id, e := range events[source] {
		all = append(all, e.meaning(source, id))
	}
	slices.SortFunc(all, func(a, b Meaning) int { return cmp.Compare(a.Number, b.Number) })
	for _, m := range slices.Concat(words(), codes(), of(Flags), allCounters(), of(Object)) {
		if m.Source == source {
			all = append(all, m)
		}
	}
	return all
}

// Catalog returns the counters of the table, and what is wrong with it.
func Catalog() ([]Meaning, error) { return readCatalog(catalogText) }

// ReadCatalog reads a table of counters.
func ReadCatalog(text string) ([]Meaning, error) { return readCatalog(text) }

// ReadMeanings reads a table of codes and words.
func ReadMeanings(text string) (map[Source][]Meaning, error) { return readMeanings(text) }

// MeaningsText is the table.
func MeaningsText() string { return meaningsText }
