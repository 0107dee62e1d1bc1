package pdhpath

import (
	"errors"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
)

// slowMatch is the slow twin of match: a table of which prefix of the text
// matches which prefix of the name.
func slowMatch(text, name string, brackets bool) bool {
	a, b := slowRunes(text, brackets), slowRunes(name, brackets)
	row := make([]bool, len(b)+1)
	row[0] = true
	for _, r := range a {
		next := make([]bool, len(b)+1)
		if r == '*' {
			seen := false
			for j := range row {
				seen = seen || row[j]
				next[j] = seen
			}
		} else {
			for j := range b {
				next[j+1] = row[j] && b[j] == r
			}
		}
		row = next
	}
	return row[len(b)]
}

func slowRunes(s string, brackets bool) []rune {
	var all []rune
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			r = unicode.MaxRune + 1 + rune(s[0])
		case brackets && r == '(':
			r = '['
		case brackets && r == ')':
			r = ']'
		default:
			r = orbit(r)
		}
		all, s = append(all, r), s[size:]
	}
	return all
}

// orbit returns the highest rune that differs from r in case only.
func orbit(r rune) rune {
	high := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		high = max(high, f)
	}
	return high
}

func FuzzPath(f *testing.F) {
	for _, s := range []string{`\System\Threads`, `\\h\O(p/i#2)\C`, `\O(a#0#0)\C`, `\O(a (b)\c)\C`, `*`, `\O(*a*b*)\*`, `\\*\(x)\y`, "\\O(\xff*\xe6\x97\xa5)\\K"} {
		f.Add(s, "xaxbx")
		f.Add(s, "日本\xff")
	}
	f.Fuzz(func(t *testing.T, s, name string) {
		for _, brackets := range []bool{false, true} {
			g := newGlob(s, brackets)
			want := slowMatch(s, name, brackets)
			if match(g, name) != want || match(g, []byte(name)) != want {
				t.Fatalf("%q and %q: want %v", s, name, want)
			}
		}
		p, err := Parse(s)
		var fe *perfdump.FormatError
		if err != nil {
			if p != (Path{}) || !errors.As(err, &fe) || fe.Off < 0 || fe.Off > int64(len(s)) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		again, err := Parse(p.String())
		if err != nil || again != p {
			t.Fatalf("%q is %+v, %q is %+v (%v)", s, p, p.String(), again, err)
		}
		q, err := Compile(s)
		if err != nil {
			t.Fatalf("%q parses but does not compile: %v", s, err)
		}
		if !q.Match(p) || !q.MatchObject(p.Object) || !q.MatchCounter(p.Counter) || !q.MatchMachine(p.Machine) {
			t.Fatalf("%q does not match itself", s)
		}
		q.MatchInstance(name, name, 1)
		if q.Match(Path{Object: name, Counter: name}) && q.ways[0].object.literal() && len(q.ways) == 1 && !q.MatchObject(name) {
			t.Fatalf("%q: Match and MatchObject disagree on %q", s, name)
		}
	})
}
