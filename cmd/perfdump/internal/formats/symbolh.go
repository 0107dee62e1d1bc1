package formats

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/symbolh"
)

var symbolH = Format{
	Name:         detect.SymbolH,
	Bytes:        hexview.SymbolH,
	Facts:        factsOf(parseSymbolH, symbolHFacts),
	Check:        checkOf(parseSymbolH, nil),
	Reader:       document.SymbolHReader,
	Document:     documentOf(parseSymbolH, named(document.WriteSymbolH)),
	Table:        sheetOf(parseSymbolH, symbolHSheet),
	Contents:     contentsOf(parseSymbolH, symbolHContents),
	Registration: true,
	hint:         registers,
}

func parseSymbolH(in *detect.Input, o capture.Options) (*symbolh.File, error) {
	return symbolh.Parse(in.Data, o.Options)
}

func symbolHFacts(s *Summary, f *symbolh.File) {
	var largest any
	if n, ok := f.Largest(); ok {
		largest = n
	}
	s.fact("encoding", "encoding", f.Encoding())
	s.fact("lines", "lines", f.NumLines())
	s.fact("defines", "defines", f.NumDefines())
	s.fact("largest_offset", "largest", largest)
	s.about(table.GroupedPlural(f.NumDefines(), "define"))
}

func symbolHContents(c *compare.Collector, f *symbolh.File) {
	for d := range f.Defines() {
		c.Add(d.Name, strings.TrimSuffix(d.Value, ";"))
	}
}

func symbolHSheet(s *sheet, f *symbolh.File) {
	s.title("Symbol file", f.Anomalies(), f.Encoding())
	s.list(func(yield func([]string) bool) {
		for d := range f.Defines() {
			offset, value := defineText(f, &d)
			if !yield([]string{d.Name, strconv.Itoa(d.Line), offset, value}) {
				return
			}
		}
	}, column("symbol"), numbers("line"), numbers("offset"), rest(""))
}

// defineText returns the offset of a define, if it has one, and what else it says.
func defineText(f *symbolh.File, d *symbolh.Define) (offset, value string) {
	switch d.Kind {
	case symbolh.Decimal:
		return strconv.FormatUint(uint64(d.Offset), 10), ""
	case symbolh.Alias:
		if n, ok := f.Lookup(d.Name); ok {
			offset = strconv.FormatUint(uint64(n), 10)
		}
		return offset, "= " + d.Value
	case symbolh.None:
		return "", "guard"
	case symbolh.Unsupported:
		return "", d.Value + "  (not read)"
	default:
		return "", d.Value
	}
}
