package document

import (
	"bytes"
	"math"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
)

// literal takes the word if it comes next.
func (r *reader) literal(word string) bool {
	r.fill(lookAhead)
	rest := r.buf[r.pos:]
	if len(rest) < len(word) || string(rest[:len(word)]) != word {
		return false
	}
	r.pos += len(word)
	return true
}

// null takes a null if one comes next.
func (r *reader) null() (bool, error) {
	c, err := r.peek()
	if err != nil || c != 'n' {
		return false, err
	}
	if !r.literal("null") {
		return false, r.syntaxError("a word that is none of null, true, false")
	}
	return true, nil
}

// boolean takes true or false.
func (r *reader) boolean() (bool, error) {
	c, err := r.peek()
	switch {
	case err != nil:
		return false, err
	case r.literal("true"):
		return true, nil
	case r.literal("false"):
		return false, nil
	}
	return false, r.syntaxError("%s where true or false belongs", r.describe(c))
}

// unsigned takes a whole number from 0 to limit.
func (r *reader) unsigned(limit uint64) (uint64, error) {
	neg, v, err := r.number("a number")
	switch {
	case err != nil:
		return 0, err
	case neg && v > 0 || v > limit:
		return 0, r.syntaxError("the number is not in 0..%d", limit)
	}
	return v, nil
}

func (r *reader) u32() (uint32, error) {
	v, err := r.unsigned(math.MaxUint32)
	return uint32(v), err
}

// signed takes a whole number of so many bits.
func (r *reader) signed(bits int) (int64, error) {
	neg, v, err := r.number("a number")
	limit := uint64(1) << (bits - 1)
	switch {
	case err != nil:
		return 0, err
	case neg && v <= limit:
		return -int64(v), nil
	case neg || v >= limit:
		return 0, r.syntaxError("the number is not in -%d..%d", limit, limit-1)
	}
	return int64(v), nil
}

// number takes a whole number of up to 64 bits.
func (r *reader) number(what string) (neg bool, v uint64, err error) {
	c, err := r.peek()
	if err != nil {
		return false, 0, err
	}
	r.fill(lookAhead)
	b := r.buf[r.pos:]
	i := 0
	if c == '-' {
		neg = true
		i++
	}
	start := i
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		if v > math.MaxUint64/10 || v == math.MaxUint64/10 && d > math.MaxUint64%10 {
			return neg, 0, r.syntaxError("the number does not fit 64 bits")
		}
		v = v*10 + uint64(d)
	}
	switch {
	case i == start && start == 0:
		return neg, 0, r.syntaxError("%s where %s belongs", r.describe(c), what)
	case i == start:
		return neg, 0, r.syntaxError("a minus without digits")
	case b[start] == '0' && i > start+1:
		return neg, 0, r.syntaxError("a number that begins with 0")
	case i < len(b) && (b[i] == '.' || b[i] == 'e' || b[i] == 'E'):
		return neg, 0, r.syntaxError("a number with a fraction or exponent; only whole numbers stand here")
	}
	r.pos += i
	return neg, v, nil
}

// text takes a string of at most limit bytes; its text is in r.str until the
// next one.
func (r *reader) text(limit int) (err error) {
	r.str, err = r.appendText(r.str[:0], limit)
	return err
}

// appendText is text that appends the text to dst.
func (r *reader) appendText(dst []byte, limit int) ([]byte, error) {
	c, err := r.peek()
	if err != nil {
		return dst, err
	}
	if c != '"' {
		return dst, r.syntaxError("%s where a string belongs", r.describe(c))
	}
	r.pos++
	from := len(dst)
	ascii := true
	for {
		if r.fill(lookAhead); r.pos == len(r.buf) {
			return dst, r.ended()
		}
		i := r.pos
		for i < len(r.buf) && r.buf[i] >= ' ' && r.buf[i] != '"' && r.buf[i] != '\\' {
			ascii = ascii && r.buf[i] < utf8.RuneSelf
			i++
		}
		dst = append(dst, r.buf[r.pos:i]...)
		if len(dst)-from > limit {
			return dst, r.errorAt(perfdump.CodeLimit, r.offset(), "a string of more than %d bytes", limit)
		}
		if r.pos = i; i == len(r.buf) {
			continue
		}
		switch c := r.buf[i]; c {
		case '"':
			r.pos++
			if !ascii && !utf8.Valid(dst[from:]) {
				return dst, r.syntaxError("the string before is not valid UTF-8")
			}
			return dst, nil
		case '\\':
			if dst, err = r.escape(dst); err != nil {
				return dst, err
			}
		default:
			return dst, r.syntaxError("a control character 0x%02x in a string; write \\u%04x", c, c)
		}
	}
}

// escape takes a backslash and appends what it stands for to dst.
func (r *reader) escape(dst []byte) ([]byte, error) {
	r.fill(lookAhead)
	b := r.buf[r.pos:]
	if len(b) < 2 {
		return dst, r.ended()
	}
	plain := bytes.IndexByte([]byte(`"\/bfnrt`), b[1])
	switch {
	case plain >= 0:
		r.pos += 2
		return append(dst, "\"\\/\b\f\n\r\t"[plain]), nil
	case b[1] != 'u':
		return dst, r.syntaxError("an escape that JSON does not have: \\%c", b[1])
	}
	u, ok := hex4(b)
	if !ok {
		return dst, r.syntaxError("\\u without four hexadecimal digits")
	}
	n := 6
	if utf16.IsSurrogate(u) {
		low, ok := hex4(b[6:])
		if u = utf16.DecodeRune(u, low); !ok || u == utf8.RuneError {
			return dst, r.syntaxError("a lone surrogate, which is no text; write {\"hex\":\"…\"} in the place of the string")
		}
		n = 12
	}
	r.pos += n
	return utf8.AppendRune(dst, u), nil
}

// hex4 reads \uXXXX.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	u := rune(0)
	for _, c := range b[2:6] {
		d, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		u = u<<4 | rune(d)
	}
	return u, true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// hex takes a string of hexadecimal digits and appends its bytes to dst.
func (r *reader) hex(dst []byte) ([]byte, error) { return r.hexParts(dst, nil) }

// hexParts is hex that hands what it has so far to part, if there is one, and
// goes on with what that returns.
func (r *reader) hexParts(dst []byte, part func([]byte) []byte) ([]byte, error) {
	c, err := r.peek()
	if err != nil {
		return dst, err
	}
	if c != '"' {
		return dst, r.syntaxError("%s where a string of hexadecimal digits belongs", r.describe(c))
	}
	r.pos++
	for {
		if r.fill(2); r.pos == len(r.buf) {
			return dst, r.ended()
		}
		if part != nil {
			dst = part(dst)
		}
		for len(r.buf)-r.pos >= 2 {
			if r.buf[r.pos] == '"' {
				r.pos++
				return dst, nil
			}
			hi, ok := hexDigit(r.buf[r.pos])
			if !ok {
				return dst, r.syntaxError("%q in a string of hexadecimal digits", rune(r.buf[r.pos]))
			}
			lo, ok := hexDigit(r.buf[r.pos+1])
			switch {
			case ok:
			case r.buf[r.pos+1] == '"':
				return dst, r.syntaxError("hexadecimal digits that are no pairs")
			default:
				return dst, r.syntaxError("%q in a string of hexadecimal digits", rune(r.buf[r.pos+1]))
			}
			dst = append(dst, hi<<4|lo)
			r.pos += 2
		}
		if r.eof && r.pos < len(r.buf) {
			if r.buf[r.pos] == '"' {
				r.pos++
				return dst, nil
			}
			return dst, r.ended()
		}
	}
}
