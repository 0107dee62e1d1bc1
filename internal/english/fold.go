package english

import (
	"strings"
	"sync"
	"unicode"
)

// letters are those of European languages that are others with marks, or like
// others, and the signs that are written in several ways.
var letters = sync.OnceValue(func() *strings.Replacer {
	pairs := []string{"ß", "ss", "æ", "ae", "’", "'", "‘", "'", "–", "-", "\u00a0", " "}
	for _, all := range strings.Fields("aàáâãäåāăą cçćĉċč dď eèéêëēĕėęě gĝğġģ hĥ iıìíîïĩīĭį jĵ kķ lłĺļľ " +
		"nñńņň oøòóôõöōŏő rŕŗř sśŝşšș tţťț uùúûüũūŭůűų wŵ yýÿŷ zźżž") {
		for _, r := range all[1:] {
			pairs = append(pairs, string(r), all[:1])
		}
	}
	return strings.NewReplacer(pairs...)
})

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
	}, name)
	return strings.TrimSpace(letters().Replace(name))
}
