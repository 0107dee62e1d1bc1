package symbolh

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// LineKind says what a line is.
type LineKind uint8

// The kinds of lines.
const (
	Blank      LineKind = iota // nothing but blanks and TABs
	Comment                    // // or /* first, or within such a comment
	Definition                 // #define NAME, with a value or as a guard
	Directive                  // #ifdef, #include, #pragma and the like
	CtrlZ                      // the end-of-file mark of DOS and nothing else
	Other                      // any other text; it is passed over
)

var lineNames = [...]string{Blank: "blank", Comment: "comment", Definition: "define", Directive: "directive", CtrlZ: "ctrl-z", Other: "other"}

// String returns the name of the kind: "define".
func (k LineKind) String() string {
	if int(k) < len(lineNames) {
		return lineNames[k]
	}
	return "unknown"
}

// Line is a line of a file. Its texts are decoded when asked for; it refers to
// the file's bytes.
type Line struct {
	Number int   // from 1
	Off    int64 // of its first byte in the file
	Kind   LineKind

	line textlines.Line
	enc  textlines.Encoding
	a, b int  // the name is the bytes from a to b
	c, d int  // the value, with its semicolon
	in   bool // it begins within a comment of several lines
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

// Define returns what the line defines, and whether it does.
func (l Line) Define() (Define, bool) {
	if l.Kind != Definition {
		return Define{}, false
	}
	d := Define{
		Name: l.enc.Text(l.line.Raw[l.a:l.b]), Value: l.enc.Text(l.line.Raw[l.c:l.d]),
		Line: l.Number, Off: l.Off, ValueOff: l.Off + int64(l.c),
	}
	d.judge()
	return d, true
}

func (l Line) path() perfdump.Path { return levels.Root().At(0, l.Number-1) }

const define = "#define"

// classify tells what a line is and where its parts are, and whether a comment
// that began here or before goes on behind it.
func classify(t textlines.Line, enc textlines.Encoding, in bool) (l Line, open bool) {
	l = Line{Number: t.Number, Off: int64(t.Off), line: t, enc: enc, Kind: Other, in: in}
	u := enc.Unit()
	raw := t.Raw[:len(t.Raw)/u*u]
	start, end := enc.Trim(raw)
	text := raw[start:end]
	switch {
	case len(text) == 0:
		l.Kind = Blank
	case in, enc.HasPrefix(text, "//", false), enc.HasPrefix(text, "/*", false):
		l.Kind = Comment
	case enc.HasPrefix(text, define, false) && blankAt(text, enc, len(define)*u):
		l.parts(raw, start+len(define)*u, end)
	case enc.At(text, 0, '#') && directive(text[u:], enc):
		l.Kind = Directive
	case enc.OnlyCtrlZ(text):
		l.Kind = CtrlZ
	}
	return l, comment(raw, enc, in)
}

// parts finds the name and the value between pos and end.
func (l *Line) parts(raw []byte, pos, end int) {
	enc, u := l.enc, l.enc.Unit()
	a, _ := enc.Trim(raw[pos:end])
	l.a = pos + a
	l.b = l.a
	for l.b < end && !blankAt(raw, enc, l.b) && !commentAt(raw, enc, l.b) {
		l.b += u
	}
	if l.a == l.b {
		return
	}
	stop := l.b
	for stop < end && !commentAt(raw, enc, stop) {
		stop += u
	}
	c, d := enc.Trim(raw[l.b:stop])
	l.c, l.d = l.b+c, l.b+d
	if isName(raw[l.a:l.b], enc) {
		l.Kind = Definition
	}
}

func blankAt(b []byte, enc textlines.Encoding, i int) bool {
	return enc.At(b, i, ' ') || enc.At(b, i, '\t')
}

func commentAt(b []byte, enc textlines.Encoding, i int) bool {
	return enc.At(b, i, '/') && (enc.At(b, i+enc.Unit(), '/') || enc.At(b, i+enc.Unit(), '*'))
}

// comment reports whether a comment goes on behind raw, where in tells whether
// it begins within one.
func comment(raw []byte, enc textlines.Encoding, in bool) bool {
	u := enc.Unit()
	for {
		c := byte('/')
		if in {
			c = '*'
		}
		i := enc.Index(raw, c)
		if i < 0 {
			return in
		}
		raw = raw[i+u:]
		switch {
		case in && enc.At(raw, 0, '/'):
			in, raw = false, raw[u:]
		case !in && enc.At(raw, 0, '/'):
			return false
		case !in && enc.At(raw, 0, '*'):
			in, raw = true, raw[u:]
		}
	}
}

// isName reports whether b is a name in C.
func isName(b []byte, enc textlines.Encoding) bool {
	u := enc.Unit()
	for i := 0; i < len(b); i += u {
		c := b[i]
		switch {
		case u == 2 && b[i+1] != 0:
			return false
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c == '_':
		case c >= '0' && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return len(b) > 0
}

var directives = [...]string{"if", "elif", "else", "endif", "include", "pragma", "undef", "error", "line"}

// directive reports whether the text behind # is one of C's. Whatever else
// begins with # is text, as in the file of pywin32.
func directive(b []byte, enc textlines.Encoding) bool {
	start, end := enc.Trim(b)
	for _, d := range directives {
		if enc.HasPrefix(b[start:end], d, false) {
			return true
		}
	}
	return false
}
