package symbolh

import (
	"strings"

	"github.com/perfdump/perfdump"
)

// The codes of anomalies; docs/registration.md has an example of each. The message
// of each begins with the number of its line.
const (
	codeUnsupportedValue = perfdump.Code("unsupported-value") // a value that is neither a decimal number nor a name: hex, parentheses, an expression. lodctr is not known to read it
	codeLeadingZero      = perfdump.Code("leading-zero")      // a number with a zero before it, which is read in decimal; a compiler of C reads it as octal
	codeUnknownAlias     = perfdump.Code("unknown-alias")     // the value is a name that no define has
	codeAliasCycle       = perfdump.Code("alias-cycle")       // names that refer to each other, or a chain of more than 16
	codeDuplicateDefine  = perfdump.Code("duplicate-define")  // a name is defined a second time
	codeDefineForm       = perfdump.Code("define-form")       // a define in a form that is not read: a blank after #, another case, no name in C
	codeDefineInComment  = perfdump.Code("define-in-comment") // a define within a comment
	codeEnum             = perfdump.Code("enum")              // an enum, whose values lodctr does not read
)

// check finds the anomalies of the file.
func (f *File) check() {
	common := f.text.Checker(&f.anomalies)
	text := false
	for l := range f.lines() {
		common.Line(l.Line)
		text = text || l.Kind != lineBlank && l.Kind != lineCtrlZ
		switch l.Kind {
		case lineDefine:
			f.checkDefine(l)
		case lineComment:
			start, _ := l.enc.Trim(l.Raw)
			if l.in && l.enc.HasPrefix(l.Raw[start:], define, false) {
				f.note(l, codeDefineInComment, start, "line %d is a #define within a comment; it is skipped here, as in C, but lodctr may read it")
			}
		case lineOther, lineDirective:
			f.checkOther(l)
		case lineBlank, lineCtrlZ:
		}
	}
	if !text {
		f.anomalies.Add(perfdump.NewAnomaly(perfdump.CodeEmpty, int64(len(f.text.Bytes())), perfdump.Path{}, "no #define"))
	}
}

func (f *File) checkDefine(l line) {
	d, _ := l.define()
	if first := f.first[strings.ToLower(d.Name)]; first != d.Line {
		f.anomalies.Add(l.Anomaly(codeDuplicateDefine, l.a, "line %d defines the name of line %d; the first counts", int64(first)))
	}
	switch v := d.bare(); d.Kind {
	case Decimal:
		if len(v) > 1 && v[0] == '0' {
			f.note(l, codeLeadingZero, l.c, "line %d: the value begins with 0, which is octal in C; it is read as decimal")
		}
	case Alias:
		switch end, ok := f.follow(d); {
		case !ok:
			f.note(l, codeUnknownAlias, l.c, "line %d: the value is neither a decimal number nor the name of a define")
		case end.Kind == Alias:
			f.anomalies.Add(l.Anomaly(codeAliasCycle, l.c, "line %d: the value goes through more than %d names, or back to itself", maxAliases))
		}
	case Unsupported:
		text := "line %d: the value is not a decimal number below 4294967296, which is all that lodctr reads"
		switch {
		case strings.HasPrefix(v, "0x"), strings.HasPrefix(v, "0X"):
			text = "line %d: the value is hexadecimal; lodctr reads decimal numbers"
		case strings.ContainsAny(v, "()"):
			text = "line %d: the value has parentheses; lodctr reads plain decimal numbers"
		}
		f.note(l, codeUnsupportedValue, l.c, text)
	case None:
	}
}

// checkOther looks for what was meant to define something.
func (f *File) checkOther(l line) {
	enc, raw := l.enc, l.Raw
	start, end := enc.Trim(raw)
	text := raw[start:end]
	if enc.At(text, 0, '#') {
		a, _ := enc.Trim(text[enc.Unit():])
		if enc.HasPrefix(text[enc.Unit()+a:], define[1:], true) {
			f.note(l, codeDefineForm, start, "line %d is not read: #define, a blank, a name in C, and a decimal number are expected")
		}
		return
	}
	for _, word := range []string{"enum", "typedef enum"} {
		n := len(word) * enc.Unit()
		if !enc.HasPrefix(text, word, false) || len(text) > n && !blankAt(text, enc, n) && !enc.At(text, n, '{') {
			continue
		}
		f.note(l, codeEnum, start, "line %d: the values of an enum are not read; #define NAME 10 is expected")
	}
}

func (f *File) note(l line, code perfdump.Code, at int, text string) {
	f.anomalies.Add(l.Anomaly(code, at, text, 0))
}
