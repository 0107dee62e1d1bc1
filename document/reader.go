package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

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
		if s.key == "" { // of an object of which no key has been read
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

// skipKey takes a key of any length and its colon, and forgets it: of what is
// skipped, names may be keys.
func (r *reader) skipKey() error {
	c, err := r.peek()
	if err != nil {
		return err
	}
	if c != '"' {
		return r.syntaxError("%s where a key belongs", r.describe(c))
	}
	if err := r.skipText(); err != nil {
		return err
	}
	return r.expect(':', "the colon behind a key")
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
