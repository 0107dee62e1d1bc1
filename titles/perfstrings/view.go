package perfstrings

import (
	"iter"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles"
)

// The keys of sections.
const (
	keyBaseIndex   = "Base Index"
	keyLastCounter = "Last Counter"
	keyLastHelp    = "Last Help"
	keyDisable     = "Disable Performance Counters"
)

var keysOf = map[sectionKind][]string{
	sectionPerflib:  {keyBaseIndex, keyLastCounter, keyLastHelp},
	sectionProvider: {"First Counter", "First Help", keyLastCounter, keyLastHelp, keyDisable},
}

// numbers returns the values of the keys, in the order of keysOf.
func (p *Perflib) numbers() []*Number { return []*Number{&p.BaseIndex, &p.LastCounter, &p.LastHelp} }

func (p *Provider) numbers() []*Number {
	return []*Number{&p.FirstCounter, &p.FirstHelp, &p.LastCounter, &p.LastHelp, &p.Disabled}
}

// Providers yields the providers in the order of their sections, one for each
// section.
func (f *File) Providers() iter.Seq[Provider] {
	return func(yield func(Provider) bool) {
		for _, n := range f.providers {
			var now Provider
			w := walker{enc: f.enc()}
			for l := range f.text.From(int(n)) {
				p := w.next(l)
				if now.Line == 0 {
					now = Provider{Name: p.name, Line: p.Number}
				} else if p.kind == lineSection {
					break
				} else if p.kind == linePair {
					w.take(p, now.numbers())
				}
			}
			if !yield(now) {
				return
			}
		}
	}
}

// Entry is a line of strings: an index and its text.
type Entry struct {
	Index uint32
	Text  string // blanks and line feeds included
	Line  int    // from 1
	Off   int64  // of the line in the file
}

// Strings yields the entries of a language ("009", in any case) in the order of
// the file: names, help texts, and index 1.
func (f *File) Strings(language string) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		lang, ok := languageOf(language)
		if !ok {
			return
		}
		w := walker{enc: f.enc()}
		for _, n := range f.entries[lang] {
			p := w.next(f.text.Line(int(n)))
			index, _ := w.index(p)
			if !yield(Entry{Index: index, Text: w.enc.Text(p.Raw[p.value:]), Line: p.Number, Off: int64(p.Off)}) {
				return
			}
		}
	}
}

// Table returns the names of a language, or its help texts, as Windows has them in
// the registry: those with the parity of kind, index 1 among the names. For a
// language that the file lacks the table is empty. A NUL in a text becomes U+FFFD.
// The error is ErrLimit for a text above 1 MiB.
func (f *File) Table(language string, kind titles.Kind) (*titles.Table, error) {
	b, err := titles.Append(nil, titles.Encoding{}, func(yield func(titles.Entry) bool) {
		for e := range f.Strings(language) {
			isKind := e.Index%2 == uint32(kind)
			if e.Index == 1 {
				isKind = kind == titles.Counter
			}
			if isKind && !yield(titles.Entry{Index: e.Index, Text: strings.ReplaceAll(e.Text, "\x00", "\uFFFD")}) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return titles.Parse(b, perfdump.Options{CodePage: 1200})
}
