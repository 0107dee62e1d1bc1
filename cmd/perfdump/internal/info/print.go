package info

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
)

// list writes the facts of one file, a line each.
func list(p *table.Printer, s *formats.Summary) {
	fact := func(name, value string) { p.Fact(10, name, value) }
	p.Line(p.Style.Bold(cell.Clean(cmdutil.FileName(s.File))))
	format := string(s.Format)
	if s.Packed != "" {
		format += ", packed by " + s.Packed
	}
	fact("format", format)
	fact("size", bytesText(s.Size))
	for _, l := range s.Lines {
		fact(l.Label, l.Text)
	}
	if text := s.Format.Foreign(); text != "" {
		fact("holds", text)
		return
	}
	if n := len(s.Errors); n > 0 {
		fact("errors", p.Style.Red(fmt.Sprintf("%d, the first: %s", n, cell.Clean(s.Errors[0].Error()))))
	}
	if len(s.Errors) == 0 || len(s.Anomalies) > 0 {
		fact("anomalies", anomalies(s, p.Style))
	}
}

func anomalies(s *formats.Summary, style cell.Style) string {
	var parts []string
	for _, code := range s.Codes() {
		parts = append(parts, fmt.Sprintf("%s %d", code, s.Anomalies[code]))
	}
	n := total(s.Anomalies)
	if n == 0 {
		return style.Green("none")
	}
	return style.Amber(table.Grouped(int64(n))) + ": " + strings.Join(parts, ", ")
}

func total(counts map[perfdump.Code]int) (n int) {
	for _, of := range counts {
		n += of
	}
	return n
}

func bytesText(n int64) string {
	text := table.Grouped(n) + " bytes"
	switch {
	case n >= 10<<20:
		text += fmt.Sprintf(" (%d MiB)", n>>20)
	case n >= 10<<10:
		text += fmt.Sprintf(" (%d KiB)", n>>10)
	}
	return text
}

// several writes several files, a line each.
func several(p *table.Printer, all []*formats.Summary) {
	text := func(name string, drop, shrink int) table.Column {
		return table.Column{Head: []string{name}, Drop: drop, Shrink: shrink}
	}
	number := func(name string, drop int) table.Column {
		return table.Column{Head: []string{name}, Drop: drop, Align: table.Right}
	}
	logs := slices.ContainsFunc(all, func(s *formats.Summary) bool { return s.Samples != "" })
	t := &table.Table{Columns: []table.Column{text("file", 0, 12), text("format", 4, 0), number("bytes", 2), text("machine", 0, 8)}}
	if logs {
		t.Columns = append(t.Columns, text("from", 0, 0), text("to", 5, 0), number("samples", 0))
	} else {
		t.Columns = append(t.Columns, text("time", 0, 0))
	}
	t.Columns = append(t.Columns, number("objects", 0), number("instances", 3), number("counters", 1), number("anomalies", 0))
	p.Table(t, func(yield func(*table.Row) bool) {
		var r table.Row
		for _, s := range all {
			row(r.Reset(), s, logs)
			if len(s.Errors) > 0 {
				r.PaintAll(table.Red)
			}
			if !yield(&r) {
				return
			}
		}
	})
}

func row(r *table.Row, s *formats.Summary, logs bool) {
	holds, anomalies := s.Holds, strconv.Itoa(total(s.Anomalies))
	switch {
	case len(s.Errors) > 0:
		anomalies = "broken"
		if s.Format == "" {
			anomalies = "unreadable"
		}
	case s.Format.Foreign() != "":
		holds, anomalies = "(not read)", ""
	}
	size := strconv.FormatInt(s.Size, 10)
	if s.Format == "" {
		size = ""
	}
	r.Texts(cell.Clean(cmdutil.FileName(s.File)), string(s.Format), size, holds, s.Time)
	if logs {
		r.Texts(s.To, s.Samples)
	}
	r.Texts(s.Objects, s.Instances, s.Counters, anomalies)
}
