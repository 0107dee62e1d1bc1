package titles

import (
	"strings"

	"github.com/perfdump/perfdump/internal/wire"
)

// Match is [Table.Indexes] for a name in which * stands for any characters, also
// none. An empty text is never found.
func (t *Table) Match(name string) []uint32 {
	if !strings.Contains(name, "*") {
		return t.Indexes(name)
	}
	parts := strings.Split(strings.Map(wire.Fold, name), "*")
	var found []uint32
	for index, text := range t.All() {
		if text != "" && matches(parts, strings.Map(wire.Fold, text)) {
			found = append(found, index)
		}
	}
	return found
}

// MatchText reports whether text is name without regard to case, where * stands
// for any characters, also none.
func MatchText(name, text string) bool {
	name, text = strings.Map(wire.Fold, name), strings.Map(wire.Fold, text)
	if !strings.Contains(name, "*") {
		return name == text
	}
	return text != "" && matches(strings.Split(name, "*"), text)
}

// matches reports whether s is parts, in this order, with anything in between.
func matches(parts []string, s string) bool {
	first, last := parts[0], parts[len(parts)-1]
	if len(s) < len(first)+len(last) || !strings.HasPrefix(s, first) || !strings.HasSuffix(s, last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s = s[i+len(part):]
	}
	return true
}
