// Package findings writes what the doctor has found.
package findings

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/lodctr"
)

// WriteTable writes findings for people: file by file, the worst first.
func WriteTable(w io.Writer, s *iostreams.IOStreams, found []lodctr.Finding) {
	p := &printer{w, min(s.Width(), maxWidth), cell.Style{On: s.Color()}}
	p.table(found)
}

// AppendJSON appends findings as an array.
func AppendJSON(dst []byte, found []lodctr.Finding) []byte {
	dst = append(dst, '[')
	for i, f := range found {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = export.AppendJSONString(append(dst, `{"id":`...), f.ID)
		dst = export.AppendJSONString(append(dst, `,"severity":`...), string(f.Severity))
		dst = export.AppendJSONString(append(dst, `,"file":`...), f.File)
		dst = append(dst, `,"line":`...)
		if f.Line > 0 {
			dst = strconv.AppendInt(dst, int64(f.Line), 10)
		} else {
			dst = append(dst, "null"...)
		}
		dst = export.AppendJSONString(append(dst, `,"subject":`...), f.Subject)
		dst = export.AppendJSONString(append(dst, `,"message":`...), f.Message)
		dst = export.AppendJSONString(append(dst, `,"advice":`...), f.Advice)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// maxWidth is that of lines of text, which longer ones are hard to read.
const maxWidth = 100

// indent is where messages begin.
const indent = 16

type printer struct {
	w     io.Writer
	width int
	style cell.Style
}

// Bad reports whether one is an error or a warning.
func Bad(found []lodctr.Finding) bool {
	return slices.ContainsFunc(found, func(f lodctr.Finding) bool { return f.Severity != lodctr.Note })
}

func (p *printer) line(text string) { _, _ = io.WriteString(p.w, strings.TrimRight(text, " ")+"\n") }

func (p *printer) table(found []lodctr.Finding) {
	var order []string
	byFile := map[string][]lodctr.Finding{}
	for _, f := range found {
		if byFile[f.File] == nil {
			order = append(order, f.File)
		}
		byFile[f.File] = append(byFile[f.File], f)
	}
	worst := func(file string) int {
		return rank(slices.MinFunc(byFile[file], func(a, b lodctr.Finding) int { return cmp.Compare(rank(a), rank(b)) }))
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(worst(a), worst(b)) })
	for _, file := range order {
		p.file(file, byFile[file])
	}
}

// rank is 0 for the worst.
func rank(f lodctr.Finding) int {
	return slices.Index([]lodctr.Severity{lodctr.Error, lodctr.Warning, lodctr.Note}, f.Severity)
}

func (p *printer) file(name string, found []lodctr.Finding) {
	slices.SortStableFunc(found, func(a, b lodctr.Finding) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ID, b.ID))
	})
	if name != "" {
		p.line(p.style.Bold(cell.Clean(cmdutil.FileName(name))))
	}
	for i, f := range found {
		p.finding(name, &f)
		// What to do is told once where a rule has found more than one.
		if i == len(found)-1 || found[i+1].ID != f.ID || found[i+1].Advice != f.Advice {
			p.text("do: ", f.Advice)
		}
	}
	p.line("")
}

func (p *printer) finding(file string, f *lodctr.Finding) {
	severity := cmdutil.Severity(p.style, string(f.Severity))
	place := cell.Clean(f.Subject)
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d  %s", cell.Clean(file[strings.LastIndexByte(file, '/')+1:]), f.Line, place)
	}
	p.line(fmt.Sprintf("  %s  %-3s  %s", severity, f.ID, p.style.Bold(place)))
	p.text("", f.Message)
}

// text writes text wrapped; first stands in front of it.
func (p *printer) text(first, text string) {
	for i, line := range cell.Wrap(cell.Clean(text), max(p.width-indent-len(first), 30)) {
		if i > 0 {
			first = strings.Repeat(" ", len(first))
		}
		p.line(strings.Repeat(" ", indent) + p.style.Dim(first) + line)
	}
}

// Total sums findings up: "1 error, 2 warnings, 0 notes".
func Total(found []lodctr.Finding) string {
	counts := map[lodctr.Severity]int{}
	for _, f := range found {
		counts[f.Severity]++
	}
	return fmt.Sprintf("%s, %s, %s", count(counts[lodctr.Error], "error", "errors"), count(counts[lodctr.Warning], "warning", "warnings"), count(counts[lodctr.Note], "note", "notes"))
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
