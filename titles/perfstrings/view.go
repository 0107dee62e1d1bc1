package perfstrings

import (
	"iter"
	"strings"

	"github.com/perfdump/perfdump/titles"
)

// The keys of sections.
const (
	keyBaseIndex    = "Base Index"
	keyFirstCounter = "First Counter"
	keyFirstHelp    = "First Help"
	keyLastCounter  = "Last Counter"
	keyLastHelp     = "Last Help"
	keyDisable      = "Disable Performance Counters"
)

var (
	perflibKeys  = []string{keyBaseIndex, keyLastCounter, keyLastHelp}
	providerKeys = []string{keyFirstCounter, keyFirstHelp, keyLastCounter, keyLastHelp, keyDisable}
)

func keysOf(s sectionKind) []string {
	switch s {
	case sectionPerflib:
		return perflibKeys
	case sectionProvider:
		return providerKeys
	default:
		return nil
	}
}

func (p *Perflib) field(key string) *Number {
	switch {
	case strings.EqualFold(key, keyBaseIndex):
		return &p.BaseIndex
	case strings.EqualFold(key, keyLastCounter):
		return &p.LastCounter
	case strings.EqualFold(key, keyLastHelp):
		return &p.LastHelp
	default:
		return nil
	}
}

func (p *Provider) field(key string) *Number {
	switch {
	case strings.EqualFold(key, keyFirstCounter):
		return &p.FirstCounter
	case strings.EqualFold(key, keyFirstHelp):
		return &p.FirstHelp
	case strings.EqualFold(key, keyLastCounter):
		return &p.LastCounter
	case strings.EqualFold(key, keyLastHelp):
		return &p.LastHelp
	case strings.EqualFold(key, keyDisable):
		return &p.Disabled
	default:
		return nil
	}
}

// Providers yields the providers in the order of their sections, one for each
// section. It goes over the lines of the file.
func (f *File) Providers() iter.Seq[Provider] {
	return func(yield func(Provider) bool) {
		var now Provider
		done := false
		f.walk(func(w *walker, p piece) bool {
			switch {
			case p.kind == lineSection:
				done = now.Line > 0 && !yield(now)
				now = Provider{}
				if p.section == sectionProvider {
					now = Provider{Name: p.name, Line: p.Number}
				}
			case p.kind == linePair && p.section == sectionProvider:
				if n := now.field(string(w.keyText(p))); n != nil && n.Line == 0 {
					*n, _ = w.number(p)
				}
			}
			return !done
		})
		if !done && now.Line > 0 {
			yield(now)
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

// Strings yields the entries of a language ("009", in any case) as they stand
// in the file: names, help texts, and index 1. It goes over the lines of its
// sections.
func (f *File) Strings(language string) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		lang, ok := languageOf(language)
		if !ok {
			return
		}
		f.walkLanguage(lang, func(w *walker, p piece) bool {
			if p.kind != linePair {
				return true
			}
			index, ok := w.index(p)
			return !ok || yield(Entry{Index: index, Text: w.enc.Text(p.Raw[p.value:]), Line: p.Number, Off: int64(p.Off)})
		})
	}
}

// Table returns the names of a language, or its help texts, as a table: as
// Windows has them in the registry. Which is which tells the parity of the
// indexes; index 1 stands among the names. A language that is not there gives
// a table without names. A NUL in a text, which a table cannot hold, becomes
// U+FFFD. The error is ErrLimit for a text above 1 MiB.
func (f *File) Table(language string, kind titles.Kind) (*titles.Table, error) {
	lang, _ := languageOf(language)
	size := 0
	f.walkLanguage(lang, func(w *walker, p piece) bool {
		if p.kind == linePair {
			if index, ok := w.index(p); ok && isKind(index, kind) {
				size += 2*(len(p.Raw)+1)/w.enc.Unit() + 2
			}
		}
		return true
	})
	b, err := titles.Append(make([]byte, 0, size+2), titles.Encoding{}, func(yield func(titles.Entry) bool) {
		for e := range f.Strings(language) {
			if isKind(e.Index, kind) && !yield(titles.Entry{Index: e.Index, Text: strings.ReplaceAll(e.Text, "\x00", "\uFFFD")}) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return titles.Parse(b, titles.Options{CodePage: 1200})
}

// isKind reports whether an index is that of a name, or of a help text.
func isKind(index uint32, kind titles.Kind) bool {
	if index == 1 {
		return kind == titles.Counter
	}
	return index%2 == uint32(kind)
}
