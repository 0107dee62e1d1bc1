package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
)

const (
	readSize  = 64 << 10
	lookAhead = 32  // bytes that a number, a literal or an escape is looked at with
	maxDepth  = 64  // of values that are passed over
	maxWord   = 256 // bytes of a key, a type, a time
)

// reader takes JSON from a stream value by value. It holds a buffer and the
// string at hand. Its methods return an error with the place in the document;
// after one they must not be called again.
type reader struct {
	r    io.Reader
	buf  []byte
	pos  int
	base int64 // where buf begins in the document
	eof  bool
	fail error // of r

	str  []byte
	path []step
}

// step is a part of the path to the value at hand: a key, or an index.
type step struct {
	key   string
	index int // -1 with a key
}

func newReader(r io.Reader) *reader { return &reader{r: r, buf: make([]byte, 0, readSize)} }

// offset returns where the next byte stands in the document.
func (r *reader) offset() int64 { return r.base + int64(r.pos) }

// pathText returns the path to the value at hand: blocks[0].objects[2].index.
func (r *reader) pathText() string {
	var b []byte
	for _, s := range r.path {
		if s.index >= 0 {
			b = append(strconv.AppendInt(append(b, '['), int64(s.index), 10), ']')
			continue
		}
		if len(b) > 0 {
			b = append(b, '.')
		}
		b = append(b, s.key...)
	}
	return string(b)
}

// syntaxError is an error of the document itself, at the value at hand.
func (r *reader) syntaxError(format string, args ...any) error {
	return r.errorAt(perfdump.CodeSyntax, r.offset(), format, args...)
}

func (r *reader) errorAt(code perfdump.Code, off int64, format string, args ...any) error {
	err := perfdump.NewError(code, off, perfdump.Path{}, format, args...)
	err.Path = r.pathText()
	return err
}

// fill makes n bytes available, fewer only at the end of the document.
func (r *reader) fill(n int) {
	if len(r.buf)-r.pos >= n || r.eof {
		return
	}
	r.base += int64(r.pos)
	r.buf = r.buf[:copy(r.buf, r.buf[r.pos:])]
	r.pos = 0
	for empty := 0; len(r.buf) < n && !r.eof; {
		m, err := r.r.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+m]
		switch {
		case err == io.EOF:
			r.eof = true
		case err != nil:
			r.eof, r.fail = true, err
		case m > 0:
			empty = 0
		default:
			if empty++; empty > 100 {
				r.eof, r.fail = true, io.ErrNoProgress
			}
		}
	}
}

// ended is the error that the document ends too early.
func (r *reader) ended() error {
	if r.fail != nil {
		var fe *perfdump.FormatError
		if errors.As(r.fail, &fe) {
			return fe
		}
		return &perfdump.FormatError{Code: perfdump.CodeIO, Off: r.offset(), Err: r.fail}
	}
	err := perfdump.NewError(perfdump.CodeTruncated, r.offset(), perfdump.Path{}, "the document ends in the middle")
	err.Path = r.pathText()
	return err
}

// peek passes over blanks and returns the byte that the next value begins
// with.
func (r *reader) peek() (byte, error) {
	for {
		for r.pos < len(r.buf) {
			c := r.buf[r.pos]
			if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
				return c, nil
			}
			r.pos++
		}
		if r.fill(1); r.pos == len(r.buf) {
			return 0, r.ended()
		}
	}
}

// expect takes a sign.
func (r *reader) expect(want byte, what string) error {
	c, err := r.peek()
	if err != nil {
		return err
	}
	if c != want {
		return r.syntaxError("%s where %s belongs", r.describe(c), what)
	}
	r.pos++
	return nil
}

// describe says what begins with c.
func (r *reader) describe(c byte) string {
	switch {
	case c == '{':
		return "an object"
	case c == '[':
		return "an array"
	case c == '"':
		return "a string"
	case c == '-' || c >= '0' && c <= '9':
		return "a number"
	case c == 't' || c == 'f':
		return "true or false"
	case c == 'n':
		return "null"
	default:
		return fmt.Sprintf("%q", rune(c))
	}
}

// next takes the comma before the next element, or the end.
func (r *reader) next(first bool, end byte) (more bool, err error) {
	c, err := r.peek()
	switch {
	case err != nil:
		return false, err
	case c == end:
		r.pos++
		return false, nil
	case first:
		return true, nil
	case c != ',':
		return false, r.syntaxError("%s where a comma or the closing %q belongs", r.describe(c), rune(end))
	}
	r.pos++
	if c, err = r.peek(); err == nil && c == end {
		err = r.syntaxError("a comma before the closing %q", rune(end))
	}
	return true, err
}

// array calls f for each element, which f has to take.
func (r *reader) array(f func(i int) error) error {
	if err := r.expect('[', "an array"); err != nil {
		return err
	}
	r.path = append(r.path, step{index: 0})
	at := len(r.path) - 1
	for i := 0; ; i++ {
		r.path[at].index = i
		more, err := r.next(i == 0, ']')
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if err := f(i); err != nil {
			return err
		}
	}
	r.path = r.path[:at]
	return nil
}

