package document

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/perfdump/perfdump"
)

const syntax = perfdump.CodeSyntax

// reader reads values of a document that is in memory. Its methods read the
// next value; an error has its offset and path in the document.
type reader struct {
	doc  []byte
	dec  *jsontext.Decoder
	base int64  // of what dec reads, in doc
	path []byte // of the next value
}

// part is a value of the document that is read later.
type part struct{ from, to int64 }

func (p part) empty() bool { return p.from == p.to }

func newReader(doc []byte, p part, path string) *reader {
	r := &reader{doc: doc, base: p.from, path: []byte(path)}
	r.dec = jsontext.NewDecoder(bytes.NewBuffer(doc[p.from:p.to:p.to]))
	return r
}

// offset returns where the next value begins.
func (r *reader) offset() int64 {
	at := r.base + r.dec.InputOffset()
	for at < int64(len(r.doc)) && strings.IndexByte(" \t\r\n:,", r.doc[at]) >= 0 {
		at++
	}
	return at
}

// errorAt makes an error at an offset of the document or, where the code is one
// of bytes that do not fit, of the file.
func (r *reader) errorAt(code perfdump.Code, off int64, format string, args ...any) error {
	return newError(code, off, string(r.path), format, args...)
}

func newError(code perfdump.Code, off int64, path, format string, args ...any) *perfdump.FormatError {
	err := perfdump.NewError(code, off, perfdump.Path{}, format, args...)
	err.Path = path
	return err
}

func (r *reader) syntaxError(format string, args ...any) error {
	return r.errorAt(syntax, r.offset(), format, args...)
}

