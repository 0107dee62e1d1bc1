package pdhpath

import (
	"unicode"
	"unicode/utf8"

	"github.com/perfdump/perfdump/internal/wire"
)

// glob matches names against text in which * stands for any run. The text is
// folded and cut at its stars once.
type glob struct {
	parts    [][]rune // between the stars: one more than there are stars
	brackets bool     // ( and [ are equal, ) and ] too
}

func newGlob(s string, brackets bool) glob {
	g := glob{parts: [][]rune{nil}, brackets: brackets}
	for len(s) > 0 {
		last := len(g.parts) - 1
		r, size := decode(s)
		s = s[size:]
		switch {
		case r != '*':
			g.parts[last] = append(g.parts[last], g.fold(r))
		case last == 0 || len(g.parts[last]) > 0: // ** is *
			g.parts = append(g.parts, nil)
		}
	}
	return g
}

// any reports whether g is a star and nothing else.
func (g glob) any() bool {
	return len(g.parts) == 2 && len(g.parts[0]) == 0 && len(g.parts[1]) == 0
}

// literal reports whether g has no star.
func (g glob) literal() bool { return len(g.parts) == 1 }

// match reports whether the whole of s matches. The first and the last part
// are bound to the ends of s. For those between, the leftmost place is as good
// as any other, so nothing is ever tried again: the time is len(s) times the
// longest part.
func match[T string | []byte](g glob, s T) bool {
	pos, ok := matchAt(g, g.parts[0], s, 0)
	if !ok || g.literal() {
		return ok && pos == len(s)
	}
	last := len(g.parts) - 1
	for _, part := range g.parts[1:last] {
		for {
			if end, ok := matchAt(g, part, s, pos); ok {
				pos = end
				break
			}
			if pos >= len(s) {
				return false
			}
			_, size := decode(s[pos:])
			pos += size
		}
	}
	tail := len(s)
	for range g.parts[last] {
		if tail <= pos {
			return false
		}
		tail -= lastSize(s[pos:tail])
	}
	_, ok = matchAt(g, g.parts[last], s, tail)
	return ok
}

// matchAt reports whether part stands in s at pos, and where it ends.
func matchAt[T string | []byte](g glob, part []rune, s T, pos int) (end int, ok bool) {
	for _, want := range part {
		if pos >= len(s) {
			return pos, false
		}
		if c := rune(s[pos]); want < utf8.RuneSelf && (c == want || c-('a'-'A') == want && c >= 'a' && c <= 'z') {
			pos++ // the most common by far, and what fold gives
			continue
		}
		r, size := decode(s[pos:])
		if g.fold(r) != want {
			return pos, false
		}
		pos += size
	}
	return pos, true
}

// decode is utf8.DecodeRune, but bytes that are not UTF-8 give a rune of
// their own each, so that two different ones do not match.
func decode[T string | []byte](s T) (rune, int) {
	if c := s[0]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	// The conversion copies at most one character, on the stack.
	r, size := utf8.DecodeRuneInString(string(s[:min(len(s), utf8.UTFMax)]))
	if r == utf8.RuneError && size == 1 {
		return unicode.MaxRune + 1 + rune(s[0]), 1
	}
	return r, size
}

func lastSize[T string | []byte](s T) int {
	if s[len(s)-1] < utf8.RuneSelf {
		return 1
	}
	_, size := utf8.DecodeLastRuneInString(string(s[max(0, len(s)-utf8.UTFMax):]))
	return size
}

// fold is [wire.Fold], by which brackets may match too.
func (g glob) fold(r rune) rune {
	if r < utf8.RuneSelf {
		switch {
		case r >= 'a' && r <= 'z':
			return r - ('a' - 'A')
		case g.brackets && r == '(':
			return '['
		case g.brackets && r == ')':
			return ']'
		}
		return r
	}
	return wire.Fold(r)
}
