// Package unit knows what the values of a counter are counted in, and writes them
// for people: 1.5 MB/s, 20 k, 50%.
package unit

import (
	"math"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/countertypes"
)

// Unit is what values are counted in.
type Unit string

// The units. Those of bytes may be those of a rate, with PerSecond after them.
const (
	Number    Unit = ""
	Percent   Unit = "%"
	PerSecond Unit = "/s"
	Bytes     Unit = "B"
	BytesRate      = Bytes + PerSecond
	Seconds   Unit = "s"
	Kilobytes Unit = "KB"
	Megabytes Unit = "MB"
)

// Of finds the unit of a counter by its type, and by its English name if the type
// is unknown or does not distinguish bytes from other numbers.
func Of(counter string, t countertypes.Type, known bool) Unit {
	name := strings.ToLower(counter)
	rate := strings.HasSuffix(name, "/sec")
	if known {
		switch t.Suffix() {
		case "%":
			return Percent
		case "secs":
			return Seconds
		case "/sec":
			rate = true
		}
	} else if strings.HasPrefix(name, "% ") {
		return Percent
	} else if strings.Contains(name, " sec/") {
		return Seconds
	}
	u := Number
	switch {
	case strings.Contains(name, "megabytes"), strings.Contains(name, "mbytes"):
		u = Megabytes
	case strings.Contains(name, "kilobytes"), strings.Contains(name, "kbytes"):
		u = Kilobytes
	case strings.Contains(name, "bytes"), strings.HasPrefix(name, "working set"), name == "commit limit":
		u = Bytes
	}
	if rate {
		u += PerSecond
	}
	return u
}

// Prefix is a power of a thousand with its letter.
type Prefix struct {
	Scale  float64
	letter string
}

// Seconds have no prefix above 1, and bytes are counted as Windows counts them.
var (
	large  = []Prefix{{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}
	binary = []Prefix{{1 << 60, "E"}, {1 << 50, "P"}, {1 << 40, "T"}, {1 << 30, "G"}, {1 << 20, "M"}, {1 << 10, "K"}}
	small  = []Prefix{{1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}}
)

// PrefixOf returns the prefix for values up to v.
func (u Unit) PrefixOf(v float64) Prefix {
	prefixes := large
	switch {
	case u == Seconds:
		prefixes = small
	case u == Bytes:
		prefixes = binary
	case u == Percent, strings.HasPrefix(string(u), string(Kilobytes)), strings.HasPrefix(string(u), string(Megabytes)):
		return Prefix{1, ""}
	}
	if v = math.Abs(v); v < 1e21 {
		for _, p := range prefixes {
			if v >= p.Scale {
				return p
			}
		}
	}
	return Prefix{1, ""}
}

// Write puts digits, prefix and unit together: "1.5 MB/s", "20 k", "50%".
func (u Unit) Write(digits string, p Prefix) string {
	tail := p.letter + string(u)
	switch {
	case tail == "":
		return digits
	case u == Percent, tail == string(PerSecond):
		return digits + tail
	default:
		return digits + " " + tail
	}
}

// Format writes a value with four digits. A percentage that is a little below 0 is
// 0: two clocks that are read one after the other differ by their grain.
func (u Unit) Format(v float64) string {
	if v == 0 || u == Percent && v < 0 && v > -1 {
		return "0"
	}
	p := u.PrefixOf(v)
	x := v / p.Scale
	digits := strconv.FormatFloat(x, 'g', 4, 64)
	if a := math.Abs(x); a >= 1e-4 && a < 1e6 {
		places := 3
		for ; a >= 10 && places > 0; a /= 10 {
			places--
		}
		digits = strconv.FormatFloat(x, 'f', places, 64)
		if strings.Contains(digits, ".") {
			digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
		}
		if digits == "-0" {
			digits = "0"
		}
	}
	return u.Write(digits, p)
}

// Text writes a value for people: counts in full with commas, others as Short does.
func (u Unit) Text(v float64) string {
	a := math.Abs(v)
	switch {
	case u == Seconds && a >= 2*86400:
		return Number.Short(v/86400) + " days"
	case u == Seconds && a >= 2*3600:
		return Number.Short(v/3600) + " h"
	}
	if u != Number || a < 1000 || a >= 1e7 {
		return u.Short(v)
	}
	digits := strconv.FormatFloat(a, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if v < 0 {
		digits = "-" + digits
	}
	return digits
}

// Short writes a value with three digits, and 0 for what is too little to matter.
func (u Unit) Short(v float64) string {
	if (u == Percent || u == Number || u == PerSecond) && math.Abs(v) < 0.0005 {
		return "0"
	}
	if v != 0 && math.Abs(v) < 1e15 {
		prefix := u.PrefixOf(v).Scale
		digits := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(v/prefix))))
		v = math.Round(v/prefix*digits) / digits * prefix
	}
	return u.Format(v)
}
