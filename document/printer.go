package document

import (
	"encoding/hex"
	"io"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/perfdump/perfdump/internal/wire"
)

// flushAt is how much of a document is held before it is written on.
const flushAt = 64 << 10

// printer builds JSON in a buffer and writes it on part by part, so that no
// document is ever held whole. The first error stays.
type printer struct {
	w   io.Writer
	b   []byte
	err error
}

// newPrinter begins with a small buffer: a file may become tens of thousands of
// documents, most of which need no more.
func newPrinter(w io.Writer) *printer {
	return &printer{w: w, b: make([]byte, 0, 4<<10)}
}

// ok writes on what has come together, if it is enough, and reports whether
// it makes sense to go on.
func (p *printer) ok() bool {
	if len(p.b) >= flushAt {
		p.flush()
	}
	return p.err == nil
}

func (p *printer) flush() {
	if p.err == nil && len(p.b) > 0 {
		_, p.err = p.w.Write(p.b)
	}
	p.b = p.b[:0]
}

// The methods below take a key with the signs around it: `,"offset":`.

func (p *printer) raw(s string) { p.b = append(p.b, s...) }

func (p *printer) uint(key string, v uint64) { p.b = strconv.AppendUint(append(p.b, key...), v, 10) }
func (p *printer) u32(key string, v uint32)  { p.uint(key, uint64(v)) }
func (p *printer) int(key string, v int64)   { p.b = strconv.AppendInt(append(p.b, key...), v, 10) }

func (p *printer) bool(key string, v bool) { p.b = strconv.AppendBool(append(p.b, key...), v) }

func (p *printer) str(key, s string) {
	p.raw(key)
	writeString(p, s)
}

// name writes a name, null where there is none.
func (p *printer) name(key, s string, ok bool) {
	if !ok {
		p.raw(key)
		p.raw("null")
		return
	}
	p.str(key, s)
}

// given writes a number, null where there is none.
func (p *printer) given(key string, n uint32, ok bool) {
	if !ok {
		p.raw(key)
		p.raw("null")
		return
	}
	p.u32(key, n)
}

// hexText writes a text that does not encode back to its bytes with them.
func hexText[S string | []byte](p *printer, raw []byte, s S) {
	p.raw(`{"hex":`)
	p.hex(raw)
	p.raw(`,"text":`)
	writeString(p, s)
	p.raw("}")
}

// longText is the size in bytes from which on texts are written in parts.
const longText = 16 << 10

// text writes a text, as a string where that encodes back to its bytes.
func text[S string | []byte](p *printer, raw []byte, s S, encodes bool) {
	if encodes {
		writeString(p, s)
		return
	}
	hexText(p, raw, s)
}

// textParts is text for one in parts.
func (p *printer) textParts(raw []byte, text iter.Seq[[]byte], encodes bool) {
	if encodes {
		p.strParts(text)
		return
	}
	p.raw(`{"hex":`)
	p.hex(raw)
	p.raw(`,"text":`)
	p.strParts(text)
	p.raw("}")
}

// hex writes the bytes as a string of hexadecimal digits, however many.
func (p *printer) hex(b []byte) {
	p.b = append(p.b, '"')
	for len(b) > 0 && p.ok() {
		n := min(len(b), flushAt/2)
		p.b = hex.AppendEncode(p.b, b[:n])
		b = b[n:]
	}
	p.b = append(p.b, '"')
}

// writeString writes a text as [appendString] does, however long it is.
func writeString[S string | []byte](p *printer, s S) {
	p.b = append(p.b, '"')
	for len(s) > 0 && p.ok() {
		n := wire.Part(s)
		p.b = appendText(p.b, s[:n])
		s = s[n:]
	}
	p.b = append(p.b, '"')
}

// strParts writes a text in parts that end between characters.
func (p *printer) strParts(parts iter.Seq[[]byte]) {
	p.b = append(p.b, '"')
	for part := range parts {
		if p.b = appendText(p.b, part); !p.ok() {
			return
		}
	}
	p.b = append(p.b, '"')
}

const hexDigits = "0123456789abcdef"

// plain tells the ASCII bytes that stand in a JSON string as they are.
var plain = func() (is [utf8.RuneSelf]bool) {
	for c := range is {
		is[c] = c >= ' ' && c != '"' && c != '\\' && c != 0x7f
	}
	return is
}()

// appendString appends s as a JSON string. Bytes that are no UTF-8 become
// U+FFFD. U+2028 and U+2029 are escaped, since JavaScript once took them for
// ends of lines.
func appendString[S string | []byte](dst []byte, s S) []byte {
	return append(appendText(append(dst, '"'), s), '"')
}

// appendText appends what stands between the quotes.
func appendText[S string | []byte](dst []byte, s S) []byte {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if plain[c] {
				i++
				continue
			}
			dst = appendEscape(append(dst, s[from:i]...), c)
			i++
			from = i
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
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xF])
	}
}
