package inifile

import "github.com/perfdump/perfdump/internal/textlines"

// LineKind is the kind of a line.
type LineKind uint8

// The kinds of lines with an effect, and of those that were meant to have one.
// Blank lines, comments and a Ctrl-Z are none of them.
const (
	blank   LineKind = iota // nothing but blanks and TABs
	comment                 // ; // or # first
	Section                 // [name]
	Key                     // key=value
	ctrlZ                   // the end-of-file mark of DOS and nothing else
	Other                   // none of these; it has no effect
)

// Line is a line of a file. It refers to the file's bytes, and its texts are
// decoded on each call.
type Line struct {
	Number int // from 1
	Kind   LineKind
	// Section is the name of the section that the line is in, as spelled
	// there, or that it opens; "" before the first.
	Section string

	line textlines.Line
	enc  textlines.Encoding
	// The name of a section or a key is the bytes from a to b of the line, the
	// value of a key those from c to d.
	a, b, c, d int
}

// Text returns the line without its end, decoded. What is not valid in the
// file's encoding is U+FFFD.
func (l Line) Text() string { return l.line.Text() }

// Key returns the key as spelled, without blanks around it; "" where the line
// is no key.
func (l Line) Key() string { return l.part(l.a, l.b) }

// Value returns the value of a key as the loader takes it: what follows the
// first =, without blanks and TABs around it; "" where the line is no key.
func (l Line) Value() string { return l.part(l.c, l.d) }

func (l Line) part(from, to int) string {
	if l.Kind != Key {
		return ""
	}
	return l.enc.Text(l.line.Raw[from:to])
}

// classify finds what a line is and where its parts are, but not its section.
func classify(t textlines.Line, enc textlines.Encoding) Line {
	l := Line{Number: t.Number, line: t, enc: enc, Kind: Other}
	raw, u := t.Raw, enc.Unit()
	raw = raw[:len(raw)/u*u] // half a unit of UTF-16 is no text
	start, end := enc.Trim(raw)
	switch {
	case start == end:
		l.Kind = blank
	case enc.At(raw, start, ';'), enc.At(raw, start, '#'), enc.At(raw, start, '/') && enc.At(raw, start+u, '/'):
		l.Kind = comment
	case enc.At(raw, start, '['):
		l.a, l.b = start+u, lastBracket(raw[:end], enc)
		if l.b >= l.a {
			l.Kind = Section
		}
	default:
		eq := enc.Index(raw[start:end], '=')
		if eq < 0 {
			if enc.OnlyCtrlZ(raw[start:end]) {
				l.Kind = ctrlZ
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

// lastBracket returns the position of the last ] of b, or -1. In East Asian code pages it
// may be the second byte of a character, which then is cut in two.
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
