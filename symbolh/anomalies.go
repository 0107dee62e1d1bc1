package symbolh

import (
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// The codes of anomalies; docs/symbolh.md has an example of each. The message
// of each begins with the number of its line.
const (
	CodeEmpty = perfdump.CodeEmpty // no text at all
	// CodeEncoding: a line is not valid in the file's encoding, or would not encode back to its
	// bytes.
	CodeEncoding = perfdump.Code("encoding")
	// CodeOddLength: the file has half a unit of UTF-16 at its end.
	CodeOddLength = perfdump.Code("odd-length")
	// CodeNUL: there is a NUL in a line.
	CodeNUL = perfdump.Code("nul")
	// CodeCtrlZ: 0x1A, with which DOS ended its files.
	CodeCtrlZ = perfdump.Code("ctrl-z")
	// CodeLoneCR: a CR without LF, which ends no line.
	CodeLoneCR = perfdump.Code("lone-cr")
	// CodeUnsupportedValue: a value that is neither a decimal number nor a name: hex, parentheses,
	// an expression. lodctr is not known to read it.
	CodeUnsupportedValue = perfdump.Code("unsupported-value")
	// CodeLeadingZero: a number with a zero before it, which is read in decimal; a compiler of C
	// reads it as octal.
	CodeLeadingZero = perfdump.Code("leading-zero")
	// CodeUnknownAlias: the value is a name that no define has.
	CodeUnknownAlias = perfdump.Code("unknown-alias")
	// CodeAliasCycle: names that stand for each other, or a chain of more than 16.
	CodeAliasCycle = perfdump.Code("alias-cycle")
	// CodeDuplicateDefine: a name is defined a second time.
	CodeDuplicateDefine = perfdump.Code("duplicate-define")
	// CodeDefineForm: a define in a form that is not read: a blank behind #, another case, no name
	// in C.
	CodeDefineForm = perfdump.Code("define-form")
	// CodeDefineInComment: a define within a comment.
	CodeDefineInComment = perfdump.Code("define-in-comment")
	// CodeEnum: an enum, whose values lodctr does not read.
	CodeEnum = perfdump.Code("enum")
)

var levels = perfdump.Levels{"line"}

// judge tells what is odd about the file.
func (f *File) judge() {
	text := false
	var s scratch
	for l := range f.Lines() {
		f.judgeBytes(l)
		text = text || l.Kind != Blank && l.Kind != CtrlZ
		switch l.Kind {
		case Definition:
			d, _ := l.Define()
			f.judgeDefine(&s, l, d)
		case Comment:
			start, _ := l.enc.Trim(l.line.Raw)
			if l.in && l.enc.HasPrefix(l.line.Raw[start:], define, false) {
				f.note(l, CodeDefineInComment, start, "line %d is a #define within a comment; it is passed over here, as in C, but lodctr may read it")
			}
		case Other, Directive:
			f.judgeOther(l)
		case Blank, CtrlZ:
		}
	}
	if !text {
		f.anomalies.Add(perfdump.NewAnomaly(CodeEmpty, int64(len(f.text.Bytes())), perfdump.Path{}, "no #define"))
	}
}

func (f *File) judgeBytes(l Line) {
	raw := l.line.Raw
	for _, c := range [...]struct {
		c    byte
		code perfdump.Code
		text string
	}{
		{0, CodeNUL, "line %d holds a NUL"},
		{textlines.CtrlZ, CodeCtrlZ, "line %d holds Ctrl-Z, the end-of-file mark of DOS; remove it"},
		{'\r', CodeLoneCR, "line %d holds a CR without LF, which ends no line"},
	} {
		if i := l.enc.Index(raw, c.c); i >= 0 {
			f.note(l, c.code, i, c.text)
		}
	}
	if len(raw)%l.enc.Unit() != 0 {
		f.note(l, CodeOddLength, len(raw)-1, "line %d ends in half a UTF-16 unit")
	} else if !l.enc.ASCII(raw) && !l.Inverts() {
		f.note2(l, CodeEncoding, 0, "line %d is not valid in the file's encoding, code page %d", int64(l.enc.CodePage()))
	}
}

func (f *File) judgeDefine(s *scratch, l Line, d Define) {
	if first, _ := f.find(s, d.Name); first.Off != d.Off {
		n := int64(0)
		if f.anomalies.Len() == len(f.anomalies.Kept()) { // it will be told
			n = int64(f.text.LineAt(first.Off))
		}
		f.note2(l, CodeDuplicateDefine, l.a, "line %d defines the name of line %d; the first counts", n)
	}
	switch v := d.bare(); d.Kind {
	case Decimal:
		if len(v) > 1 && v[0] == '0' {
			f.note(l, CodeLeadingZero, l.c, "line %d: the value begins with 0, which is octal in C; it is read as decimal")
		}
	case Alias:
		f.judgeAlias(s, l, d)
	case Unsupported:
		text := "line %d: the value is not a decimal number below 4294967296, which is all that lodctr reads"
		switch {
		case strings.HasPrefix(v, "0x"), strings.HasPrefix(v, "0X"):
			text = "line %d: the value is hexadecimal; lodctr reads decimal numbers"
		case strings.ContainsAny(v, "()"):
			text = "line %d: the value has parentheses; lodctr reads plain decimal numbers"
		}
		f.note(l, CodeUnsupportedValue, l.c, text)
	case None:
	}
}

func (f *File) judgeAlias(s *scratch, l Line, d Define) {
	for range maxAliases {
		next, ok := f.find(s, d.Target())
		if !ok {
			f.note(l, CodeUnknownAlias, l.c, "line %d: the value is neither a decimal number nor the name of a define")
			return
		}
		if d, _ = next.Define(); d.Kind != Alias {
			return
		}
	}
	f.note2(l, CodeAliasCycle, l.c, "line %d: the value leads over more than %d names, or back to itself", maxAliases)
}

// judgeOther looks for what was meant to define something.
func (f *File) judgeOther(l Line) {
	enc, raw := l.enc, l.line.Raw
	start, end := enc.Trim(raw)
	text := raw[start:end]
	if enc.At(text, 0, '#') {
		a, _ := enc.Trim(text[enc.Unit():])
		if enc.HasPrefix(text[enc.Unit()+a:], define[1:], true) {
			f.note(l, CodeDefineForm, start, "line %d is not read: #define, a blank, a name in C, and a decimal number are expected")
		}
		return
	}
	if word(text, enc, "enum") || word(text, enc, "typedef enum") {
		f.note(l, CodeEnum, start, "line %d: the values of an enum are not read; #define NAME 10 is expected")
	}
}

// word reports whether text begins with a word.
func word(text []byte, enc textlines.Encoding, w string) bool {
	if !enc.HasPrefix(text, w, false) {
		return false
	}
	rest := text[len(w)*enc.Unit():]
	return len(rest) == 0 || blankAt(rest, enc, 0) || enc.At(rest, 0, '{')
}

// note tells something of a line, at an offset in it. The first verb of text
// is for the number of the line.
func (f *File) note(l Line, code perfdump.Code, at int, text string) { f.note2(l, code, at, text, 0) }

// note2 is note for a text with a second verb, for n.
func (f *File) note2(l Line, code perfdump.Code, at int, text string, n int64) {
	f.anomalies.Add(perfdump.NewAnomaly(code, l.Off+int64(at), l.path(), text, int64(l.Number), n))
}
