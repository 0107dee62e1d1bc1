package document

import (
	"encoding/hex"
	"io"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// flushAt is how much of a document is held before it is written.
const flushAt = 64 << 10

// writer builds JSON in a buffer and writes it in parts, so that no document is
// held whole. The first error stays.
type writer struct {
	out io.Writer
	b   []byte
	err error
}

// newWriter begins with a small buffer: a file may become tens of thousands of
// documents, most of which need no more.
func newWriter(out io.Writer) *writer { return &writer{out: out, b: make([]byte, 0, 4<<10)} }

// ok writes what has come together, if it is enough, and reports whether it
// makes sense to continue. The last byte stays: it says whether a comma follows.
func (w *writer) ok() bool {
	if n := len(w.b); n >= flushAt {
		w.flush(n - 1)
	}
	return w.err == nil
}

func (w *writer) flush(n int) {
	if w.err == nil {
		_, w.err = w.out.Write(w.b[:n])
	}
	w.b = append(w.b[:0], w.b[n:]...)
}

func (w *writer) raw(s string) { w.b = append(w.b, s...) }

// comma writes a comma, unless what follows is the first in its object or list.
func (w *writer) comma() {
	switch w.b[len(w.b)-1] {
	case '{', '[', ',', ' ':
	default:
		w.b = append(w.b, ',')
	}
}

// line begins an element of a list on a new line.
func (w *writer) line(indent string) {
	w.comma()
	w.b = append(append(w.b, '\n'), indent...)
}

// A field is a key of an object and its value: what [writer.value] writes. A
// pointer is what [reader.value] reads, too, so that a list of fields is good for
// both directions.
type field struct {
	key   string // with the line break and the indent before it, if there are any
	value any
}

type object []field

// dictionary is an object whose keys come from a file.
type dictionary []field

// pair is a value to write, and what reads one.
type pair struct {
	v    any
	read func(*reader) error
}

// absent is the value of a field that is left out.
type absent struct{}

// optional is a number that is left out where it is not given.
type optional interface{ number() opt }

// when returns a value, or leaves its field out.
func when(some bool, v any) any {
	if some {
		return v
	}
	return absent{}
}

// given returns a value, null if there is none.
func given(v any, ok bool) any {
	if ok {
		return v
	}
	return nil
}

// text is a text that is null if it is empty.
type text string

func (w *writer) fields(o object) {
	for i := range o {
		switch v := o[i].value.(type) {
		case absent:
			continue
		case optional:
			if !v.number().ok {
				continue
			}
		}
		w.key(o[i].key)
		w.value(o[i].value)
	}
}

func (w *writer) key(key string) {
	w.comma()
	if key[0] == '\n' {
		name := strings.TrimLeft(key, "\n ")
		w.raw(key[:len(key)-len(name)])
		key = name
	}
	w.b = append(append(append(w.b, '"'), key...), '"', ':')
}

// value writes a value: one of the types here, a number, a string, or a pointer to
// one. A func() writes one itself.
func (w *writer) value(v any) {
	switch v := v.(type) {
	case nil:
		w.raw("null")
	case text:
		w.name(nullable{string(v), v != ""})
	case *nullable:
		w.name(*v)
	case *bytesOrText:
		w.bytesOrText(v)
	case optional:
		w.b = strconv.AppendInt(w.b, v.number().v, 10)
	case time.Time:
		w.b = append(v.UTC().AppendFormat(append(w.b, '"'), "2006-01-02T15:04:05.000Z07:00"), '"')
	case object:
		w.raw("{")
		w.fields(v)
		w.raw("}")
	case dictionary:
		w.raw("{")
		for i := range v {
			w.comma()
			writeString(w, v[i].key)
			w.raw(":")
			w.value(v[i].value)
			w.ok()
		}
		w.raw("}")
	case func():
		v()
	case pair:
		w.value(v.v)
	default:
		w.reflected(reflect.Indirect(reflect.ValueOf(v)))
	}
}

func (w *writer) reflected(v reflect.Value) {
	switch {
	case v.CanInt():
		w.b = strconv.AppendInt(w.b, v.Int(), 10)
	case v.CanUint():
		w.uint(v.Uint())
	case v.Kind() == reflect.Bool:
		w.b = strconv.AppendBool(w.b, v.Bool())
	case v.Kind() == reflect.Slice:
		w.raw("[")
		for i := 0; i < v.Len() && w.ok(); i++ {
			w.comma()
			w.value(v.Index(i).Interface())
		}
		w.raw("]")
	default:
		writeString(w, v.String())
	}
}

func (w *writer) uint(v uint64) { w.b = strconv.AppendUint(w.b, v, 10) }

// list returns what writes a list with what element makes of each value. With an
// indent each is on its own line.
func list[T any](w *writer, indent string, all iter.Seq[T], element func(T) any) func() {
	return func() {
		w.raw("[")
		for v := range all {
			e := element(v)
			if e == (absent{}) {
				continue
			}
			if indent == "" {
				w.comma()
			} else {
				w.line(indent)
			}
			if w.value(e); !w.ok() {
				break
			}
		}
		w.raw("]")
	}
}

func pointers[T any](all []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range all {
			if !yield(&all[i]) {
				return
			}
		}
	}
}

