package inifile

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// LineKind says what a line is.
type LineKind uint8

// The kinds of lines.
const (
	Blank   LineKind = iota // nothing but blanks and TABs
	Comment                 // ; // or # first
	Section                 // [name]
	Key                     // key=value
	CtrlZ                   // the end-of-file mark of DOS and nothing else
	Other                   // none of these; it has no effect
)

var kindNames = [...]string{Blank: "blank", Comment: "comment", Section: "section", Key: "key", CtrlZ: "ctrl-z", Other: "other"}

// String returns the name of the kind: "key".
func (k LineKind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Line is a line of a file. Its texts are decoded when asked for, so that
// walking over the lines costs no memory; it refers to the file's bytes.
type Line struct {
	Number int      // from 1
	Off    int64    // of its first byte in the file
	Kind   LineKind // what it is
	// Section is the name of the section that the line stands in, as spelled
	// there, or that it opens; "" before the first.
	Section string

	line textlines.Line
	enc  textlines.Encoding
	// What a line has of bytes from a to b: the name of a section, a key. From
	// c to d: the value.
	a, b, c, d int
}

// Raw returns the bytes of the line without its end. They belong to the file.
func (l Line) Raw() []byte { return l.line.Raw }

// Text returns the line without its end, decoded. What is not valid in the
// file's encoding is U+FFFD.
func (l Line) Text() string { return l.line.Text() }

// Inverts reports whether the text, encoded, gives the bytes of the line. If
// not, only [Line.Raw] tells all of it.
func (l Line) Inverts() bool { return l.line.Inverts() }

// EOL returns what ends the line: "\r\n", "\n", or "" at the end of the file.
func (l Line) EOL() string { return l.line.EOL() }

// Key returns the key as spelled, without blanks around it; "" where the line
// is no key.
func (l Line) Key() string {
	if l.Kind != Key {
		return ""
	}
	return l.enc.Text(l.line.Raw[l.a:l.b])
}

// Value returns the value of a key as the loader takes it: what follows the
// first =, without blanks and TABs around it; "" where the line is no key.
func (l Line) Value() string {
	if l.Kind != Key {
		return ""
	}
	return l.enc.Text(l.line.Raw[l.c:l.d])
}

// RawValue returns all that follows the first =, blanks too.
func (l Line) RawValue() string {
	if l.Kind != Key {
		return ""
	}
	return l.enc.Text(l.line.Raw[l.valueStart():])
}

// KeyOff returns where the key, or the name of a section, begins in the file.
func (l Line) KeyOff() int64 { return l.Off + int64(l.a) }

// ValueOff returns where the value of a key begins in the file.
func (l Line) ValueOff() int64 { return l.Off + int64(l.c) }

// valueStart returns where the bytes behind the = begin in the line.
func (l Line) valueStart() int {
	return l.b + l.enc.Index(l.line.Raw[l.b:], '=') + l.enc.Unit()
}

func (l Line) path() perfdump.Path { return levels.Root().At(0, l.Number-1) }

// classify tells what a line is and where its parts are. The section is left
// to the caller.
func classify(t textlines.Line, enc textlines.Encoding) Line {
	l := Line{Number: t.Number, Off: int64(t.Off), line: t, enc: enc, Kind: Other}
	raw, u := t.Raw, enc.Unit()
	raw = raw[:len(raw)/u*u] // an odd last byte of UTF-16 is no text
	start, end := enc.Trim(raw)
	switch {
	case start == end:
		l.Kind = Blank
	case enc.At(raw, start, ';'), enc.At(raw, start, '#'), enc.At(raw, start, '/') && enc.At(raw, start+u, '/'):
		l.Kind = Comment
	case enc.At(raw, start, '['):
		l.a, l.b = start+u, lastBracket(raw[:end], enc)
		if l.b >= l.a {
			l.Kind = Section
		}
	default:
		eq := enc.Index(raw[start:end], '=')
		if eq < 0 {
			if enc.OnlyCtrlZ(raw[start:end]) {
				l.Kind = CtrlZ
			}
			break
		}
		eq += start
		l.a, l.b = enc.Trim(raw[start:eq])
		l.a, l.b = l.a+start, l.b+start
		c, d := enc.Trim(raw[eq+u:])
		l.c, l.d = eq+u+c, eq+u+d
		if l.a < l.b {
			l.Kind = Key
		}
	}
	return l
}

// lastBracket returns where the last ] of b stands, or -1. In the pages of
// East Asia it may be the second byte of a character, which then is cut in two
// by what stands before it.
func lastBracket(b []byte, enc textlines.Encoding) int {
	last, u := len(b)-1, enc.Unit()
	for last -= u - 1; last >= 0 && !enc.At(b, last, ']'); last -= u {
	}
	if last < 0 {
		return -1
	}
	switch enc.CodePage() {
	case 932, 936, 949, 950, 54936:
		if _, ok := enc.Append(nil, b[:last]); !ok {
			return -1
		}
	}
	return last
}
