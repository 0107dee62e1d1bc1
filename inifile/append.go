package inifile

import (
	"regexp"

	"github.com/perfdump/perfdump/internal/textlines"
)

// Registration is what an .ini file says, for making a new one. The Line
// fields are not looked at.
type Registration struct {
	DriverName string // the name of the service key; required
	SymbolFile string // the .h file; required
	Trusted    bool
	Languages  []Language // in the order to be written
	Objects    []Object   // none: no section [objects]
	Texts      []Text
}

// symbolForm is what C takes as a name.
var symbolForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Registration returns what the typed view of f has, for making a new file.
func (f *File) Registration() Registration {
	r := Registration{DriverName: f.DriverName(), SymbolFile: f.SymbolFile(), Trusted: f.Trusted()}
	for l := range f.Languages() {
		r.Languages = append(r.Languages, l)
	}
	for o := range f.Objects() {
		r.Objects = append(r.Objects, o)
	}
	for t := range f.Texts() {
		r.Texts = append(r.Texts, t)
	}
	return r
}

// AppendBinary appends a new .ini file to dst as lodctr wants it: UTF-16LE with
// a byte order mark and CRLF. What it writes, [Parse] reads back as r, without
// anomalies but for values in quotes.
//
// The errors have code "syntax" and Off -1: no drivername or symbolfile, a
// symbol that is no name in C, a language that is not three hexadecimal digits,
// an empty name, a text given twice, and what [Editor.Set] refuses. dst is
// returned as it was then.
func (r Registration) AppendBinary(dst []byte) ([]byte, error) {
	w := newFile{writer: writer{dst: dst, enc: textlines.UTF16(true), eol: "\r\n", ended: true}, seen: map[string]bool{}}
	w.dst = append(w.dst, w.enc.BOM()...)
	w.section(nameInfo)
	w.required(keyDriverName, r.DriverName)
	w.required(keySymbolFile, r.SymbolFile)
	if r.Trusted {
		w.pair(keyTrusted, "")
	}
	w.section(nameLanguages)
	for _, l := range r.Languages {
		w.language(l.ID)
		w.pair(l.ID, l.Name)
	}
	if len(r.Objects) > 0 {
		w.section(nameObjects)
		for _, o := range r.Objects {
			w.symbol(o.Symbol, o.Language, Name, o.Value)
		}
	}
	w.section(nameText)
	for _, t := range r.Texts {
		if t.Kind == Name && t.Text == "" {
			w.fail("the name of %q in language %s is empty, which damages the table of names for all", t.Symbol, t.Language)
		}
		w.symbol(t.Symbol, t.Language, t.Kind, t.Text)
	}
	if w.err != nil {
		return dst, w.err
	}
	return w.dst, nil
}

// newFile writes lines until the first error.
type newFile struct {
	writer
	in   string
	seen map[string]bool
	err  error
}

func (w *newFile) fail(format string, args ...any) {
	if w.err == nil {
		w.err = misfit(format, args...)
	}
}

func (w *newFile) section(name string) {
	if w.in != "" {
		w.line("")
	}
	w.in = name
	w.line("[" + name + "]")
}

func (w *newFile) required(key, value string) {
	if value == "" {
		w.fail("no %s, which lodctr requires", key)
	}
	w.pair(key, value)
}

func (w *newFile) language(id string) {
	if !ValidLanguage(id) {
		w.fail("the language %q; three hexadecimal digits are expected, as 009", id)
	}
}

func (w *newFile) symbol(symbol, language string, kind Kind, value string) {
	if !symbolForm.MatchString(symbol) {
		w.fail("the symbol %.40q; a name in C is expected", symbol)
	}
	w.language(language)
	w.pair(symbol+"_"+language+"_"+kind.String(), value)
}

func (w *newFile) pair(key, value string) {
	if w.err != nil {
		return
	}
	if w.err = checkPair(w.enc, w.in, key, value); w.err != nil {
		return
	}
	at := w.in + "=" + string(textlines.AppendFold(nil, []byte(key)))
	if w.seen[at] {
		w.fail("%s comes twice in [%s]", key, w.in)
		return
	}
	w.seen[at] = true
	w.line(key + "=" + value)
}
