package inifile

import (
	"strings"

	"github.com/perfdump/perfdump"
)

// The codes of anomalies; docs/registration.md has an example of each. The message
// of each begins with the number of its line.
const (
	codeUTF8             = perfdump.Code("utf-8")             // the file is UTF-8, which lodctr reads as ANSI text: other letters than those of English turn into others
	codeOutsideSection   = perfdump.Code("outside-section")   // a key before the first section
	codeUnclosedSection  = perfdump.Code("unclosed-section")  // a section without its ]
	codeSectionTail      = perfdump.Code("section-tail")      // text after the ] of a section
	codeUnknownSection   = perfdump.Code("unknown-section")   // a section that is none of info, languages, objects and text
	codeDuplicateSection = perfdump.Code("duplicate-section") // a section comes a second time
	codeDuplicateKey     = perfdump.Code("duplicate-key")     // a key comes in its section a second time
	codeNoEquals         = perfdump.Code("no-equals")         // a line without =, which is neither a comment nor a section
	codeEmptyKey         = perfdump.Code("empty-key")         // nothing is before the =; the line has no effect
	codeUnknownKey       = perfdump.Code("unknown-key")       // a key of [info] that is none of drivername, symbolfile and trusted
	codeKeyForm          = perfdump.Code("key-form")          // a key of [text] or [objects] that is not SYMBOL_LANGUAGE_NAME or SYMBOL_LANGUAGE_HELP. The text is lost
	codeLanguageID       = perfdump.Code("language-id")       // a language that is not three hexadecimal digits
	codeQuotedValue      = perfdump.Code("quoted-value")      // a text in quotes
)

// checkSection checks a line that opens a section.
func (f *File) checkSection(l Line, s *section) {
	switch strings.ToLower(s.name) {
	case nameInfo, nameLanguages, nameObjects, nameText:
	default:
		f.note(l, codeUnknownSection, l.a, "line %d opens a section that is none of [info], [languages], [objects], [text]")
	}
	if f.sections[s.id].opened {
		f.note(l, codeDuplicateSection, l.a, "line %d opens a section that an earlier line opened; the keys of both count")
	}
	f.sections[s.id].opened = true
	end := l.b + l.enc.Unit()
	if a, b := l.enc.Trim(l.line.Raw[end:]); a < b {
		f.note(l, codeSectionTail, end+a, "line %d has text after its ]")
	}
}

// checkOther checks a line without meaning.
func (f *File) checkOther(l Line) {
	raw := l.line.Raw
	start, _ := l.enc.Trim(raw)
	eq := l.enc.Index(raw[start:], '=')
	switch {
	case l.enc.At(raw, start, '['):
		f.note(l, codeUnclosedSection, start, "line %d begins with [, but has no ]; a section such as [text] is expected")
	case eq < 0:
		f.note(l, codeNoEquals, start, "line %d has no =; key=value is expected, the line has no effect")
	default:
		f.note(l, codeEmptyKey, start+eq, "line %d has no key before its =; it has no effect")
	}
}

// checkKey checks the line of a key and notes the first of its name.
func (f *File) checkKey(l Line, s *section) {
	name := l.Key()
	k := key{s.id, strings.ToLower(name)}
	if first, ok := f.first[k]; ok {
		f.anomalies.Add(l.line.Anomaly(codeDuplicateKey, l.a, "line %d has the key of line %d; the first counts", int64(first)))
	} else {
		f.first[k] = l.Number
	}
	if len(f.sections) == 1 {
		f.note(l, codeOutsideSection, l.a, "line %d is a key before the first section")
	}
	language := name
	switch section := strings.ToLower(s.name); section {
	case nameInfo:
		if k.name != keyDriverName && k.name != keySymbolFile && k.name != keyTrusted {
			f.note(l, codeUnknownKey, l.a, "line %d is none of drivername, symbolfile, trusted")
		}
	case nameObjects, nameText:
		_, id, kind, ok := splitKey(name)
		if language = id; !ok || section == nameObjects && kind != Name {
			f.note(l, codeKeyForm, l.a, "line %d: the key is not symbol_langid_NAME or, for a text, symbol_langid_HELP")
			break
		}
		fallthrough
	case nameLanguages:
		if !ValidLanguage(language) {
			f.note(l, codeLanguageID, l.a, "line %d: the language is not three hexadecimal digits such as 009")
		}
	}
	v := l.line.Raw[l.c:l.d]
	if u := l.enc.Unit(); len(v) >= 2*u && l.enc.At(v, 0, '"') && l.enc.At(v, len(v)-u, '"') {
		f.note(l, codeQuotedValue, l.c, "line %d: the value is in quotes, which are kept and shown")
	}
}

// checkWhole checks the file as a whole.
func (f *File) checkWhole(text bool) {
	if !text {
		f.anomalies.Add(perfdump.NewAnomaly(perfdump.CodeEmpty, int64(len(f.text.Bytes())), perfdump.Path{}, "no section and no key"))
	}
	if enc := f.text.Encoding(); enc.IsUTF8() && (enc.BOM() != "" || !f.ascii) {
		f.anomalies.Add(perfdump.NewAnomaly(codeUTF8, 0, perfdump.Path{}, "the file is UTF-8, which lodctr reads as ANSI; save it as UTF-16LE with a byte order mark"))
	}
}

func (f *File) note(l Line, code perfdump.Code, at int, text string) {
	f.anomalies.Add(l.line.Anomaly(code, at, text, 0))
}
