package reference

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/countertypes"
)

// Number returns all that a number is known to mean: as a status of PDH, as an
// error code or a status of Windows, as the identifier of an event of Perflib,
// as a counter type.
func Number(n uint32) []Meaning {
	var all []Meaning
	for _, m := range codes() {
		if m.Number == n {
			all = append(all, m)
		}
	}
	if m, ok := first(of(Win32), func(m Meaning) bool { return m.Number == n&0xFFFF }); ok && n>>16 == hresultOfWin32 {
		m.Text = "The HRESULT of error " + strconv.FormatUint(uint64(n&0xFFFF), 10) + ". " + m.Text
		all = append(all, m)
	}
	if m, ok := perflibEvents[n&0xFFFF]; ok && (n>>16 == 0xC000 || n>>16 == 0x8000) {
		all = append(all, m.meaning(Perflib, n&0xFFFF))
	}
	// Smaller ones are types too, but hardly what is meant.
	if t := countertypes.Type(n); n > 0xFFFF {
		if info, ok := countertypes.Lookup(t); ok {
			all = append(all, typeMeaning(info))
		}
	}
	return all
}

const hresultOfWin32 = 0x8007

func typeMeaning(info countertypes.Info) Meaning {
	return Meaning{
		Source: Type, Number: uint32(info.Type), Name: info.Name, Text: info.Doc,
		Advice: "perfdump types " + info.Name + " shows its bits and its formula",
	}
}

// one explains a single word.
func one(word string) Answer {
	var a Answer
	bytes, isBytes := eventBytes(word)
	n, isNumber, problem := number(word)
	switch {
	case problem != "":
		a.Problem = problem
	case isBytes:
		a.Readings = []Reading{eventData(bytes)}
		for _, base := range []int{16, 10} {
			n, err := strconv.ParseUint(word, base, 32)
			if err != nil || uint32(n) == bytes {
				continue
			}
			r := Reading{As: AsNumber, Number: uint32(n), Meanings: Number(uint32(n))}
			if len(r.Meanings) > 0 || base == 16 && !a.Known() {
				a.Readings = append(a.Readings, r)
			}
		}
	case isNumber:
		a.Readings = []Reading{{As: AsNumber, Number: n, Meanings: Number(n)}}
		for _, source := range []Source{LoadPerf, Perflib} {
			if _, ok := events[source][n]; ok {
				a.See = append(a.See, fmt.Sprintf("%s:%d", source, n))
			}
		}
	default:
		return named(word)
	}
	return a
}

// eventData reads the number of four bytes of event data.
func eventData(n uint32) Reading {
	return Reading{As: AsEventData, Number: n, Meanings: Number(n)}
}

// eventBytes reads eight hex digits as the bytes of a DWORD. Blanks, commas and
// dashes may separate bytes.
func eventBytes(word string) (uint32, bool) {
	fields := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" ,-", r) })
	if strings.ContainsAny(word, " ,-") && (len(fields) != 4 || slices.ContainsFunc(fields, func(f string) bool { return len(f) != 2 })) {
		return 0, false
	}
	b, err := hex.DecodeString(strings.Join(fields, ""))
	if err != nil || len(b) != 4 {
		return 0, false
	}
	return binary.LittleEndian.Uint32(b), true
}

// byteWords reads four words of two hex digits as the bytes of a DWORD, unless
// they could as well be four decimal numbers.
func byteWords(words []string) (uint32, bool) {
	hexOnly := func(w string) bool { return w != "" && w[0] == '0' || strings.ContainsAny(w, "abcdefABCDEF") }
	if len(words) < 4 || !slices.ContainsFunc(words[:4], hexOnly) {
		return 0, false
	}
	return eventBytes(strings.Join(words[:4], " "))
}

// numberAfter reads a number after a prefix such as flags:.
func numberAfter(prefix, word, example string) (n uint32, problem string) {
	n, ok, problem := number(word)
	if !ok && problem == "" {
		problem = "expected a number after " + prefix + example
	}
	return n, problem
}

// number reads 0x… or decimal digits. A negative number means its 32 bits.
// What is a number but not of 32 bits is a problem.
func number(word string) (n uint32, ok bool, problem string) {
	digits, base := word, 10
	if rest, found := strings.CutPrefix(strings.ToLower(word), "0x"); found {
		digits, base = rest, 16
	}
	v, err := strconv.ParseInt(digits, base, 64)
	switch {
	case base == 16 && strings.HasPrefix(digits, "-"), base == 10 && strings.HasPrefix(digits, "+"):
		return 0, false, ""
	case err == nil && v >= math.MinInt32 && v <= math.MaxUint32:
		return uint32(v), true, "" // of a negative one the 32 bits
	case err == nil, errors.Is(err, strconv.ErrRange):
		return 0, false, "it has more than 32 bits, which no code has"
	case base == 16:
		return 0, false, "hex digits must follow 0x"
	default:
		return 0, false, ""
	}
}

// dword reads a DWORD of event data, as bytes or as a number.
func dword(word string) (uint32, bool) {
	if n, ok := eventBytes(word); ok {
		return n, true
	}
	n, ok, _ := number(word)
	return n, ok
}
