package perfstrings

import (
	"iter"
	"strings"

	"github.com/perfdump/perfdump/internal/textlines"
)

type lineKind uint8

const (
	lineBlank   lineKind = iota // nothing but blanks
	lineComment                 // begins with ;
	lineSection                 // [name]
	linePair                    // key=value
	lineOther                   // none of these
)

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

// walker parses the lines of a file one after the other.
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

// next parses a line. Blanks around a key are ignored; those of a value are kept.
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

func (w *walker) begin(p *piece, name string) {
	w.section, w.lang = sectionUnknown, 0
	cut := func(prefix string) bool {
		ok := len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix)
		if ok {
			name = name[len(prefix):]
		}
		return ok
	}
	switch {
	case strings.EqualFold(name, perflibName):
		w.section = sectionPerflib
	case cut(providerPrefix):
		w.section = sectionProvider
	case cut(stringsPrefix):
		if lang, ok := languageOf(name); ok {
			w.section, w.lang = sectionStrings, lang
		}
	}
	p.name = name
}

// lines yields the lines of the file. The walker is the same for all.
func (f *File) lines() iter.Seq2[*walker, piece] {
	return func(yield func(*walker, piece) bool) {
		w := &walker{enc: f.enc()}
		for l := range f.text.All() {
			if !yield(w, w.next(l)) {
				return
			}
		}
	}
}

func (w *walker) keyText(p piece) string { return w.enc.Text(p.Raw[p.start:p.key]) }

// take sets the value of a pair's key, unless an earlier line has set it.
func (w *walker) take(p piece, numbers []*Number) {
	key := w.keyText(p)
	for i, name := range keysOf[p.section] {
		if n := numbers[i]; strings.EqualFold(name, key) && n.Line == 0 {
			*n, _ = w.number(p)
		}
	}
}

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

func (w *walker) number(p piece) (Number, bool) {
	if len(p.Raw)-p.value > 64 {
		return Number{Line: p.Number}, false
	}
	n, ok := parseIndex(strings.Trim(string(w.enc.Decode(&w.buf, p.Raw[p.value:])), " \t"))
	return Number{Value: n, Given: ok, Line: p.Number}, ok
}
