package inifile

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump/internal/once"
	"github.com/perfdump/perfdump/internal/textlines"
)

// Registration is the content of an .ini file, for writing a new one. The Line fields are
// not read.
type Registration struct {
	DriverName string // the name of the service key; required
	SymbolFile string // the .h file; required
	Trusted    bool
	Languages  []Language
	Objects    []Object // none: no section [objects]
	Texts      []Text
}

// Registration returns the typed view of f, for writing a new file.
func (f *File) Registration() Registration {
	return Registration{
		DriverName: f.DriverName(), SymbolFile: f.SymbolFile(), Trusted: f.Trusted(),
		Languages: slices.Collect(f.Languages()), Objects: slices.Collect(f.Objects()), Texts: slices.Collect(f.Texts()),
	}
}

// AppendBinary appends a new .ini file to dst as lodctr expects it: UTF-16LE with
// a byte order mark and CRLF. [Parse] reads it back as r, without anomalies but
// for values in quotes.
//
// The errors have code "syntax" and Off -1: no drivername or symbolfile, a
// symbol that is not a name in C, a language that is not three hexadecimal
// digits, an empty name, a text given twice, and what [Editor.Set] refuses. dst
// is then returned as it was.
func (r Registration) AppendBinary(dst []byte) ([]byte, error) {
	w := newFile{enc: textlines.UTF16(true), seen: map[string]bool{}}
	w.dst = append(dst, w.enc.BOM()...) //nolint:gocritic // dst itself is returned with an error
	w.section(nameInfo)
	for _, p := range [][2]string{{keyDriverName, r.DriverName}, {keySymbolFile, r.SymbolFile}} {
		if p[1] == "" {
			w.fail("no %s, which lodctr requires", p[0])
		}
		w.pair(p[0], p[1])
	}
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
	}
	for _, o := range r.Objects {
		w.symbol(o.Symbol, o.Language, Name, "")
	}
	w.section(nameText)
	for _, t := range r.Texts {
		if t.Kind == Name && t.Text == "" {
			w.fail("the name of %q in language %s is empty, which damages the whole table of names", t.Symbol, t.Language)
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
	dst  []byte
	enc  textlines.Encoding
	in   string // the section
	seen map[string]bool
	err  error
}

func (w *newFile) line(text string) { w.dst, _ = w.enc.AppendLine(w.dst, text, "\r\n") }

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

func (w *newFile) language(id string) {
	if !ValidLanguage(id) {
		w.fail("the language is %q; three hexadecimal digits such as 009 are expected", id)
	}
}

// symbolForm is a name in C.
var symbolForm = once.Regexp(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (w *newFile) symbol(symbol, language string, kind Kind, value string) {
	if !symbolForm().MatchString(symbol) {
		w.fail("the symbol %.40q; a name in C is expected", symbol)
	}
	w.language(language)
	w.pair(symbol+"_"+language+"_"+kind.String(), value)
}

func (w *newFile) pair(key, value string) {
	if err := checkPair(w.enc, w.in, key, value); w.err == nil {
		w.err = err
	}
	at := w.in + "=" + strings.ToLower(key)
	if w.seen[at] {
		w.fail("%s comes twice in [%s]", key, w.in)
	}
	w.seen[at] = true
	w.line(key + "=" + value)
}
