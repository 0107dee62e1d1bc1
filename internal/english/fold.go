package english

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters are those that have no decomposition, and the signs that are written
// in several ways.
var letters = strings.NewReplacer(
	"ł", "l", "ı", "i", "ø", "o", "ß", "ss", "æ", "ae",
	"’", "'", "‘", "'", "–", "-", "\u00a0", " ",
)

// Fold returns a name in lower case and without the marks of its letters: two
// names are the same to this package where they fold to the same.
func Fold(name string) string {
	ascii := true
	for i := 0; i < len(name) && ascii; i++ {
		ascii = name[i] < 0x80
	}
	if ascii {
		return strings.ToLower(strings.TrimSpace(name))
	}
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(name))
	return strings.TrimSpace(letters.Replace(name))
}
