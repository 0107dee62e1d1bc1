package perfstrings

import (
	"cmp"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/internal/textlines"
)

// lineKind says what a line is.
type lineKind uint8

const (
	lineBlank   lineKind = iota // nothing but blanks
	lineComment                 // begins with ;
	lineSection                 // [name]
	linePair                    // key=value
	lineOther                   // none of these
)

// sectionKind says what a section is.
type sectionKind uint8

const (
	sectionNone     sectionKind = iota // before the first one
	sectionPerflib                     // [Perflib]
	sectionProvider                    // [PERF_name]
	sectionStrings                     // [PerfStrings_009]
	sectionUnknown
)

// piece is a line and what it is.
type piece struct {
	textlines.Line
	kind    lineKind
	section sectionKind // that the line is in; of a lineSection, that it begins
	name    string      // of a lineSection: of the provider, or the language
	lang    uint32      // of sectionStrings
	start   int         // of a linePair's line: where its key begins
	key     int         // where it ends
	value   int         // where the value begins
}

// walker takes the lines of a file apart one after the other.
type walker struct {
	enc     textlines.Encoding
	section sectionKind
	lang    uint32
	buf     []byte
}

const (
	providerPrefix = "PERF_"
	stringsPrefix  = "PerfStrings_"
	perflibName    = "Perflib"
)

// next says what a line is. Blanks around a key do not count; those of a value
// do.
func (w *walker) next(l textlines.Line) piece {
	p := piece{Line: l}
	start, end := w.enc.Trim(l.Raw)
	unit := w.enc.Unit()
	switch {
	case start >= end:
	case w.enc.At(l.Raw, start, ';'):
		p.kind = lineComment
	case w.enc.At(l.Raw, start, '[') && w.enc.At(l.Raw, end-unit, ']') && end-start >= 2*unit:
		p.kind = lineSection
		w.begin(&p, string(w.enc.Decode(&w.buf, l.Raw[start+unit:end-unit])))
	default:
		p.kind = lineOther
		if i := w.enc.Index(l.Raw, '='); i >= 0 {
			p.kind, p.value = linePair, i+unit
			from, to := w.enc.Trim(l.Raw[:i])
			p.start, p.key = from, max(from, to)
		}
	}
	p.section, p.lang = w.section, w.lang
	return p
}

// begin begins a section.
func (w *walker) begin(p *piece, name string) {
	w.section, w.lang = sectionUnknown, 0
	switch {
	case strings.EqualFold(name, perflibName):
		w.section = sectionPerflib
	case cutFold(&name, providerPrefix):
		w.section = sectionProvider
	case cutFold(&name, stringsPrefix):
		if lang, ok := languageOf(name); ok {
			w.section, w.lang = sectionStrings, lang
		}
	}
	p.name = name
}

// cutFold cuts a prefix off s, in any case.
func cutFold(s *string, prefix string) bool {
	if len(*s) < len(prefix) || !strings.EqualFold((*s)[:len(prefix)], prefix) {
		return false
	}
	*s = (*s)[len(prefix):]
	return true
}

// walk calls f with each line until f returns false.
func (f *File) walk(do func(w *walker, p piece) bool) {
	w := walker{enc: f.enc()}
	for l := range f.text.All() {
		if !do(&w, w.next(l)) {
			return
		}
	}
}

// section is where a section of strings begins.
type section struct{ lang, line, off uint32 }

// walkLanguage calls do with each line of the sections of a language, until it
// returns false. It goes over no other lines: a file can have a language in 20
// bytes, and all of them may be asked for.
func (f *File) walkLanguage(lang uint32, do func(w *walker, p piece) bool) {
	w := walker{enc: f.enc()}
	i, _ := slices.BinarySearchFunc(f.strings, lang, func(s section, lang uint32) int { return cmp.Compare(s.lang, lang) })
	for ; i < len(f.strings) && f.strings[i].lang == lang; i++ {
		for l := range f.text.FromAt(int(f.strings[i].line), int(f.strings[i].off)) {
			p := w.next(l)
			if p.kind == lineSection && p.Number > int(f.strings[i].line) {
				break
			}
			if !do(&w, p) {
				return
			}
		}
	}
}

// keyText returns the key of a pair, in memory that the next line overwrites.
func (w *walker) keyText(p piece) []byte { return w.enc.Decode(&w.buf, p.Raw[p.start:p.key]) }

// index returns the index of a pair among the strings.
func (w *walker) index(p piece) (uint32, bool) {
	if p.key-p.start > 10*w.enc.Unit() {
		return 0, false
	}
	n, any := uint64(0), false
	for i := p.start; i < p.key; i += w.enc.Unit() {
		c := p.Raw[i]
		if c < '0' || c > '9' || !w.enc.At(p.Raw, i, c) {
			return 0, false
		}
		n, any = n*10+uint64(c-'0'), true
	}
	return uint32(n), any && n <= 0xFFFFFFFF
}

// number returns the value of a pair as a number.
func (w *walker) number(p piece) (Number, bool) {
	if len(p.Raw)-p.value > 64 {
		return Number{Line: p.Number}, false
	}
	n, ok := parseIndex(strings.Trim(string(w.enc.Decode(&w.buf, p.Raw[p.value:])), " \t"))
	return Number{Value: n, Given: ok, Line: p.Number}, ok
}
