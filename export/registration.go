package export

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/symbolh"
)

// fileTitle begins the table of a file that holds no values.
func (t *Table) fileTitle(what, name string, found *perfdump.Anomalies, facts ...string) {
	if t.begun {
		t.text("\n")
	}
	t.begun = true
	if n := found.Len(); n > 0 {
		facts = append(facts, plural(n, "anomaly")+` (see "perfdump check")`)
	}
	if name != "" && name != "-" {
		facts = append(facts, cell.Clean(name))
	}
	t.text(t.style.Bold(what) + "  " + strings.Join(facts, ", ") + "\n")
}

// fact writes what a file says once.
func (t *Table) fact(name, value string) {
	if value == "" {
		value = "-"
	}
	t.text(fmt.Sprintf("  %-14s  %s\n", name, cell.Clean(value)))
}

// row writes cells, the last of which is cut where the page ends if that is
// asked for. widths are those of the others; a negative one is right-aligned.
func (t *Table) row(widths []int, cells ...string) {
	line := []byte(" ")
	for i, text := range cells {
		text = cell.Clean(text)
		line = append(line, ' ')
		if i == len(widths) {
			if t.o.Truncate {
				text = cell.Cut(text, max(t.o.Width-cell.Width(string(line)), 20))
			}
			line = append(line, text...)
			break
		}
		w := cell.Width(text)
		if widths[i] < 0 {
			line = append(cell.PadRight(line, w, -widths[i]), text...)
		} else {
			line = cell.PadRight(append(line, text...), w, widths[i])
		}
		line = append(line, ' ')
	}
	t.text(strings.TrimRight(string(line), " ") + "\n")
}

// maxNames is how wide a column of names gets.
const maxNames = 48

// WriteINIFile writes what an .ini file registers: a line for each text of a
// language, or of the first one that has texts where that one has none.
func (t *Table) WriteINIFile(name string, f *inifile.File, language string) error {
	t.fileTitle("Registration of counters", name, f.Anomalies(), f.Encoding())
	t.fact("driver", f.DriverName())
	t.fact("symbol file", f.SymbolFile())
	if f.Trusted() {
		t.fact("trusted", "yes")
	}
	shown, width := "", len("symbol")
	var ids []string
	for text := range f.Texts() {
		switch same := strings.EqualFold(text.Language, shown); {
		case shown == "", !same && strings.EqualFold(text.Language, language):
			shown, width = text.Language, max(len("symbol"), cell.Width(cell.Clean(text.Symbol)))
		case same:
			width = max(width, cell.Width(cell.Clean(text.Symbol)))
		}
	}
	for l := range f.Languages() {
		if id := cell.Clean(l.ID); len(ids) < 24 {
			if strings.EqualFold(l.ID, shown) {
				id += " (shown)"
			}
			ids = append(ids, id)
		}
	}
	t.fact("languages", strings.Join(ids, ", "))
	if shown == "" {
		t.text("\n  no texts\n")
		return t.err()
	}
	first := shown
	for o := range f.Objects() {
		first = o.Language
		break
	}
	widths := []int{min(width, maxNames), -5, len("object")}
	t.text("\n")
	t.dimRow(widths, "symbol", "line", "", "name in "+shown)
	for text := range f.Texts() {
		if t.err() != nil {
			break
		}
		if text.Kind != inifile.Name || !strings.EqualFold(text.Language, shown) {
			continue
		}
		what := ""
		if isObject(f, text.Symbol, shown, first) {
			what = "object"
		}
		t.row(widths, text.Symbol, fmt.Sprint(text.Line), what, text.Text)
	}
	return t.err()
}

func (t *Table) dimRow(widths []int, cells ...string) {
	style := t.style
	var line strings.Builder
	for i, text := range cells {
		w := 0
		if i < len(widths) {
			w = widths[i]
		}
		fmt.Fprintf(&line, " %*s ", -w, text)
	}
	t.text(" " + style.Dim(strings.TrimRight(line.String(), " ")) + "\n")
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

// WriteSymbolH writes what a symbol file defines.
func (t *Table) WriteSymbolH(name string, f *symbolh.File) error {
	t.fileTitle("Symbol file", name, f.Anomalies(), f.Encoding())
	width := len("symbol")
	for d := range f.Defines() {
		width = max(width, min(cell.Width(cell.Clean(d.Name)), maxNames))
	}
	t.text("\n")
	widths := []int{width, -5, -10}
	t.dimRow(widths, "symbol", "line", "offset", "")
	for d := range f.Defines() {
		if t.err() != nil {
			break
		}
		offset, value := "", d.Value
		switch d.Kind {
		case symbolh.Decimal:
			offset, value = fmt.Sprint(d.Offset), ""
		case symbolh.Alias:
			if n, ok := f.Lookup(d.Name); ok {
				offset = fmt.Sprint(n)
			}
			value = "= " + value
		case symbolh.None:
			value = "guard"
		case symbolh.Unsupported:
			value += "  (not read)"
		}
		t.row(widths, d.Name, fmt.Sprint(d.Line), offset, value)
	}
	return t.err()
}
