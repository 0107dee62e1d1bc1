package formats

import (
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
)

var iniFile = Format{
	Name:         detect.INIFile,
	Bytes:        hexview.INIFile,
	Facts:        factsOf(parseINI, iniFacts),
	Check:        checkOf(parseINI, nil),
	Reader:       document.INIFileReader,
	Document:     documentOf(parseINI, named(document.WriteINIFile)),
	Table:        sheetOf(parseINI, iniSheet),
	Contents:     contentsOf(parseINI, iniContents),
	Registration: true,
	hint:         registers,
}

func parseINI(in *detect.Input, o capture.Options) (*inifile.File, error) {
	return inifile.Parse(in.Data, o.Options)
}

func iniFacts(s *Summary, f *inifile.File) {
	languages := []string{}
	for l := range f.Languages() {
		if !slices.ContainsFunc(languages, func(have string) bool { return strings.EqualFold(have, l.ID) }) {
			languages = append(languages, l.ID)
		}
		if len(languages) == maxFacts {
			break
		}
	}
	names, helps := 0, 0
	for t := range f.Texts() {
		if t.Kind == inifile.Help {
			helps++
		} else {
			names++
		}
	}
	s.fact("encoding", "encoding", f.Encoding())
	s.fact("lines", "lines", f.NumLines())
	s.fact("driver_name", "driver", orNil(f.DriverName()))
	s.fact("symbol_file", "symbols", orNil(f.SymbolFile()))
	s.fact("trusted", "trusted", f.Trusted())
	s.fact("languages", "languages", languages)
	s.fact("objects", "objects", countObjects(f))
	s.fact("names", "names", names)
	s.fact("helps", "helps", helps)
	s.about(unknown(f.DriverName()) + ", " + table.GroupedPlural(len(languages), "language"))
}

// countObjects counts symbols. A symbol may have an entry for each language:
// those of the first language count, and those without an entry for it.
func countObjects(f *inifile.File) int {
	n, language := 0, ""
	for o := range f.Objects() {
		if language == "" {
			language = o.Language
		}
		first, ok := f.Get("objects", o.Symbol+"_"+language+"_NAME")
		if !ok || first.Number == o.Line {
			n++
		}
	}
	return n
}

func iniContents(c *compare.Collector, f *inifile.File) {
	for l := range f.Lines() {
		if l.Kind == inifile.Key {
			c.Add("["+l.Section+"] "+l.Key(), l.Value())
		}
	}
}

// iniSheet writes what an .ini file registers: a line for each text of a
// language, or of the first one with texts if that one has none.
func iniSheet(s *sheet, f *inifile.File) {
	s.title("Registration of counters", f.Anomalies(), f.Encoding())
	s.fact("driver", f.DriverName())
	s.fact("symbol file", f.SymbolFile())
	if f.Trusted() {
		s.fact("trusted", "yes")
	}
	shown := ""
	for text := range f.Texts() {
		if shown == "" || !strings.EqualFold(text.Language, shown) && strings.EqualFold(text.Language, s.lang) {
			shown = text.Language
		}
	}
	var ids []string
	for l := range f.Languages() {
		if id := l.ID; len(ids) < maxLanguages {
			if strings.EqualFold(id, shown) {
				id += " (shown)"
			}
			ids = append(ids, id)
		}
	}
	s.fact("languages", strings.Join(ids, ", "))
	if shown == "" {
		s.Raw("\n  no texts\n")
		return
	}
	first := shown
	for o := range f.Objects() {
		first = o.Language
		break
	}
	s.list(func(yield func([]string) bool) {
		for text := range f.Texts() {
			if text.Kind != inifile.Name || !strings.EqualFold(text.Language, shown) {
				continue
			}
			what := ""
			if isObject(f, text.Symbol, shown, first) {
				what = "object"
			}
			if !yield([]string{text.Symbol, strconv.Itoa(text.Line), what, text.Text}) {
				return
			}
		}
	}, column("symbol"), numbers("line"), column(""), rest("name in "+shown))
}

// isObject reports whether [objects] lists a symbol, in a language or in the
// first one that it has.
func isObject(f *inifile.File, symbol, language, first string) bool {
	_, ok := f.Get("objects", symbol+"_"+language+"_NAME")
	if !ok && !strings.EqualFold(language, first) {
		_, ok = f.Get("objects", symbol+"_"+first+"_NAME")
	}
	return ok
}
