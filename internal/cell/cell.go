// Package cell measures and shapes the text of table cells: how many columns
// of a terminal it takes, how it is cut, padded, wrapped, and how what would
// disturb the terminal is made visible.
package cell

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Width returns how many columns s takes on a terminal. East Asian wide runes
// take two, combining ones none.
func Width(s string) int {
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
	switch {
	case r == utf8.RuneError && n <= 1:
		return fmt.Appendf(dst, `\x%02x`, c)
	case unicode.IsPrint(r):
		return utf8.AppendRune(dst, r)
	case r == '\n' || r == '\r' || r == '\t':
		return append(dst, '\\', "tn  r"[r-'\t'])
	case r < 0x100:
		return fmt.Appendf(dst, `\x%02x`, r)
	case r < 0x10000:
		return fmt.Appendf(dst, `\u%04x`, r)
	default:
		return fmt.Appendf(dst, `\U%08x`, r)
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

// CutMiddle returns s if it takes at most n columns, else its beginning and its end
// with an ellipsis between them: names often differ at their ends.
func CutMiddle(s string, n int) string {
	if len(s) <= n || Width(s) <= n {
		return s
	}
	head := strings.TrimSuffix(Cut(s, n/2+1), "…")
	tail, used := len(s), Width(head)+1
	for tail > len(head) {
		r, size := utf8.DecodeLastRuneInString(s[:tail])
		if used += runeWidth(r); used > n {
			break
		}
		tail -= size
	}
	return head + "…" + s[tail:]
}

// Wrap cuts s at its blanks into lines of at most n columns. A word that is
// longer is on a line of its own. No-break spaces come out as blanks.
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

// Paint is the weight or colour of a text.
type Paint uint8

// The paints.
const (
	Plain Paint = iota
	Bold        // titles
	Dim         // what explains: units, types, bases
	Red         // errors
	Green       // what is as it should be
	Amber       // anomalies and warnings
)

// sequences are what a terminal is sent for each paint.
var sequences = [...]string{Plain: "", Bold: "\x1b[1m", Dim: "\x1b[2m", Red: "\x1b[31m", Green: "\x1b[32m", Amber: "\x1b[33m"}

const reset = "\x1b[0m"

// Bold returns text in bold.
func (s Style) Bold(text string) string { return s.Paint(Bold, text) }

// Dim returns text dimmed.
func (s Style) Dim(text string) string { return s.Paint(Dim, text) }

// Red returns text in red.
func (s Style) Red(text string) string { return s.Paint(Red, text) }

// Green returns text in green.
func (s Style) Green(text string) string { return s.Paint(Green, text) }

// Amber returns text in amber.
func (s Style) Amber(text string) string { return s.Paint(Amber, text) }

// Paint returns text in a paint.
func (s Style) Paint(p Paint, text string) string {
	if !s.On || p == Plain || text == "" {
		return text
	}
	return sequences[p] + text + reset
}

// Append appends text in a paint.
func (s Style) Append(dst []byte, p Paint, text []byte) []byte {
	if !s.On || p == Plain || len(text) == 0 {
		return append(dst, text...)
	}
	return append(append(append(dst, sequences[p]...), text...), reset...)
}
