package check

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

type printer struct {
	w     *bufio.Writer
	json  bool
	style cell.Style
	err   error

	in               *detect.Input
	errors, warnings int
	notes            int
}

func newPrinter(w io.Writer, o *Options) *printer {
	return &printer{w: bufio.NewWriter(w), json: o.Output == "json", style: cell.Style{On: o.IO.Color()}}
}

func (p *printer) write(s string) {
	if p.err == nil {
		_, p.err = p.w.WriteString(s)
	}
}

func (p *printer) flush() {
	if p.err == nil {
		p.err = p.w.Flush()
	}
}

func (p *printer) file(in *detect.Input) { p.in, p.errors, p.warnings, p.notes = in, 0, 0, 0 }

func (p *printer) finding(f capture.Finding) {
	n := max(f.Count, 1)
	switch f.Severity {
	case capture.SeverityError:
		p.errors += n
	case capture.SeverityWarning:
		p.warnings += n
	case capture.SeverityNote:
		p.notes += n
	}
	if p.json {
		p.write(string(p.object(f)))
		return
	}
	if p.errors+p.warnings+p.notes == n {
		p.write(p.style.Bold(cell.Clean(cmdutil.FileName(p.in.Name))) + "\n")
	}
	severity := cmdutil.Severity(p.style, string(f.Severity))
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
	p.write(fmt.Sprintf("  %s  %-18s  %9s  %s\n", severity, f.Code, offset, text))
}

func (p *printer) object(f capture.Finding) []byte {
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
			p.write(fmt.Sprintf("%s: %s, %d bytes of %s\n", p.style.Bold(name), p.style.Green("ok"), p.in.Size(), p.in.Format))
		default:
			text := fmt.Sprintf("  %s, %s", count(p.errors, "error", "errors"), count(p.warnings, "anomaly", "anomalies"))
			if p.notes > 0 {
				text += ", " + count(p.notes, "note", "notes")
			}
			p.write(text + "\n")
		}
	}
	p.flush()
}

func count(n int, one, many string) string {
	switch n {
	case 0:
		return "no " + many
	case 1:
		return "1 " + one
	default:
		return fmt.Sprintf("%d %s", n, many)
	}
}
