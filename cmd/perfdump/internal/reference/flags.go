package reference

import "fmt"

// flagBits are the bits of the value "Configuration Flags" of the Perflib key.
var flagBits = []Meaning{
	{Source: Flags, Number: 0x01, Name: "flags:0x1", Text: "Buffers are not tested for their alignment, which is rarely critical; all other tests stay."},
	{Source: Flags, Number: 0x02, Name: "flags:0x2", Text: "Counters are not disabled: errors and exceptions are logged only."},
	{Source: Flags, Number: 0x04, Name: "flags:0x4", Text: "Calls are not timed, and buffers not tested for damage."},
	{Source: Flags, Number: 0x08, Name: "flags:0x8", Text: "Documents contradict each other. Those of Windows 2000 and 2003: slow counters of untrusted libraries are disabled. Those of today: timeouts are not looked for."},
	{Source: Flags, Number: 0x10, Name: "flags:0x10", Text: "Data for debugging are collected. Windows 2000 has this bit set from the start, Windows of today does not."},
}

// flags explains Configuration Flags.
func flags(word string) Answer {
	n, problem := numberAfter(string(Flags)+":", word, ", such as flags:0x12")
	if problem != "" {
		return Answer{Problem: problem}
	}
	r, rest := Reading{As: AsFlags, Number: n}, n
	for _, m := range flagBits {
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
