// Package cell measures and shapes the text of table cells: how many columns
// of a terminal it takes, how it is cut, padded, wrapped, and how what would
// disturb the terminal is made visible.
package cell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Width returns how many columns s takes on a terminal. East Asian wide runes
// take two, combining ones none.
func Width(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return n + wideWidth(s[i:])
		}
		n++
	}
	return n
}

func wideWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// Append appends s to dst with what a terminal would not show as a character
// in Go's notation: control characters, marks that change the direction of
// writing, bytes that are no UTF-8.
func Append(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if ' ' <= c && c < 0x7f {
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		dst = appendRune(dst, r, n, c)
		i += n
	}
	return dst
}

// Clean returns s as [Append] writes it; s itself if there is nothing to do.
func Clean(s string) string {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f {
			return string(Append(make([]byte, 0, len(s)+8), s))
		}
	}
	return s
}

func appendRune(dst []byte, r rune, n int, c byte) []byte {
	const hex = "0123456789abcdef"
	switch {
	case r == utf8.RuneError && n <= 1:
		return append(dst, '\\', 'x', hex[c>>4], hex[c&15])
	case unicode.IsPrint(r):
		return utf8.AppendRune(dst, r)
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r < 0x100:
		return append(dst, '\\', 'x', hex[r>>4], hex[r&15])
	case r < 0x10000:
		return append(dst, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	default:
		return append(dst, '\\', 'U', '0', '0', hex[r>>20&15], hex[r>>16&15], hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	}
}

// Cut returns s if it takes at most n columns, else as much of it as fits with
// an ellipsis behind it.
func Cut(s string, n int) string {
	if len(s) <= n || Width(s) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	used := 0
	for i, r := range s {
		w := runeWidth(r)
		if used+w > n-1 {
			return s[:i] + "…"
		}
		used += w
	}
	return s
}

// PadRight appends blanks to dst, which ends in a cell of the given width, up
// to n columns.
func PadRight(dst []byte, is, n int) []byte {
	for ; is < n; is++ {
		dst = append(dst, ' ')
	}
	return dst
}

// Wrap cuts s at its blanks into lines of at most n columns. A word that is
// longer stands on a line of its own. No-break spaces come out as blanks.
func Wrap(s string, n int) []string {
	var lines []string
	line, used := "", 0
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' })
	for _, word := range words {
		word = strings.ReplaceAll(word, "\u00a0", " ")
		w := Width(word)
		switch {
		case line == "":
			line, used = word, w
		case used+1+w <= n:
			line += " " + word
			used += 1 + w
		default:
			lines = append(lines, line)
			line, used = word, w
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// Style gives text weight on a terminal. The zero Style gives none.
type Style struct{ On bool }

// The sequences that a Style uses.
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	red   = "\x1b[31m"
	green = "\x1b[32m"
	amber = "\x1b[33m"
	reset = "\x1b[0m"
)

// Bold is for titles.
func (s Style) Bold(text string) string { return s.in(bold, text) }

// Dim is for what explains: units, types, bases.
func (s Style) Dim(text string) string { return s.in(dim, text) }

// Red is for errors.
func (s Style) Red(text string) string { return s.in(red, text) }

// Green is for what is as it should be.
func (s Style) Green(text string) string { return s.in(green, text) }

// Amber is for what is odd.
func (s Style) Amber(text string) string { return s.in(amber, text) }

func (s Style) in(code, text string) string {
	if !s.On || text == "" {
		return text
	}
	return code + text + reset
}

// AppendDim appends text to dst as Dim gives it.
func (s Style) AppendDim(dst []byte, text string) []byte {
	if !s.On || text == "" {
		return append(dst, text...)
	}
	return append(append(append(dst, dim...), text...), reset...)
}
