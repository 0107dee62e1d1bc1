package explain

import "slices"

// code is a line of a table of codes.
type code struct {
	number uint32
	name   string
	text   string
	advice string
}

func table(source Source, lines []code) map[uint32]Meaning {
	m := make(map[uint32]Meaning, len(lines))
	for _, l := range lines {
		m[l.number] = Meaning{Source: source, Number: l.number, Name: l.name, Text: l.text, Advice: l.advice}
	}
	return m
}

// codes are all tables together, one after the other, each in the order of its
// numbers.
var codes = slices.Concat(sorted(pdhCodes), sorted(win32Codes), sorted(ntStatuses))

func sorted(m map[uint32]Meaning) []Meaning {
	all := make([]Meaning, 0, len(m))
	for _, meaning := range m {
		all = append(all, meaning)
	}
	sortByNumber(all)
	return all
}
