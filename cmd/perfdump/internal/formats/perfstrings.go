package formats

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

var perfStrings = Format{
	Name:         detect.PerfStrings,
	Bytes:        hexview.PerfStrings,
	Facts:        factsOf(parsePerfStrings, perfStringsFacts),
	Check:        checkOf(parsePerfStrings, nil),
	Names:        backupNames,
	Reader:       document.PerfStringsReader,
	Document:     documentOf(parsePerfStrings, named(document.WritePerfStrings)),
	Table:        sheetOf(parsePerfStrings, perfStringsSheet),
	Contents:     contentsOf(parsePerfStrings, perfStringsContents),
	Database:     true,
	Registration: true,
	hint:         "`perfdump titles` lists its names, `perfdump dump` shows its services",
}

func parsePerfStrings(in *detect.Input, o capture.Options) (*perfstrings.File, error) {
	return perfstrings.Parse(in.Data, o.Options)
}

func perfStringsFacts(s *Summary, f *perfstrings.File) {
	p := f.Perflib()
	s.fact("encoding", "encoding", f.Encoding())
	s.fact("lines", "lines", f.NumLines())
	s.key("base_index", given(p.BaseIndex))
	s.key("last_counter", given(p.LastCounter))
	s.key("last_help", given(p.LastHelp))
	s.line("base index", numberText(p.BaseIndex))
	s.line("last", "counter "+numberText(p.LastCounter)+", help "+numberText(p.LastHelp))
	s.fact("providers", "providers", f.NumProviders())
	numbers, names := map[string]int{}, []string{}
	for i, l := range f.Languages() {
		numbers[l.ID] = l.Count
		if i < maxLanguages {
			names = append(names, fmt.Sprintf("%s (%s)", cell.Clean(l.ID), table.GroupedPlural(l.Count, "string")))
		}
	}
	if n := len(f.Languages()) - maxLanguages; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	if len(names) == 0 {
		names = []string{"none"}
	}
	s.key("strings", numbers)
	s.line("languages", strings.Join(names, ", "))
	s.about(table.GroupedPlural(f.NumProviders(), "provider") + ", " + table.GroupedPlural(len(f.Languages()), "language"))
}

func given(n perfstrings.Number) any {
	if !n.Given {
		return nil
	}
	return n.Value
}

func numberText(n perfstrings.Number) string {
	if !n.Given {
		return "not given"
	}
	return table.Grouped(int64(n.Value))
}

func perfStringsContents(c *compare.Collector, f *perfstrings.File) {
	// Each language is a pass over the file.
	if n := len(f.Languages()); n > maxFacts {
		c.Err = perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "%d languages, more than the %d that are compared", n, maxFacts)
		return
	}
	c.Last = true
	number := func(section, key string, n perfstrings.Number) {
		if n.Given {
			c.Add("["+section+"] "+key, strconv.FormatUint(uint64(n.Value), 10))
		}
	}
	p := f.Perflib()
	number("Perflib", "Base Index", p.BaseIndex)
	number("Perflib", "Last Counter", p.LastCounter)
	number("Perflib", "Last Help", p.LastHelp)
	for v := range f.Providers() {
		section := "PERF_" + v.Name
		number(section, "First Counter", v.FirstCounter)
		number(section, "First Help", v.FirstHelp)
		number(section, "Last Counter", v.LastCounter)
		number(section, "Last Help", v.LastHelp)
		number(section, "Disable Performance Counters", v.Disabled)
	}
	for _, l := range f.Languages() {
		section := "[PerfStrings_" + l.ID + "] "
		for e := range f.Strings(l.ID) {
			c.Add(section+strconv.FormatUint(uint64(e.Index), 10), e.Text)
		}
	}
}

// perfStringsSheet writes what a backup of counter names holds in addition to the names.
func perfStringsSheet(s *sheet, f *perfstrings.File) {
	s.title("Backup of counter names", f.Anomalies(), f.Encoding())
	p := f.Perflib()
	s.Line("")
	s.fact("Base Index", plain(p.BaseIndex))
	s.fact("Last Counter", plain(p.LastCounter))
	s.fact("Last Help", plain(p.LastHelp))
	if f.NumProviders() > 0 {
		s.providers(func(yield func([]string) bool) {
			for v := range f.Providers() {
				disabled := ""
				if v.Disabled.Given {
					disabled = plain(v.Disabled)
				}
				if !yield([]string{v.Name, plain(v.FirstCounter), plain(v.LastCounter), plain(v.FirstHelp), plain(v.LastHelp), disabled}) {
					return
				}
			}
		})
	}
	if len(f.Languages()) == 0 {
		return
	}
	s.list(func(yield func([]string) bool) {
		for _, l := range f.Languages() {
			if !yield([]string{l.ID, fmt.Sprint(l.Count)}) {
				return
			}
		}
	}, column("language"), numbers("strings"))
}

// plain is a number of a backup as a table has it.
func plain(n perfstrings.Number) string {
	if !n.Given {
		return "-"
	}
	return fmt.Sprint(n.Value)
}

// providers writes the table of providers, with the range of their indexes.
func (s *sheet) providers(rows iter.Seq[[]string], more ...table.Column) {
	s.list(rows, append([]table.Column{
		column("provider"), numbers("first counter"), numbers("last counter"), numbers("first help"), numbers("last help"), numbers("disabled"),
	}, more...)...)
}
