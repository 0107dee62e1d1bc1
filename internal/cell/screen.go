package cell

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Screen returns a writer to a terminal that shows what names hold and does none
// of it: control characters, and those that change the direction of text, are
// written as [Append] has them. Line ends and TABs go through, so that a CSV is
// shown as safely as a table, and what [Style] writes where styled says so: names
// are clean there. The output ends with a line, or its last character may be held
// back.
func Screen(w io.Writer, styled func() bool) io.Writer { return &screen{w: w, styled: styled} }

type screen struct {
	w      io.Writer
	styled func() bool
	held   []byte // the start of what is told apart by what follows
	out    []byte
}

func (s *screen) Write(b []byte) (int, error) {
	in := b
	if len(s.held) > 0 {
		in = append(s.held, b...)
	}
	s.out = s.out[:0]
	n := 0
	for n < len(in) {
		size := s.next(in[n:])
		if size == 0 {
			break
		}
		n += size
	}
	s.held = append([]byte(nil), in[n:]...)
	if _, err := s.w.Write(s.out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// next takes the character that b begins with and returns its size, 0 where b
// does not tell yet.
func (s *screen) next(b []byte) int {
	switch c := b[0]; {
	case c >= ' ' && c < 0x7f || c == '\n' || c == '\t':
		s.out = append(s.out, c)
		return 1
	case c == '\r' && len(b) == 1:
		return 0
	case c == '\r' && b[1] == '\n':
		s.out = append(s.out, c)
		return 1
	case c == 0x1b && s.styled():
		return s.escape(b)
	case c >= utf8.RuneSelf && !utf8.FullRune(b):
		return 0
	}
	r, n := utf8.DecodeRune(b)
	if r != utf8.RuneError && harmless(r) {
		s.out = append(s.out, b[:n]...)
	} else {
		s.out = Append(s.out, string(b[:n]))
	}
	return n
}

// escape takes a sequence that a Style writes, or else the character alone.
func (s *screen) escape(b []byte) int {
	for _, style := range append(sequences[Bold:], reset) {
		switch {
		case len(b) >= len(style) && string(b[:len(style)]) == style:
			s.out = append(s.out, style...)
			return len(style)
		case strings.HasPrefix(style, string(b)):
			return 0
		}
	}
	s.out = Append(s.out, string(b[:1]))
	return 1
}

// harmless reports whether a terminal does nothing with a character but show it.
func harmless(r rune) bool {
	switch {
	case r < 0xa0, r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return false
	default:
		return true
	}
}
