package textlines

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

const (
	pageUTF16   = 1200
	pageDefault = 1252
	pageUTF8    = 65001

	bomUTF16 = "\xFF\xFE"
	bomUTF8  = "\xEF\xBB\xBF"
)

// Encoding is how a file writes its text. The zero Encoding is UTF-16LE
// without a byte order mark. Encodings can be compared.
type Encoding struct {
	page *wire.CodePage // nil is UTF-16LE
	bom  bool
}

// UTF16 is UTF-16LE, with or without a byte order mark.
func UTF16(bom bool) Encoding { return Encoding{bom: bom} }

// UTF8 is UTF-8, with or without a byte order mark.
func UTF8(bom bool) Encoding {
	p, _ := wire.LookupCodePage(pageUTF8)
	return Encoding{page: p, bom: bom}
}

// CodePage is the page that Windows gives a number, without a byte order mark;
// 1200 is UTF-16LE. Pages that lines cannot be split in are refused, as are
// those that are not known.
func CodePage(n uint32) (Encoding, error) {
	if n == pageUTF16 {
		return Encoding{}, nil
	}
	p, ok := wire.LookupCodePage(n)
	switch {
	case !ok:
		return Encoding{}, fmt.Errorf("code page %d is not known", n)
	case !p.ASCII():
		return Encoding{}, fmt.Errorf("code page %d (%s) does not contain ASCII; text files need one that does", n, p.Name())
	}
	return Encoding{page: p}, nil
}

// ParseEncoding is the inverse of [Encoding.Name].
func ParseEncoding(name string) (Encoding, error) {
	switch name {
	case "utf-16le-bom":
		return UTF16(true), nil
	case "utf-16le":
		return UTF16(false), nil
	case "utf-8-bom":
		return UTF8(true), nil
	case "utf-8":
		return UTF8(false), nil
	}
	digits, ok := strings.CutPrefix(name, "cp")
	n, err := strconv.ParseUint(digits, 10, 32)
	if !ok || err != nil || n == pageUTF16 || n == pageUTF8 || strconv.FormatUint(n, 10) != digits {
		return Encoding{}, fmt.Errorf("unknown encoding %q; use utf-16le-bom, utf-16le, utf-8-bom, utf-8, or cp and the number of a code page such as cp1252", name)
	}
	return CodePage(uint32(n))
}

// Name returns the word of the JSON documents: "utf-16le-bom", "utf-16le",
// "utf-8-bom", "utf-8", "cp1252".
func (e Encoding) Name() string {
	name := "utf-16le"
	switch n := e.CodePage(); {
	case n == pageUTF8:
		name = "utf-8"
	case n != pageUTF16:
		return fmt.Sprintf("cp%d", n)
	}
	if e.bom {
		name += "-bom"
	}
	return name
}

// String returns [Encoding.Name].
func (e Encoding) String() string { return e.Name() }

// CodePage returns the number of the page: 1200 for UTF-16LE, 65001 for UTF-8.
func (e Encoding) CodePage() uint32 {
	if e.page == nil {
		return pageUTF16
	}
	return e.page.Number()
}

// IsUTF16 reports whether e is UTF-16LE.
func (e Encoding) IsUTF16() bool { return e.page == nil }

// IsUTF8 reports whether e is UTF-8.
func (e Encoding) IsUTF8() bool { return e.CodePage() == pageUTF8 }

// BOM returns the byte order mark at the start of the file, or "".
func (e Encoding) BOM() string {
	switch {
	case !e.bom:
		return ""
	case e.page == nil:
		return bomUTF16
	default:
		return bomUTF8
	}
}

// Unit returns how many bytes a unit of text takes: 2 for UTF-16, else 1.
func (e Encoding) Unit() int {
	if e.page == nil {
		return 2
	}
	return 1
}

// Kind returns the kind of the spans of text in e, and their code page.
func (e Encoding) Kind() (perfdump.Kind, uint32) {
	if e.page == nil {
		return perfdump.KindUTF16, 0
	}
	return perfdump.KindANSI, e.page.Number()
}

// Append appends raw to dst in UTF-8 and reports whether all of it is valid in
// e. What is not becomes U+FFFD: a unit of UTF-16, or every byte above 0x7F of
// a text that a code page cannot read. Half a unit of UTF-16 at the end is dropped.
func (e Encoding) Append(dst, raw []byte) ([]byte, bool) {
	if e.page == nil {
		return wire.AppendUTF16(dst, raw), len(raw)%2 == 0 && wire.ValidUTF16(raw)
	}
	return e.page.AppendLossy(dst, raw)
}

// Decode returns raw in UTF-8, as [Encoding.Append] makes it. Where raw is that
// already, it is raw itself; else it is in *buf, which grows as needed and
// is overwritten by the next call.
func (e Encoding) Decode(buf *[]byte, raw []byte) []byte {
	switch {
	case e.page == nil: // whether it is valid does not count
		*buf = wire.AppendUTF16((*buf)[:0], raw)
	case e.plain(raw):
		return raw
	default:
		*buf, _ = e.Append((*buf)[:0], raw)
	}
	return *buf
}

// Text returns raw as a string, as [Encoding.Append] makes it.
func (e Encoding) Text(raw []byte) string {
	if e.plain(raw) {
		return string(raw)
	}
	b, _ := e.Append(make([]byte, 0, len(raw)), raw)
	return string(b)
}

// plain reports whether raw is its own text.
func (e Encoding) plain(raw []byte) bool {
	return e.page != nil && (isASCII(raw) || e.IsUTF8() && utf8.Valid(raw))
}

// Encode appends s to dst in e. It returns dst as it was and false where s is
// not valid UTF-8 or holds what e has no bytes for.
func (e Encoding) Encode(dst []byte, s string) ([]byte, bool) {
	if e.page != nil {
		return e.page.Encode(dst, s)
	}
	if !utf8.ValidString(s) {
		return dst, false
	}
	return wire.EncodeUTF16(dst, s), true
}

// Inverts reports whether the text of raw encodes back to raw. Where it does
// not, only the bytes say what the file holds. It allocates for text that is
// neither ASCII, UTF-8 nor UTF-16.
func (e Encoding) Inverts(raw []byte) bool {
	switch {
	case e.page == nil:
		return len(raw)%2 == 0 && wire.ValidUTF16(raw)
	case isASCII(raw):
		return true
	case e.IsUTF8():
		return utf8.Valid(raw)
	}
	text, ok := e.Append(nil, raw)
	if !ok {
		return false
	}
	again, ok := e.Encode(nil, string(text))
	return ok && string(again) == string(raw)
}

// AppendLine appends a line and its end to dst in e. The errors have code
// "syntax" and Off -1: text that e cannot write, and an eol other than "\r\n",
// "\n" and "". Line ends in the text are written as they are.
func (e Encoding) AppendLine(dst []byte, text, eol string) ([]byte, error) {
	switch eol {
	case "\r\n", "\n", "":
	default:
		return dst, perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, "the line end is %q; use CR LF, LF or nothing", eol)
	}
	out, ok := e.Encode(dst, text)
	if !ok {
		return dst, perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, "the text %.40q cannot be written in %s", text, e.Name())
	}
	out, _ = e.Encode(out, eol)
	return out, nil
}
