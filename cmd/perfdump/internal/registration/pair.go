package registration

import (
	"iter"
	"path"
	"strings"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/symbolh"
)

// pair is an .ini file and the symbol file that it names.
type pair struct {
	name string // of the .ini
	ini  *iniFile
	h    *symbolFile // nil if it is not among the files

	symbols []*symbol // in the order of their first lines, those of the .ini first
	byName  map[string]*symbol
	texts   map[textKey]inifile.Text // the first of each key

	listed    []inifile.Language // the first of each id
	isListed  map[string]bool    // by those, folded
	languages []string           // those of the texts, folded, in their order
	spoken    map[string]bool    // by those
}

// symbol is what both files say of a symbol.
type symbol struct {
	name    string // as spelled first
	line    int    // in [text], 0 if it has none
	object  int    // the line in [objects], 0 if it is not there
	defined bool   // the .h gives it an offset
	offset  uint32
	define  int    // the line in the .h, 0 if it is not there
	alias   string // the name that it is defined by
}

// hasText reports whether [text] has the symbol.
func (s *symbol) hasText() bool { return s.line > 0 }

// textKey is a key of [text], in lower case.
type textKey struct {
	symbol, language string
	kind             inifile.Kind
}

func fold(s string) string { return strings.ToLower(s) }

// baseName returns the last part of a path of either kind.
func baseName(name string) string { return path.Base(strings.ReplaceAll(name, `\`, "/")) }

// folder returns all but the last part.
func folder(name string) string { return path.Dir(strings.ReplaceAll(name, `\`, "/")) }

// symbolName returns the name of the symbol file that an .ini file names,
// without its path, which is that of another machine.
func symbolName(ini *iniFile) string {
	name := ini.SymbolFile()
	if name == "" {
		return ""
	}
	return baseName(name)
}

// symbolsOf finds the symbol file of an .ini: in its folder, else anywhere.
func (f *Files) symbolsOf(ini *iniFile) *symbolFile {
	want := symbolName(ini)
	var found *symbolFile
	for _, h := range f.headers {
		switch {
		case want == "" || !strings.EqualFold(baseName(h.name), want):
		case folder(h.name) == folder(ini.name):
			return h
		case found == nil:
			found = h
		}
	}
	return found
}

func (f *Files) pair(ini *iniFile) *pair {
	p := &pair{name: ini.name, ini: ini, h: f.symbolsOf(ini), byName: map[string]*symbol{}, texts: map[textKey]inifile.Text{}, isListed: map[string]bool{}, spoken: map[string]bool{}}
	for l := range ini.Languages() {
		if id := fold(l.ID); !p.isListed[id] {
			p.isListed[id] = true
			p.listed = append(p.listed, l)
		}
	}
	for t := range ini.Texts() {
		s := p.symbol(t.Symbol)
		if s.line == 0 {
			s.line = t.Line
		}
		k := textKey{fold(t.Symbol), fold(t.Language), t.Kind}
		if _, ok := p.texts[k]; !ok {
			p.texts[k] = t
		}
		if !p.spoken[k.language] {
			p.spoken[k.language] = true
			p.languages = append(p.languages, k.language)
		}
	}
	for o := range ini.Objects() {
		if s := p.symbol(o.Symbol); s.object == 0 {
			s.object = o.Line
		}
	}
	if p.h == nil {
		return p
	}
	for d := range p.h.Defines() {
		if d.Kind == symbolh.None {
			continue
		}
		if s := p.symbol(d.Name); s.define == 0 { // of several the first counts
			s.define, s.alias = d.Line, d.Target()
			s.offset, s.defined = p.h.Lookup(d.Name)
		}
	}
	return p
}

func (p *pair) symbol(name string) *symbol {
	s := p.byName[fold(name)]
	if s == nil {
		s = &symbol{name: name}
		p.byName[fold(name)] = s
		p.symbols = append(p.symbols, s)
	}
	return s
}

// text returns a text of a symbol in a language.
func (p *pair) text(s *symbol, language string, kind inifile.Kind) (inifile.Text, bool) {
	t, ok := p.texts[textKey{fold(s.name), fold(language), kind}]
	return t, ok
}

// speaks reports whether there is text in a language.
func (p *pair) speaks(language string) bool { return p.spoken[fold(language)] }

// infoLine returns the line of a key of [info], else that of the section, else 0.
func (p *pair) infoLine(key string) int {
	if l, ok := p.ini.Get("info", key); ok {
		return l.Number
	}
	return p.section("info")
}

// section returns the line of a section, 0 if there is none.
func (p *pair) section(name string) int {
	for l := range p.ini.Lines() {
		if l.Kind == inifile.Section && strings.EqualFold(l.Section, name) {
			return l.Number
		}
	}
	return 0
}

// span returns how far Last Counter is from First Counter.
func (p *pair) span() (uint32, bool) {
	if p.h == nil {
		return 0, false
	}
	return p.h.Largest()
}

// Missing yields the names of the .ini files whose symbol files are not there,
// and the names of those.
func (f *Files) Missing() iter.Seq2[string, string] {
	return func(yield func(ini, symbols string) bool) {
		for _, in := range f.inis {
			if want := symbolName(in); want != "" && f.symbolsOf(in) == nil && !yield(in.name, want) {
				return
			}
		}
	}
}
