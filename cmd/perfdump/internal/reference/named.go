package reference

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump/countertypes"
)

// prefixes are what names of codes begin with; it may be left out.
var prefixes = []string{"", "ERROR_", "PDH_", "PDH_CSTATUS_", "STATUS_"}

// named explains a word that is no number.
func named(word string) Answer {
	r := Reading{As: AsWord}
	for _, m := range words() {
		if strings.EqualFold(m.Name, word) {
			r.Meanings = append(r.Meanings, m)
		}
	}
	upper := strings.ToUpper(word)
	for _, m := range codes() {
		if slices.ContainsFunc(prefixes, func(prefix string) bool { return m.Name == prefix+upper }) {
			r.Meanings = append(r.Meanings, m)
		}
	}
	if t, err := countertypes.Parse(word); err == nil {
		if info, ok := countertypes.Lookup(t); ok {
			r.Meanings = append(r.Meanings, typeMeaning(info))
		}
	}
	r.Meanings = append(r.Meanings, ofWord(word)...)
	a := Answer{Readings: []Reading{r}}
	if len(r.Meanings) == 0 {
		a.See = near(strings.ToLower(word))
	}
	return a
}

// maxNear is how many words are offered for one that is not known.
const maxNear = 4

// near returns the words that word is a part of, or that it may be a slip for.
func near(word string) []string {
	if len(word) < 3 || len(word) > 64 {
		return nil
	}
	var found, slips []string
	for _, name := range Names() {
		if strings.Contains(strings.ToLower(name), word) {
			found = append(found, name)
		} else if slip(word, strings.ToLower(name)) {
			slips = append(slips, name)
		}
	}
	if len(found) == 0 {
		found = slips
	}
	return found[:min(len(found), maxNear)]
}

// slip reports whether b is a with letters inserted, removed or changed: one, or
// two in longer words.
func slip(a, b string) bool {
	most := 1 + min(len(a)/6, 1)
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return false
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)] <= most
}

// Names returns all words that have a meaning, sorted:
// the toolkit's own, the names of codes, of counter types, and of counters.
func Names() []string {
	var names []string
	for _, m := range slices.Concat(words(), codes(), allCounters(), of(Object)) {
		names = append(names, m.Name)
	}
	for info := range countertypes.All() {
		names = append(names, info.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
