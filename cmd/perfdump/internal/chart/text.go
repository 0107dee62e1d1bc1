package chart

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escape writes text for a place between tags or in an attribute.
func escape(s string) string { return escapes.Replace(plain(s)) }

// plain replaces characters that XML cannot contain or that change the direction
// of text.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == 0x2028 || r == 0x2029 || r&0xFFFE == 0xFFFE {
			return utf8.RuneError
		}
		return r
	}, s)
}

// width estimates how wide text is in a sans-serif font, rounding up.
func width(s string, size float64) float64 {
	ems := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("iIjl.,:;|!'()[]/\\ ft", r):
			ems += 0.34
		case r >= 'A' && r <= 'Z', r == '%', r == 'm', r == 'w', r == '_', r == '…', r == '#':
			ems += 0.75
		case unicode.Is(unicode.Mn, r):
		case r >= 0x1100:
			ems++
		default:
			ems += 0.58
		}
	}
	return ems * size
}

// fit cuts the middle out of text that is wider than limit.
func fit(s string, size, limit float64) string {
	if width(s, size) <= limit {
		return s
	}
	runes := []rune(s)
	if len(runes) > 1000 { // no line has that many
		runes = append(runes[:500:500], runes[len(runes)-500:]...)
	}
	head, tail := len(runes)/2, len(runes)-len(runes)/2
	for head > 1 && width(string(runes[:head])+"…"+string(runes[len(runes)-tail:]), size) > limit {
		head--
		if tail > 1 {
			tail--
		}
	}
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
}
