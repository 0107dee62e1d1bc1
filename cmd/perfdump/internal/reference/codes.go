package reference

import "slices"

// code is a line of a table of codes.
type code struct {
	number uint32
	name   string
	text   string
	advice string
}

func table(source Source, lines []code) []Meaning {
	var all []Meaning
	for _, l := range lines {
		all = append(all, Meaning{Source: source, Number: l.number, Name: l.name, Text: l.text, Advice: l.advice})
	}
	return all
}

// codes are all tables, each in the order of its numbers.
var codes = slices.Concat(pdhCodes, win32Codes, ntStatuses)
