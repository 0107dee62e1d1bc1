package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
)

// unit is what values are counted in; series of one unit share a panel.
type unit string

// The units. Those of bytes may be those of a rate, with perSecond after them.
const (
	number    unit = ""
	percent   unit = "%"
	perSecond unit = "/s"
	bytes     unit = "B"
	bytesRate      = bytes + perSecond
	seconds   unit = "s"
	kilobytes unit = "KB"
	megabytes unit = "MB"
)

// unitOf finds the unit of a series by its type, and by its name if the type is
// missing or does not distinguish bytes from other numbers.
func unitOf(s *capture.Series) unit {
	name := strings.ToLower(s.Counter)
	rate := strings.HasSuffix(name, "/sec")
	if s.HasType {
		switch s.Type.Suffix() {
		case "%":
			return percent
		case "secs":
			return seconds
		case "/sec":
			rate = true
		}
	} else if strings.HasPrefix(name, "% ") {
		return percent
	} else if strings.Contains(name, " sec/") {
		return seconds
	}
	u := number
	switch {
	case strings.Contains(name, "megabytes"), strings.Contains(name, "mbytes"):
		u = megabytes
	case strings.Contains(name, "kilobytes"), strings.Contains(name, "kbytes"):
		u = kilobytes
	case strings.Contains(name, "bytes"):
		u = bytes
	}
	if rate {
		u += perSecond
	}
	return u
}

// prefix is a power of a thousand with its letter.
type prefix struct {
	scale  float64
	letter string
}

// Seconds have no prefix above 1.
var (
	large = []prefix{{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}
	small = []prefix{{1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}}
)

// prefixOf returns the prefix for values up to v.
func (u unit) prefixOf(v float64) prefix {
	prefixes := large
	switch {
	case u == seconds:
		prefixes = small
	case u == percent, strings.HasPrefix(string(u), string(kilobytes)), strings.HasPrefix(string(u), string(megabytes)):
		return prefix{1, ""}
	}
	if v = math.Abs(v); v < 1e21 {
		for _, p := range prefixes {
			if v >= p.scale {
				return p
			}
		}
	}
	return prefix{1, ""}
}

// write puts digits, prefix and unit together: "1.5 MB/s", "20 k", "50%".
func (u unit) write(digits string, p prefix) string {
	tail := p.letter + string(u)
	switch {
	case tail == "":
		return digits
	case u == percent, tail == string(perSecond):
		return digits + tail
	default:
		return digits + " " + tail
	}
}

// format writes a value with four digits, as the legend has it.
func (u unit) format(v float64) string {
	if v == 0 {
		return "0"
	}
	p := u.prefixOf(v)
	x := v / p.scale
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
	return u.write(digits, p)
}
