package inifile

import (
	"bytes"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// The codes of anomalies; docs/inifile.md has an example of each. The message
// of each begins with the number of its line.
const (
	CodeEmpty = perfdump.CodeEmpty // no text at all
	// CodeUTF8: the file is UTF-8, which lodctr reads as ANSI text: other letters than those of
	// English turn into others.
	CodeUTF8 = perfdump.Code("utf-8")
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
	// CodeOutsideSection: a key before the first section.
	CodeOutsideSection = perfdump.Code("outside-section")
	// CodeUnclosedSection: a section without its ].
	CodeUnclosedSection = perfdump.Code("unclosed-section")
	// CodeSectionTail: text behind the ] of a section.
	CodeSectionTail = perfdump.Code("section-tail")
	// CodeUnknownSection: a section that is none of info, languages, objects and text.
	CodeUnknownSection = perfdump.Code("unknown-section")
	// CodeDuplicateSection: a section comes a second time.
	CodeDuplicateSection = perfdump.Code("duplicate-section")
	// CodeDuplicateKey: a key stands in its section a second time.
	CodeDuplicateKey = perfdump.Code("duplicate-key")
	// CodeNoEquals: a line without =, which is neither a comment nor a section.
	CodeNoEquals = perfdump.Code("no-equals")
	// CodeEmptyKey: nothing stands before the =. The line has no effect.
	CodeEmptyKey = perfdump.Code("empty-key")
	// CodeUnknownKey: a key of [info] that is none of drivername, symbolfile and trusted.
	CodeUnknownKey = perfdump.Code("unknown-key")
	// CodeKeyForm: a key of [text] or [objects] that is not SYMBOL_LANGUAGE_NAME or
	// SYMBOL_LANGUAGE_HELP. The text is lost.
	CodeKeyForm = perfdump.Code("key-form")
	// CodeLanguageID: a language that is not three hexadecimal digits.
	CodeLanguageID = perfdump.Code("language-id")
	// CodeQuotedValue: a text in quotes.
	CodeQuotedValue = perfdump.Code("quoted-value")
)

var levels = perfdump.Levels{"line"}

// judge tells what is odd about a file, line by line.
type judge struct {
	f *File
	// What to look for in lines, for not being found in most files at all.
	nul, ctrlZ, lossy bool
	section           sectionKind
	buf               []byte
	seen              map[uint32]bool // sections by id
	any               bool
}

type sectionKind uint8

const (
	otherSection sectionKind = iota
	infoSection
	languagesSection
	objectsSection
	textSection
)

// The names of the sections, in lower case.
const (
	nameInfo      = "info"
	nameLanguages = "languages"
	nameObjects   = "objects"
	nameText      = "text"
)

var sectionKinds = map[string]sectionKind{nameInfo: infoSection, nameLanguages: languagesSection, nameObjects: objectsSection, nameText: textSection}

func newJudge(f *File) *judge {
	enc := f.text.Encoding()
	b := f.text.Bytes()[len(enc.BOM()):]
	return &judge{
		f:     f,
		nul:   enc.Index(b, 0) >= 0,
		ctrlZ: enc.Index(b, textlines.CtrlZ) >= 0,
		lossy: !f.ascii && !(enc.IsUTF8() && enc.Inverts(b)),
		seen:  map[uint32]bool{},
	}
}

// line judges l. The first line of its key is at first, its section is id.
func (j *judge) line(l Line, first int64, id uint32) {
	j.bytes(l)
	switch l.Kind {
	case Section:
		j.opens(l, id)
	case Key:
		j.any = true
		j.key(l, first, id)
	case Other:
		j.any = true
		j.other(l)
	case Comment:
		j.any = true
	case Blank, CtrlZ:
	}
}

// bytes judges what holds for lines of any kind.
func (j *judge) bytes(l Line) {
	raw := l.line.Raw
	if j.nul {
		j.char(l, CodeNUL, 0, "line %d holds a NUL")
	}
	if j.ctrlZ {
		j.char(l, CodeCtrlZ, textlines.CtrlZ, "line %d holds Ctrl-Z, the end-of-file mark of DOS; remove it")
	}
	j.char(l, CodeLoneCR, '\r', "line %d holds a CR without LF, which ends no line")
	if len(raw)%l.enc.Unit() != 0 {
		j.note(l, CodeOddLength, len(raw)-1, "line %d ends in half a UTF-16 unit")
		return
	}
	if j.lossy && !l.Inverts() {
		j.note2(l, CodeEncoding, 0, "line %d is not valid in the file's encoding, code page %d", int64(l.enc.CodePage()))
	}
}

func (j *judge) char(l Line, code perfdump.Code, c byte, text string) {
	if i := l.enc.Index(l.line.Raw, c); i >= 0 {
		j.note(l, code, i, text)
	}
}

func (j *judge) opens(l Line, id uint32) {
	j.any = true
	j.buf = textlines.AppendFold(j.buf[:0], []byte(l.Section))
	j.section = sectionKinds[string(j.buf)]
	if j.section == otherSection {
		j.note(l, CodeUnknownSection, l.a, "line %d opens a section that is none of [info], [languages], [objects], [text]")
	}
	if j.seen[id] {
		j.note(l, CodeDuplicateSection, l.a, "line %d opens a section that an earlier line opened; their keys are taken together")
	}
	j.seen[id] = true
	end := l.b + l.enc.Unit()
	if a, b := l.enc.Trim(l.line.Raw[end:]); a < b {
		j.note(l, CodeSectionTail, end+a, "line %d has text behind its ]")
	}
}

func (j *judge) other(l Line) {
	enc, raw := l.enc, l.line.Raw
	start, _ := enc.Trim(raw)
	eq := enc.Index(raw[start:], '=')
	switch {
	case enc.At(raw, start, '['):
		j.note(l, CodeUnclosedSection, start, "line %d begins with [, but has no ]; a section such as [text] is expected")
	case eq < 0:
		j.note(l, CodeNoEquals, start, "line %d has no =; key=value is expected, the line has no effect")
	default:
		j.note(l, CodeEmptyKey, start+eq, "line %d has no key before its =; it has no effect")
	}
}

func (j *judge) key(l Line, first int64, id uint32) {
	if first != l.Off {
		j.duplicate(l, first)
	}
	if id == 0 && len(j.seen) == 0 {
		j.note(l, CodeOutsideSection, l.a, "line %d is a key before the first section")
	}
	key := l.enc.Decode(&j.buf, l.line.Raw[l.a:l.b])
	switch j.section {
	case infoSection:
		if !equalFold(key, keyDriverName) && !equalFold(key, keySymbolFile) && !equalFold(key, keyTrusted) {
			j.note(l, CodeUnknownKey, l.a, "line %d is none of drivername, symbolfile, trusted")
		}
	case languagesSection:
		if !validLanguage(key) {
			j.language(l, l.a)
		}
	case objectsSection, textSection:
		p, ok := splitKey(key)
		switch {
		case !ok || j.section == objectsSection && p.kind != Name:
			j.note(l, CodeKeyForm, l.a, "line %d: the key is not symbol_langid_NAME or, for a text, symbol_langid_HELP")
		case !validLanguage(key[p.language:p.suffix]):
			j.language(l, l.a)
		}
	case otherSection:
	}
	v := l.line.Raw[l.c:l.d]
	if u := l.enc.Unit(); len(v) >= 2*u && l.enc.At(v, 0, '"') && l.enc.At(v, len(v)-u, '"') {
		j.note(l, CodeQuotedValue, l.c, "line %d: the value is in quotes, which are kept and shown")
	}
}

func (j *judge) language(l Line, at int) {
	j.note(l, CodeLanguageID, at, "line %d: the language is not three hexadecimal digits, as 009")
}

// duplicate looks up the number of the first line only where it will be told.
func (j *judge) duplicate(l Line, first int64) {
	n := int64(0)
	if j.f.anomalies.Len() == len(j.f.anomalies.Kept()) {
		n = int64(j.f.text.LineAt(first))
	}
	j.note2(l, CodeDuplicateKey, l.a, "line %d has the key of line %d; the first counts", n)
}

// end judges the file as a whole.
func (j *judge) end() {
	f := j.f
	size := int64(len(f.text.Bytes()))
	if !j.any {
		f.anomalies.Add(perfdump.NewAnomaly(CodeEmpty, size, perfdump.Path{}, "no section and no key"))
	}
	if enc := f.text.Encoding(); enc.IsUTF8() && (enc.BOM() != "" || !f.ascii) {
		f.anomalies.Add(perfdump.NewAnomaly(CodeUTF8, 0, perfdump.Path{}, "the file is UTF-8, which lodctr reads as ANSI; save it as UTF-16LE with a byte order mark"))
	}
}

// note tells something of a line, at an offset in it. The first verb of text
// is for the number of the line.
func (j *judge) note(l Line, code perfdump.Code, at int, text string) {
	j.note2(l, code, at, text, 0)
}

// note2 is note for a text with a second verb, for n.
func (j *judge) note2(l Line, code perfdump.Code, at int, text string, n int64) {
	j.f.anomalies.Add(perfdump.NewAnomaly(code, l.Off+int64(at), l.path(), text, int64(l.Number), n))
}

// equalFold compares a text with a name in lower-case ASCII.
func equalFold(text []byte, name string) bool {
	return len(text) == len(name) && (string(text) == name || strings.EqualFold(string(text), name) && bytes.IndexFunc(text, func(r rune) bool { return r > 0x7F }) < 0)
}
