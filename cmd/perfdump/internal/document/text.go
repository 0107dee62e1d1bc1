package document

import (
	"bytes"

	"github.com/perfdump/perfdump/internal/wire"
)

// How texts are in bytes. The rules hold in both directions: a document has a
// string only where the encoder makes the same bytes of it.

// textKind says how a text is written in a document.
type textKind uint8

const (
	textNone textKind = iota // null, or left out
	textString
	textHex
)

// bytesOrText is a string, bytes, or null.
type bytesOrText struct {
	kind  textKind
	given bool   // the key is there
	b     []byte // the bytes; of a string that was read, those of the string
	text  string // what is written
}

// textOf is a text and its bytes. spelled says that the string gives them.
func textOf(b []byte, text string, spelled bool) bytesOrText {
	if spelled {
		return bytesOrText{kind: textString, text: text}
	}
	return bytesOrText{kind: textHex, b: b, text: text}
}

// nullable is a string, or null.
type nullable struct {
	s  string
	ok bool
}

// encodeText appends s in a code page to dst; page 0 is UTF-16. It is false
// where the page cannot spell s or is unknown.
func encodeText[S string | []byte](dst []byte, page uint32, s S) ([]byte, bool) {
	if page == 0 {
		return wire.EncodeUTF16(dst, string(s)), true
	}
	p, ok := wire.LookupCodePage(page)
	if !ok {
		return dst, false
	}
	return p.Encode(dst, string(s))
}

// unit returns how many bytes the NUL after a name takes.
func unit(page uint32) int {
	if page == 0 {
		return 2
	}
	return 1
}

// nameOf is a name. One NUL may follow it, which its length says.
func nameOf(raw []byte, page uint32, name string) bytesOrText {
	rest, ok := spelled(raw, page, name)
	return textOf(raw, name, ok && (len(rest) == 0 || len(rest) == unit(page) && wire.AllZero(rest)))
}

// paddedOf is a text that is filled up with zeros.
func paddedOf(raw []byte, page uint32, text string) bytesOrText {
	rest, ok := spelled(raw, page, text)
	return textOf(raw, text, ok && wire.AllZero(rest))
}

// spelled returns what follows a text in raw, false if raw does not begin with
// it.
func spelled(raw []byte, page uint32, text string) (rest []byte, ok bool) {
	b, ok := encodeText(nil, page, text)
	if !ok {
		return nil, false
	}
	return bytes.CutPrefix(raw, b)
}

// wholeOf is a text whose bytes have nothing after it.
func wholeOf(raw []byte, page uint32, text string) bytesOrText {
	rest, ok := spelled(raw, page, text)
	return textOf(raw, text, ok && len(rest) == 0)
}