// document writes a document: what all have, and between that the fields of the
// format.
func (w *writer) document(o *Options, format, file string, size int64, partial bool, fields object, anomalies ...*perfdump.Anomalies) error {
	w.head(format, file, size, partial, fields)
	w.end(o, slices.Values(anomalies))
	w.flush(len(w.b))
	return w.err
}

func (w *writer) head(format, file string, size int64, partial bool, fields object) {
	w.raw("{")
	w.fields(object{{"format", format}, {"file", file}, {"size", size}, {"partial", when(partial, true)}})
	w.fields(fields)
}

// end writes the anomalies of all parts up to the limit of a document, then how
// many of each code are not among them.
func (w *writer) end(o *Options, parts iter.Seq[*perfdump.Anomalies]) {
	w.key("anomalies")
	w.raw("[")
	n, more := 0, map[perfdump.Code]int{}
	for part := range parts {
		for _, a := range part.Kept() {
			if n++; n > o.Limits.MaxAnomalies() || !w.ok() {
				more[a.Code]++
				continue
			}
			w.line(" ")
			w.value(object{{"code", string(a.Code)}, {"offset", given(a.Off, a.Off >= 0)}, {"path", a.Path.String()}, {"message", a.Message()}})
		}
		for code, count := range part.Dropped() {
			more[code] += count
		}
	}
	for _, code := range slices.Sorted(maps.Keys(more)) {
		w.line(" ")
		w.value(object{{"code", string(code)}, {"count", more[code]}})
	}
	w.raw("]}\n")
}

// holes finds the bytes of a file that no field holds.
type holes struct {
	data []byte
	held bits
}

// gapsOf returns what writes the gaps of a file, to which fields reports its
// fields; nil is one without gaps.
func gapsOf(w *writer, data []byte, fields func(*holes)) func() {
	return func() {
		w.raw("[")
		if fields != nil {
			h := &holes{data, make(bits, (len(data)+63)/64)}
			fields(h)
			h.write(w)
		}
		w.raw("]")
	}
}

func (h *holes) write(w *writer) {
	n := int64(len(h.data))
	some := false
	for at := int64(0); w.ok(); {
		from := h.held.next(at, n, false)
		at = h.held.next(from, n, true)
		if from == n {
			break
		}
		b := h.data[from:at]
		some = true
		w.line(" ")
		if wire.AllZero(b) {
			w.value(object{{"offset", from}, {"zero", len(b)}})
		} else {
			w.value(object{{"offset", from}, {"hex", func() { w.hex(b) }}})
		}
	}
	if some {
		w.raw("\n")
	}
}