// keys are the keys that an object may have.
type keys struct {
	list  []string
	index map[string]int
}

func newKeys(list ...string) *keys {
	k := &keys{list: list, index: make(map[string]int, len(list))}
	for i, key := range list {
		k.index[key] = i
	}
	return k
}

// fields is a set of keys by their positions.
type fields uint64

func (f fields) has(key int) bool { return f>>key&1 != 0 }

// object calls f for each key, whose value f has to take. The keys that were
// met are added to seen as they come.
func (r *reader) object(k *keys, seen *fields, f func(key int) error) error {
	if err := r.expect('{', "an object"); err != nil {
		return err
	}
	r.path = append(r.path, step{index: -1})
	at := len(r.path) - 1
	for first := true; ; first = false {
		r.path[at].key = ""
		more, err := r.next(first, '}')
		if err != nil {
			return err
		}
		if !more {
			break
		}
		off, err := r.key()
		if err != nil {
			return err
		}
		key, known := k.index[string(r.str)]
		if !known {
			r.path = r.path[:at]
			return r.errorAt(perfdump.CodeSyntax, off, "key %s is not known; here belong %s", quote(r.str), k)
		}
		r.path[at].key = k.list[key]
		if seen.has(key) {
			return r.errorAt(perfdump.CodeSyntax, off, "the key stands here a second time")
		}
		*seen |= 1 << key
		if err := f(key); err != nil {
			return err
		}
	}
	r.path = r.path[:at]
	return nil
}

// key takes a key and its colon. Its text is in r.str.
func (r *reader) key() (off int64, err error) {
	c, err := r.peek()
	if err != nil {
		return 0, err
	}
	if c != '"' {
		return 0, r.syntaxError("%s where a key belongs", r.describe(c))
	}
	off = r.offset()
	if err := r.text(maxWord); err != nil {
		return 0, err
	}
	return off, r.expect(':', "the colon behind a key")
}

// String lists the keys.
func (k *keys) String() string {
	var b bytes.Buffer
	for i, key := range k.list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(key)
	}
	return b.String()
}

// quote returns s as a message has it.
func quote(s []byte) string {
	if len(s) > 40 {
		return strconv.QuoteToGraphic(string(s[:40])) + "…"
	}
	return strconv.QuoteToGraphic(string(s))
}

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
func (r *reader) text(limit int) error {
	c, err := r.peek()
	if err != nil {
		return err
	}
	if c != '"' {
		return r.syntaxError("%s where a string belongs", r.describe(c))
	}
	r.pos++
	r.str = r.str[:0]
	ascii := true
	for {
		if r.fill(lookAhead); r.pos == len(r.buf) {
			return r.ended()
		}
		i := r.pos
		for i < len(r.buf) && r.buf[i] >= ' ' && r.buf[i] != '"' && r.buf[i] != '\\' {
			ascii = ascii && r.buf[i] < utf8.RuneSelf
			i++
		}
		r.str = append(r.str, r.buf[r.pos:i]...)
		if len(r.str) > limit {
			return r.errorAt(perfdump.CodeLimit, r.offset(), "a string of more than %d bytes", limit)
		}
		if r.pos = i; i == len(r.buf) {
			continue
		}
		switch c := r.buf[i]; c {
		case '"':
			r.pos++
			if !ascii && !utf8.Valid(r.str) {
				return r.syntaxError("the string before is not valid UTF-8")
			}
			return nil
		case '\\':
			if err := r.escape(); err != nil {
				return err
			}
		default:
			return r.syntaxError("a control character 0x%02x in a string; write \\u%04x", c, c)
		}
	}
}

// escape takes a backslash and what it stands for.
func (r *reader) escape() error {
	r.fill(lookAhead)
	b := r.buf[r.pos:]
	if len(b) < 2 {
		return r.ended()
	}
	plain := bytes.IndexByte([]byte(`"\/bfnrt`), b[1])
	switch {
	case plain >= 0:
		r.str = append(r.str, "\"\\/\b\f\n\r\t"[plain])
		r.pos += 2
		return nil
	case b[1] != 'u':
		return r.syntaxError("an escape that JSON does not have: \\%c", b[1])
	}
	u, ok := hex4(b)
	if !ok {
		return r.syntaxError("\\u without four hexadecimal digits")
	}
	n := 6
	if utf16.IsSurrogate(u) {
		low, ok := hex4(b[6:])
		if u = utf16.DecodeRune(u, low); !ok || u == utf8.RuneError {
			return r.syntaxError("a lone surrogate, which is no text; write {\"hex\":\"…\"} in the place of the string")
		}
		n = 12
	}
	r.str = utf8.AppendRune(r.str, u)
	r.pos += n
	return nil
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
func (r *reader) hex(dst []byte) ([]byte, error) {
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
					if _, err := r.key(); err != nil {
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
				if _, err := r.key(); err != nil {
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
			r.str = r.str[:0]
			if err := r.escape(); err != nil {
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
