package symbolh

import (
	"slices"

	"github.com/perfdump/perfdump/internal/textlines"
)

// lineKind is the kind of a line.
type lineKind uint8

// The kinds of lines.
const (
	lineBlank     lineKind = iota // nothing but blanks and TABs
	lineComment                   // // or /* first, or within such a comment
	lineDefine                    // #define NAME, with a value or as a guard
	lineDirective                 // #ifdef, #include, #pragma and the like
	lineCtrlZ                     // the end-of-file mark of DOS and nothing else
	lineOther                     // any other text; it is skipped
)

// line is a line of a file.
type line struct {
	textlines.Line
	Kind lineKind

	enc  textlines.Encoding
	a, b int  // the name is the bytes from a to b
	c, d int  // the value, with its semicolon
	in   bool // it begins within a comment of several lines
}

func (l line) text(from, to int) string { return l.enc.Text(l.Raw[from:to]) }

// define returns what the line defines, and whether it does.
func (l line) define() (Define, bool) {
	if l.Kind != lineDefine {
		return Define{}, false
	}
	d := Define{Name: l.text(l.a, l.b), Value: l.text(l.c, l.d), Line: l.Number, Off: int64(l.Off), ValueOff: int64(l.Off + l.c)}
	d.classify()
	return d, true
}

const define = "#define"

// classify finds what a line is and where its parts are, and whether a comment
// is open at its end.
func classify(t textlines.Line, enc textlines.Encoding, in bool) (l line, open bool) {
	l = line{Line: t, enc: enc, Kind: lineOther, in: in}
	u := enc.Unit()
	raw := t.Raw[:len(t.Raw)/u*u]
	start, end := enc.Trim(raw)
	text := raw[start:end]
	switch {
	case len(text) == 0:
		l.Kind = lineBlank
	case in, enc.HasPrefix(text, "//", false), enc.HasPrefix(text, "/*", false):
		l.Kind = lineComment
	case enc.HasPrefix(text, define, false) && blankAt(text, enc, len(define)*u):
		l.parts(raw, start+len(define)*u, end)
	case enc.At(text, 0, '#') && directive(text[u:], enc):
		l.Kind = lineDirective
	case enc.OnlyCtrlZ(text):
		l.Kind = lineCtrlZ
	}
	return l, comment(raw, enc, in)
}

// parts finds the name and the value between pos and end.
func (l *line) parts(raw []byte, pos, end int) {
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
	if validName(l.text(l.a, l.b)) {
		l.Kind = lineDefine
	}
}

func blankAt(b []byte, enc textlines.Encoding, i int) bool {
	return enc.At(b, i, ' ') || enc.At(b, i, '\t')
}

func commentAt(b []byte, enc textlines.Encoding, i int) bool {
	return enc.At(b, i, '/') && (enc.At(b, i+enc.Unit(), '/') || enc.At(b, i+enc.Unit(), '*'))
}

// comment reports whether a comment is open at the end of raw; in reports whether one is
// open at its start.
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

var directives = []string{"if", "elif", "else", "endif", "include", "pragma", "undef", "error", "line"}

// directive reports whether the text after # is one of C's. Other lines that
// begin with # are text, as in the file of pywin32.
func directive(b []byte, enc textlines.Encoding) bool {
	start, _ := enc.Trim(b)
	return slices.ContainsFunc(directives, func(d string) bool { return enc.HasPrefix(b[start:], d, false) })
}
