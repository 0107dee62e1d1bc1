package titles

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/titles"
)

// print writes a table for reading. A table without what was looked for is
// left out.
func (l *lister) print(s source, entries iter.Seq[titles.Entry]) error {
	digits := 0
	for e := range entries {
		digits = max(digits, len(strconv.FormatUint(uint64(e.Index), 10)))
	}
	if l.selective() && digits == 0 {
		return nil
	}
	style := cell.Style{On: l.o.IO.Color() && l.o.Write == ""}
	w := &chunks{w: l.w}
	if l.printed {
		w.b = append(w.b, '\n')
	}
	l.printed = true
	w.b = append(append(w.b, l.heading(s, style)...), '\n')
	width := max(l.o.IO.Width()-digits-4, 30)
	for e := range entries {
		lines := []string{cell.Clean(e.Text)}
		if cell.Width(lines[0]) > width {
			lines = cell.Wrap(lines[0], width)
		}
		if e.Index == 1 {
			lines[0] += style.Dim("  (the last index of Windows' own counters)")
		}
		w.b = fmt.Appendf(w.b, "  %*d  %s\n", digits, e.Index, lines[0])
		for _, line := range lines[1:] {
			w.b = fmt.Appendf(w.b, "  %*s  %s\n", digits, "", line)
		}
		if err := w.flush(chunk); err != nil {
			return err
		}
	}
	return w.flush(0)
}

// chunk is how many bytes are written at once.
const chunk = 64 << 10

// chunks collects bytes to be written.
type chunks struct {
	w io.Writer
	b []byte
}

// flush writes what there is, if it is more than n bytes.
func (c *chunks) flush(n int) error {
	if len(c.b) <= n {
		return nil
	}
	_, err := c.w.Write(c.b)
	c.b = c.b[:0]
	return err
}

func (l *lister) heading(s source, style cell.Style) string {
	t := s.table
	what := counted(t.Len(), "counter name", "counter names")
	if s.kind == titles.Help {
		what = counted(t.Len(), "help text", "help texts")
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
		text += ", " + style.Amber(counted(n, "anomaly", "anomalies")) + ` (see "perfdump check")`
	}
	return text
}

// form says how a table is written.
func form(t *titles.Table) string {
	for e := range t.Entries() {
		if e.Off < 0 {
			return "a list"
		}
		break
	}
	return t.Encoding().String()
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// oneLine puts blanks in the place of line ends.
var oneLine = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ")

// text writes entries as a list, a line for each.
func (l *lister) text(s source, entries iter.Seq[titles.Entry]) error {
	if l.texts != "" && !strings.EqualFold(l.texts, s.language) {
		l.misuse = oneLanguage(l.texts, s.language)
		return nil
	}
	l.texts = s.language
	joined := 0
	w := &chunks{w: l.w}
	for e := range entries {
		w.b = strconv.AppendUint(w.b, uint64(e.Index), 10)
		text := oneLine.Replace(e.Text)
		if text != e.Text {
			joined++
		}
		w.b = append(append(append(w.b, '\t'), text...), '\n')
		if err := w.flush(chunk); err != nil {
			return err
		}
	}
	if joined > 0 {
		l.o.Note("%s: a list has one line an index, so line ends became blanks in %s; -o json keeps them", cmdutil.FileName(s.name), counted(joined, "text", "texts"))
	}
	return w.flush(0)
}

// multiSz writes a table in the form of the registry: byte by byte if it has
// that form and all of it was asked for.
func (l *lister) multiSz(t *titles.Table, entries iter.Seq[titles.Entry]) error {
	b, err := registryForm(t, entries, !l.selective())
	if err != nil {
		return err
	}
	return l.whole(b)
}

// registryForm returns a table, or entries of it, as the registry has it.
func registryForm(t *titles.Table, entries iter.Seq[titles.Entry], whole bool) ([]byte, error) {
	if enc := t.Encoding(); whole && enc.UTF16() && !enc.BOM {
		return t.AppendBinary(nil)
	}
	return titles.Append(nil, titles.Encoding{}, entries)
}
