package reference

import "fmt"

// flags explains Configuration Flags.
func flags(word string) Answer {
	n, problem := numberAfter(string(Flags)+":", word, ", such as flags:0x12")
	if problem != "" {
		return Answer{Problem: problem}
	}
	r, rest := Reading{As: AsFlags, Number: n}, n
	for _, m := range of(Flags) {
		if n&m.Number != 0 {
			r.Meanings = append(r.Meanings, m)
			rest &^= m.Number
		}
	}
	switch {
	case n == 0:
		r.Meanings = append(r.Meanings, Meaning{Source: Flags, Name: "flags:0", Text: "No bit is set: all tests are made, and failing counters are disabled. This is the default."})
	case rest != 0:
		r.Meanings = append(r.Meanings, Meaning{Source: Flags, Number: rest, Name: fmt.Sprintf("flags:0x%X", rest), Text: "No document says what is meant by this."})
	}
	return Answer{Readings: []Reading{r}}
}
