package document

import (
	"bytes"

	"github.com/perfdump/perfdump"
)

// skip takes any value and forgets it.
func (r *reader) skip() error {
	var open [maxDepth]byte // the signs that close what is open
	depth := 0
	for {
		c, err := r.peek()
		if err != nil {
			return err
		}
		switch c {
		case '{', '[':
			if depth == maxDepth {
				return r.errorAt(perfdump.CodeLimit, r.offset(), "more than %d values in each other", maxDepth)
			}
			open[depth] = c + 2 // } and ] stand two places behind
			depth++
			r.pos++
			end := c + 2
			if c, err = r.peek(); err != nil {
				return err
			}
			if c != end {
				if end == '}' {
					if err := r.skipKey(); err != nil {
						return err
					}
				}
				continue
			}
		case '"':
			if err := r.skipText(); err != nil {
				return err
			}
		case 't', 'f':
			if _, err := r.boolean(); err != nil {
				return err
			}
		case 'n':
			if _, err := r.null(); err != nil {
				return err
			}
		default:
			if err := r.skipNumber(); err != nil {
				return err
			}
		}
		// A value is complete; close what ends with it.
		for {
			if depth == 0 {
				return nil
			}
			more, err := r.next(false, open[depth-1])
			if err != nil {
				return err
			}
			if !more {
				depth--
				continue
			}
			if open[depth-1] == '}' {
				if err := r.skipKey(); err != nil {
					return err
				}
			}
			break
		}
	}
}

// skipText takes a string without keeping it.
func (r *reader) skipText() error {
	r.pos++
	for {
		if r.fill(lookAhead); r.pos == len(r.buf) {
			return r.ended()
		}
		for r.pos < len(r.buf) {
			c := r.buf[r.pos]
			if c == '\\' {
				break
			}
			if c < ' ' {
				return r.syntaxError("a control character 0x%02x in a string; write \\u%04x", c, c)
			}
			r.pos++
			if c == '"' {
				return nil
			}
		}
		if r.pos < len(r.buf) {
			var err error
			if r.str, err = r.escape(r.str[:0]); err != nil {
				return err
			}
		}
	}
}

// skipNumber takes a number of any form.
func (r *reader) skipNumber() error {
	r.fill(512)
	b := r.buf[r.pos:min(len(r.buf), r.pos+511)]
	n := 0
	for n < len(b) && (b[n] >= '0' && b[n] <= '9' || bytes.IndexByte([]byte("+-.eE"), b[n]) >= 0) {
		n++
	}
	if n == 0 || !isNumber(b[:n]) {
		return r.syntaxError("%s where a value belongs", r.describe(r.buf[r.pos]))
	}
	r.pos += n
	return nil
}

// isNumber reports whether b is a number as JSON writes them.
func isNumber(b []byte) bool {
	digits := func() (n int) {
		for n < len(b) && b[n] >= '0' && b[n] <= '9' {
			n++
		}
		return n
	}
	b = bytes.TrimPrefix(b, []byte("-"))
	n := digits()
	if n == 0 || n > 1 && b[0] == '0' {
		return false
	}
	if b = b[n:]; len(b) > 0 && b[0] == '.' {
		b = b[1:]
		if n = digits(); n == 0 {
			return false
		}
		b = b[n:]
	}
	if len(b) > 0 && (b[0] == 'e' || b[0] == 'E') {
		b = b[1:]
		if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		n = digits()
		return n > 0 && n == len(b)
	}
	return len(b) == 0
}
