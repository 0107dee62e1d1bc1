package table

import (
	"strconv"
	"strings"
)

// TimeLayout is how times are written for people.
const TimeLayout = "2006-01-02 15:04:05.000"

// Plural returns a number and what it counts: 1 counter, 2 counters, 3 anomalies.
func Plural[N int | int64 | uint32 | uint64](n N, noun string) string {
	return strconv.FormatInt(int64(n), 10) + " " + plural(n == 1, noun)
}

// GroupedPlural is [Plural] with the digits in groups.
func GroupedPlural[N int | int64 | uint32 | uint64](n N, noun string) string {
	return Grouped(int64(n)) + " " + plural(n == 1, noun)
}

func plural(one bool, noun string) string {
	switch {
	case one, strings.HasSuffix(noun, "series"):
		return noun
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "key"):
		return noun[:len(noun)-1] + "ies"
	default:
		return noun + "s"
	}
}

// Grouped returns a number with a comma between groups of three digits.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Join returns facts with commas between them, without the empty ones.
func Join(facts ...string) string {
	var kept []string
	for _, f := range facts {
		if f != "" {
			kept = append(kept, f)
		}
	}
	return strings.Join(kept, ", ")
}