// spans reports the fields among spans. Where gaps count before fields, the bytes
// of a gap that a later field overlaps are in no field.
func (h *holes) spans(all iter.Seq[perfdump.Span], gapsFirst bool) {
	end := int64(0)
	for s := range all {
		to := s.Off + s.Size
		if gapsFirst {
			s.Off = max(s.Off, end)
		}
		end = max(end, to)
		if name := s.Path.FieldName(); name == "Padding" || name == "" && (s.Kind == perfdump.KindGap || s.Kind == perfdump.KindPadding) {
			continue
		}
		h.field(s.Off, to-s.Off)
	}
}

// field reports a field. Not all of its bytes may be there: a salvaged object may
// be cut.
func (h *holes) field(off, size int64) {
	for at := off; at < min(off+size, int64(len(h.data))); at++ {
		h.held.set(at)
	}
}

// bits are flags of bytes.
type bits []uint64

func (b bits) has(at int64) bool { return b[at/64]&(1<<(at%64)) != 0 }

func (b bits) set(at int64) { b[at/64] |= 1 << (at % 64) }

// next returns the first place from at on that is set or not, n if there is none
// before that.
func (b bits) next(at, n int64, set bool) int64 {
	other := ^uint64(0) // a word without one
	if set {
		other = 0
	}
	for at < n && b.has(at) != set {
		if at%64 == 0 && b[at/64] == other {
			at += 64
		} else {
			at++
		}
	}
	return min(at, n)
}

func (w *writer) name(s nullable) {
	if !s.ok {
		w.raw("null")
		return
	}
	writeString(w, s.s)
}

func (w *writer) bytesOrText(v *bytesOrText) {
	switch v.kind {
	case textNone:
		w.raw("null")
	case textString:
		writeString(w, v.text)
	case textHex:
		w.raw(`{"hex":`)
		w.hex(v.b)
		w.raw(`,"text":`)
		writeString(w, v.text)
		w.raw("}")
	}
}

// bytes writes bytes that are no text.
func (w *writer) bytes(b []byte) {
	w.raw(`{"hex":`)
	w.hex(b)
	w.raw("}")
}

// hex writes the bytes as a string of hexadecimal digits, however many.
func (w *writer) hex(b []byte) {
	w.b = append(w.b, '"')
	for len(b) > 0 && w.ok() {
		n := min(len(b), flushAt/2)
		w.b = hex.AppendEncode(w.b, b[:n])
		b = b[n:]
	}
	w.b = append(w.b, '"')
}

// writeString writes s as a JSON string, however long. Bytes that are no UTF-8
// become U+FFFD. U+2028 and U+2029 are escaped, since JavaScript once took them
// for ends of lines.
func writeString[S string | []byte](w *writer, s S) {
	w.b = append(w.b, '"')
	for len(s) > 0 && w.ok() {
		n := wire.Part(s)
		w.b = appendText(w.b, s[:n])
		s = s[n:]
	}
	w.b = append(w.b, '"')
}

const hexDigits = "0123456789abcdef"

// plain has the ASCII bytes that are the same in a JSON string.
var plain = func() (is [utf8.RuneSelf]bool) {
	for c := range is {
		is[c] = c >= ' ' && c != '"' && c != '\\' && c != 0x7f
	}
	return is
}()

// appendText appends what is between the quotes.
func appendText[S string | []byte](dst []byte, s S) []byte {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if !plain[c] {
				dst = appendEscape(append(dst, s[from:i]...), c)
				from = i + 1
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(append(dst, s[from:i]...), "\ufffd"...)
			from = i + n
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[from:i]...), '\\', 'u', '2', '0', '2', hexDigits[r&0xF])
			from = i + n
		}
		i += n
	}
	return append(dst, s[from:]...)
}

func appendEscape(dst []byte, c byte) []byte {
	if i := strings.IndexByte("\"\\\b\f\n\r\t", c); i >= 0 {
		return append(dst, '\\', `"\bfnrt`[i])
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xF])
}
