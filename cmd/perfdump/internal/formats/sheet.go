package formats

import (
	"io"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
)

// sheet writes for people what a file without values holds: a title, facts, and
// tables.
type sheet struct {
	*table.Printer

	file string
	lang string // of texts that a file has in several languages
}

// sheetOf returns the writer for people of a file that is parsed whole.
func sheetOf[T any](parse parser[T], write func(*sheet, T)) func(io.Writer, *detect.Input, *Dump) error {
	return func(w io.Writer, in *detect.Input, o *Dump) error {
		file, err := parse(in, o.Options)
		if err != nil {
			return err
		}
		s := &sheet{table.NewPrinter(w, o.Page), in.Name, o.Lang}
		write(s, file)
		if err := s.Flush(); err != nil {
			return err
		}
		for _, fault := range faultsOf(file) {
			o.Failed(fault)
		}
		return nil
	}
}

func (s *sheet) title(what string, found *perfdump.Anomalies, facts ...string) {
	if n := found.Len(); n > 0 {
		facts = append(facts, table.Plural(n, "anomaly")+` (see "perfdump check")`)
	}
	if s.file != "" && s.file != "-" {
		facts = append(facts, cell.Clean(s.file))
	}
	s.Heading(what, facts...)
}

// fact writes what a file says once.
func (s *sheet) fact(name, value string) {
	if value == "" {
		value = "-"
	}
	s.Fact(14, name, cell.Clean(value))
}

// known writes a fact that not every file has.
func (s *sheet) known(name, value string) {
	if value != "" {
		s.fact(name, value)
	}
}

// maxNames is how wide a column of names gets.
const maxNames = 48

func column(name string) table.Column {
	return table.Column{Head: []string{name}, Max: maxNames}
}

func numbers(name string) table.Column {
	return table.Column{Head: []string{name}, Align: table.Right}
}

// rest is the last column, which has what is left of the page.
func rest(name string) table.Column { return table.Column{Head: []string{name}} }

// list writes a table below a blank line.
func (s *sheet) list(rows iter.Seq[[]string], columns ...table.Column) {
	s.Line("")
	s.Table(&table.Table{Indent: 2, Columns: columns}, cells(rows))
}

// cells returns the rows of a table.
func cells(rows iter.Seq[[]string]) iter.Seq[*table.Row] {
	return func(yield func(*table.Row) bool) {
		var r table.Row
		for texts := range rows {
			r.Reset()
			for _, text := range texts {
				r.Text(cell.Clean(text))
			}
			if !yield(&r) {
				return
			}
		}
	}
}
