// Package findings writes the findings of the doctor.
package findings

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
)

// Write writes findings for people: file by file, the worst first.
func Write(p *table.Printer, found []registration.Finding) {
	var order []string
	byFile := map[string][]registration.Finding{}
	for _, f := range found {
		if byFile[f.File] == nil {
			order = append(order, f.File)
		}
		byFile[f.File] = append(byFile[f.File], f)
	}
	for _, all := range byFile {
		sort.SliceStable(all, func(i, j int) bool {
			return cmp.Or(cmp.Compare(rank(all[i]), rank(all[j])), cmp.Compare(all[i].ID, all[j].ID)) < 0
		})
	}
	sort.SliceStable(order, func(i, j int) bool { return rank(byFile[order[i]][0]) < rank(byFile[order[j]][0]) })
	for _, name := range order {
		if name != "" {
			p.Line(p.Style.Bold(cell.Clean(cmdutil.FileName(name))))
		}
		all := byFile[name]
		for i, f := range all {
			finding(p, &f)
			// The advice is written once where a rule has found more than one.
			if i == len(all)-1 || all[i+1].ID != f.ID || all[i+1].Advice != f.Advice {
				p.Text(indent, "do: ", cell.Clean(f.Advice))
			}
		}
		p.Line("")
	}
}

// JSON is findings as documents have them.
func JSON(found []registration.Finding) any {
	type keys struct {
		ID       string                `json:"id"`
		Severity registration.Severity `json:"severity"`
		File     string                `json:"file"`
		Line     *int                  `json:"line"`
		Subject  string                `json:"subject"`
		Message  string                `json:"message"`
		Advice   string                `json:"advice"`
	}
	all := []keys{}
	for _, f := range found {
		k := keys{f.ID, f.Severity, f.File, &f.Line, f.Subject, f.Message, f.Advice}
		if f.Line == 0 {
			k.Line = nil
		}
		all = append(all, k)
	}
	return all
}

// indent is where messages begin.
const indent = 16

// Bad reports whether one is an error or a warning.
func Bad(found []registration.Finding) bool {
	return slices.ContainsFunc(found, func(f registration.Finding) bool { return f.Severity != registration.Note })
}

// rank is 0 for the worst.
func rank(f registration.Finding) int {
	return slices.Index([]registration.Severity{registration.Error, registration.Warning, registration.Note}, f.Severity)
}

func finding(p *table.Printer, f *registration.Finding) {
	severity := p.Style.Paint(cmdutil.Paint(string(f.Severity)), table.Pad(string(f.Severity), 7))
	place := cell.Clean(f.Subject)
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d  %s", cell.Clean(f.File[strings.LastIndexByte(f.File, '/')+1:]), f.Line, place)
	}
	p.Line(fmt.Sprintf("  %s  %-3s  %s", severity, f.ID, p.Style.Bold(place)))
	p.Text(indent, "", cell.Clean(f.Message))
}

// Total sums findings up: "1 error, 2 warnings, 0 notes".
func Total(found []registration.Finding) string {
	counts := map[registration.Severity]int{}
	for _, f := range found {
		counts[f.Severity]++
	}
	return fmt.Sprintf("%s, %s, %s", table.Plural(counts[registration.Error], "error"), table.Plural(counts[registration.Warning], "warning"), table.Plural(counts[registration.Note], "note"))
}
