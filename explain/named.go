package explain

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/countertypes"
)

func isRange(err error) bool { return errors.Is(err, strconv.ErrRange) }

// prefixes are what names of codes begin with; it may be left out.
var prefixes = []string{"", "ERROR_", "PDH_", "PDH_CSTATUS_", "STATUS_"}

// named explains a word that is no number.
func named(word string) Answer {
	r := Reading{As: AsWord}
	lower := strings.ToLower(word)
	for _, m := range words {
		if m.Name == lower {
			r.Meanings = append(r.Meanings, m)
		}
	}
	upper := strings.ToUpper(word)
	for _, m := range codes {
		for _, prefix := range prefixes {
			if m.Name == prefix+upper {
				r.Meanings = append(r.Meanings, m)
				break
			}
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
		a.See = near(lower)
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
	var found []string
	for _, name := range Names() {
		if strings.Contains(strings.ToLower(name), word) {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		for _, name := range Names() {
			if slip(word, strings.ToLower(name)) {
				found = append(found, name)
			}
		}
	}
	return found[:min(len(found), maxNear)]
}

// slip reports whether b comes of a by letters put in, taken out or changed:
// one, or two in longer words.
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

// Names returns all words that have a meaning, in the order of the alphabet:
// the toolkit's own, the names of codes, of counter types, and of counters.
func Names() []string {
	var names []string
	for _, m := range words {
		names = append(names, m.Name)
	}
	for _, m := range codes {
		names = append(names, m.Name)
	}
	for info := range countertypes.All() {
		names = append(names, info.Name)
	}
	for _, m := range slices.Concat(counters, objects) {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// All returns every meaning of a source in the order of its numbers, or of its
// words. Counter types are left to package countertypes.
func All(source Source) []Meaning {
	var all []Meaning
	switch source {
	case Error, Anomaly, Status:
		for _, m := range words {
			if m.Source == source {
				all = append(all, m)
			}
		}
	case LoadPerf, Perflib:
		events := loadPerfEvents
		if source == Perflib {
			events = perflibEvents
		}
		for id, e := range events {
			all = append(all, e.meaning(source, id))
		}
		sortByNumber(all)
	case Flags:
		all = append(all, flagBits...)
	case Counter:
		all = append(all, counters...)
	case Object:
		all = append(all, objects...)
	default:
		for _, m := range codes {
			if m.Source == source {
				all = append(all, m)
			}
		}
	}
	return all
}

func sortByNumber(all []Meaning) {
	slices.SortFunc(all, func(a, b Meaning) int {
		switch {
		case a.Number < b.Number:
			return -1
		case a.Number > b.Number:
			return 1
		default:
			return 0
		}
	})
}
