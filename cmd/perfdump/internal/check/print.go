package check

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
)

type printer struct {
	*table.Printer

	json  bool
	table table.Table
	row   table.Row

	in               *detect.Input
	errors, warnings int
	notes            int
}

func newPrinter(w io.Writer, o *Options) *printer {
	return &printer{
		Printer: table.NewPrinter(w, table.Options{Width: o.IO.Width(), Color: o.IO.Color()}), json: o.Output == "json",
		// Findings are written as they come, so the widths are fixed.
		table: table.Table{Indent: 2, Columns: []table.Column{{Min: 7}, {Min: 18}, {Min: 9, Align: table.Right}, {}}},
	}
}

func (p *printer) file(in *detect.Input) { p.in, p.errors, p.warnings, p.notes = in, 0, 0, 0 }

func (p *printer) finding(f formats.Finding) {
	n := max(f.Count, 1)
	switch f.Severity {
	case formats.SeverityError:
		p.errors += n
	case formats.SeverityWarning:
		p.warnings += n
	case formats.SeverityNote:
		p.notes += n
	}
	if p.json {
		p.Raw(string(p.object(f)))
		return
	}
	if p.errors+p.warnings+p.notes == n {
		p.Line(p.Style.Bold(cell.Clean(cmdutil.FileName(p.in.Name))))
	}
	offset := "-"
	if f.Offset >= 0 {
		offset = fmt.Sprintf("0x%x", f.Offset)
	}
	text := cell.Clean(f.Message)
	if f.Path != "" {
		text = f.Path + ": " + text
	}
	if f.Count > 0 {
		text = fmt.Sprintf("%d %s", f.Count, text)
	}
	p.row.Reset().Text(string(f.Severity)).Paint(cmdutil.Paint(string(f.Severity))).Texts(string(f.Code), offset, text)
	p.Row(&p.table, &p.row)
}

func (p *printer) object(f formats.Finding) []byte {
	line := export.AppendJSONString([]byte(`{"code":`), string(f.Code))
	line = cmdutil.AppendOffset(append(line, `,"offset":`...), f.Offset)
	line = export.AppendJSONString(append(line, `,"path":`...), f.Path)
	line = export.AppendJSONString(append(line, `,"message":`...), f.Message)
	line = export.AppendJSONString(append(line, `,"severity":`...), string(f.Severity))
	line = export.AppendJSONString(append(line, `,"file":`...), p.in.Name)
	if f.Count > 0 {
		line = strconv.AppendInt(append(line, `,"count":`...), int64(f.Count), 10)
	}
	return append(line, '}', '\n')
}

// end sums up a file.
func (p *printer) end() {
	if !p.json {
		name := cell.Clean(cmdutil.FileName(p.in.Name))
		switch {
		case p.errors+p.warnings+p.notes == 0:
			p.Line(fmt.Sprintf("%s: %s, %d bytes of %s", p.Style.Bold(name), p.Style.Green("ok"), p.in.Size(), p.in.Format))
		default:
			text := "  " + count(p.errors, "error") + ", " + count(p.warnings, "anomaly")
			if p.notes > 0 {
				text += ", " + count(p.notes, "note")
			}
			p.Line(text)
		}
	}
	_ = p.Flush() // the error stays
}

func count(n int, noun string) string {
	if n == 0 {
		return "no " + strings.TrimPrefix(table.Plural(0, noun), "0 ")
	}
	return table.Plural(n, noun)
}
