package countertypes

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse returns the type that s names: a name in any case with or without
// PERF_ in front, one of the aliases, or a number in hex (0x…) or decimal.
// Any number is a type; whether its bits mean something, [Type.Defined] says.
// What is neither is an error without a code, fit to be shown.
func Parse(s string) (Type, error) {
	name := strings.ToUpper(strings.TrimSpace(s))
	if !strings.HasPrefix(name, "PERF_") {
		name = "PERF_" + name
	}
	for i := range table {
		if table[i].Name == name {
			return table[i].Type, nil
		}
		for _, alias := range table[i].Aliases {
			if alias == name {
				return table[i].Type, nil
			}
		}
	}
	number, base := strings.TrimSpace(s), 10
	if len(number) > 2 && (number[:2] == "0x" || number[:2] == "0X") {
		number, base = number[2:], 16
	}
	v, err := strconv.ParseUint(number, base, 32)
	if err != nil {
		return 0, fmt.Errorf("unknown counter type %q: want a name such as PERF_COUNTER_COUNTER, or a 32-bit number", s)
	}
	return Type(v), nil
}
