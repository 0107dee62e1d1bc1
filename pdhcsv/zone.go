package pdhcsv

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Zone is what the first cell of a header says of the local clock that
// the times of the rows were read from.
type Zone struct {
	Name string // "Pacific Standard Time"; "" where it is not known
	// Bias is what a time needs to be UTC, in minutes: 480 for Pacific
	// Standard Time. It is one number for the whole file, daylight time
	// included.
	Bias    int
	HasBias bool
}

// UTC returns the time at which the local clock showed local. Where the bias is
// not known, that is local itself.
func (z Zone) UTC(local time.Time) time.Time {
	return local.Add(time.Duration(z.Bias) * time.Minute)
}

// maxBias is more than any zone has; what is beyond it is no bias.
const maxBias = 10_000

// parseZone parses the first cell of a header. It is false if the cell
// is of no form that is known:
//
//	(PDH-CSV 4.0) (Pacific Standard Time)(480)
//	(PDH-CSV 4.0) (RTZ 2 (                      cut off by its writer
//	(Pacific Daylight Time)(420)                of older exports
func parseZone(cell string) (z Zone, ok bool) {
	rest := strings.TrimSpace(cell)
	if strings.HasPrefix(rest, "(PDH-CSV ") || strings.HasPrefix(rest, "(PDH-TSV ") {
		ok = true
		_, rest, _ = strings.Cut(rest, ")")
		rest = strings.TrimSpace(rest)
	}
	if before, found := strings.CutSuffix(rest, "Time"); found && strings.HasSuffix(strings.TrimSpace(before), ")") {
		rest = strings.TrimSpace(before) // as (Pacific Standard Time)(480) Time
	}
	if rest == "" {
		return z, ok
	}
	if open := strings.LastIndex(rest, ")("); open > 0 && rest[0] == '(' && rest[len(rest)-1] == ')' {
		if bias, err := strconv.Atoi(rest[open+2 : len(rest)-1]); err == nil && bias > -maxBias && bias < maxBias {
			return Zone{Name: rest[1:open], Bias: bias, HasBias: true}, true
		}
	}
	if !ok {
		return z, false
	}
	rest = strings.TrimPrefix(rest, "(")
	name, _, cut := strings.Cut(rest, ")(")
	if !cut {
		name = strings.TrimSuffix(rest, ")")
	}
	return Zone{Name: strings.TrimSpace(name)}, true
}

// append appends the first cell without its quotes.
func (z Zone) append(dst []byte, sep byte) []byte {
	if sep == TSV {
		dst = append(dst, "(PDH-TSV 4.0)"...)
	} else {
		dst = append(dst, "(PDH-CSV 4.0)"...)
	}
	if z.HasBias || z.Name != "" {
		dst = append(dst, " ("...)
		dst = appendText(dst, z.Name)
		dst = append(dst, ')')
	}
	if z.HasBias {
		dst = append(dst, '(')
		dst = strconv.AppendInt(dst, int64(z.Bias), 10)
		dst = append(dst, ')')
	}
	return dst
}

// zoneResources are the names that tzres.dll has for the numbers in the
// records of time zones, as far as they are known.
var zoneResources = map[string]string{
	"-111": "Eastern Daylight Time",
	"-112": "Eastern Standard Time",
	"-211": "Pacific Daylight Time",
	"-212": "Pacific Standard Time",
}

// ZoneOf returns the zone to write for a recorder whose clock is east of UTC.
// Its name is the recorded one if that can be read, one that is known for a
// resource such as "@tzres.dll,-212", else "UTC+hh:mm".
func ZoneOf(recorded string, east time.Duration) Zone {
	minutes := int(east / time.Minute)
	z := Zone{Name: recorded, Bias: -minutes, HasBias: true}
	if strings.HasPrefix(recorded, "@") {
		_, number, _ := strings.Cut(recorded, ",")
		z.Name = zoneResources[strings.TrimSpace(number)]
	}
	if z.Name == "" {
		sign := '+'
		if minutes < 0 {
			sign, minutes = '-', -minutes
		}
		z.Name = fmt.Sprintf("UTC%c%02d:%02d", sign, minutes/60, minutes%60)
	}
	return z
}
