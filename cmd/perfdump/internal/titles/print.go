package titles

import (
	"bufio"
	"fmt"
	"iter"
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/titles"
)

// print writes a table for reading, unless it has none of the requested entries.
func (l *lister) print(s source, entries iter.Seq[titles.Entry]) error {
	some := !l.selective()
	for range entries {
		some = true
		break
	}
	if !some {
		return nil
	}
	p := l.page()
	p.Line(l.heading(s, p.Style))
	t := &table.Table{Indent: 2, Columns: []table.Column{{Align: table.Right}, {Wrap: true}}}
	p.Table(t, func(yield func(*table.Row) bool) {
		var r table.Row
		for e := range entries {
			text := cell.Clean(e.Text)
			if e.Index == 1 {
				text += "  (the last index of Windows' own counters)"
			}
			if !yield(r.Reset().Uint(uint64(e.Index)).Text(text)) {
				return
			}
		}
	})
	return p.Flush()
}

// page begins the text of a table, below those before it.
func (l *lister) page() *table.Printer {
	p := table.NewPrinter(l.w, table.Options{Width: l.o.IO.Width(), Color: l.o.IO.Color() && l.o.Write == ""})
	if l.printed {
		p.Line("")
	}
	l.printed = true
	return p
}

func (l *lister) heading(s source, style cell.Style) string {
	t := s.table
	what := table.Plural(t.Len(), "counter name")
	if s.kind == titles.Help {
		what = table.Plural(t.Len(), "help text")
	}
	if s.name == "" {
		return fmt.Sprintf("%s: %s, English", style.Bold("built-in table"), what)
	}
	from := form(t)
	switch {
	case s.machine != "":
		from = "machine " + cell.Clean(strings.TrimPrefix(s.machine, `\\`))
	case s.part:
		from = "language " + cell.Clean(s.language)
	}
	text := fmt.Sprintf("%s: %s, %s", style.Bold(cell.Clean(cmdutil.FileName(s.name))), what, from)
	if n := t.Anomalies().Len(); n > 0 && !l.o.Stats {
		text += ", " + style.Amber(table.Plural(n, "anomaly")) + ` (see "perfdump check")`
	}
	return text
}

// form describes how a table is stored.
func form(t *titles.Table) string {
	for e := range t.Entries() {
		if e.Off < 0 {
			return "a list"
		}
		break
	}
	return t.Encoding().String()
}

// oneLine replaces line ends by blanks.
var oneLine = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ")

// text writes entries as a list, a line for each.
func (l *lister) text(s source, entries iter.Seq[titles.Entry]) error {
	if l.texts != "" && !strings.EqualFold(l.texts, s.language) {
		l.misuse = oneLanguage(l.texts, s.language)
		return nil
	}
	l.texts = s.language
	joined := 0
	w := bufio.NewWriter(l.w)
	for e := range entries {
		text := oneLine.Replace(e.Text)
		if text != e.Text {
			joined++
		}
		_, _ = fmt.Fprintf(w, "%d\t%s\n", e.Index, text)
	}
	if joined > 0 {
		l.o.Note("%s: a list has one line an index, so line ends became blanks in %s; -o json keeps them", cmdutil.FileName(s.name), table.Plural(joined, "text"))
	}
	return w.Flush()
}

// multiSz writes a table in the form of the registry: byte by byte if it has
// that form and all of it is requested.
func (l *lister) multiSz(t *titles.Table, entries iter.Seq[titles.Entry]) error {
	b, err := registryForm(t, entries, !l.selective())
	if err == nil {
		_, err = l.w.Write(b)
	}
	return err
}

// registryForm returns a table, or entries of it, as the registry has it.
func registryForm(t *titles.Table, entries iter.Seq[titles.Entry], whole bool) ([]byte, error) {
	if enc := t.Encoding(); whole && enc.UTF16() && !enc.BOM {
		return t.AppendBinary(nil)
	}
	return titles.Append(nil, titles.Encoding{}, entries)
}