// failed returns an error of the JSON itself.
func (r *reader) failed(err error) error {
	var syntactic *jsontext.SyntacticError
	off := r.offset()
	if errors.As(err, &syntactic) {
		off, err = r.base+syntactic.ByteOffset, syntactic.Err
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return r.errorAt(perfdump.CodeTruncated, int64(len(r.doc)), "the document ends in the middle; was it cut?")
	case errors.Is(err, jsontext.ErrDuplicateName):
		return r.errorAt(syntax, off, "duplicate key")
	}
	return r.errorAt(syntax, off, "not JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
}

// token reads a token of a kind.
func (r *reader) token(kind jsontext.Kind, what string) (jsontext.Token, error) {
	if got := r.dec.PeekKind(); got != kind && got > 0 {
		return jsontext.Token{}, r.syntaxError("%s where %s belongs", describe(got), what)
	}
	t, err := r.dec.ReadToken()
	if err != nil {
		err = r.failed(err)
	}
	return t, err
}

func describe(kind jsontext.Kind) string {
	if what, ok := map[jsontext.Kind]string{'"': "a string", '0': "a number", '{': "an object", '[': "a list"}[kind]; ok {
		return what
	}
	return kind.String()
}

// errUnknown is the result of a function that does not know a key.
var errUnknown = errors.New("unknown key")

// object calls f with each key of an object; f reads its value.
func (r *reader) object(f func(key string) error) error {
	if _, err := r.token('{', "an object"); err != nil {
		return err
	}
	n := len(r.path)
	for r.dec.PeekKind() == '"' {
		off := r.offset()
		t, err := r.dec.ReadToken()
		if err != nil {
			return r.failed(err)
		}
		key := t.String()
		if n > 0 {
			r.path = append(r.path, '.')
		}
		r.path = append(r.path, key...)
		err = f(key)
		if errors.Is(err, errUnknown) {
			r.path = r.path[:n]
			return r.errorAt(syntax, off, "unknown key %s", quote(key))
		}
		if err != nil {
			return err
		}
		r.path = r.path[:n]
	}
	_, err := r.token('}', "a key")
	return err
}

// array calls f with each index of a list; f reads the element.
func (r *reader) array(f func(i int) error) error {
	if _, err := r.token('[', "a list"); err != nil {
		return err
	}
	n := len(r.path)
	for i := 0; r.dec.PeekKind() != ']'; i++ {
		r.path = append(strconv.AppendInt(append(r.path, '['), int64(i), 10), ']')
		if err := f(i); err != nil {
			return err
		}
		r.path = r.path[:n]
	}
	_, err := r.token(']', "an element")
	return err
}

// value reads a value to where a pointer says; an object into its fields.
func (r *reader) value(to any) (err error) {
	switch to := to.(type) {
	case *opt:
		err = limited{to, math.MaxUint32}.read(r)
	case limited:
		err = to.read(r)
	case signed:
		to.v, err = r.signed(to.bits)
		to.ok = true
	case *nullable:
		if to.ok, err = r.null(); err == nil && !to.ok {
			to.s, err = r.string()
		}
		to.ok = !to.ok
	case *bytesOrText:
		err = to.read(r)
	case *part:
		*to, err = r.skip()
	case object:
		err = r.object(func(key string) error {
			for i := range to {
				if strings.TrimLeft(to[i].key, "\n ") == key {
					return r.value(to[i].value)
				}
			}
			return errUnknown
		})
	case func(*reader) error:
		err = to(r)
	case pair:
		err = to.read(r)
	case absent:
		err = errUnknown
	default:
		err = r.reflected(reflect.ValueOf(to).Elem())
	}
	return err
}

func (r *reader) reflected(to reflect.Value) (err error) {
	switch {
	case to.CanInt():
		var v int64
		v, err = r.signed(to.Type().Bits())
		to.SetInt(v)
	case to.CanUint():
		var v uint64
		v, err = r.unsigned(math.MaxUint64 >> (64 - to.Type().Bits()))
		to.SetUint(v)
	case to.Kind() == reflect.Bool:
		var v bool
		v, err = r.boolean()
		to.SetBool(v)
	default:
		var s string
		s, err = r.string()
		to.SetString(s)
	}
	return err
}

// skip skips the value and returns where it is.
func (r *reader) skip() (part, error) {
	from := r.offset()
	if err := r.dec.SkipValue(); err != nil {
		return part{}, r.failed(err)
	}
	return part{from, r.base + r.dec.InputOffset()}, nil
}

// null reads null, if it is there.
func (r *reader) null() (bool, error) {
	if r.dec.PeekKind() != 'n' {
		return false, nil
	}
	_, err := r.token('n', "null")
	return err == nil, err
}

func (r *reader) boolean() (bool, error) {
	if r.dec.PeekKind() == 'f' {
		_, err := r.token('f', "true or false")
		return false, err
	}
	_, err := r.token('t', "true or false")
	return err == nil, err
}

func (r *reader) string() (string, error) {
	t, err := r.token('"', "a string")
	if err != nil {
		return "", err
	}
	return t.String(), nil
}

// word returns what reads the name of something.
func word[T any](to *T, parse func(string) (T, error), wrong string) func(*reader) error {
	return func(r *reader) error {
		off := r.offset()
		s, err := r.string()
		if err != nil {
			return err
		}
		if *to, err = parse(s); err != nil {
			return r.errorAt(syntax, off, wrong, quote(s))
		}
		return nil
	}
}

// number reads a whole number: its sign and its amount.
func (r *reader) number(what string) (negative bool, v uint64, err error) {
	off := r.offset()
	t, err := r.token('0', what)
	if err != nil {
		return false, 0, err
	}
	digits, negative := strings.CutPrefix(t.String(), "-")
	if strings.ContainsAny(digits, ".eE") {
		return false, 0, r.errorAt(syntax, off, "a number with a fraction or exponent; only whole numbers belong here")
	}
	if v, err = strconv.ParseUint(digits, 10, 64); err != nil {
		return false, 0, r.errorAt(syntax, off, "the number does not fit 64 bits")
	}
	return negative, v, nil
}

// unsigned reads a number from 0 to limit.
func (r *reader) unsigned(limit uint64) (uint64, error) {
	off := r.offset()
	negative, v, err := r.number("a number")
	if err == nil && (v > limit || negative && v > 0) {
		err = r.errorAt(syntax, off, "the number is not in 0..%d", limit)
	}
	return v, err
}

// signed reads a number of some bits with a sign.
func (r *reader) signed(bits int) (int64, error) {
	off := r.offset()
	negative, v, err := r.number("a number")
	limit := uint64(1) << (bits - 1)
	if err == nil && (v > limit || v == limit && !negative) {
		err = r.errorAt(syntax, off, "the number is not in -%d..%d", limit, limit-1)
	}
	if negative {
		v = -v
	}
	return int64(v), err
}

// opt is a number that a document may leave out.
type opt struct {
	v  int64
	ok bool
}

func (o opt) or(v int64) int64 {
	if o.ok {
		return o.v
	}
	return v
}

func (o *opt) number() opt { return *o }

// limited is an opt from 0 to a limit.
type limited struct {
	*opt
	max uint64
}

func (l limited) read(r *reader) error {
	v, err := r.unsigned(l.max)
	l.v, l.ok = int64(v), true
	return err
}

// place is an offset or a size in a file.
func place(o *opt) limited { return limited{o, maxSize} }

// signed is an opt of some bits with a sign.
type signed struct {
	*opt
	bits int
}

// num is a number that is given.
func num[T int | int32 | uint16 | uint32 | int64](v T) opt { return opt{int64(v), true} }

// read reads a string, an object with hex, or null.
func (t *bytesOrText) read(r *reader) (err error) {
	t.given = true
	off := r.offset()
	switch r.dec.PeekKind() {
	case 'n':
		t.kind = textNone
		_, err = r.null()
	case '{':
		t.kind = textHex
		found := false
		var shown nullable
		err = r.value(object{{"hex", func(r *reader) (err error) {
			found = true
			t.b, err = r.hex()
			return err
		}}, {"text", &shown}})
		if err == nil && !found {
			err = r.errorAt(syntax, off, "the object has no hex")
		}
	case '"':
		t.kind = textString
		var s string
		if s, err = r.string(); err == nil && strings.IndexByte(s, 0) >= 0 {
			err = r.errorAt(syntax, off, "a NUL in a string, where the text would end; write {\"hex\":\"…\"}")
		}
		t.b = []byte(s)
	default:
		_, err = r.token('"', "a string, null, or an object with hex")
	}
	return err
}

// append appends the bytes of a text, in a code page where it is a string; page 0
// is UTF-16. It is false if the page does not have the text.
func (t *bytesOrText) append(dst []byte, page uint32) ([]byte, bool) {
	if t.kind == textString {
		return encodeText(dst, page, t.b)
	}
	return append(dst, t.b...), true
}

// hex reads a string of hexadecimal digits.
func (r *reader) hex() ([]byte, error) {
	off := r.offset()
	s, err := r.string()
	if err != nil {
		return nil, err
	}
	b, err := hex.DecodeString(s)
	var wrong hex.InvalidByteError
	switch {
	case errors.As(err, &wrong):
		return nil, r.errorAt(syntax, off, "%q in a string of hexadecimal digits", rune(wrong))
	case err != nil:
		return nil, r.errorAt(syntax, off, "an odd number of hexadecimal digits")
	}
	return b, nil
}

// quote returns a text for a message, cut if it is long.
func quote[S string | []byte](s S) string {
	const longest = 40
	if len(s) > longest {
		return fmt.Sprintf("%q…", string(s[:longest]))
	}
	return fmt.Sprintf("%q", string(s))
}
